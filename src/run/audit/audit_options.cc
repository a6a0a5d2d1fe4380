#include "run/audit/audit_options.h"

#include <algorithm>
#include <numeric>

#include "partition/registry.h"

namespace tada {
namespace {

bool Holds(const std::vector<ColumnId>& ids, ColumnId id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

// What the labels of a hierarchy stand for, value by value of its column. `code_of`: the column's code of each of the hierarchy's, if they differ.
LabelCodes LabelsOf(const Hierarchy& hierarchy, const std::vector<Code>& code_of) {
  LabelCodes labels;
  for (uint32_t level = 1; level < hierarchy.num_levels(); ++level) {
    const std::span<const Code> nodes = hierarchy.nodes(level);
    for (Code code = 0; code < nodes.size(); ++code)
      labels[hierarchy.label(level, nodes[code])].push_back(code_of.empty() ? code : code_of[code]);
  }
  return labels;
}

// The released columns that tell which rows are one person's.
void AddLinks(const Table& released, const Plan& plan, AuditOptions& options) {
  for (const PlannedColumn& column : plan.pseudonym) options.pseudonym.push_back(released.Find(column.name).value());
  for (const Plan::ShiftedDates& dates : plan.shift_dates) options.shifted.push_back(released.Find(dates.name).value());
}

// The order that values of a sensitive column have, as the plan says it or as the original has it.
std::vector<std::string> OrderOf(const PlannedColumn& planned, const Column& column, bool is_original) {
  if (!planned.order.empty()) return planned.order;
  std::vector<std::string> order;
  if (column.kind() != Kind::kOrdinal || (!is_original && planned.order_of_appearance)) return order;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) order.emplace_back(column.text(code));
  return order;
}

// What a value of the column is called at each level, by value.
void AddPaths(const Column& column, const Hierarchy& hierarchy, ValueFacts& facts) {
  for (Code code = 0; code < column.num_codes(); ++code) {
    std::vector<Code>& path = facts.paths[std::string(column.text(code))];
    for (uint32_t level = 1; level <= hierarchy.top(); ++level) path.push_back(hierarchy.node(level, code));
  }
}

AuditOptions ColumnsOfRun(const Table& released, const Table& original, const Anonymized& made) {
  AuditOptions options;
  options.measured = MeasuredOnly(made.controllers, made.requirement);
  options.requirement = made.requirement;
  options.original = &original;
  options.order = {std::shared_ptr<void>(), &made.release.row_order};  // not copied: `made` outlives the audit
  for (ColumnId id = 0; id < released.num_columns(); ++id) {
    const auto source = original.Find(released.column(id).name());
    options.original_column.push_back(source);
    if (source && Holds(made.bound.roles.quasi, *source)) options.quasi.push_back(id);
    if (source && Holds(made.bound.roles.sensitive, *source)) options.sensitive.push_back(id);
  }
  options.person = made.bound.person;
  if (!made.requirement.k_column.empty()) options.own_k = made.bound.k_column;
  options.controllers = made.bound.controller_column;
  options.labels = LabelsOfColumns(released, original, made.bound.roles.quasi, made.hierarchies, made.hierarchy_codes);
  return options;
}

}  // namespace

std::vector<LabelCodes> LabelsOfColumns(const Table& released, const Table& original,
                                        const std::vector<ColumnId>& quasi, const ColumnHierarchies& hierarchies,
                                        const std::vector<std::vector<Code>>& codes) {
  std::vector<LabelCodes> labels(released.num_columns());
  for (size_t i = 0; i < quasi.size() && i < hierarchies.size(); ++i) {
    const auto id = released.Find(original.column(quasi[i]).name());
    if (id && hierarchies.of(i))
      labels[*id] = LabelsOf(*hierarchies.of(i), i < codes.size() ? codes[i] : std::vector<Code>());
  }
  return labels;
}

Status AddValueFacts(const Table& released, const Table* original, const Plan& plan, AuditOptions& options) {
  options.value_facts.resize(released.num_columns());
  const Table& source = original != nullptr ? *original : released;
  std::vector<ColumnId> sensitive;
  for (const PlannedColumn& planned : plan.sensitive) sensitive.push_back(source.Find(planned.name).value());
  TADA_TRY(hierarchies, LoadSensitiveHierarchies(plan, source, sensitive));
  for (size_t i = 0; i < sensitive.size(); ++i) {
    const Column& column = source.column(sensitive[i]);
    ValueFacts& facts = options.value_facts[released.Find(column.name()).value()];
    facts.order = OrderOf(plan.sensitive[i], column, original != nullptr);
    if (hierarchies[i]) AddPaths(column, *hierarchies[i], facts);
  }
  return Ok();
}

std::vector<Demand> MeasuredOnly(const std::vector<Controller>& controllers, const Requirement& of_union) {
  std::vector<Demand> measured;
  for (const Controller& controller : controllers) {
    for (const Demand& demand : controller.requirement.more) {
      const auto is_same = [&](const Demand& other) {
        return other.name == demand.name && other.column == demand.column;
      };
      if (std::ranges::none_of(of_union.more, is_same) && std::ranges::none_of(measured, is_same))
        measured.push_back(demand);
    }
  }
  return measured;
}

Result<AuditOptions> OptionsOfRun(const Table& released, const Table& original, const Plan& plan,
                                  const Anonymized& made) {
  AuditOptions options = ColumnsOfRun(released, original, made);
  TADA_CHECK_OK(AddValueFacts(released, &original, plan, options));
  AddLinks(released, plan, options);
  if (options.order->size() != released.num_rows())
    options.order.reset();  // rows were lost on the way: it names others
  options.means = plan.recode == "mean";
  options.loss = options.means;  // what is lost is no matter of cells then
  return options;
}

std::shared_ptr<const std::vector<RowId>> RowsAsTheyStand(size_t count) {
  std::vector<RowId> order(count);
  std::iota(order.begin(), order.end(), RowId{0});
  return std::make_shared<const std::vector<RowId>>(std::move(order));
}

AuditOptions OptionsOfPlan(const Table& released, const Table* original, const Plan& plan) {
  AuditOptions options;
  AddLinks(released, plan, options);
  for (const PlannedColumn& column : plan.quasi) options.quasi.push_back(released.Find(column.name).value());
  for (const PlannedColumn& column : plan.sensitive) options.sensitive.push_back(released.Find(column.name).value());
  if (original == nullptr) return options;
  options.original = original;
  options.loss = true;
  options.missing = plan.missing;
  for (const Column& column : released.columns()) options.original_column.push_back(original->Find(column.name()));
  for (const PlannedColumn& column : plan.person) options.person.push_back(original->Find(column.name).value());
  if (!plan.requirement.k_column.empty()) options.own_k = original->Find(plan.requirement.k_column);
  if (plan.keep_order && released.num_rows() == original->num_rows()) {
    options.order = RowsAsTheyStand(released.num_rows());
  }
  return options;
}

Result<std::vector<LabelCodes>> LabelsByPlan(const Table& released, const Table& original, const Plan& plan) {
  Roles roles;
  for (const PlannedColumn& column : plan.quasi) roles.quasi.push_back(original.Find(column.name).value());
  for (const PlannedColumn& column : plan.label) {
    if (const auto id = original.Find(column.name)) roles.label.push_back(*id);
  }
  const MethodEntry* method = FindMethod(plan.method);
  TADA_TRY(hierarchies, LoadHierarchies(plan, original, roles, method != nullptr && method->by_levels));
  return LabelsOfColumns(released, original, roles.quasi, hierarchies);
}

}  // namespace tada
