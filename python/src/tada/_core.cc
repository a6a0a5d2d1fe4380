// The Python module: the engine's doors, as thin as they can be. Tables come and go as Arrow C streams in capsules, options as
// dictionaries of texts that the option table checks, results as JSON. Everything Python-like is in the .py files beside.
// The commands of the program are in here too: the wheel's `tada` runs them, and functions that have no door of their own.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <sstream>

#include "base/version.h"
#include "cli/commands.h"
#include "cli/run_command_line.h"
#include "files/format.h"
#include "files/write_parts.h"
#include "partition/registry.h"
#include "run/inspect.h"
#include "plan/option_table.h"
#include "plan/plan_columns.h"
#include "report/report.h"
#include "report/profile_json.h"
#include "report/report_html.h"
#include "report/verdict_json.h"
#include "run_aside.h"
#include "job/decode_stream.h"
#include "files/c_stream/files.h"
#include "job/release_stream.h"

namespace nb = nanobind;

namespace tada {
namespace {

using Options = std::map<std::string, std::vector<std::string>>;

// Raises the Python exception that stands for an error; they are classes of tada._errors.
[[noreturn]] void Raise(const Error& error) {
  static constexpr const char* kClasses[] = {"UsageError", "DataError", "InfeasibleError", "OutputError"};
  const nb::object type = nb::module_::import_("tada._errors").attr(kClasses[static_cast<size_t>(error.code)]);
  PyErr_SetObject(type.ptr(), type(error.message, error.hint).ptr());
  throw nb::python_error();
}

template <class T>
T ValueOrRaise(Result<T> result) {
  if (!result.ok()) Raise(result.error());
  return std::move(result).value();
}

// A stream is taken out of its capsule: whoever made it sees it as read.
nanoarrow::UniqueArrayStream TakeStream(const nb::object& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) Raise(DataError("The Arrow stream was read before").WithHint("Make a new one."));
  nanoarrow::UniqueArrayStream taken;
  ArrowArrayStreamMove(stream, taken.get());
  return taken;
}

OptionValues ValuesOf(const Options& options) {
  OptionValues values;
  for (const auto& [name, given] : options) values.Set(name, given);
  return values;
}

Result<PlanFile> PlanFileAt(const std::optional<std::string>& path) {
  if (!path) return PlanFile{};
  return ReadPlanFile(*path);
}

Plan CompletePlan(const Options& options, const std::optional<std::string>& plan_path) {
  const PlanFile file = ValueOrRaise(PlanFileAt(plan_path));
  return ValueOrRaise(PlanFromFile(file, ValuesOf(options)));
}

// Batches as a capsule that any Arrow consumer takes.
nb::object Capsule(const std::shared_ptr<const Batches>& batches) {
  auto stream = std::make_unique<ArrowArrayStream>();
  ExportStream(batches, stream.get());
  PyObject* capsule = PyCapsule_New(stream.release(), "arrow_array_stream", [](PyObject* object) {
    const std::unique_ptr<ArrowArrayStream> held(
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(object, "arrow_array_stream")));
    if (held->release != nullptr) held->release(held.get());
  });
  if (capsule == nullptr) throw nb::python_error();
  return nb::steal(capsule);
}

// The error that a Python exception of tada._errors stands for; any other is thrown on.
Error ErrorOf(const nb::python_error& raised) {
  const nb::object errors = nb::module_::import_("tada._errors");
  constexpr std::pair<const char*, ErrorCode> kClasses[] = {
      {"UsageError", ErrorCode::kInvalidArgument}, {"DataError", ErrorCode::kData}, {"OutputError", ErrorCode::kIo}};
  for (const auto& [name, code] : kClasses) {
    if (!raised.matches(errors.attr(name))) continue;
    Error error = DataError("{}", nb::cast<std::string>(raised.value().attr("message")));
    error.code = code;
    error.hint = nb::cast<std::string>(raised.value().attr("hint"));
    return error;
  }
  throw InternalError(raised.what());
}

// Parquet and Arrow files by tada._files, which has pyarrow do it.
class PythonFiles final : public ColumnarFiles {
 public:
  Result<nanoarrow::UniqueArrayStream> Read(const std::string& path, Format format) override {
    return Call<nanoarrow::UniqueArrayStream>(
        [&](const nb::object& files) { return TakeStream(files.attr("read")(path, FormatName(format))); });
  }
  Result<std::vector<std::string>> Names(const std::string& path, Format format) override {
    return Call<std::vector<std::string>>([&](const nb::object& files) {
      return nb::cast<std::vector<std::string>>(files.attr("names")(path, FormatName(format)));
    });
  }
  Status Write(const std::shared_ptr<const Batches>& batches, Format format, PendingFile& file) override {
    TADA_CHECK_OK(Call<bool>([&](const nb::object& files) {
      files.attr("write")(Capsule(batches), FormatName(format), file.descriptor(), file.target());
      return true;
    }));
    return Ok();
  }
  Result<std::string> Sha256(const std::string& path) override {
    return Call<std::string>(
        [&](const nb::object& files) { return nb::cast<std::string>(files.attr("sha256")(path)); });
  }

 private:
  // The engine's threads come here without the interpreter's lock.
  template <class T, class F>
  Result<T> Call(F&& call) {
    const nb::gil_scoped_acquire locked;
    try {
      return call(nb::module_::import_("tada._files"));
    } catch (const nb::python_error& raised) {
      return ErrorOf(raised);
    }
  }
};

// A release that Python holds: the table, the groups and the finished batches.
struct HeldRelease {
  StreamRelease done;

  nb::object Stream() const { return Capsule(done.batches); }

  // What the report says; `raw` off leaves out raw values that it was to show.
  Outcome Said(bool raw) const {
    Outcome outcome = done.outcome;
    outcome.report_raw = outcome.report_raw && raw;
    return outcome;
  }

  // CSV by the program's own writer, so that the bytes are those of the command line.
  void WriteCsvFile(const std::string& path, const std::string& delimiter, bool force,
                    const nb::object& listener) const {
    const Status written = RunAside(listener, [&](const Cancel& cancel, Progress& progress) -> Status {
      TADA_TRY(format, FormatOf(path));
      const Workers workers(done.outcome.plan.threads, &cancel);
      TADA_TRY(file, PendingFile::Open(path, force));
      progress.Begin("write", done.made.release.row_order.size());
      TADA_CHECK_OK(WriteCsv(done.made.release, delimiter.front(), format == Format::kCsvGz, workers, progress, file));
      TADA_CHECK_OK(file.Sync());
      workers.Poll();
      return file.Publish();
    });
    if (!written.ok()) Raise(written.error());
  }
};

std::shared_ptr<HeldRelease> RunRelease(const nb::object& capsule, const Options& options,
                                        const std::optional<std::string>& plan_path, const std::string& name,
                                        const std::string& format, bool untyped, const nb::object& listener) {
  const StreamJob job{CompletePlan(options, plan_path), name, format, untyped, ValuesOf(options).Flag("report-raw")};
  nanoarrow::UniqueArrayStream stream = TakeStream(capsule);
  auto result = RunAside(listener, [&](const Cancel& cancel, Progress& progress) {
    const Workers workers(job.plan.threads, &cancel);
    return ReleaseStream(*stream.get(), job, workers, progress);
  });
  return std::make_shared<HeldRelease>(HeldRelease{ValueOrRaise(std::move(result))});
}

std::string RunAudit(const nb::object& capsule, const nb::object& original_capsule, const Options& options,
                     const std::optional<std::string>& plan_path, const std::string& name,
                     const std::string& original_name, const nb::object& listener) {
  const Plan plan = ValueOrRaise(PlanForAudit(ValueOrRaise(PlanFileAt(plan_path)), ValuesOf(options)));
  nanoarrow::UniqueArrayStream stream = TakeStream(capsule), original;
  if (!original_capsule.is_none()) original = TakeStream(original_capsule);
  auto result = RunAside(listener, [&](const Cancel& cancel, Progress& progress) {
    const Workers workers(plan.threads, &cancel);
    return AuditStream(*stream.get(), original_capsule.is_none() ? nullptr : original.get(), plan,
                       {name, original_name}, workers, progress);
  });
  return VerdictJson(ValueOrRaise(std::move(result)));
}

// The decoded rows, and what was done.
std::pair<nb::object, std::string> RunDecode(const nb::object& capsule, const nb::object& learn_capsule,
                                             const Options& options, const std::optional<std::string>& plan_path,
                                             const std::string& name, bool untyped, const nb::object& listener) {
  const OptionValues values = ValuesOf(options);
  DecodeStreamJob job;
  job.plan = ValueOrRaise(DraftPlan(ValueOrRaise(PlanFileAt(plan_path)), values));
  job.plan.controller_column.clear();  // says how a release was made; the release itself need not have it
  job.options = ValueOrRaise(DecodeOptionsFrom(job.plan, values));
  job.name = name;
  job.untyped = untyped;
  nanoarrow::UniqueArrayStream stream = TakeStream(capsule), learn;
  if (!learn_capsule.is_none()) learn = TakeStream(learn_capsule);
  auto result = RunAside(listener, [&](const Cancel& cancel, Progress& progress) {
    const Workers workers(job.plan.threads, &cancel);
    return DecodeStream(*stream.get(), learn_capsule.is_none() ? nullptr : learn.get(), job, workers, progress);
  });
  const StreamDecoded done = ValueOrRaise(std::move(result));
  return {Capsule(done.batches), done.json};
}

// The profile and the drafted plan.
std::pair<std::string, std::string> RunInspect(const nb::object& capsule, const Options& options,
                                               const std::string& name, const nb::object& listener) {
  const Plan plan = ValueOrRaise(DraftPlan({}, ValuesOf(options)));
  nanoarrow::UniqueArrayStream stream = TakeStream(capsule);
  auto result = RunAside(listener, [&](const Cancel& cancel, Progress& progress) -> Result<Profile> {
    const Workers workers(plan.threads, &cancel);
    StreamOptions reading;
    reading.name = name;
    reading.defaults.missing = plan.missing;
    reading.by_name = PlannedColumnOptions(plan);
    TADA_TRY(header, StreamHeader(*stream.get(), name));
    TADA_CHECK_OK(CheckPlannedColumns(plan, header, name));
    TADA_TRY(read, ReadStream(*stream.get(), reading, workers, progress));
    progress.Begin("inspect", 0);
    return Inspect(read.table, plan);
  });
  const Profile profile = ValueOrRaise(std::move(result));
  return {ProfileJson(profile, plan), DraftPlanToml(profile, plan, name)};
}

// Checks values by the options of the command itself: evaluate takes several k where others take one.
Status CheckValues(const std::string& command, const OptionValues& values) {
  const std::vector<OptionSpec> specs = OptionsOfCommand(command, true);
  for (const auto& [name, given] : values.all()) {
    const auto spec = std::find_if(specs.begin(), specs.end(), [&](const OptionSpec& s) { return s.name == name; });
    TADA_ASSERT(spec != specs.end());  // _options.py looks names up in the same table
    for (const std::string& text : given) TADA_CHECK_OK(ValidateOption(*spec, text));
  }
  return Ok();
}

// Runs a command as the program would, on files or frames: what it printed, and the exit code of its answer (0, or 1 for
// "no"). `frames` are streams by the names that operands and options call them.
std::pair<int, std::string> RunOneCommand(const std::string& name, const std::vector<std::string>& operands,
                                          const Options& options, const std::map<std::string, nb::object>& frames,
                                          const nb::object& listener) {
  ParsedCommandLine line;
  line.command = FindCommand(name);
  TADA_ASSERT(line.command != nullptr);
  line.operands = operands;
  line.options = ValuesOf(options);
  if (Status valid = CheckValues(name, line.options); !valid.ok()) Raise(valid.error());
  std::map<std::string, nanoarrow::UniqueArrayStream> streams;
  for (const auto& [called, capsule] : frames) streams.emplace(called, TakeStream(capsule));
  auto result =
      RunAside(listener, [&](const Cancel& cancel, Progress& progress) -> Result<std::pair<int, std::string>> {
        Frames held;
        for (auto& [called, stream] : streams) {
          TADA_TRY(batches, HoldStream(*stream.get(), called));
          held.emplace(called, std::make_shared<const Batches>(std::move(batches)));
        }
        const FramesInReach in_reach(held);
        std::ostringstream out, notes;
        Console console{out, notes, progress, cancel};
        TADA_TRY(code, line.command->run(line, console));
        return std::pair(code, out.str());
      });
  return ValueOrRaise(std::move(result));
}

// The program itself, on the arguments of this process.
int RunProgram(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"tada"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  const nb::gil_scoped_release unlocked;
  return RunCommandLine(static_cast<int>(pointers.size()), pointers.data());
}

nb::dict DescribeOption(const OptionSpec& spec) {
  static constexpr std::string_view kTypes[] = {"flag", "integer", "real", "text", "list", "choice"};
  nb::dict entry;
  entry["name"] = spec.name;
  entry["type"] = kTypes[static_cast<size_t>(spec.type)];
  entry["default"] = spec.default_text;
  entry["help"] = spec.help;
  entry["section"] = spec.section;
  nb::list choices;
  for (const std::string_view choice : spec.choices) choices.append(choice);
  entry["choices"] = choices;
  return entry;
}

nb::list DescribeOptions(const std::string& command) {
  nb::list entries;
  for (const OptionSpec& spec : OptionsOfCommand(command, true)) {
    nb::dict entry = DescribeOption(spec);
    entry["methods"] = FindOption(command, spec.name) == nullptr ? MethodsTaking(spec.name) : std::vector<std::string>();
    entries.append(entry);
  }
  return entries;
}

nb::list DescribeMethods() {
  nb::list entries;
  for (const MethodEntry& method : Methods()) {
    nb::dict entry;
    entry["name"] = method.name;
    entry["maturity"] = method.maturity == Maturity::kStable ? "stable" : "experimental";
    entry["summary"] = method.summary;
    nb::list tasks, options;
    for (const Task task : method.tasks) tasks.append(TaskName(task));
    for (const OptionSpec& spec : method.options) options.append(DescribeOption(spec));
    entry["tasks"] = tasks;
    entry["options"] = options;
    entries.append(entry);
  }
  return entries;
}

}  // namespace
}  // namespace tada

NB_MODULE(_core, module) {
  using namespace tada;
  module.attr("__version__") = kVersion;
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const InternalError& error) {
      const nb::object type = nb::module_::import_("tada._errors").attr("InternalError");
      PyErr_SetObject(type.ptr(), type(error.what(), "").ptr());
    }
  });
  nb::class_<HeldRelease>(module, "Release")
      .def("stream", &HeldRelease::Stream)
      .def(
          "report_json", [](const HeldRelease& held, bool raw) { return ReportJson(held.Said(raw)); },
          nb::arg("raw") = true)
      .def(
          "report_html", [](const HeldRelease& held, bool raw) { return ReportHtml(held.Said(raw)); },
          nb::arg("raw") = true)
      .def("verdict_json", [](const HeldRelease& held) { return VerdictJson(held.done.outcome.verdict); })
      .def("plan_toml", [](const HeldRelease& held) { return PlanToToml(held.done.outcome.plan); })
      .def("write_csv", &HeldRelease::WriteCsvFile, nb::arg("path"), nb::arg("delimiter"), nb::arg("force"),
           nb::arg("progress").none())
      .def_prop_ro("passed", [](const HeldRelease& held) { return held.done.outcome.verdict.passed; })
      .def_prop_ro("problems", [](const HeldRelease& held) { return held.done.outcome.verdict.problems; })
      .def_prop_ro("warnings", [](const HeldRelease& held) { return held.done.outcome.warnings; })
      .def_prop_ro("row_order", [](const HeldRelease& held) { return held.done.made.release.row_order; })
      .def_prop_ro("sample", [](const HeldRelease& held) { return held.done.outcome.sample; });
  module.def("release", &RunRelease, nb::arg("stream"), nb::arg("options"), nb::arg("plan").none(), nb::arg("name"),
             nb::arg("format"), nb::arg("untyped"), nb::arg("progress").none());
  module.def("audit", &RunAudit, nb::arg("stream"), nb::arg("original").none(), nb::arg("options"),
             nb::arg("plan").none(), nb::arg("name"), nb::arg("original_name"), nb::arg("progress").none());
  module.def("decode", &RunDecode, nb::arg("stream"), nb::arg("learn_from").none(), nb::arg("options"),
             nb::arg("plan").none(), nb::arg("name"), nb::arg("untyped"), nb::arg("progress").none());
  module.def("inspect", &RunInspect, nb::arg("stream"), nb::arg("options"), nb::arg("name"),
             nb::arg("progress").none());
  static PythonFiles files;
  SetColumnarFiles(&files);
  module.def("command", &RunOneCommand, nb::arg("name"), nb::arg("operands"), nb::arg("options"), nb::arg("frames"),
             nb::arg("progress").none());
  module.def("program", &RunProgram, nb::arg("arguments"));
  module.def("options", &DescribeOptions, nb::arg("command"));
  module.def("methods", &DescribeMethods);
}
