// tada hierarchy build, check, show: makes, verifies and draws generalization hierarchies.

#include <filesystem>

#include "cli/commands/command.h"
#include "commands/release/hierarchy.h"
#include "hierarchy/rule_builders.h"
#include "report/hierarchy_text.h"

namespace tada {
namespace {

Result<HierarchyRequest> RequestOf(const ParsedCommandLine& line) {
  TADA_TRY(file, PlanFileOf(line));
  return HierarchyRequestFrom(file, line.options);
}

Result<int> RunBuild(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() != 2)
    return InvalidArgument("Usage: tada hierarchy build <input> --column <name> [--builder count:5] -o <file.csv>");
  TADA_TRY(request, RequestOf(line));
  FileSource source(console.files, line.operands[1]);
  TADA_TRY(built, BuildHierarchy(request, source, console));
  const Column& column = built.file.table.column(built.column);
  const std::string csv = HierarchyCsv(LinesOf(built.hierarchy, column)), output = line.options.Text("output");
  if (output.empty() || output == "-") {
    console.out << csv;
    return 0;
  }
  TADA_CHECK_OK(WriteWhole(output, line.options.Flag("force"), csv));
  if (!line.options.Flag("quiet")) {
    console.out << fmt::format("{}: {} by {}\n\n{}", output, column.name(), built.builder,
                               LevelTable(built.hierarchy, column, request.plan.show_values));
  }
  return 0;
}

// Whether a file is a hierarchy at all.
Result<int> RunCheckAlone(const std::string& path, Console& console) {
  TADA_TRY(sections, ReadSections(path));
  for (const auto& [name, lines] : sections) {
    console.out << fmt::format("{}: {} values, {} levels, one root: {}\n", name.empty() ? path : name,
                               lines.lines.size(), lines.lines[0].size(), lines.lines[0].back());
  }
  return 0;
}

Result<int> RunCheck(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() < 2)
    return InvalidArgument("Usage: tada hierarchy check <file> [<input> --column <name>], or <folder> <input>");
  const std::string& path = line.operands[1];
  if (line.operands.size() == 2) return RunCheckAlone(path, console);
  TADA_TRY(request, RequestOf(line));
  FileSource source(console.files, line.operands[2]);
  TADA_TRY(checked, CheckHierarchies(request, path, source, console));
  std::string text;
  for (const auto& [id, hierarchy] : checked.hierarchies) {
    const Column& column = checked.file.table.column(id);
    text +=
        checked.is_single
            ? fmt::format("{}: covers all {} values of {}\n\n", path, column.num_values(), column.name())
            : fmt::format("{}{}: covers all {} values\n", text.empty() ? "" : "\n", column.name(), column.num_values());
    text += LevelTable(hierarchy, column, request.plan.show_values) + FalseLabels(hierarchy);
  }
  console.out << text;
  return 0;
}

Result<int> RunShow(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() != 2) return InvalidArgument("Usage: tada hierarchy show <file>|<rule> [--column <name>]");
  if (IsRule(line.operands[1]) && !std::filesystem::exists(line.operands[1])) {
    TADA_TRY(words, RuleWords(line.operands[1]));
    for (size_t level = 0; level < words.size(); ++level)
      console.out << fmt::format("level {}: {}\n", level + 1, words[level]);
    console.out << fmt::format("level {}: *\n", words.size() + 1);
    return 0;
  }
  std::optional<std::string> column;
  if (line.options.Has("column")) column = line.options.Text("column");
  TADA_TRY(lines, FindHierarchy(line.operands[1], column));
  console.out << HierarchyDrawing(lines);
  return 0;
}

Result<int> RunHierarchy(const ParsedCommandLine& line, Console& console) {
  const std::string& verb = line.operands[0];
  if (verb == "build") return RunBuild(line, console);
  if (verb == "check") return RunCheck(line, console);
  if (verb == "show") return RunShow(line, console);
  return InvalidArgument("tada hierarchy takes build, check or show, not '{}'", verb);
}

}  // namespace

Command MakeHierarchyCommand() {
  return {
      .name = "hierarchy",
      .summary = "build, check and draw generalization hierarchies",
      .description =
          "Build a hierarchy of a column from its values, check that a file is one and covers a column, or draw it.",
      .usage =
          "build <input> --column <name> -o <file.csv> | check <file>|<folder>|<rule> [<input>] [--column <name>] | "
          "show <file>|<rule> [--column <name>]",
      .min_operands = 1,
      .max_operands = 3,
      .examples = {{"Ages in steps of five years, doubled",
                    "tada hierarchy build people.csv --column age --builder width:5 -o age.csv"},
                   {"Does it cover the data?", "tada hierarchy check age.csv people.csv --column age"},
                   {"What does it look like?", "tada hierarchy show age.csv"}},
      .options = HierarchyCommandOptions(),
      .exits = CommonExits({{0, "done"}}),
      .run = &RunHierarchy};
}

}  // namespace tada
