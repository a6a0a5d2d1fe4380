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

#include "base/workers.h"
#include "guard/hipaa.h"
#include "plan/plan.h"
#include "run/inspect/population.h"
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
  std::string format;     ///< how its numbers or dates are written; "": plainly
  uint64_t distinct = 0;  ///< different values, "missing" not counted
  uint64_t missing = 0;   ///< rows without a value
  double uniqueness = 0;
  ColumnRole role = ColumnRole::kDrop;
  bool given = false;  ///< the role is the plan's, not a proposal
  std::string reason;
  double confidence = 1;  ///< of the proposal, between 0 and 1
  /// What tells who somebody is, by the Safe Harbor rule's letter; 0 if nothing does.
  char identity = 0;
  /// How many rows (people, where columns name them) would be unique without it if it is a quasi-identifier, and with it if it is
  /// not; filled in by AddColumnEffects().
  uint64_t unique_if_changed = 0;
};

struct Profile {
  uint64_t rows = 0;
  std::vector<ColumnProfile> columns;
  std::vector<std::string> notes;  ///< on how the table was read
  uint64_t unique_rows = 0;        ///< rows that are alone in their class
  uint64_t unique_members = 0;     ///< the same, in people where columns name them; filled in by AddColumnEffects()
  uint64_t classes = 0, smallest_class = 0, largest_class = 0;
  uint64_t rows_below_k = 0;  ///< rows in classes smaller than the plan's k
  uint64_t people = 0;        ///< where columns name people who have several rows: how many; 0 if every row is a person
  uint64_t classes_below_k = 0;  ///< classes of fewer than k people; rows where those are people
  std::vector<std::pair<uint64_t, uint64_t>> class_sizes;  ///< size and how many classes have it, ascending
  std::vector<HipaaColumn> hipaa;                          ///< what the Safe Harbor rule speaks of, in its order
  ProfileRisk risk;                                        ///< filled in by MeasureProfileRisk()
};

/// The class of each row: rows that are alike in all columns whose role is quasi-identifier.
std::vector<uint32_t> ClassOfRows(const Table& table, const std::vector<ColumnProfile>& columns, size_t& num_classes);

/// Profiles a table. Roles that `plan` names are taken, all others proposed; at least one column is a quasi-identifier.
Profile Inspect(const Table& table, const Plan& plan);

/// Counts what each column adds to how identifying the quasi-identifiers are.
void AddColumnEffects(const Table& table, const Workers& workers, Profile& profile);

/// What the name of a column says about its role; nothing if it says nothing. `reason` names the word.
std::optional<ColumnRole> RoleFromName(std::string_view name, std::string* reason);
bool NamesMoney(std::string_view name);     ///< what somebody earns
bool NamesMedicine(std::string_view name);  ///< a measurement that doctors take
/// What people would rather not have known, if nothing in the table is plainly sensitive: an occupation, a grade.
bool NamesLikelySecret(std::string_view name);

/// A commented plan file with the profile's roles, k and l, that `tada anonymize --plan` takes as it is. `input` is the
/// name of the table.
std::string DraftPlanToml(const Profile& profile, const Plan& plan, const std::string& input);

}  // namespace tada
