#pragma once

// Inspection: what a raw table looks like to somebody who wants to release it, and to somebody who wants to find people
// in it. A role is proposed for every column from its name (words of several languages) and its values; it is a proposal,
// which says why, and gives way to any role that the plan names.
//   uniqueness   share of the rows whose value in a column nobody else has.
//   class        rows that are alike in all quasi-identifiers.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"
#include "table/table.h"

namespace tada {

enum class ColumnRole { kQuasi, kSensitive, kLabel, kKeep, kPerson, kDrop };

/// "quasi", "sensitive", "label", "keep", "person" or "drop".
std::string_view ColumnRoleName(ColumnRole role);

struct ColumnProfile {
  std::string name;
  Kind kind = Kind::kCategorical;  ///< as it should be released: a postcode of digits is categorical
  bool kind_differs = false;       ///< from what its values alone look like
  bool is_date = false;
  uint64_t distinct = 0;  ///< different values, "missing" not counted
  uint64_t missing = 0;   ///< rows without a value
  double uniqueness = 0;
  ColumnRole role = ColumnRole::kDrop;
  bool given = false;  ///< the role is the plan's, not a proposal
  std::string reason;
};

struct Profile {
  uint64_t rows = 0;
  std::vector<ColumnProfile> columns;
  uint64_t unique_rows = 0;  ///< rows that are alone in their class
  uint64_t classes = 0, smallest_class = 0, largest_class = 0;
  uint64_t rows_below_k = 0;  ///< rows in classes smaller than the plan's k
  uint64_t people = 0;        ///< where columns name people who have several rows: how many; 0 if every row is a person
  uint64_t classes_below_k = 0;  ///< classes of fewer than k people; rows where those are people
  std::vector<std::pair<uint64_t, uint64_t>> class_sizes;  ///< size and how many classes have it, ascending
};

/// Profiles a table. Roles that `plan` names are taken, all others proposed; at least one column is a quasi-identifier.
Profile Inspect(const Table& table, const Plan& plan);

/// The parts of a name, in small letters: cut at everything but letters and digits, and before a capital letter that
/// follows a small one.
std::vector<std::string> NameParts(std::string_view name);

/// What the name of a column says about its role; nothing if it says nothing. `reason` names the word.
std::optional<ColumnRole> RoleFromName(std::string_view name, std::string* reason);

/// A commented plan file with the profile's roles, k and l, that `tada anonymize --plan` takes as it is. `input` is the
/// name of the table.
std::string DraftPlanToml(const Profile& profile, const Plan& plan, const std::string& input);

}  // namespace tada
