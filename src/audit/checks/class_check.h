#pragma once

// Requirements beside k and l as the audit verifies them, class by class, from the definitions and with code of its own. The
// list of them stands in class_check.cc; what is asked and is not in it fails the audit.

#include <memory>
#include <string>
#include <vector>

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
};

/// One for every demand of the requirement; kInvalidArgument names one that the audit does not know.
Result<std::vector<std::unique_ptr<ClassCheck>>> MakeClassChecks(const Table& release, const AuditOptions& options,
                                                                 const Classes& classes, const Workers& workers);

}  // namespace tada
