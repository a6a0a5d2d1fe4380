#pragma once

// Groups that rows move between, with what a change would cost known in O(columns). Serves the local search of `compact`
// in one region of the table (region_search.h); rows are numbered from 0 within the region.
//   slot     a place for a group; slots are reused.
//   record   per number the two smallest and two largest values, per name which values are held and which are held at
//            least twice: enough to tell the spans of the group without any one row and with any other.
//   gain     of a row: by how much the sum of its group's spans would fall without it.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "partition/compact/search_rows.h"
#include "privacy/check/checker.h"

namespace tada {

class GroupStore {
 public:
  static constexpr uint32_t kNoRow = MixtureSums::kNone, kNoSlot = UINT32_MAX;

  GroupStore(const SearchRows& source, const Checker& checker);

  /// Forgets everything and takes these rows of the source as its own, numbered as they stand.
  void Load(std::span<const uint32_t> rows);

  uint32_t num_rows() const { return static_cast<uint32_t>(slot_of_.size()); }
  uint32_t slot_of(uint32_t row) const { return slot_of_[row]; }
  uint32_t num_slots() const { return static_cast<uint32_t>(slots_.size()); }
  const std::vector<uint32_t>& rows(uint32_t slot) const { return slots_[slot].rows; }
  uint32_t size(uint32_t slot) const { return static_cast<uint32_t>(slots_[slot].rows.size()); }
  double spans(uint32_t slot) const { return slots_[slot].spans; }
  double loss(uint32_t slot) const { return size(slot) * spans(slot) + slots_[slot].mixture; }
  /// The loss a row of the group, on average.
  double loss_per_row(uint32_t slot) const { return spans(slot) + slots_[slot].mixture / size(slot); }
  double gain(uint32_t row) const { return gains_[row]; }
  double most_gain(uint32_t slot) const { return slots_[slot].most_gain; }  ///< of its rows
  /// The rows that have a gain, as they stand in the slot.
  const std::vector<uint32_t>& live(uint32_t slot) const { return slots_[slot].live; }
  /// Counts changes of any group, and which of them was a slot's last.
  uint64_t changes() const { return changes_; }
  uint64_t last_change(uint32_t slot) const { return slots_[slot].last_change; }
  const double* NumbersOf(uint32_t row) const { return numbers_.data() + size_t{row} * source_.tuples.num_numbers; }
  const Code* NamesOf(uint32_t row) const { return names_.data() + size_t{row} * source_.tuples.num_names; }
  const Code* SensitiveOf(uint32_t row) const { return sensitive_.data() + size_t{row} * source_.num_sensitive; }
  const MixedPoints& shape() const { return source_.tuples; }
  const Checker& checker() const { return checker_; }
  uint32_t num_sensitive() const { return source_.num_sensitive; }
  bool has_labels() const { return !labels_.empty(); }
  const RowLabels& labels() const { return labels_; }  ///< of the region's rows

  /// A slot with these rows, whose slot_of now names it; call Free for those they were in.
  uint32_t Make(std::vector<uint32_t> rows);
  /// Gives a slot back; its rows keep naming it until they are in another.
  void Free(uint32_t slot);
  /// Says again that a slot's rows are in it, after others held them for a while; `gains` are those of its rows before.
  void Reclaim(uint32_t slot, const double* gains);

  /// Gives a slot other rows.
  void Replace(uint32_t slot, std::vector<uint32_t> rows) {
    slots_[slot].rows = std::move(rows);
    Claim(slot);
  }

  /// Sums of spans of a group with a row more, a row less, and one instead of another.
  double SpansWith(uint32_t slot, uint32_t row) const;
  double SpansWithout(uint32_t slot, uint32_t row) const;
  double SpansExchanged(uint32_t slot, uint32_t drop, uint32_t add) const;
  /// By how much the loss of a group would rise with a row more, and fall with a row less.
  double CostOfAdding(uint32_t slot, uint32_t row, double spans_with) const;
  double CostOfAdding(uint32_t slot, uint32_t row) const { return CostOfAdding(slot, row, SpansWith(slot, row)); }
  double WinOfDropping(uint32_t slot, uint32_t row) const;
  /// By how much the mixtures of labels of two groups would rise if these rows changed places.
  double MixtureOfSwap(uint32_t a, uint32_t b) const;

  /// Whether the group still meets the requirement after such a change.
  bool MayDrop(uint32_t slot, uint32_t row);
  bool MayAdd(uint32_t slot, uint32_t row);
  bool MayExchange(uint32_t slot, uint32_t drop, uint32_t add);
  bool Holds(uint32_t slot) { return HoldsChanged(slot, kNoRow, kNoRow); }

  void Move(uint32_t row, uint32_t to);
  void Swap(uint32_t a, uint32_t b);
  /// Adds a row that is in no group. Gains are those of before until Settle.
  void Add(uint32_t slot, uint32_t row);
  void Settle(uint32_t slot);

 private:
  struct Extent {
    double low, low2, high, high2;
    uint32_t lowest, highest;            // a row with the least and one with the largest number
    void Take(uint32_t row, double x) {  // without branches, which nobody can foresee here
      low2 = std::min(low2, std::max(low, x));
      lowest = x < low ? row : lowest;
      low = std::min(low, x);
      high2 = std::max(high2, std::min(high, x));
      highest = x > high ? row : highest;
      high = std::max(high, x);
    }
  };
  // Where the values of a column have their bits in the marks of a row: one bit per value, all columns in few words, so that the sets of a group
  // are the union of its rows' words. Names come first, then the sensitive columns whose different values are counted.
  struct MarkedColumn {
    uint32_t column, word, shift;
    uint64_t
        mask;  // its bits in the word; of a sensitive column those of values that count, of a column with too many values none
  };
  // What a column of names adds to the spans: with a value less than the group holds, as it is, and with one more.
  struct NameSpans {
    double by_change[3];
  };
  struct Slot {
    std::vector<uint32_t> rows, live;
    double spans = 0, most_gain = 0;
    uint64_t last_change = 0;
    MixtureSums labels;
    double mixture = 0;
  };

  template <bool kDrop, bool kAdd>
  double Spans(uint32_t slot, uint32_t drop, uint32_t add) const;
  template <bool kDrop, bool kAdd, bool kLarge>
  double AddNameSpans(uint32_t slot, uint32_t drop, uint32_t add, double sum) const;
  double LargeSetSpan(uint32_t slot, uint32_t column, uint32_t drop, uint32_t add) const;
  void LoadLabels(std::span<const uint32_t> rows);
  void Claim(uint32_t slot);
  void LayOutMarks();
  void LoadMarks();
  void HoldNumber(uint32_t slot, uint32_t column);
  void HoldMarks(uint32_t slot);
  void Hold(uint32_t slot, uint32_t row);
  void LetGo(uint32_t slot, uint32_t row);
  void CountLargeSets(uint32_t slot);
  void Record(uint32_t slot);
  void Measure(uint32_t slot);
  void Refresh(uint32_t slot);
  void RefreshExchanged(uint32_t slot, uint32_t drop, uint32_t add);
  const Extent* ExtentsOf(uint32_t slot) const { return extents_.data() + size_t{slot} * shape().num_numbers; }
  bool is_large(uint32_t name) const { return has_large_sets_ && marked_[name].mask == 0; }
  uint64_t* UnionOf(uint32_t slot) { return unions_.data() + size_t{slot} * 2 * num_words_; }
  const uint64_t* UnionOf(uint32_t slot) const { return unions_.data() + size_t{slot} * 2 * num_words_; }
  uint32_t& CountOf(uint32_t slot, size_t marked) { return counts_[slot * marked_.size() + marked]; }
  uint32_t CountOf(uint32_t slot, size_t marked) const { return counts_[slot * marked_.size() + marked]; }
  void SetCount(uint32_t slot, size_t marked, uint32_t count);
  const uint64_t* MarksOf(uint32_t row) const { return marks_.data() + size_t{row} * num_words_; }
  void Remove(uint32_t row);
  bool HoldsChanged(uint32_t slot, uint32_t drop, uint32_t add);

  const SearchRows& source_;
  const Checker& checker_;
  Tally tally_;
  std::vector<double> numbers_;
  std::vector<Code> names_, sensitive_;
  RowLabels labels_;
  std::vector<uint32_t> slot_of_;
  std::vector<double> gains_;
  std::vector<Slot> slots_;
  std::vector<Extent> extents_;        // by slot and number
  std::vector<uint64_t> unions_;       // by slot and word: values that are held, and those that are held twice
  std::vector<uint32_t> counts_;       // by slot and marked column: different values
  std::vector<NameSpans> name_spans_;  // by slot and name
  uint32_t counted_sensitive_ = 0;     // columns whose different values are counted
  std::vector<MarkedColumn> marked_;
  std::vector<uint32_t> first_in_word_;  // by word, and the end: the first marked column
  std::vector<uint64_t> marks_;          // by row and word
  uint32_t num_words_ = 0;
  uint64_t changes_ = 0;
  std::vector<uint32_t> free_;
  bool has_large_sets_ = false;
};

}  // namespace tada
