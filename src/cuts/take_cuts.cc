#include "cuts/take_cuts.h"

#include <algorithm>
#include <map>

#include "base/option_mark.h"
#include "base/version.h"
#include "cuts/cut_tree.h"
#include "hierarchy/rule_builders.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"

namespace tada {
namespace {

bool HasBoxes(const MethodEntry& method, const MethodContext& context) {
  return method.has_boxes != nullptr && method.has_boxes(context);
}

CutCell CellOf(const Column& column, const ReleasedColumn& released, const Cell& cell) {
  using enum CutCell::Form;
  const Column& shown = released.shown(column);
  const auto text = [&](Code code) { return std::string(shown.text(code)); };
  switch (cell.form) {
    case Cell::Form::kValue:
      return {kValue, text(cell.low), "", {}};
    case Cell::Form::kInterval:
      return {kInterval, text(cell.low), text(cell.high), {}};
    case Cell::Form::kLabel:
      return {kLabel, released.labels[cell.index], "", {}};
    case Cell::Form::kMask:
      return {};
    case Cell::Form::kSet:
      break;
  }
  CutCell set{kSet, "", "", {}};
  for (const Code code : released.sets[cell.index]) set.values.push_back(shown.is_missing(code) ? "" : text(code));
  std::ranges::sort(set.values);
  const auto repeated = std::ranges::unique(set.values);
  set.values.erase(repeated.begin(), repeated.end());
  return set;
}

// The lines of a hierarchy as they are bound to a column.
std::vector<std::vector<std::string>> LinesOf(const Column& column, const Hierarchy& hierarchy) {
  std::vector<std::vector<std::string>> lines;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    std::vector<std::string>& line = lines.emplace_back();
    line.emplace_back(column.text(code));
    for (uint32_t level = 1; level < hierarchy.num_levels(); ++level) {
      line.push_back(hierarchy.label(level, hierarchy.node(level, code)));
    }
  }
  if (lines.empty()) {  // nobody has a value: the levels are kept all the same
    lines.emplace_back(hierarchy.num_levels(), "*").front().clear();
  }
  return lines;
}

// Whether a rule gives every value of the column the lines that its hierarchy has.
bool IsAsRuled(const std::string& rule, const Column& column, const Hierarchy& hierarchy) {
  if (!IsRule(rule)) return false;
  const auto levels = RuleLevels(rule, column);
  if (!levels.ok() || levels->size() + 2 != hierarchy.num_levels()) return false;
  for (uint32_t level = 1; level <= levels->size(); ++level) {
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      if ((*levels)[level - 1][code] != hierarchy.label(level, hierarchy.node(level, code))) return false;
    }
  }
  return true;
}

std::vector<CutColumn> ColumnsOf(const CutsSource& source, const Plan& plan) {
  std::vector<CutColumn> columns;
  for (size_t i = 0; i < source.roles.quasi.size(); ++i) {
    const Column& column = source.table.column(source.roles.quasi[i]);
    CutColumn& out = columns.emplace_back();
    out.name = column.name();
    out.kind = column.kind();
    out.dates = column.is_date();
    const Hierarchy* hierarchy = i < source.recode.hierarchies.size() ? source.recode.hierarchies[i] : nullptr;
    if (hierarchy == nullptr) continue;
    if (IsAsRuled(plan.quasi[i].hierarchy, column, *hierarchy)) {
      out.rule = plan.quasi[i].hierarchy;
    } else {
      out.lines = LinesOf(column, *hierarchy);
    }
  }
  return columns;
}

// Nodes as groups, each with all rows that it encloses: what is recoded so are their cells.
Groups NodesAsGroups(const CutsSource& source, const CutTree& tree, bool by_box) {
  std::vector<std::vector<RowId>> lists;
  for (const std::vector<GroupId>& groups : tree.groups) {
    std::vector<RowId>& rows = lists.emplace_back();
    for (const GroupId group : groups) {
      rows.insert(rows.end(), source.groups.rows(group).begin(), source.groups.rows(group).end());
    }
  }
  Groups nodes = Groups::FromLists(lists);
  if (by_box) nodes.set_boxes(tree.boxes);
  return nodes;
}

void SetCells(const CutsSource& source, const CutTree& tree, bool by_box, const Workers& workers, Cuts& cuts) {
  const Groups nodes = NodesAsGroups(source, tree, by_box);
  std::vector<std::vector<uint32_t>> cells_of(source.roles.quasi.size());
  workers.For(cells_of.size(), [&](size_t i) {
    const Column& column = source.table.column(source.roles.quasi[i]);
    const ReleasedColumn released = RecodeQuasi(source.table, source.roles.quasi[i], i, nodes, source.recode);
    CutColumn& out = cuts.columns[i];
    out.writing = released.shown(column).writing().text();
    std::map<CutCell, uint32_t> known;
    std::vector<uint32_t> number(released.cells.size(), UINT32_MAX);
    for (const uint32_t cell : released.cell_of_group) {
      if (number[cell] == UINT32_MAX) {
        const auto [found, is_new] =
            known.try_emplace(CellOf(column, released, released.cells[cell]), static_cast<uint32_t>(out.cells.size()));
        if (is_new) out.cells.push_back(found->first);
        number[cell] = found->second;
      }
      cells_of[i].push_back(number[cell]);
    }
  });
  for (size_t node = 0; node < cuts.nodes.size(); ++node) {
    for (const auto& cells : cells_of) cuts.nodes[node].cells.push_back(cells[node]);
  }
}

// From the levels of the release to the top: each time the column with the most nodes is raised by one level.
std::vector<std::vector<uint8_t>> LevelsUpwards(const CutsSource& source) {
  std::vector<uint8_t> levels(source.roles.quasi.size(), 0);
  for (GroupId group = 0; group < source.groups.num_groups(); ++group) {
    if (source.groups.is_masked(group)) continue;
    levels = *source.groups.levels(group);
    break;
  }
  std::vector<std::vector<uint8_t>> upwards{levels};
  while (true) {
    size_t widest = levels.size();
    for (size_t i = 0; i < levels.size(); ++i) {
      const auto nodes = [&](size_t c) { return source.recode.hierarchies[c]->num_nodes(levels[c]); };
      if (levels[i] == source.recode.hierarchies[i]->top()) continue;
      if (widest == levels.size() || nodes(i) > nodes(widest)) widest = i;
    }
    if (widest == levels.size()) return upwards;
    ++levels[widest];
    upwards.push_back(levels);
  }
}

// Fixes what was found in the data, so that the next table is read in the same way.
void FixColumns(const Table& table, Plan& plan) {
  for (std::vector<PlannedColumn>* list : {&plan.quasi, &plan.sensitive, &plan.label}) {
    for (PlannedColumn& planned : *list) {
      const Column& column = table.column(table.Find(planned.name).value());
      planned.kind = column.kind();
      planned.dates = column.is_date();
      if (planned.format.empty()) planned.format = column.writing().text();
    }
  }
}

// What classes are compared with: how often each sensitive value is in the release.
FrozenValues ReferenceOf(const CutsSource& source, const Plan& plan) {
  FrozenValues reference;
  if (!ComparesDistributions(plan.requirement)) return reference;
  for (const ColumnId id : source.roles.sensitive) {
    const Column& column = source.table.column(id);
    std::vector<uint64_t> counts(column.num_codes(), 0);
    for (const RowId row : source.groups.order()) ++counts[column.codes()[row]];
    for (Code code = 0; code < counts.size(); ++code) {
      if (counts[code] > 0) reference[column.name()][std::string(column.text(code))] = counts[code];
    }
  }
  return reference;
}

}  // namespace

Status CanSaveCuts(const Plan& plan, Task task, const std::string& method) {
  const auto refuse = [](std::string_view why, std::string_view hint) {
    return InvalidArgument(TADA_OPTION("save-cuts") ": {}", why).WithHint(std::string(hint));
  };
  if (plan.controllers > 1 || !plan.controller_column.empty()) {
    return refuse("several controllers have cuts of their own",
                  "Release each controller's rows by themselves, or leave it out.");
  }
  if (LinksRows(plan)) {
    return refuse("pseudonyms and shifted dates group people by their number of rows, which no cut says",
                  "Leave out one of them.");
  }
  if (plan.withhold > 0 || !plan.clip.empty() || plan.recode != "cells") {
    return refuse(TADA_OPTION("withhold") ", " TADA_OPTION("clip") " and " TADA_OPTION(
                      "recode") " change rows or cells in ways that no cut says",
                  "Leave out one of them.");
  }
  const MethodEntry& entry = *FindMethod(method);
  const MethodContext context{task, plan.method_options};
  if (entry.by_levels || HasBoxes(entry, context)) return Ok();
  if (method == "ta_da" && task == Task::kClustering) {
    const std::string encoding = plan.method_options.Text("encoding");
    if (plan.method_options.Text("cluster-on") != "all" && (encoding.empty() || encoding == "codes")) return Ok();
    return refuse("clusters of " TADA_OPTION("cluster-on=all") " and of an " TADA_OPTION(
                      "encoding") " of your own have no means in the cuts",
                  "Leave these options out.");
  }
  return refuse(fmt::format("the groups of method {} are not made by cuts", method),
                "Use mondrian, infogain, regression, ta_da, datafly, optimal or levels, without " TADA_OPTION(
                    "relaxed") " and " TADA_OPTION("sample-grow") ".");
}

Cuts TakeCuts(const CutsSource& source, Plan plan, const Workers& workers) {
  Cuts cuts;
  cuts.tada = kVersion;
  cuts.range_cut = plan.range_cut;
  cuts.columns = ColumnsOf(source, plan);
  cuts.reference = ReferenceOf(source, plan);
  const bool levels = FindMethod(source.method)->by_levels;
  const bool boxes = !levels && source.groups.has_boxes();
  cuts.by = levels ? Cuts::By::kLevels : boxes ? Cuts::By::kBoxes : Cuts::By::kMeans;
  if (levels) {
    cuts.levels = LevelsUpwards(source);
  } else {
    CutTree tree = boxes ? TreeOfBoxes(source) : TreeOfMeans(source, cuts.columns);
    cuts.nodes = std::move(tree.nodes);
    SetCells(source, tree, plan.range_cut, workers, cuts);
  }
  plan.method = source.method;
  plan.task = source.task;
  FixColumns(source.table, plan);
  plan.delimiter.reset();  // how a file is laid out is its own affair
  plan.charset.clear();
  plan.sheet.clear();
  plan.threads = 0;
  plan.key.clear();
  plan.keep_order = false;
  cuts.plan = PlanToToml(plan);
  return cuts;
}

}  // namespace tada
