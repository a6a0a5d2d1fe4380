// tada hierarchy build, check, show: makes, verifies and draws generalization hierarchies.

#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/text_layout.h"
#include "files/read.h"
#include "files/write.h"
#include "hierarchy/hierarchy_builders.h"
#include "hierarchy/hierarchy_files.h"
#include "job/read_options.h"
#include "plan/plan_columns.h"

namespace tada {
namespace {

constexpr size_t kShownChildren = 12;

struct Target {
  TableFile file;
  ColumnId column = 0;
  std::optional<ColumnId> label;
};

// The table, with --column typed as the option says; without one all columns are meant.
Result<Target> ReadInput(const ParsedCommandLine& line, const std::string& input, Console& console) {
  TADA_TRY(plan, DraftFromCommandLine(line));
  if (line.options.Has("column")) plan.quasi = {ParsePlannedColumn(line.options.Text("column"), false)};
  const Workers workers(plan.threads, &console.cancel);
  Target target;
  TADA_TRY(header, ReadHeader(input, plan.delimiter));
  if (line.options.Has("column")) TADA_CHECK_OK(CheckColumn(plan.quasi[0].name, "column", header, input));
  TADA_CHECK_OK(CheckPlannedColumns(plan, header, input));
  TADA_TRY(file, ReadTable(input, OriginalReadOptions(plan), workers, console.progress));
  console.progress.Clear();
  target.file = std::move(file);
  if (!plan.quasi.empty()) target.column = *target.file.table.Find(plan.quasi[0].name);
  if (!plan.label.empty()) target.label = target.file.table.Find(plan.label[0].name);
  return target;
}

Result<Target> ReadTarget(const ParsedCommandLine& line, const std::string& input, Console& console) {
  if (!line.options.Has("column")) return InvalidArgument("--column is missing: whose hierarchy?");
  return ReadInput(line, input, console);
}

// A row per level: how many labels, the rows of the rarest, and some of the labels.
std::string LevelTable(const Hierarchy& hierarchy, const Column& column) {
  const std::vector<uint64_t> smallest = hierarchy.SmallestNodes(column);
  std::vector<std::vector<std::string>> rows = {{"level", "labels", "rows of the rarest", "for example"}};
  uint64_t last = 0;
  for (uint32_t level = 0; level < hierarchy.num_levels(); ++level) {
    std::vector<std::string> some;
    for (Code node = 0; node < std::min<Code>(3, hierarchy.num_nodes(level)); ++node)
      some.push_back(hierarchy.label(level, node));
    const bool idle = level > 0 && level < hierarchy.top() && smallest[level] <= last;
    if (!idle) last = smallest[level];
    rows.push_back({fmt::format("{}", level), fmt::format("{}", hierarchy.num_nodes(level)),
                    fmt::format("{}", smallest[level]),
                    fmt::format("{}{}", fmt::join(some, "  "),
                                idle ? "   (makes nobody harder to find: 'build' would drop it)" : "")});
  }
  return AlignColumns(rows, {true, true, true, false});
}

std::string FalseLabels(const Hierarchy& hierarchy) {
  std::string text;
  for (const std::string& wrong : hierarchy.corrected()) text += fmt::format("false label: {}\n", wrong);
  return text;
}

// The tree of lines from the root down, each label once, with how many values are below it.
void DrawBelow(const HierarchyLines& lines, size_t level, const std::vector<size_t>& members, const std::string& indent,
               std::string& out) {
  std::vector<std::pair<std::string, std::vector<size_t>>> children;
  for (const size_t i : members) {
    const std::string& label = lines.lines[i][level];
    auto found =
        std::find_if(children.begin(), children.end(), [&](const auto& child) { return child.first == label; });
    if (found == children.end()) found = children.insert(children.end(), {label, {}});
    found->second.push_back(i);
  }
  for (size_t c = 0; c < children.size(); ++c) {
    const bool last = c + 1 == children.size() || c == kShownChildren;
    if (c == kShownChildren) {
      out += fmt::format("{}└─ ... and {} more\n", indent, children.size() - c);
      return;
    }
    out += fmt::format("{}{} {}", indent, last ? "└─" : "├─", children[c].first);
    out += level > 0 ? fmt::format(" ({})\n", children[c].second.size()) : "\n";
    if (level > 0) DrawBelow(lines, level - 1, children[c].second, indent + (last ? "   " : "│  "), out);
  }
}

std::string Drawing(const HierarchyLines& lines) {
  std::vector<size_t> all(lines.lines.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::string out = fmt::format("{} ({} values)\n", lines.lines[0].back(), all.size());
  DrawBelow(lines, lines.lines[0].size() - 2, all, "", out);
  return out;
}

Result<int> RunBuild(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() != 2)
    return InvalidArgument("Usage: tada hierarchy build <input> --column <name> [--builder count:5] -o <file.csv>");
  TADA_TRY(target, ReadTarget(line, line.operands[1], console));
  const Column& column = target.file.table.column(target.column);
  const std::string builder =
      line.options.Has("builder") ? line.options.Text("builder") : std::string(DefaultBuilder(column));
  TADA_TRY(hierarchy, BuildHierarchy(builder, target.file.table, target.column, target.label));
  const std::string csv = HierarchyCsv(LinesOf(hierarchy, column)), output = line.options.Text("output");
  if (output.empty() || output == "-") {
    console.out << csv;
    return 0;
  }
  TADA_CHECK_OK(WriteWhole(output, line.options.Flag("force"), csv));
  if (!line.options.Flag("quiet"))
    console.out << fmt::format("{}: {} by {}\n\n{}", output, column.name(), builder, LevelTable(hierarchy, column));
  return 0;
}

// A folder, or a file with a section per column: all of its hierarchies, or that of --column, against the input.
Result<int> CheckSeveral(const ParsedCommandLine& line, const std::string& path, Console& console) {
  TADA_TRY(target, ReadInput(line, line.operands[2], console));
  const Table& table = target.file.table;
  std::vector<ColumnId> columns;
  for (ColumnId id = 0; id < table.num_columns(); ++id) {
    if (!line.options.Has("column") || id == target.column) columns.push_back(id);
  }
  TADA_TRY(found, ReadHierarchies(path, table, columns));
  if (found.empty()) return InvalidArgument("{} has no hierarchy of these columns", path);
  std::string text;
  for (const NamedHierarchy& named : found) {
    const Column& column = table.column(*table.Find(named.column));
    TADA_TRY(hierarchy, BindHierarchy(named.lines, column));
    text += fmt::format("{}{}: covers all {} values\n{}{}", text.empty() ? "" : "\n", column.name(),
                        column.num_values(), LevelTable(hierarchy, column), FalseLabels(hierarchy));
  }
  console.out << text;
  return 0;
}

Result<int> RunCheck(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() < 2)
    return InvalidArgument("Usage: tada hierarchy check <file> [<input> --column <name>], or <folder> <input>");
  const std::string& path = line.operands[1];
  const bool with_input = line.operands.size() > 2;
  if (with_input && std::filesystem::is_directory(path)) return CheckSeveral(line, path, console);
  TADA_TRY(sections, ReadSections(path));
  if (with_input && !sections.front().name.empty()) return CheckSeveral(line, path, console);
  if (!with_input) {
    for (const auto& [name, lines] : sections) {
      console.out << fmt::format("{}: {} values, {} levels, one root: {}\n", name.empty() ? path : name,
                                 lines.lines.size(), lines.lines[0].size(), lines.lines[0].back());
    }
    return 0;
  }
  TADA_TRY(target, ReadTarget(line, line.operands[2], console));
  const Column& column = target.file.table.column(target.column);
  TADA_TRY(hierarchy, BindHierarchy(sections.front().lines, column));
  console.out << fmt::format("{}: covers all {} values of {}\n\n{}{}", path, column.num_values(), column.name(),
                             LevelTable(hierarchy, column), FalseLabels(hierarchy));
  return 0;
}

Result<int> RunShow(const ParsedCommandLine& line, Console& console) {
  if (line.operands.size() != 2) return InvalidArgument("Usage: tada hierarchy show <file> [--column <name>]");
  const std::string& path = line.operands[1];
  TADA_TRY(sections, ReadSections(path));
  const bool several = !sections.front().name.empty(), named = line.options.Has("column");
  const std::string wanted = line.options.Text("column");
  const std::optional<size_t> found = several ? FindSection(sections, wanted) : 0;
  if (named == several && found) {
    console.out << Drawing(sections[*found].lines);
    return 0;
  }
  if (!several) {
    return InvalidArgument("{} has no hierarchy called '{}'", path, wanted)
        .WithHint("It holds one column: leave --column out.");
  }
  std::vector<std::string> names;
  for (const TaxSection& section : sections) names.push_back(section.name);
  Error error = named ? InvalidArgument("{} has no hierarchy called '{}'", path, wanted)
                      : InvalidArgument("{} has hierarchies of several columns: which is to be shown?", path);
  return std::move(error).WithHint(fmt::format("Give --column one of: {}", fmt::join(names, ", ")));
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
          "build <input> --column <name> -o <file.csv> | check <file>|<folder> [<input>] [--column <name>] | show "
          "<file> [--column <name>]",
      .min_operands = 1,
      .max_operands = 3,
      .examples = {{"Ages in steps of five years, doubled",
                    "tada hierarchy build people.csv --column age --builder width:5 -o age.csv"},
                   {"Does it cover the data?", "tada hierarchy check age.csv people.csv --column age"},
                   {"What does it look like?", "tada hierarchy show age.csv"}},
      .exits = CommonExits({{0, "done"}}),
      .run = &RunHierarchy};
}

}  // namespace tada
