#pragma once

// What the data owner asks of a release, as plain data. Bound to a table it becomes a Checker (privacy/check/checker.h);
// the audit reads it too, and has its own idea of how to verify it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tada {

/// How the l of l-diversity is counted, per sensitive column, over the counts c1 >= c2 >= ... of a group of m rows.
enum class Diversity {
  kDistinct,   ///< at least l different values
  kEntropy,    ///< entropy of the values at least ln l
  kRecursive,  ///< c1 < C * (c_l + c_{l+1} + ...)
};

/// Whom k, l and everything else count.
enum class Persons {
  kRows,      ///< every row is a person of its own
  kTogether,  ///< people; all rows of a person stand in one group
  kApart,     ///< people; a person's rows may stand in several groups
};

/// What groups are compared with by requirements that compare them with everybody.
enum class ReferenceRows {
  kController,  ///< the rows of their data controller
  kTable,       ///< all rows of the table
};

/// A requirement beside k and l: `[COLUMN=]LIMIT[:KIND]`, as its entry in the list (privacy/check/requirements.h) reads it.
struct Demand {
  std::string name;                      ///< of the entry: "closeness"
  std::string column = {};               ///< of which sensitive column; "": of every one
  std::string limit = {};                ///< a decimal as it was written, so that 0.3 stays 3/10
  std::string kind = {};                 ///< how it is counted; "": as is usual for the column
  std::vector<std::string> values = {};  ///< sensitive values that it is about; none: all
  bool operator==(const Demand&) const = default;
};

struct Requirement {
  int64_t k = 5;
  int64_t l = 1;  ///< 1 asks nothing of the sensitive columns
  Diversity diversity = Diversity::kDistinct;
  double c = 3.0;                 ///< the C of recursive diversity
  std::vector<Demand> more = {};  ///< in the order in which they were asked
  Persons persons = Persons::kRows;
  ReferenceRows reference = ReferenceRows::kController;
  std::string k_column = {};    ///< whose whole numbers are each row's own k; "": there is none
  bool exact_values = false;    ///< sensitive texts are compared as they are written, not in a canonical form
  bool missing_counts = false;  ///< a missing sensitive value counts towards l like any other
};

/// Whether a demand compares the values of a group with those of everybody: closeness, likeness, disclosure.
bool ComparesDistributions(const Demand& demand);
bool ComparesDistributions(const Requirement& requirement);

/// "distinct", "entropy" or "recursive:3".
std::string DiversityName(const Requirement& requirement);

/// "rows", "together" or "apart".
std::string_view PersonsName(Persons persons);

/// A demand as its option writes it: "salary=0.2:ordered"; each value but the first is an item of its own.
std::vector<std::string> DemandItems(const Demand& demand);
/// The same in one text.
std::string DemandText(const Demand& demand);

}  // namespace tada
