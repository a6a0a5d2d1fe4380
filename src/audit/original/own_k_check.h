#pragma once

// Rows that ask for a k of their own (--k-column): whether none of them stands in a smaller class. The release does not have the
// column; the original rows behind each class do, where they are known.

#include <memory>

#include "audit/checks/class_check.h"
#include "audit/original/people.h"

namespace tada {

/// kData if the column holds anything but whole numbers. `people`: null if rows are counted.
Result<std::unique_ptr<ClassCheck>> MakeOwnKCheck(const AuditOptions& options, const Classes& classes,
                                                  const ClassOfOriginal& classes_of, const PeopleOfClasses* people);

}  // namespace tada
