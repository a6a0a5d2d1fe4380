#include "audit/checks/class_check.h"

#include <algorithm>

#include "audit/checks/value_checks.h"
#include "base/option_mark.h"

namespace tada {
namespace {

struct CheckEntry {
  std::string_view name;  // of the demand
  MakeValueCheck make;
};

// Every demand that the audit can verify. A new one joins here.
std::vector<CheckEntry> Checks() {
  // clang-format off
  return {
      {"closeness", &CheckCloseness},
      {"likeness", &CheckLikeness},
      {"disclosure", &CheckDisclosure},
      {"alpha", &CheckAlpha},
      {"spread", &CheckSpread},
  };
  // clang-format on
}

// What is asked of a column by a name: what names the column, else what names none.
const Demand* DemandOf(const std::vector<Demand>& demands, std::string_view name, const std::string& column) {
  const Demand* of_all = nullptr;
  for (const Demand& demand : demands) {
    if (demand.name != name) continue;
    if (demand.column == column) return &demand;
    if (demand.column.empty()) of_all = &demand;
  }
  return of_all;
}

Status CheckDemands(const std::vector<Demand>& demands, const Table& release, const AuditOptions& options) {
  for (const Demand& demand : demands) {
    if (demand.name == "max-risk") continue;  // about rows: audit/original/risk_check.h
    const std::vector<CheckEntry> checks = Checks();
    if (std::ranges::find(checks, demand.name, &CheckEntry::name) == checks.end()) {
      return InvalidArgument("The audit cannot verify the requirement '{}'", demand.name);
    }
    const auto is_named = [&](ColumnId id) { return release.column(id).name() == demand.column; };
    if (options.sensitive.empty() || (!demand.column.empty() && std::ranges::none_of(options.sensitive, is_named))) {
      return InvalidArgument(TADA_OPTION("{}") " is about a column that is not sensitive: {}", demand.name,
                             demand.column)
          .WithHint("Name it in " TADA_OPTION("sensitive") ".");
    }
  }
  return Ok();
}

}  // namespace

Result<std::vector<std::unique_ptr<ClassCheck>>> MakeClassChecks(const Table& release, const AuditOptions& options,
                                                                 const ValuesOfColumn& values) {
  TADA_CHECK_OK(CheckDemands(options.requirement.more, release, options));
  TADA_CHECK_OK(CheckDemands(options.measured, release, options));
  std::vector<std::unique_ptr<ClassCheck>> checks;
  for (const ColumnId id : options.sensitive) {
    ValueContext context{.options = options, .column = id, .values = nullptr};
    context.column_name = release.column(id).name();
    for (const CheckEntry& entry : Checks()) {
      const Demand* asked = DemandOf(options.requirement.more, entry.name, context.column_name);
      const Demand* demand = asked != nullptr ? asked : DemandOf(options.measured, entry.name, context.column_name);
      if (demand == nullptr) continue;
      if (context.values == nullptr) context.values = values(id);
      context.asked = asked != nullptr;
      TADA_TRY(check, entry.make(*demand, context));
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

}  // namespace tada
