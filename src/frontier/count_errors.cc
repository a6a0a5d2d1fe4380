#include "frontier/count_errors.h"

#include <algorithm>

#include "recode/hierarchy_cells.h"

namespace tada {
namespace {

constexpr uint64_t kQueries = CompareOptions().queries;

LabelCodes LabelsOf(const Hierarchy& hierarchy) {
  LabelCodes labels;
  for (uint32_t level = 1; level < hierarchy.num_levels(); ++level) {
    const std::span<const Code> nodes = hierarchy.nodes(level);
    for (Code code = 0; code < nodes.size(); ++code) labels[hierarchy.label(level, nodes[code])].push_back(code);
  }
  return labels;
}

// A released column as its receiver reads it: every cell is text. `cell_of_row` numbers `texts`.
Column ColumnOfCells(const std::string& name, const std::vector<std::string>& texts,
                     const std::vector<uint32_t>& cell_of_row, std::vector<Code>& code_of_cell) {
  ColumnBuilder builder(name, {.kind = Kind::kCategorical, .missing = {}});
  builder.Reserve(cell_of_row.size());
  std::vector<uint32_t> number_of_cell;
  for (const std::string& text : texts) number_of_cell.push_back(builder.Intern(text));
  for (const uint32_t cell : cell_of_row) builder.Append(number_of_cell[cell]);
  Result<Column> made = builder.Finish();
  TADA_ASSERT(made.ok());
  Column column = *std::move(made);
  std::map<std::string_view, Code> codes;
  for (Code code = 0; code < column.num_codes(); ++code) codes[column.text(code)] = code;
  code_of_cell.assign(texts.size(), 0);
  for (size_t cell = 0; cell < texts.size(); ++cell) {
    const auto found = codes.find(texts[cell]);
    if (found != codes.end()) code_of_cell[cell] = found->second;
  }
  return column;
}

}  // namespace

CountErrors::CountErrors(const Ground& ground, const Plan& plan, uint64_t min_k, const Workers& workers)
    : ground_(ground), missing_(plan.missing) {
  std::vector<const Column*> columns;
  std::vector<ColumnReading> readings;
  for (const ColumnId id : ground.roles().quasi) {
    columns.push_back(&ground.table().column(id));
    readings.push_back(ColumnReading::OfOriginal(*columns.back()));
  }
  queries_ = MakeUpQueries(columns, readings, kQueries, plan.seed);
  truth_ = AnswerQueries(queries_, columns, readings, workers);
  of_column_.resize(columns.size());
  for (const CountQuery& query : queries_) {
    auto& parts = parts_.emplace_back();
    for (const CountCondition& condition : query.where) {
      parts.emplace_back(condition.column, of_column_[condition.column].size());
      of_column_[condition.column].push_back(&condition);
    }
  }
  const LevelRows& units = ground.reach().unit_rows(ground.rows());
  shares_.resize(columns.size());
  std::vector<std::pair<size_t, uint32_t>> wanted;
  for (size_t c = 0; c < columns.size(); ++c) {
    shares_[c].resize(ground.hierarchies()[c]->num_levels());
    for (uint32_t level = 0; level < shares_[c].size(); ++level) {
      if (units.smallest_node(c, level) >= min_k) wanted.emplace_back(c, level);
    }
  }
  workers.For(wanted.size(), [&](size_t i) {
    workers.Poll();
    const auto [c, level] = wanted[i];
    const Hierarchy& hierarchy = *ground_.hierarchies()[c];
    const Column& column = *columns[c];
    ReleasedColumn out;
    const RareValues rare;
    HierarchyCells cells(column, hierarchy, rare, out);
    std::vector<std::string> texts;
    for (Code node = 0; node < hierarchy.num_nodes(level); ++node) {
      texts.push_back(CellText(column, out, out.cells[cells.At(level, node)]));
    }
    std::vector<uint32_t> node_of_row;
    node_of_row.reserve(column.num_rows());
    for (size_t row = 0; row < column.num_rows(); ++row)
      node_of_row.push_back(hierarchy.node(level, column.codes()[row]));
    std::vector<Code> code_of_cell;
    const Column shown = ColumnOfCells(column.name(), texts, node_of_row, code_of_cell);
    for (const std::vector<double>& by_code : SharesOf(shown, c, &hierarchy)) {
      std::vector<double>& by_node = shares_[c][level].emplace_back();
      for (const Code code : code_of_cell) by_node.push_back(by_code[code]);
    }
  });
}

std::vector<std::vector<double>> CountErrors::SharesOf(const Column& shown, size_t column,
                                                       const Hierarchy* hierarchy) const {
  const Column& original = ground_.table().column(ground_.roles().quasi[column]);
  const LabelCodes labels = hierarchy == nullptr ? LabelCodes() : LabelsOf(*hierarchy);
  const ColumnReading reading =
      ColumnReading::OfRelease(shown, original, hierarchy == nullptr ? nullptr : &labels, missing_);
  std::vector<std::vector<double>> shares;
  for (const CountCondition* condition : of_column_[column]) {
    std::vector<double> inside;
    inside.reserve(reading.values().size());
    for (const auto& value : reading.values()) inside.push_back(condition->Holds(value) ? 1.0 : 0.0);
    shares.push_back(reading.Expect(inside));
  }
  return shares;
}

double CountErrors::MeanError(const std::vector<double>& answers) const {
  return CompareAnswers(queries_, truth_, answers, ground_.table().num_rows()).mean;
}

double CountErrors::OfLevels(const LevelVector& levels, const ReleasedLevels& shown) const {
  const std::vector<uint32_t> sizes = shown.classes.Sizes();
  std::vector<std::vector<Code>> nodes(levels.size());  // by column and class
  std::vector<std::vector<uint8_t>> level_of(levels.size());
  for (size_t c = 0; c < levels.size(); ++c) {
    const Codes& codes = ground_.table().column(ground_.roles().quasi[c]).codes();
    for (size_t i = 0; i < sizes.size(); ++i) {
      const uint8_t level = shown.levels_of_class.empty() ? levels[c] : shown.levels_of_class[i][c];
      level_of[c].push_back(level);
      nodes[c].push_back(ground_.hierarchies()[c]->node(level, codes[shown.first[i]]));
    }
  }
  std::vector<double> answers(queries_.size(), 0.0), met;
  for (size_t q = 0; q < queries_.size(); ++q) {
    met.assign(sizes.begin(), sizes.end());
    for (const auto& [c, number] : parts_[q]) {
      for (size_t i = 0; i < met.size(); ++i) met[i] *= shares_[c][level_of[c][i]][number][nodes[c][i]];
    }
    for (const double rows : met) answers[q] += rows;
  }
  return MeanError(answers);
}

double CountErrors::OfRelease(const Release& release, const std::vector<const Hierarchy*>& hierarchies) const {
  std::vector<double> sizes(release.num_groups, 0.0);
  for (const RowId row : release.row_order) ++sizes[release.group_of_row[row]];
  std::vector<std::vector<std::vector<double>>> shares(of_column_.size());  // by column, condition, group
  for (size_t c = 0; c < of_column_.size(); ++c) {
    const ColumnId id = ground_.roles().quasi[c];
    const auto found = std::ranges::find_if(
        release.columns, [&](const ReleasedColumn& column) { return column.recoded && column.source == id; });
    TADA_ASSERT(found != release.columns.end());
    const Column& original = ground_.table().column(id);
    std::vector<std::string> texts;
    for (const Cell& cell : found->cells) texts.push_back(CellText(original, *found, cell));
    std::vector<uint32_t> cell_of_row;
    for (const RowId row : release.row_order) cell_of_row.push_back(found->cell_of_group[release.group_of_row[row]]);
    std::vector<Code> code_of_cell;
    const Column shown = ColumnOfCells(original.name(), texts, cell_of_row, code_of_cell);
    for (const std::vector<double>& by_code : SharesOf(shown, c, c < hierarchies.size() ? hierarchies[c] : nullptr)) {
      std::vector<double>& by_group = shares[c].emplace_back();
      for (const uint32_t cell : found->cell_of_group) by_group.push_back(by_code[code_of_cell[cell]]);
    }
  }
  std::vector<double> answers(queries_.size(), 0.0), met;
  for (size_t q = 0; q < queries_.size(); ++q) {
    met = sizes;
    for (const auto& [c, number] : parts_[q]) {
      for (size_t group = 0; group < met.size(); ++group) met[group] *= shares[c][number][group];
    }
    for (const double rows : met) answers[q] += rows;
  }
  return MeanError(answers);
}

}  // namespace tada
