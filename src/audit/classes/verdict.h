#pragma once

// What an audit is asked and what it answers, as plain data.
//   class     rows whose released quasi-identifier cells are equal, byte for byte.
//   verdict   whether every class meets the requirement, and what the file really reaches.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

struct AuditClass {
  std::vector<std::string> cells;  ///< one per quasi-identifier
  std::vector<uint64_t> rows;  ///< row numbers in the release, counted from 1 (the header is not counted); at most 20
  uint64_t size = 0;
  uint64_t l = 0;      ///< smallest over the sensitive columns; 0 without any
  std::string reason;  ///< how it breaks the requirement, in words; "" if it does not
};

/// What was asked beside k and l, and what all classes reach of it.
struct ReachedDemand {
  std::string name, column;          ///< "t" of "salary"
  std::string kind = {};             ///< how it is counted: "ordered"
  std::string asked = {};            ///< as people read it; "": it was only measured
  std::string reached = {};          ///< the same; rounded to the careful side
  std::optional<double> value = {};  ///< what is reached, as a number; nothing if it is infinite or not known
  bool at_most = true;               ///< which side of what is asked is right
  bool holds = true;
  /// "t of salary (ordered)".
  std::string Label() const { return name + " of " + column + (kind.empty() ? "" : " (" + kind + ")"); }
};

/// A text of a sensitive column that was counted as another value than its own.
struct FoldedSpelling {
  std::string column, text;
  std::string value;  ///< the spelling that it counts as; "" if it is missing
};

struct
    AuditRisk {  ///< re-identification by somebody who knows the quasi-identifiers; people count where they are known
  double highest = 0;        ///< of any row: 1 / smallest class
  double average = 0;        ///< over the rows: classes / rows
  double share_at_risk = 0;  ///< rows whose risk is above 1/k
};

/// Names that stand for several values of an original column, as its hierarchy has them: each with the codes below it.
using LabelCodes = std::unordered_map<std::string, std::vector<Code>>;

/// What a file does not say of the values of a sensitive column.
struct ValueFacts {
  std::vector<std::string> order;  ///< of an ordinal column, ascending; empty: not known
  /// Nodes of a hierarchy above each, level by level to the top.
  std::unordered_map<std::string, std::vector<Code>> paths;
};

struct ColumnCover {
  std::string column;
  bool quasi = true;  ///< false: a column that must come out unchanged
  bool covered = true;
  uint64_t uncovered_rows = 0;  ///< rows whose cells cannot cover an original value
  uint64_t unchecked_rows = 0;  ///< rows whose cells are names that neither an original value nor a known label has
  std::string example;          ///< "row 17: [20,30] does not cover 34"
  /// Whether every cell was found to cover; nothing if none was found that does not, but some were not checked.
  std::optional<bool> verified() const {
    if (!covered) return false;
    return unchecked_rows == 0 ? std::optional(true) : std::nullopt;
  }
};

/// What a release costs (audit/original/release_loss.h).
struct ReleaseLoss {
  double ncp = 0;                                          ///< over the released rows, with the spans of the original
  double ncp_with_withheld = 0;                            ///< over all original rows: one that was withheld costs 1
  std::vector<std::pair<std::string, double>> per_column;  ///< NCP by quasi-identifier
  double discernibility = 0;                               ///< sum over classes of size squared
  double average_class = 0;                                ///< rows / classes
  /// Of means (--recode mean), instead of NCP: the share of a column's variance that is lost inside classes, of names the share of rows
  /// that show another one; the mean over the quasi-identifiers. Nothing if rows could not be laid beside the original's.
  std::optional<double> squared_error = {};
};

/// How released rows were laid beside original ones.
enum class RowMatch {
  kNotChecked,  ///< there was no original
  kGiven,       ///< in the order that the caller named
  kSameOrder,   ///< row by row; every row covers
  kFound,       ///< in another order, which the audit found
  kNone,        ///< there is no such order
  kUndecided,   ///< the search was too large; columns were checked one by one
};

/// "same order", "found", ...: as verdicts and reports write it.
std::string_view RowMatchName(RowMatch match);

struct AuditOptions {
  std::vector<ColumnId> quasi, sensitive;  ///< columns of the release
  Requirement requirement;
  /// The original table and which of its columns stands behind each released one (by released ColumnId; nothing: none).
  const Table* original = nullptr;
  std::vector<std::optional<ColumnId>> original_column;
  /// Spellings of "missing" in the files, for cells that stand for a missing value of the original.
  std::vector<std::string> missing;
  /// Labels of hierarchies, by released ColumnId; shorter, or empty for a column: none are known.
  std::vector<LabelCodes> labels;
  /// Of sensitive columns, by released ColumnId; shorter: nothing is known.
  std::vector<ValueFacts> value_facts;
  /// Demands that are not asked, and measured all the same.
  std::vector<Demand> measured;
  /// What distributions are compared with, if not with the release itself: a table with its columns and codes, and, where people
  /// are counted, the original rows behind it.
  const Table* reference = nullptr;
  std::span<const RowId> reference_order;
  /// Of a reference whose rows stand for many each: for how many, by released ColumnId of a sensitive column and row; empty: for one.
  std::vector<std::vector<uint64_t>> reference_rows;
  /// If given, released row i stands for original row (*order)[i]; otherwise the audit looks for an assignment itself.
  std::shared_ptr<const std::vector<RowId>> order;
  /// Columns of the original that together name a person, if requirement.persons asks for people.
  std::vector<ColumnId> person;
  /// The column of the original in which rows ask for a k of their own (requirement.k_column).
  std::optional<ColumnId> own_k;
  /// Released columns that tell which rows are one person's (pseudonyms), and dates that are as far apart as they were.
  std::vector<ColumnId> pseudonym, shifted;
  /// The column of the original that says whose a row is: each controller keeps its own rows of a person together, and no others'.
  std::optional<ColumnId> controllers;
  /// Whether to say what the release costs; needs the original.
  bool loss = false;
  /// Cells of quasi-identifiers are means of their class, or its most frequent name, instead of covering every value (--recode mean).
  bool means = false;
  /// How many steps the search for an assignment may take before it is given up. Most callers leave this alone.
  uint64_t search_limit = 2'000'000'000;
};

struct Verdict {
  bool passed = false;
  Requirement requirement;                    ///< what was asked
  std::vector<std::string> quasi, sensitive;  ///< names of the columns it was asked of
  uint64_t rows = 0, classes = 0;
  uint64_t k = 0;                  ///< smallest class: rows, or people where those are counted and known
  std::optional<uint64_t> people;  ///< different people of the class that has fewest; nothing if they are not known
  uint64_t smallest_class = 0;     ///< rows
  std::optional<uint64_t> linked;  ///< fewest people that share a class, a number of rows and the gaps of their dates
  uint64_t l = 0;  ///< smallest l of any class and sensitive column; 0 without any, or where all are missing
  std::vector<uint64_t> l_of_column;   ///< the same, one per sensitive column
  std::vector<FoldedSpelling> folded;  ///< which texts were counted as one value
  std::vector<ReachedDemand> further;  ///< requirements beside k and l
  uint64_t breaking_classes = 0, breaking_rows = 0;
  uint64_t masked_rows = 0;  ///< rows whose quasi-identifiers are all `*`
  uint64_t largest_class = 0;
  std::optional<AuditClass> worst;  ///< the smallest class that breaks the requirement; the first one in the file
  std::vector<std::pair<uint64_t, uint64_t>> class_sizes;  ///< size and how many classes have it, ascending
  /// Without a table of the population the journalist's risk is bounded by the prosecutor's, and is reported as that.
  /// The marketer's is one number for the whole file, the average.
  AuditRisk prosecutor, journalist, marketer;
  std::vector<ColumnCover> cover;  ///< one per column that has an original
  RowMatch row_match = RowMatch::kNotChecked;
  bool rows_match = true;             ///< false: released rows cannot stand for different original rows
  uint64_t withheld_rows = 0;         ///< original rows that the release does not have
  std::optional<ReleaseLoss> loss;    ///< if it was asked for and the quasi-identifiers have originals
  std::vector<std::string> problems;  ///< everything that failed, in words; empty if and only if it passed
  /// What was asked and could not be checked, in words: nothing was found wrong there, and nothing right.
  std::vector<std::string> unverified;
  std::vector<std::string> notes;  ///< what should be known; nothing of it is a failure
};

}  // namespace tada
