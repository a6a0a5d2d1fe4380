// tada methods: what there is to choose from, out of the registry.

#include "cli/commands.h"
#include "cli/help.h"
#include "commands/options_json.h"
#include "partition/registry.h"
#include "plan/option_groups.h"
#include "privacy/check/requirements.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

constexpr size_t kNameWidth = 100;

// Calls f(option, meaning) for every way to ask for something.
template <class F>
void ForEachRequirement(const F& f) {
  for (const RequirementEntry& entry : Requirements()) {
    for (const auto& [option, meaning] : entry.meanings) f(option, meaning);
  }
}

std::string_view MaturityName(Maturity maturity) { return maturity == Maturity::kStable ? "stable" : "experimental"; }

std::vector<std::string_view> TaskNames(const MethodEntry& method) {
  std::vector<std::string_view> names;
  for (const Task task : method.tasks) names.push_back(TaskName(task));
  return names;
}

std::string OrderWords(const MethodEntry& method) {
  if (method.order_matters.empty()) return "does not change what is released.";
  return fmt::format("changes what is released in one case. {}", method.order_matters);
}

std::string MethodText(const MethodEntry& method) {
  std::string text = fmt::format("  {} ({})\n      {}\n", method.name, MaturityName(method.maturity),
                                 Wrap(method.summary, kNameWidth, 6));
  text += fmt::format("      For {}; see {}\n",
                      method.tasks.empty() ? "any task" : fmt::format("{}", fmt::join(TaskNames(method), ", ")),
                      method.page);
  text += fmt::format("      Order of the input's rows: {}\n", Wrap(OrderWords(method), kNameWidth, 6));
  for (OptionSpec spec : method.options) {
    spec.of_method = true;
    text += fmt::format("      {}\n          {}\n", OptionForms(spec), Wrap(OptionMeaning(spec), kNameWidth, 10));
  }
  return text;
}

Result<int> RunMethods(const ParsedCommandLine& line, Console& console) {
  if (line.options.Flag("json")) {
    console.out << MethodsJson().dump(2) << '\n';
    return 0;
  }
  console.out << "Methods (--method <name>):\n";
  for (const MethodEntry& method : Methods()) console.out << MethodText(method);
  console.out << fmt::format("\nWithout --method: {} with a task or label, {} without.\n",
                             DefaultMethod(Task::kClassification), DefaultMethod(Task::kNone));
  console.out << "\nRequirements:\n";
  std::vector<std::vector<std::string>> rows;
  ForEachRequirement(
      [&](auto option, auto meaning) { rows.push_back({"  " + std::string(option), Wrap(meaning, kNameWidth, 34)}); });
  console.out << AlignColumns(rows, {});
  return 0;
}

}  // namespace

Command MakeMethodsCommand() {
  return {.name = "methods",
          .summary = "list methods, requirements and their options",
          .description = "List the methods that form groups, the requirements they can meet, and the options of each.",
          .usage = "[--json]",
          .examples = {{"What is there", "tada methods"}, {"For a script", "tada methods --json"}},
          .options = Only(OutputOptions(), {"json"}),
          .exits = {{0, "listed"}, {2, "wrong usage"}, {5, "output cannot be written"}},
          .run = &RunMethods};
}

}  // namespace tada
