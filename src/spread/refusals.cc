#include "spread/refusals.h"

#include <algorithm>

#include "base/option_mark.h"
#include "base/words.h"
#include "hierarchy/hierarchy_builders.h"
#include "hierarchy/rule_builders.h"
#include "plan/methods.h"

namespace tada {
namespace {

constexpr std::string_view kSupported[] = {
    "quasi",
    "sensitive",
    "label",
    "keep",
    "allow",
    "rows-are-people",
    "hierarchies",
    "hierarchy",
    "k",
    "l",
    "diversity",
    "exact-values",
    "missing-counts",
    "risk",
    "closeness",
    "likeness",
    "disclosure",
    "alpha",
    "spread",
    "reference",
    "task",
    "method",
    "controller-column",
    "missing",
    "seed",
    "cells",
    "plan",
};

struct Refusal {
  std::string_view option, why;
  std::string_view idle = "false";  ///< a value that asks for nothing
};
constexpr Refusal kRefused[] = {
    {"controllers", "rows have no order on Spark; use controller_column", "1"},
    {"keep-order", "rows have no order on Spark"},
    {"relaxed", "it deals rows by their position, and rows have no order on Spark"},
    {"sample-grow", "it draws rows by their position; here every cut is found on all rows anyway"},
    {"workload", "it has to see the rows that queries ask for"},
    {"prune", "it looks at the whole tree, whose lower part grows on other machines", "0"},
    {"lookahead", "it looks at the rows of children before they are made"},
    {"class-weights", "it was not tried there"},
    {"explain", "the lower part of the tree grows on other machines"},
    {"person", "all rows of a person would have to meet on one machine"},
    {"pseudonym", "it is about people, whose rows would have to meet on one machine"},
    {"shift-dates", "it is about people, whose rows would have to meet on one machine"},
    {"key", "it is for pseudonyms, shifted dates and manifests"},
    {"key-domain", "it is for pseudonyms and shifted dates"},
    {"profile", "policies look at the whole release"},
    {"safe", "it forms its groups in a way that was not tried there"},
    {"range", "boxes of cuts are not followed across machines", "tight"},
    {"domain", "it is for " TADA_OPTION("range=cut") ", which does not work there"},
    {"min-member", "it joins groups that are on different machines"},
    {"withhold", "who leaves is found out by a trial over all rows"},
    {"clip", "clip numbers in Spark before the release"},
    {"importance", "it was not tried there"},
    {"recode", "it was not tried there", "cells"},
    {"save-cuts", "the lower part of the cuts is made on other machines"},
    {"max-risk", "its audit was not tried there"},
    {"weights", "it is for max_risk"},
    {"k-column", "its audit looks at the rows of the original"},
    {"memory", "memory is Spark's business; local_rows says how many rows meet on one machine"},
    {"threads", "cores are Spark's business"},
    {"show-values", "no value of the data may reach the logs of a cluster"},
    {"report-raw", "raw values stay where they are"},
    {"manifest", "it is about one file, and the release is a folder"},
    {"guard-formulas", "it is for CSV files that tada writes itself"},
    {"delimiter", "Spark reads the files; give it to spark.read"},
    {"charset", "Spark reads the files; give it to spark.read"},
    {"sheet", "Spark reads the files; give it to spark.read"},
};

Error Refused(std::string_view name, std::string_view why) {
  return InvalidArgument(TADA_OPTION("{}") " does not work on Spark{}{}", name, why.empty() ? "" : ": ", why)
      .WithHint("Leave it out, or run on one machine: tada.anonymize.");
}

Status CheckOption(std::string_view name, const std::vector<std::string>& values) {
  for (const Refusal& refusal : kRefused) {
    if (name != refusal.option) continue;
    if (values.size() == 1 && values[0] == refusal.idle) return Ok();
    return Refused(name, refusal.why);
  }
  if (name == "split" && values == std::vector<std::string>{"conditional"}) {
    return Refused("split conditional", "what a context is follows from a tree over all rows");
  }
  const bool known = std::ranges::find(kSupported, name) != std::end(kSupported) || !MethodsTaking(name).empty();
  return known ? Ok() : Status(Refused(name, ""));
}

Status CheckValues(const OptionValues& values) {
  for (const auto& [name, given] : values.all()) TADA_CHECK_OK(CheckOption(name, given));
  return Ok();
}

// Those that follow from the values alone are the same everywhere; the others count rows.
Status CheckHierarchy(const PlannedColumn& column) {
  if (!IsBuilder(column.hierarchy) || IsRule(column.hierarchy) || column.hierarchy == "flat") return Ok();
  return InvalidArgument(
             TADA_OPTION("hierarchy={}={}") " does not work on Spark: it is built from all rows of the table",
             column.name, column.hierarchy)
      .WithHint(
          "Use a rule (width:10, prefix:5/3/1, dates, ...), or write a file with 'tada hierarchy' and give that.");
}

}  // namespace

Status CheckSpreadOptions(const PlanFile& file, const OptionValues& options) {
  TADA_CHECK_OK(CheckValues(file.values));
  TADA_CHECK_OK(CheckValues(options));
  for (const auto& [method, values] : file.methods) TADA_CHECK_OK(CheckValues(values));
  for (const auto& [name, values] : file.controllers) TADA_CHECK_OK(CheckValues(values));
  return Ok();
}

Status CheckSpreadPlan(const Plan& plan) {
  if (plan.cells == "postgres") return Refused("cells postgres", "write text, and let the database read that");
  if (ChosenMethod(plan) == "ta_da" && plan.method_options.Has("label-share")) {
    return Refused("label-share", "with ta_da people change groups in the end, and rows are on different machines");
  }
  for (const auto* columns : {&plan.quasi, &plan.sensitive, &plan.label}) {
    for (const PlannedColumn& column : *columns) {
      TADA_CHECK_OK(CheckHierarchy(column));
      if (!column.order_of_appearance) continue;
      return InvalidArgument("Column {}: order = \"appearance\" does not work on Spark: rows have no order there",
                             column.name)
          .WithHint("List the values in their order: order = [...].");
    }
  }
  return Ok();
}

Status CheckSpreadMethod(const MethodEntry& method, const MethodContext& context) {
  const bool by_input = method.row_order != nullptr && method.row_order(context) == RowOrder::kInput;
  if (method.name != "auto" && !by_input) return Ok();
  return InvalidArgument(TADA_OPTION("method={}") " does not work on Spark{}: {}", method.name,
                         by_input ? " with these options" : "",
                         by_input ? "it looks at the order of the rows" : "it tries methods on the whole table")
      .WithHint("Choose a method: mondrian, infogain, regression, ta_da; or run on one machine: tada.anonymize.");
}

Error TooManyRows(const std::string& method, bool compares, const std::string& controller, uint64_t rows,
                  uint64_t local_rows) {
  return InvalidArgument(
             TADA_OPTION("method={}") "{} does not work on Spark for this many rows: it needs all rows of a controller on one machine; "
             "{} rows{}, local_rows={}",
             method, compares ? " with requirements that compare distributions" : "", rows,
             controller.empty() ? "" : fmt::format(" of {}", controller), local_rows)
      .WithHint(compares
                    ? "Raise local_rows, or set " TADA_OPTION("stratify=never") " for methods that split (mondrian, ta_da)."
                    : "Raise local_rows, name a controller_column, or use mondrian, infogain, regression, or ta_da "
                      "with a label.");
}

}  // namespace tada
