#pragma once

// Requirements beside k and l as the audit verifies them, class by class, from the definitions and with code of its own. The
// list of them stands in class_check.cc; what is asked and is not in it fails the audit.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/checks/class_values.h"
#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"

namespace tada {

class ClassCheck {
 public:
  virtual ~ClassCheck() = default;
  /// How a class breaks what was asked, in words; "" if it does not.
  virtual std::string Breaks(size_t index) const = 0;
  /// What all classes reach.
  virtual ReachedDemand Reached() const = 0;
  /// Why it could not be verified, in words; "" if it was, or if that is said elsewhere.
  virtual std::string Unverified() const { return ""; }
};

/// The values of classes in a released column; null if people are to be counted and nobody knows them.
using ValuesOfColumn = std::function<std::shared_ptr<const ClassValues>(ColumnId)>;

/// One for every demand of the requirement and for what is only to be measured; kInvalidArgument names one that the audit does
/// not know.
Result<std::vector<std::unique_ptr<ClassCheck>>> MakeClassChecks(const Table& release, const AuditOptions& options,
                                                                 const ValuesOfColumn& values);

}  // namespace tada
