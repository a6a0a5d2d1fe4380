#include "plan/plan_columns.h"

#include <algorithm>

#include "base/option.h"
#include "base/option_mark.h"
#include "plan/weights_column.h"

namespace tada {
namespace {

bool Has(const std::vector<std::string>& header, std::string_view name) {
  return std::find(header.begin(), header.end(), name) != header.end();
}

}  // namespace

Status CheckInputColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file) {
  TADA_CHECK_OK(CheckPlannedColumns(plan, header, file));
  TADA_CHECK_OK(CheckPersonColumns(plan, header, file));
  for (const std::string& name : plan.described) {
    if (Has(header, name)) continue;
    const auto nearest = SuggestName(name, header);
    return InvalidArgument("The plan has a section for a column that {} does not have: [columns.{}]", file, name)
        .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                          : fmt::format("Its columns are: {}.", fmt::join(header, ", ")));
  }
  return Ok();
}

Status CheckColumn(const std::string& name, std::string_view option, const std::vector<std::string>& header,
                   const std::string& file) {
  if (Has(header, name)) return Ok();
  Error error = InvalidArgument(TADA_OPTION("{}") " names a column that {} does not have: {}", option, file, name);
  const size_t colon = name.rfind(':');
  if (colon != std::string::npos && Has(header, name.substr(0, colon))) {
    return std::move(error).WithHint(
        fmt::format("There is a column '{}', but no kind '{}': kinds are numeric, categorical, ordinal and date.",
                    name.substr(0, colon), name.substr(colon + 1)));
  }
  if (const auto nearest = SuggestName(name, header)) {
    return std::move(error).WithHint(fmt::format("Did you mean '{}'?", *nearest));
  }
  return std::move(error).WithHint(fmt::format("Its columns are: {}.", fmt::join(header, ", ")));
}

Status CheckPlannedColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file) {
  const std::pair<std::string_view, const std::vector<PlannedColumn>*> roles[] = {{"quasi", &plan.quasi},
                                                                                  {"sensitive", &plan.sensitive},
                                                                                  {"label", &plan.label},
                                                                                  {"keep", &plan.keep},
                                                                                  {"pseudonym", &plan.pseudonym}};
  for (const auto& [option, columns] : roles) {
    for (const PlannedColumn& column : *columns) TADA_CHECK_OK(CheckColumn(column.name, option, header, file));
  }
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    TADA_CHECK_OK(CheckColumn(dates.name, "shift-dates", header, file));
  }
  if (plan.controller_column.empty()) return Ok();
  return CheckColumn(plan.controller_column, "controller-column", header, file);
}

Status CheckPersonColumns(const Plan& plan, const std::vector<std::string>& header, const std::string& file) {
  for (const PlannedColumn& column : plan.person) TADA_CHECK_OK(CheckColumn(column.name, "person", header, file));
  for (const std::string& column : OwnKColumns(plan)) TADA_CHECK_OK(CheckColumn(column, "k-column", header, file));
  for (const std::string& column : WeightsColumns(plan)) TADA_CHECK_OK(CheckColumn(column, "weights", header, file));
  return Ok();
}

std::map<std::string, ColumnOptions> PlannedColumnOptions(const Plan& plan) {
  std::map<std::string, ColumnOptions> options;
  for (const auto* columns : {&plan.quasi, &plan.sensitive, &plan.label, &plan.keep}) {
    for (const PlannedColumn& column : *columns) {
      ColumnOptions& as = options[column.name];
      as.kind = column.kind;
      as.dates = column.dates;
      as.writing = Writing::Parse(column.format).value();  // which the plan was checked for
      as.missing = plan.missing;
      as.merge_missing = columns == &plan.quasi;
      as.order = column.order;
      as.order_of_appearance = column.order_of_appearance;
      as.show_values = plan.show_values;
    }
  }
  for (const PlannedColumn& column : plan.person) {
    options[column.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  for (const std::string& column : OwnKColumns(plan)) {
    options[column] = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  for (const std::string& column : WeightsColumns(plan)) {  // unless it is kept
    options.try_emplace(column, ColumnOptions{.kind = Kind::kCategorical, .missing = plan.missing});
  }
  for (const PlannedColumn& column : plan.pseudonym) {
    options[column.name] = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  for (const Plan::ShiftedDates& dates : plan.shift_dates) {
    options[dates.name] = {.missing = plan.missing, .show_values = plan.show_values};
  }
  if (!plan.controller_column.empty()) {
    const auto [entry, is_new] = options.try_emplace(plan.controller_column);
    if (is_new) entry->second = {.kind = Kind::kCategorical, .missing = plan.missing};
  }
  return options;
}

}  // namespace tada
