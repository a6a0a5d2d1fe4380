#pragma once

// Requirements on the sensitive values of classes that have a threshold, as the audit verifies them.

#include <memory>

#include "audit/checks/class_check.h"
#include "audit/checks/class_values.h"

namespace tada {

/// What a requirement of a column is judged by.
struct ValueContext {
  const AuditOptions& options;
  ColumnId column = 0;  ///< released
  std::string column_name = {};
  std::shared_ptr<const ClassValues> values;  ///< null if people are asked for and nobody knows them
  bool asked = true;                          ///< false: only measured
};

using MakeValueCheck = Result<std::unique_ptr<ClassCheck>> (*)(const Demand& demand, const ValueContext& context);

Result<std::unique_ptr<ClassCheck>> CheckCloseness(const Demand& demand, const ValueContext& context);

Result<std::unique_ptr<ClassCheck>> CheckLikeness(const Demand& demand, const ValueContext& context);
Result<std::unique_ptr<ClassCheck>> CheckDisclosure(const Demand& demand, const ValueContext& context);
Result<std::unique_ptr<ClassCheck>> CheckAlpha(const Demand& demand, const ValueContext& context);
Result<std::unique_ptr<ClassCheck>> CheckSpread(const Demand& demand, const ValueContext& context);

}  // namespace tada
