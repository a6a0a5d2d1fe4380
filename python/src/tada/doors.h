#pragma once

// What the doors of the module share: options, errors and tables on their way between Python and the engine.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/option.h"
#include "base/option_mark.h"
#include "base/status.h"
#include "commands/option_table.h"
#include "files/c_stream/write_stream.h"
#include "plan/plan.h"

namespace tada {

namespace nb = nanobind;

using Options = std::map<std::string, std::vector<std::string>>;

// Options that a text names, as keyword arguments: range='cut', k=, from_=.
inline std::string AsKeywords(const std::string& text) {
  return SpellOptions(text, [](const NamedOption& option) {
    const nb::object name = nb::module_::import_("tada._options").attr("python_name");
    std::string spelled = nb::cast<std::string>(name(option.name == "o" ? "output" : std::string(option.name))) + "=";
    const bool quoted = option.value.find_first_not_of("0123456789.") != std::string_view::npos &&
                        option.value.front() != '<' && option.value.front() != '\'';
    return spelled.append(quoted ? "'" : "").append(option.value).append(quoted ? "'" : "");
  });
}

inline std::vector<std::string> AsKeywords(std::vector<std::string> texts) {
  for (std::string& text : texts) text = AsKeywords(text);
  return texts;
}

// Raises the Python exception that stands for an error; they are classes of tada._errors.
[[noreturn]] inline void Raise(const Error& error) {
  static constexpr const char* kClasses[] = {"UsageError", "DataError", "InfeasibleError", "OutputError"};
  const nb::object type = nb::module_::import_("tada._errors").attr(kClasses[static_cast<size_t>(error.code)]);
  PyErr_SetObject(type.ptr(), type(AsKeywords(error.message), AsKeywords(error.hint)).ptr());
  throw nb::python_error();
}

template <class T>
T ValueOrRaise(Result<T> result) {
  if (!result.ok()) Raise(result.error());
  return std::move(result).value();
}

// A stream is taken out of its capsule: whoever made it sees it as read.
inline nanoarrow::UniqueArrayStream TakeStream(const nb::object& capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) Raise(DataError("The Arrow stream was read before").WithHint("Make a new one."));
  nanoarrow::UniqueArrayStream taken;
  ArrowArrayStreamMove(stream, taken.get());
  return taken;
}

inline OptionValues ValuesOf(const Options& options) {
  OptionValues values;
  for (const auto& [name, given] : options) values.Set(name, given);
  return values;
}

// What a command is asked for, by its name, options and plan: `make` is its function ...RequestFrom.
template <class T>
T Request(const std::string& command, const Options& options, Result<T> (*make)(const PlanFile&, const OptionValues&)) {
  const OptionValues values = ValuesOf(options);
  if (Status valid = ValidateValues(OptionsOfCommand(command), values); !valid.ok()) Raise(valid.error());
  PlanFile file;
  if (values.Has("plan")) file = ValueOrRaise(ReadPlanFile(values.Text("plan")));
  return ValueOrRaise(make(file, values));
}

// Batches as a capsule that any Arrow consumer takes.
inline nb::object Capsule(const std::shared_ptr<const Batches>& batches) {
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

/// Adds the doors of runs over spread rows (src/spread).
void BindSpread(nb::module_& module);

}  // namespace tada
