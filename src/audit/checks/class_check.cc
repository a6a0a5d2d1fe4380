#include "audit/checks/class_check.h"

namespace tada {
namespace {

struct CheckEntry {
  std::string_view name;  // of the demand
  Result<std::unique_ptr<ClassCheck>> (*make)(const Demand& demand, const Table& release, const AuditOptions& options,
                                              const Classes& classes, const Workers& workers);
};

// Every demand that the audit can verify. A new one joins here.
std::vector<CheckEntry> Checks() { return {}; }

}  // namespace

Result<std::vector<std::unique_ptr<ClassCheck>>> MakeClassChecks(const Table& release, const AuditOptions& options,
                                                                 const Classes& classes, const Workers& workers) {
  std::vector<std::unique_ptr<ClassCheck>> checks;
  for (const Demand& demand : options.requirement.more) {
    const size_t before = checks.size();
    for (const CheckEntry& entry : Checks()) {
      if (entry.name != demand.name) continue;
      TADA_TRY(check, entry.make(demand, release, options, classes, workers));
      checks.push_back(std::move(check));
    }
    if (checks.size() == before) return InvalidArgument("The audit cannot verify the requirement '{}'", demand.name);
  }
  return checks;
}

}  // namespace tada
