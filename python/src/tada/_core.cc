// The Python module: the engine's doors, as thin as they can be. Tables come and go as Arrow C streams in capsules, options as
// dictionaries of texts that the option table checks, results as JSON. Everything Python-like is in the .py files beside.
// The program is in here too: the wheel's `tada` runs it.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>

#include "base/version.h"
#include "cli/run_command_line.h"
#include "commands/judge/attack.h"
#include "commands/judge/audit.h"
#include "commands/judge/compare.h"
#include "commands/judge/compose.h"
#include "commands/judge/evaluate.h"
#include "commands/judge/inspect.h"
#include "commands/option_table.h"
#include "commands/release/advise.h"
#include "commands/release/anonymize.h"
#include "commands/release/apply.h"
#include "commands/release/decode.h"
#include "commands/release/key.h"
#include "files/c_stream/stream_files.h"
#include "files/stores/store_files.h"
#include "files/write_parts.h"
#include "partition/registry.h"
#include "plan/methods.h"
#include "recode/plain_release.h"
#include "report/attack_report.h"
#include "report/compare_report.h"
#include "report/compose_text.h"
#include "report/evaluate_report.h"
#include "report/profile_report.h"
#include "report/release/report.h"
#include "report/release/report_html.h"
#include "report/verdict/verdict_json.h"
#include "run/decode_plan.h"
#include "run/read_options.h"
#include "server/child.h"
#include "server/serve.h"
#include "doors.h"
#include "python_remote.h"
#include "run_aside.h"

namespace tada {
namespace {

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

// Files, folders and addresses, for as long as this lives: copies of what stands in a store are its own.
struct EngineFiles {
  static StreamFiles& ByExtension() {
    static PythonFiles columnar;
    static StreamFiles files(columnar);
    return files;
  }
  static Remote& Stores() {
    static PythonRemote remote;
    return remote;
  }
  StoreFiles files{ByExtension(), &Stores()};
};

class PathSource final : private EngineFiles, public FileSource {
 public:
  explicit PathSource(std::string path) : FileSource(EngineFiles::files, std::move(path)) {}
};

// A table to read: the path of a file, or a stream and what messages call it.
std::unique_ptr<Source> SourceOf(const nb::object& table) {
  if (nb::isinstance<nb::str>(table)) return std::make_unique<PathSource>(nb::cast<std::string>(table));
  const auto pair = nb::cast<nb::tuple>(table);
  return std::make_unique<StreamSource>(TakeStream(pair[0]), nb::cast<std::string>(pair[1]));
}

std::unique_ptr<Source> OptionalSource(const nb::object& table) { return table.is_none() ? nullptr : SourceOf(table); }

// Runs a command, its context made, and gives its result or raises its error.
template <class F>
auto RunWith(const nb::object& listener, F&& command) {
  return ValueOrRaise(RunAside(listener, [&](const Cancel& cancel, Progress& progress) {
    EngineFiles own;
    Context context{own.files, progress, cancel};
    return command(context);
  }));
}

// A release that Python holds: the table, the groups and the finished batches.
struct HeldRelease {
  FinishedRelease done;
  std::shared_ptr<const Batches> batches;

  nb::object Stream() const { return Capsule(batches); }

  // What the report says; `raw` off leaves out raw values that it was to show.
  Outcome Said(bool raw) const {
    Outcome outcome = done.outcome;
    outcome.report_raw = outcome.report_raw && raw;
    return outcome;
  }

  // CSV by the program's own writer, so that the bytes are those of the command line.
  void WriteCsvFile(const std::string& path, const std::string& delimiter, bool force,
                    const nb::object& listener) const {
    RunWith(listener, [&](Context& context) -> Result<bool> {
      const Workers workers(done.outcome.plan.threads, &context.cancel);
      TADA_TRY(sink, FileSink::Open(context.files, path, force));
      TADA_CHECK_OK(
          sink.Write(done.made.release, {.delimiter = delimiter.front(), .guard_formulas = done.outcome.plan.guard_formulas}, workers, context.progress));
      workers.Poll();
      TADA_CHECK_OK(sink.Publish());
      return true;
    });
  }

  // To a folder or an address, audited there before it can be seen; gives what the audit found wrong.
  std::vector<std::string> WriteTo(const std::string& path, bool force, uint64_t rows_per_file,
                                   const std::string& partition_by, const nb::object& listener) const {
    return RunWith(listener, [&](Context& context) -> Result<std::vector<std::string>> {
      const Workers workers(done.outcome.plan.threads, &context.cancel);
      TADA_TRY(sink, context.files.OpenSink(path, {force, rows_per_file, partition_by}));
      TADA_TRY(verdict, WriteAgain(done, *sink, workers, context.progress));
      workers.Poll();
      if (verdict.passed) TADA_CHECK_OK(sink->Publish());
      return verdict.passed ? std::vector<std::string>() : verdict.problems;
    });
  }
};

std::shared_ptr<HeldRelease> RunAnonymize(const nb::object& table, const Options& options, const nb::object& listener) {
  const AnonymizeRequest request = Request("anonymize", options, &AnonymizeRequestFrom);
  const std::unique_ptr<Source> source = SourceOf(table);
  BatchesSink sink;
  FinishedRelease done =
      RunWith(listener, [&](Context& context) { return Anonymize(request, *source, sink, context); });
  return std::make_shared<HeldRelease>(HeldRelease{std::move(done), sink.batches()});
}

// The same by saved cuts: their text, and what messages call it.
std::shared_ptr<HeldRelease> RunApply(const std::string& text, const std::string& name, const nb::object& table,
                                      const Options& options, const nb::object& listener) {
  const OptionValues values = ValuesOf(options);
  if (Status valid = ValidateValues(OptionsOfCommand("apply"), values); !valid.ok()) Raise(valid.error());
  const AnonymizeRequest request =
      ValueOrRaise(ApplyRequestFrom(ValueOrRaise(ReadCutsText(text, name)), name, values));
  const std::unique_ptr<Source> source = SourceOf(table);
  BatchesSink sink;
  FinishedRelease done =
      RunWith(listener, [&](Context& context) { return Anonymize(request, *source, sink, context); });
  return std::make_shared<HeldRelease>(HeldRelease{std::move(done), sink.batches()});
}

// The cells of a CSV file, as texts.
nb::object CellsOfFile(const std::string& path, const std::string& delimiter, const nb::object& listener) {
  const auto batches = RunWith(listener, [&](Context& context) -> Result<std::shared_ptr<const Batches>> {
    ReadOptions reading;
    if (!delimiter.empty()) reading.delimiter = delimiter.front();
    reading.defaults = {.kind = Kind::kCategorical, .missing = {}};
    const Workers workers(0, &context.cancel);
    TADA_TRY(file, context.files.Read(path, reading, workers, context.progress));
    const std::vector<StoredValues> as_texts(file.table.num_columns());
    return std::make_shared<const Batches>(
        MakeBatches(as_texts, PlainRelease(file.table), CellForm::kText, false, workers, context.progress));
  });
  return Capsule(batches);
}

// Every cell as its text, typed or not.
Result<Table> ReadTexts(ArrowArrayStream& stream, const Workers& workers, Progress& progress) {
  StreamOptions reading;
  reading.defaults = {.kind = Kind::kCategorical, .missing = {}};
  TADA_TRY(read, ReadStream(stream, reading, workers, progress));
  return std::move(read.table);
}

// The rows of a stream as texts, as a CSV file has them.
nb::object CellsOfStream(const nb::object& rows) {
  nanoarrow::UniqueArrayStream stream = TakeStream(rows);
  NoProgress silent;
  const Table table = ValueOrRaise(ReadTexts(*stream.get(), Workers(1), silent));
  const std::vector<StoredValues> as_texts(table.num_columns());
  return Capsule(std::make_shared<const Batches>(
      MakeBatches(as_texts, PlainRelease(table), CellForm::kText, false, Workers(1), silent)));
}

// Writes the rows of a stream in their order, as a file whose form its name tells.
void WriteCells(const nb::object& rows, const std::string& path) {
  nanoarrow::UniqueArrayStream stream = TakeStream(rows);
  RunWith(nb::none(), [&](Context& context) -> Result<bool> {
    const Workers workers(1);
    TADA_TRY(table, ReadTexts(*stream.get(), workers, context.progress));
    TADA_TRY(sink, FileSink::Open(context.files, path, true));
    TADA_CHECK_OK(sink.Write(PlainRelease(table), {.delimiter = ','}, workers, context.progress));
    TADA_CHECK_OK(sink.Publish());
    return true;
  });
}

std::string RunAudit(const nb::object& release, const nb::object& original, const Options& options,
                     const nb::object& listener) {
  const AuditRequest request = Request("audit", options, &AuditRequestFrom);
  const auto released = SourceOf(release), before = OptionalSource(original);
  return AsKeywords(VerdictJson(
      RunWith(listener, [&](Context& context) { return Audit(request, *released, before.get(), context); })));
}

// The decoded rows, and what was done.
std::pair<nb::object, std::string> RunDecode(const nb::object& release, const nb::object& learn_from,
                                             const Options& options, const nb::object& listener) {
  const DecodeRequest request = Request("decode", options, &DecodeRequestFrom);
  const auto released = SourceOf(release), other = OptionalSource(learn_from);
  BatchesSink sink;
  const Decoded decoded = RunWith(
      listener, [&](Context& context) { return Decode(request, *released, other.get(), sink, context); });
  return {Capsule(sink.batches()), AsKeywords(DecodeJson(decoded, request.options))};
}

// The profile and the drafted plan.
std::pair<std::string, std::string> RunInspect(const nb::object& table, const Options& options,
                                               const nb::object& listener) {
  const InspectRequest request = Request("inspect", options, &InspectRequestFrom);
  const auto source = SourceOf(table);
  const Profile profile = RunWith(listener, [&](Context& context) { return Inspect(request, *source, context); });
  return {AsKeywords(ProfileJson(profile, request.plan)), DraftPlanToml(profile, request.plan, source->name())};
}

std::string RunAttack(const nb::object& release, const nb::object& original, const nb::object& population,
                      const Options& options, const nb::object& listener) {
  const AttackRequest request = Request("attack", options, &AttackRequestFrom);
  const auto released = SourceOf(release), before = SourceOf(original), everybody = OptionalSource(population);
  return AsKeywords(AttackJson(RunWith(
      listener, [&](Context& context) { return Attack(request, *released, *before, everybody.get(), context); })));
}

std::string RunCompose(const std::vector<nb::object>& releases, const Options& options, const nb::object& listener) {
  const ComposeRequest request = Request("compose", options, &ComposeRequestFrom);
  std::vector<std::unique_ptr<Source>> held;
  std::vector<Source*> sources;
  for (const nb::object& release : releases) sources.push_back(held.emplace_back(SourceOf(release)).get());
  return AsKeywords(ComposeJson(RunWith(listener, [&](Context& context) { return Compose(request, sources, context); })));
}

// The figures, and the page that shows them.
std::pair<std::string, std::string> RunCompare(const std::vector<nb::object>& releases, const nb::object& original,
                                               const Options& options, const nb::object& listener) {
  const CompareRequest request = Request("compare", options, &CompareRequestFrom);
  std::vector<std::unique_ptr<Source>> held;
  std::vector<Source*> sources;
  for (const nb::object& release : releases) sources.push_back(held.emplace_back(SourceOf(release)).get());
  const auto before = SourceOf(original);
  const Comparison found =
      RunWith(listener, [&](Context& context) { return Compare(request, sources, *before, context); });
  return {AsKeywords(CompareJson(found)), OnCommandLine(CompareHtml(found))};
}

std::string RunAdvise(const nb::object& table, const Options& options, const nb::object& listener) {
  const AdviseRequest request = Request("advise", options, &AdviseRequestFrom);
  const auto source = SourceOf(table);
  return AsKeywords(RunWith(listener, [&](Context& context) { return Advise(request, *source, context); }).json);
}

// The name of an exception's class: its words may hold cells.
std::string RaisedName(const nb::python_error& raised) {
  return nb::cast<std::string>(raised.type().attr("__name__"));
}

// Functions of Python are counted by it only where its lock is held.
struct HeldFunction {
  explicit HeldFunction(const nb::object& given) : function(given) {}
  ~HeldFunction() {
    const nb::gil_scoped_acquire locked;
    function.reset();
  }
  HeldFunction(const HeldFunction&) = delete;
  HeldFunction& operator=(const HeldFunction&) = delete;

  nb::object function;
};

// A function of Python as a method: it gets the rows as a stream, k, l and the seed, and gives a table as the engine takes it.
ExternalMethod PythonMethod(const std::string& name, const nb::object& given) {
  return {name,
          [name, held = std::make_shared<HeldFunction>(given)](const Table& rows, const Plan& plan,
                                                               const Workers& workers) -> Result<Table> {
            NoProgress progress;
            const std::vector<StoredValues> as_texts(rows.num_columns());
            const auto batches = std::make_shared<const Batches>(
                MakeBatches(as_texts, PlainRelease(rows), CellForm::kText, true, workers, progress));
            std::unique_ptr<Source> made;
            {
              const nb::gil_scoped_acquire locked;
              try {
                made = SourceOf(held->function(Capsule(batches), plan.requirement.k, plan.requirement.l, plan.seed));
              } catch (const nb::python_error& raised) {
                return Infeasible("{} failed: {}", name, RaisedName(raised));
              }
            }
            Result<TableFile> file = made->Read(ReleaseReadOptions(plan), workers, progress);
            const nb::gil_scoped_acquire locked;
            made.reset();
            if (!file.ok()) return Infeasible("{}: what it returned cannot be read: {}", name, file.error().message);
            return std::move(file.value().table);
          },
          false};
}

nb::bytes DenseBytes(const SparseRows& rows) {
  const size_t count = rows.begin.size() - 1;
  std::vector<double> dense(count * rows.num_features, 0.0);
  for (size_t row = 0; row < count; ++row) {
    for (size_t at = rows.begin[row]; at < rows.begin[row + 1]; ++at)
      dense[row * rows.num_features + rows.entries[at].feature] = rows.entries[at].value;
  }
  return nb::bytes(dense.data(), dense.size() * sizeof(double));
}

template <class T>
nb::bytes BytesOf(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

// Models of scikit-learn: `function` gets matrices as bytes and gives probabilities, row by row, or numbers.
OutsideLearner PythonLearner(const nb::object& given) {
  if (given.is_none()) return {};
  return [held = std::make_shared<HeldFunction>(given)](Learner learner, const SparseRows& rows, const CellTable& train,
                                                        const SparseRows& asked, const CellTable& test,
                                                        uint64_t seed) -> Result<Predictions> {
    const nb::gil_scoped_acquire locked;
    const bool numbers = !train.targets.empty();
    std::vector<double> values;
    try {
      const nb::bytes labels = numbers ? BytesOf(train.targets) : BytesOf(train.labels);
      const auto made = nb::cast<nb::bytes>(held->function(LearnerName(learner), DenseBytes(rows), labels,
                                                           DenseBytes(asked), rows.num_features, test.num_labels,
                                                           numbers, seed));
      values.resize(made.size() / sizeof(double));
      std::memcpy(values.data(), made.c_str(), made.size());
    } catch (const nb::python_error& raised) {
      return Infeasible("{} failed: {}", LearnerName(learner), RaisedName(raised));
    }
    Predictions predictions;
    if (numbers) {
      predictions.numbers = std::move(values);
      return predictions;
    }
    for (size_t row = 0; row < test.num_rows; ++row) {
      const auto first = values.begin() + static_cast<ptrdiff_t>(row * test.num_labels);
      predictions.labels.push_back(static_cast<uint32_t>(std::max_element(first, first + test.num_labels) - first));
    }
    predictions.probabilities = std::move(values);
    return predictions;
  };
}

// The results, and the page that shows them.
std::pair<std::string, std::string> RunEvaluate(const nb::object& table, const nb::dict& methods,
                                                const nb::object& learner, const Options& options,
                                                const nb::object& listener) {
  EvaluateRequest request = Request("evaluate", options, &EvaluateRequestFrom);
  for (const auto& [name, function] : methods) {
    request.externals.push_back(PythonMethod(nb::cast<std::string>(name), nb::borrow(function)));
  }
  request.outside = PythonLearner(learner);
  const auto source = SourceOf(table);
  const EvaluateResult result =
      RunWith(listener, [&](Context& context) { return Evaluate(request, *source, context); });
  return {AsKeywords(result.json), OnCommandLine(EvaluateHtml(result.summaries, result.options, result.task,
                                                           result.baseline, {source->name(), request.command}))};
}

// The program itself, on the arguments of this process; `itself` are the words that run it once more.
int RunProgram(const std::vector<std::string>& arguments, const std::vector<std::string>& itself) {
  SetChildProgram(itself);
  std::vector<std::string> words = {"tada"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  const nb::gil_scoped_release unlocked;
  EngineFiles own;
  return RunCommandLine(static_cast<int>(pointers.size()), pointers.data(), own.files, &Serve);
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
  entry["minimum"] = spec.minimum;
  return entry;
}

nb::list DescribeOptions(const std::string& command) {
  nb::list entries;
  for (const OptionSpec& spec : OptionsOfCommand(command)) {
    nb::dict entry = DescribeOption(spec);
    entry["methods"] = spec.of_method ? MethodsTaking(spec.name) : std::vector<std::string>();
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
  BindSpread(module);
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
          "report_json", [](const HeldRelease& held, bool raw) { return OnCommandLine(ReportJson(held.Said(raw))); },
          nb::arg("raw") = true)
      .def(
          "report_html", [](const HeldRelease& held, bool raw) { return OnCommandLine(ReportHtml(held.Said(raw))); },
          nb::arg("raw") = true)
      .def("verdict_json", [](const HeldRelease& held) { return AsKeywords(VerdictJson(held.done.outcome.verdict)); })
      .def("plan_toml", [](const HeldRelease& held) { return PlanToToml(held.done.outcome.plan); })
      .def("cuts_json", [](const HeldRelease& held) { return held.done.made.cuts ? CutsJson(*held.done.made.cuts) : ""; })
      .def("write_csv", &HeldRelease::WriteCsvFile, nb::arg("path"), nb::arg("delimiter"), nb::arg("force"),
           nb::arg("progress").none())
      .def("write_to", &HeldRelease::WriteTo, nb::arg("path"), nb::arg("force"), nb::arg("rows_per_file"),
           nb::arg("partition_by"), nb::arg("progress").none())
      .def_prop_ro("passed", [](const HeldRelease& held) { return held.done.outcome.verdict.passed; })
      .def_prop_ro("problems", [](const HeldRelease& held) { return AsKeywords(held.done.outcome.verdict.problems); })
      .def_prop_ro("warnings", [](const HeldRelease& held) { return AsKeywords(held.done.outcome.all_warnings()); })
      .def_prop_ro("row_order", [](const HeldRelease& held) { return held.done.made.release.row_order; })
      .def_prop_ro("delimiter", [](const HeldRelease& held) { return std::string(1, held.done.input->delimiter); })
      .def_prop_ro("sample", [](const HeldRelease& held) { return held.done.outcome.sample; });
  module.def("anonymize", &RunAnonymize, nb::arg("table"), nb::arg("options"), nb::arg("progress").none());
  module.def("apply", &RunApply, nb::arg("cuts"), nb::arg("name"), nb::arg("table"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("read_cells", &CellsOfFile, nb::arg("path"), nb::arg("delimiter"), nb::arg("progress").none());
  module.def("cells_of", &CellsOfStream, nb::arg("rows"));
  module.def("write_cells", &WriteCells, nb::arg("rows"), nb::arg("path"));
  module.def("audit", &RunAudit, nb::arg("release"), nb::arg("original").none(), nb::arg("options"),
             nb::arg("progress").none());
  module.def("decode", &RunDecode, nb::arg("release"), nb::arg("learn_from").none(), nb::arg("options"),
             nb::arg("progress").none());
  module.def("inspect", &RunInspect, nb::arg("table"), nb::arg("options"), nb::arg("progress").none());
  module.def("attack", &RunAttack, nb::arg("release"), nb::arg("original"), nb::arg("population").none(),
             nb::arg("options"), nb::arg("progress").none());
  module.def("compose", &RunCompose, nb::arg("releases"), nb::arg("options"), nb::arg("progress").none());
  module.def("compare", &RunCompare, nb::arg("releases"), nb::arg("original"), nb::arg("options"),
             nb::arg("progress").none());
  module.def("advise", &RunAdvise, nb::arg("table"), nb::arg("options"), nb::arg("progress").none());
  module.def("evaluate", &RunEvaluate, nb::arg("table"), nb::arg("methods"), nb::arg("learner").none(),
             nb::arg("options"), nb::arg("progress").none());
  module.def("program", &RunProgram, nb::arg("arguments"), nb::arg("itself"));
  module.def("options", &DescribeOptions, nb::arg("command"));
  module.def(
      "key", [](const std::string& path) { return ValueOrRaise(MakeKey(path)); }, nb::arg("path"));
  module.def("methods", &DescribeMethods);
}
