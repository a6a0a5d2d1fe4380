#include "property/random_case.h"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "table/column_builder.h"

namespace tada::testing {
namespace {

// A column of `rows` cells out of `values` different ones; the first is missing if `missing`.
Column DrawColumn(const std::string& name, int rows, int values, Kind kind, bool missing) {
  const auto cells = *rc::gen::container<std::vector<int>>(static_cast<size_t>(rows), rc::gen::inRange(0, values));
  ColumnOptions options;
  options.kind = kind;
  options.merge_missing = true;
  ColumnBuilder builder(name, options);
  for (const int cell : cells) {
    const bool is_missing = missing && cell == 0 && values > 1;
    const std::string text =
        kind == Kind::kNumeric ? std::to_string(cell * cell - 3) : std::string(1, static_cast<char>('a' + cell));
    builder.AppendText(is_missing ? "" : text);
  }
  Result<Column> column = builder.Finish();
  RC_ASSERT(column.ok());
  return std::move(column).value();
}

Requirement DrawRequirement(bool diverse) {
  Requirement requirement;
  requirement.k = *rc::gen::inRange(1, 8);
  if (diverse) {
    requirement.l = *rc::gen::inRange(1, 4);
    requirement.diversity = *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive);
    requirement.c = *rc::gen::element(0.5, 1.0, 2.0, 3.5);
  }
  return requirement;
}

// Whether counts, in descending order, meet the diversity that is asked for.
bool NaiveDiverse(std::vector<double> counts, double rows, const Requirement& requirement) {
  const auto l = static_cast<size_t>(requirement.l);
  std::sort(counts.begin(), counts.end(), std::greater<>());
  switch (requirement.diversity) {
    case Diversity::kDistinct:
      return counts.size() >= l;
    case Diversity::kEntropy: {
      double entropy = 0;
      for (const double count : counts) entropy -= count / rows * std::log(count / rows);
      return entropy >= std::log(static_cast<double>(l)) - 1e-9;
    }
    case Diversity::kRecursive: {
      double tail = 0;
      for (size_t i = l - 1; i < counts.size(); ++i) tail += counts[i];
      return counts.front() < requirement.c * tail;
    }
  }
  return false;
}

}  // namespace

Case DrawCase(const CaseLimits& limits) {
  Case c;
  const int rows = *rc::gen::inRange(1, limits.max_rows + 1);
  const int num_quasi = *rc::gen::inRange(1, 5);
  std::vector<Column> columns;
  for (int i = 0; i < num_quasi; ++i) {
    const Kind kind = *rc::gen::element(Kind::kNumeric, Kind::kCategorical, Kind::kOrdinal);
    const std::string name = fmt::format("q{}", i);
    columns.push_back(DrawColumn(name, rows, *rc::gen::inRange(1, 12), kind, *rc::gen::arbitrary<bool>()));
    c.plan.quasi.push_back({.name = name, .kind = kind});
  }
  const int num_sensitive = limits.diverse ? *rc::gen::inRange(0, 3) : 0;
  for (int i = 0; i < num_sensitive; ++i) {
    const std::string name = fmt::format("s{}", i);
    columns.push_back(DrawColumn(name, rows, *rc::gen::inRange(1, 6), Kind::kCategorical, false));
    c.plan.sensitive.push_back({.name = name, .kind = Kind::kCategorical});
  }
  columns.push_back(DrawColumn("y", rows, *rc::gen::inRange(1, 4), Kind::kCategorical, false));
  columns.push_back(DrawColumn("z", rows, *rc::gen::inRange(1, 9), Kind::kNumeric, *rc::gen::arbitrary<bool>()));
  c.table = Table(std::move(columns));
  c.plan.requirement = DrawRequirement(num_sensitive > 0);
  c.plan.controllers = *rc::gen::inRange(1, limits.max_controllers + 1);
  c.plan.seed = *rc::gen::inRange<uint64_t>(0, 5);
  return c;
}

std::string Describe(const Case& c) {
  std::string text = PlanToToml(c.plan) + "\n";
  for (const Column& column : c.table.columns()) text += column.name() + ",";
  text.back() = '\n';
  for (size_t row = 0; row < c.table.num_rows(); ++row) {
    for (const Column& column : c.table.columns()) text += std::string(column.text(column.codes()[row])) + ",";
    text.back() = '\n';
  }
  return text;
}

Table Texts(const Release& release) {
  std::vector<Column> columns;
  for (const ReleasedColumn& released : release.columns) {
    const Column& source = release.table->column(released.source);
    ColumnOptions options;
    options.kind = Kind::kCategorical;
    if (released.recoded) options.missing = {};  // elsewhere missing is missing, there as in the original
    ColumnBuilder builder(source.name(), options);
    for (const RowId row : release.row_order) {
      const Cell* cell =
          released.recoded ? &released.cells[released.cell_of_group[release.group_of_row[row]]] : nullptr;
      builder.AppendText(cell != nullptr ? CellText(source, released, *cell)
                                         : std::string(source.text(source.codes()[row])));
    }
    columns.push_back(std::move(builder.Finish()).value());
  }
  return Table(std::move(columns));
}

Plan WithMethod(const Plan& plan, const MethodEntry& method, Task task) {
  Plan made = plan;
  made.method = std::string(method.name);
  made.task = task;
  if (task == Task::kClassification) made.label = {{.name = "y", .kind = Kind::kCategorical}};
  if (task == Task::kRegression) made.label = {{.name = "z", .kind = Kind::kNumeric}};
  return made;
}

void DrawLabelShare(const MethodEntry& method, Plan& plan) {
  const OptionSpec* option = FindOption(method.options, "label-share");
  if (option == nullptr) return;
  if (method.serves != nullptr && !method.serves(*option, plan.task.value_or(Task::kNone))) return;
  if (!*rc::gen::arbitrary<bool>()) return;
  plan.method_options = {};
  plan.method_options.Set(option->name, {*rc::gen::elementOf(std::vector<std::string>{"0", "0.1", "0.9", "1"})});
}

bool NaiveHolds(const Table& table, const std::vector<ColumnId>& sensitive, const std::vector<RowId>& rows,
                const Requirement& requirement) {
  if (static_cast<int64_t>(rows.size()) < requirement.k) return false;
  if (requirement.l <= 1) return true;  // asks nothing of the sensitive columns, however l is counted
  for (const ColumnId id : sensitive) {
    std::map<std::string, double> counts;
    for (const RowId row : rows) counts[std::string(table.column(id).text(table.column(id).codes()[row]))] += 1;
    std::vector<double> sizes;
    for (const auto& [value, count] : counts) sizes.push_back(count);
    if (!NaiveDiverse(sizes, static_cast<double>(rows.size()), requirement)) return false;
  }
  return true;
}

}  // namespace tada::testing
