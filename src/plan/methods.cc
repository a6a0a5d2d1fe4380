#include "plan/methods.h"

#include <algorithm>

#include "base/option_mark.h"
#include "partition/registry.h"

namespace tada {
namespace {

/// The tasks a plan may turn out to have: a label's kind is not known before the table is read.
std::vector<Task> PossibleTasks(const Plan& plan) {
  if (plan.task) return {*plan.task};
  if (plan.label.empty()) return {Task::kNone};
  if (const auto kind = plan.label.front().kind) {
    return {*kind == Kind::kNumeric ? Task::kRegression : Task::kClassification};
  }
  return {Task::kClassification, Task::kRegression};
}

Status CheckTask(const MethodEntry& method, const Plan& plan) {
  if (method.tasks.empty()) return Ok();
  for (const Task task : PossibleTasks(plan)) {
    if (std::find(method.tasks.begin(), method.tasks.end(), task) != method.tasks.end()) return Ok();
  }
  std::vector<std::string_view> names;
  for (const Task task : method.tasks) names.push_back(TaskName(task));
  return InvalidArgument(TADA_OPTION("method={}") " serves the task {} and no other: task={}", method.name,
                         fmt::join(names, " or "), TaskName(PossibleTasks(plan).front()))
      .WithHint(PossibleTasks(plan).front() == Task::kNone
                    ? "Name the column that a model will predict with " TADA_OPTION("label") ", or use " TADA_OPTION(
                          "method=mondrian") "."
                    : "Set " TADA_OPTION("task") ", or choose another method: 'tada methods' lists them.");
}

Status CheckMethodOptions(const MethodEntry& method, const OptionValues& given) {
  for (const auto& [name, values] : given.all()) {
    const auto spec = std::find_if(method.options.begin(), method.options.end(),
                                   [&](const OptionSpec& candidate) { return candidate.name == name; });
    if (spec == method.options.end()) {
      return InvalidArgument(TADA_OPTION("{}") " is an option of {}, not of method {}", name,
                             fmt::join(MethodsTaking(name), ", "), method.name)
          .WithHint(fmt::format("Leave it out, or choose " TADA_OPTION("method={}") ".", MethodsTaking(name).front()));
    }
    for (const std::string& value : values) TADA_CHECK_OK(ValidateOption(*spec, value));
  }
  return Ok();
}

}  // namespace

std::vector<std::string> MethodNames() {
  std::vector<std::string> names;
  for (const MethodEntry& method : Methods()) names.emplace_back(method.name);
  return names;
}

OptionSpecs MethodOptions(std::string_view method) {
  const MethodEntry* entry = FindMethod(method);
  return entry == nullptr ? OptionSpecs() : entry->options;
}

std::vector<std::string> MethodsTaking(std::string_view option) {
  std::vector<std::string> methods;
  for (const std::string& method : MethodNames()) {
    if (FindOption(MethodOptions(method), option) != nullptr) methods.push_back(method);
  }
  return methods;
}

std::string ChosenMethod(const Plan& plan) {
  return plan.method.empty() ? std::string(DefaultMethod(PossibleTasks(plan).front())) : plan.method;
}

Status CheckMethod(const Plan& plan) {
  const std::string name = ChosenMethod(plan);
  const MethodEntry* method = FindMethod(name);
  if (method == nullptr) {
    const auto nearest = SuggestName(name, MethodNames());
    return InvalidArgument(TADA_OPTION("method") " names a method that does not exist: {}", name)
        .WithHint(nearest ? fmt::format("Did you mean {}? 'tada methods' lists them.", *nearest)
                          : fmt::format("Methods are: {}.", fmt::join(MethodNames(), ", ")));
  }
  TADA_CHECK_OK(CheckTask(*method, plan));
  return CheckMethodOptions(*method, plan.method_options);
}

}  // namespace tada
