#pragma once

// A privacy model: one condition that every group must meet, bound to a table and to the rows of one data controller.
// Models are made by the entries of the list in privacy/check/requirements.h.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "privacy/tally.h"
#include "table/table.h"

namespace tada {

/// A column as the checker counts it: spellings of one value are one (privacy/canonical_value.h), and values are numbered in the order
/// of the column. Where a row of the table stands for a person with
/// several rows, it may have several values.
///   mark   what a row has: a value, or, from num_values on, a set of several.
struct CountedColumn {
  ColumnId column = 0;
  Code num_values = 0;
  std::vector<Code> mark_of_code;
  std::vector<std::vector<Code>> sets = {};
  std::optional<Code> missing = {};    ///< the value that "missing" is, if it occurs: the first
  std::optional<Code> uncounted = {};  ///< the same, unless it counts towards l
  /// The sensitive column itself, and the value of each of its codes. Null where something else is counted: people.
  const Column* source = nullptr;
  std::vector<Code> value_of_code = {};
  /// Of the column in which rows ask for a k of their own: that k, by value; 0 asks for nothing.
  std::vector<uint64_t> own_k = {};
  std::string name = {};  ///< of that column
  /// By level of a hierarchy of the column, its top left out: the node of each code. Empty: it has none.
  std::vector<std::vector<Code>> levels = {};
  /// Where people with several rows may stand in several groups, the first counted column has the people, and each of the
  /// others pairs of a person and a value of a sensitive column: what they are, by their numbers.
  struct PersonValue {
    uint32_t person = 0;
    Code value = 0;
  };
  std::vector<PersonValue> pairs = {};

  /// The bits of marks that count towards l. Pre: there are at most 64.
  uint64_t counted_bits() const { return uncounted ? ~(uint64_t{1} << *uncounted) : ~uint64_t{0}; }
  /// Whether what is asked of sensitive values is asked of this column.
  bool is_sensitive() const { return own_k.empty(); }
  Code num_marks() const { return num_values + static_cast<Code>(sets.size()); }
  /// Calls f(value) for the values of a mark.
  template <class F>
  void ForEachValue(Code mark, const F& f) const {
    if (mark < num_values) return f(mark);
    for (const Code value : sets[mark - num_values]) f(value);
  }
};

/// What a model is bound to.
class Binding {
 public:
  Binding(const Table& table, std::span<const CountedColumn> sensitive, std::function<Tally()> count)
      : table_(table), sensitive_(sensitive), count_(std::move(count)) {}

  const Table& table() const { return table_; }
  /// The columns of every tally, in its order.
  std::span<const CountedColumn> sensitive() const { return sensitive_; }
  /// The tally of all rows of the controller: what the groups are compared with. Counted when the first model asks.
  const Tally& Reference() const {
    if (!reference_) reference_ = std::make_unique<Tally>(count_());
    return *reference_;
  }

 private:
  const Table& table_;
  std::span<const CountedColumn> sensitive_;
  std::function<Tally()> count_;
  mutable std::unique_ptr<Tally> reference_;
};

/// The least that has to be known of a group to decide whether it meets a condition: a shortcut that searches may take.
enum class DecidedBy {
  kRows,            ///< it holds exactly for groups of at least SmallestGroup() rows
  kDistinctValues,  ///< it holds exactly for groups in which every sensitive column has at least LeastDistinct() values
  kCounts,          ///< only Holds() tells
};

class PrivacyModel {
 public:
  virtual ~PrivacyModel() = default;
  /// Whether a group with this tally meets the condition. Decided on integer counts where the definition allows it.
  virtual bool Holds(const Tally& tally) const = 0;
  virtual DecidedBy decided_by() const { return DecidedBy::kCounts; }
  /// Of a condition that the number of different values decides.
  virtual uint64_t LeastDistinct() const { return 0; }
  /// Whether the union of two groups that meet the condition meets it too. Methods that merge groups rely on it.
  virtual bool KeptByMerging() const = 0;
  /// Whether every part of a group that fails the condition fails it too. Searches over levels prune by it.
  virtual bool FailingIsInherited() const = 0;
  /// No group of fewer rows can meet the condition.
  virtual uint64_t SmallestGroup() const = 0;
  /// Whether a smaller threshold asks for more, as that of closeness does.
  virtual bool SmallerIsStricter() const { return false; }
  /// What a group with this tally would meet, for error messages: "k=8"; rounded so that it does.
  virtual std::string Reaches(const Tally& tally) const = 0;
  /// What to do if all rows together do not meet the condition.
  virtual std::string Hint(const Tally& tally) const = 0;
  /// Which values of a sensitive column would help a group that fails: asked with a value and how often the group has it.
  /// Empty if none would. It is only advice for repairs.
  virtual std::function<bool(Code value, uint32_t count)> Wanted(const Tally& /*tally*/, size_t /*column*/) const {
    return {};
  }
};

}  // namespace tada
