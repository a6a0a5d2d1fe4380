#pragma once

// A privacy model: one condition that every group must meet. To add one (t-closeness, beta-likeness), write one file with a
// class like those of l_diversity.h and name it in MakeModels (checker.cc).

#include <memory>
#include <string>

#include "privacy/tally.h"

namespace tada {

class PrivacyModel {
 public:
  virtual ~PrivacyModel() = default;
  /// Whether a group with this tally meets the condition. Decided on integer counts where the definition allows it.
  virtual bool Holds(const Tally& tally) const = 0;
  /// Whether the union of two groups that meet the condition meets it too. Methods that merge groups rely on it.
  virtual bool KeptByMerging() const = 0;
  /// No group of fewer rows can meet the condition.
  virtual uint64_t SmallestGroup() const = 0;
  /// Whether Holds looks at the value counts, not only at the number of rows.
  virtual bool NeedsValues() const = 0;
  /// The largest parameter (k, l) that a group with this tally would meet, for error messages.
  virtual uint64_t Reaches(const Tally& tally) const = 0;
  /// "k", "l".
  virtual std::string parameter() const = 0;
};

}  // namespace tada
