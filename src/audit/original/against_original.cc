#include "audit/original/against_original.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "audit/classes/classes.h"
#include "audit/original/assignment.h"
#include "audit/original/column_pair.h"
#include "audit/original/means.h"
#include "audit/original/release_loss.h"
#include "audit/original/risk_check.h"
#include "audit/original/row_order.h"
#include "base/option_mark.h"
#include "base/words.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

constexpr size_t kRowsPerBlock = 1 << 15;
constexpr size_t kAhead = 16;  // rows whose values are asked for before they are needed

// What a walk along the rows found in one column.
struct Found {
  uint64_t rows = 0;
  size_t first = 0;
};

class OriginalCheck {
 public:
  OriginalCheck(const Table& release, const AuditOptions& options, const Classes& classes, const Workers& workers,
                Verdict& verdict)
      : release_(release),
        original_(*options.original),
        options_(options),
        classes_(classes),
        workers_(workers),
        verdict_(verdict) {}

  ClassOfOriginal Run() {
    Pairs();
    CountUnchecked();
    CompareSizes();
    if (options_.loss && !options_.means) AddLoss();
    if (options_.means && !options_.order) {
      CheckWithoutOrder();
    } else if (options_.order) {
      CheckGivenOrder();
    } else {
      FindOrder();
    }
    ReportColumns();
    return std::move(found_);
  }

 private:
  void CompareSizes() {
    if (release_.num_rows() > original_.num_rows()) {
      verdict_.rows_match = false;
      verdict_.problems.push_back(fmt::format("The release has more rows than the original: {} and {}.",
                                              release_.num_rows(), original_.num_rows()));
    } else {
      verdict_.withheld_rows = original_.num_rows() - release_.num_rows();
    }
    if (verdict_.withheld_rows > 0) {
      verdict_.notes.push_back(fmt::format("The release has {} of the original's {} rows: {} are withheld.",
                                           release_.num_rows(), original_.num_rows(), verdict_.withheld_rows));
    }
  }

  void ReportColumns() {
    for (const ColumnCover& cover : verdict_.cover) {
      if (cover.covered) continue;
      const std::string_view verb = !cover.quasi ? "equal" : options_.means ? "show means of" : "cover";
      verdict_.problems.push_back(fmt::format("Column {} does not {} the original in {} row{}: {}.", cover.column, verb,
                                              cover.uncovered_rows, cover.uncovered_rows == 1 ? "" : "s",
                                              cover.example));
    }
  }

  // Whether something is asked that only the original rows behind each class tell.
  bool WantsClasses() const { return !options_.person.empty() || options_.own_k || HiddenWeights(release_, options_); }

  // Notes that released row i stands for original row order[i], or for row i.
  void LearnOrder(const RowId* order) {
    if (!WantsClasses()) return;
    found_.known = true;
    found_.of_row.assign(original_.num_rows(), ClassOfOriginal::kNone);
    for (uint32_t index = 0; index < classes_.count(); ++index) {
      for (const RowId row : classes_.members(index)) found_.of_row[order == nullptr ? row : order[row]] = index;
    }
  }

  void Pairs() {
    for (ColumnId id = 0; id < release_.num_columns(); ++id) {
      const bool quasi = std::find(options_.quasi.begin(), options_.quasi.end(), id) != options_.quasi.end();
      const Column& released = release_.column(id);
      if (id >= options_.original_column.size() || !options_.original_column[id]) {
        const bool asked =
            quasi || std::find(options_.sensitive.begin(), options_.sensitive.end(), id) != options_.sensitive.end();
        (asked ? verdict_.unverified : verdict_.notes)
            .push_back(fmt::format("Column {} has no original to compare it with.", released.name()));
        continue;
      }
      pairs_.emplace_back();
      pairs_.back().released = &released;
      pairs_.back().original = &original_.column(*options_.original_column[id]);
      if (id < options_.labels.size()) pairs_.back().labels = &options_.labels[id];
      verdict_.cover.emplace_back();
      verdict_.cover.back().column = released.name();
      verdict_.cover.back().quasi = quasi;
    }
    workers_.For(pairs_.size(), [&](size_t i) {
      ColumnPair& pair = pairs_[i];
      if (verdict_.cover[i].quasi && options_.means) return;  // they cover nobody
      if (verdict_.cover[i].quasi) {
        pair.cells = std::make_unique<CellCover>(*pair.released, *pair.original, options_.missing, pair.labels);
      } else {
        pair.values = ShareValues(*pair.released, *pair.original);
      }
    });
  }

  void CountUnchecked() {
    workers_.For(pairs_.size(), [&](size_t i) {
      if (!pairs_[i].cells) return;
      const std::vector<uint32_t> rows = RowsByCode(*pairs_[i].released);
      for (Code cell = 0; cell < rows.size(); ++cell) {
        if (pairs_[i].cells->is_unchecked(cell)) verdict_.cover[i].unchecked_rows += rows[cell];
      }
    });
    for (const ColumnCover& cover : verdict_.cover) {
      if (cover.unchecked_rows == 0) continue;
      verdict_.unverified.push_back(
          fmt::format("Column {}: {} {} a name that is neither an original value nor a known label of a hierarchy; "
                      "whether they cover was not checked.",
                      cover.column, Plural(cover.unchecked_rows, "row"), cover.unchecked_rows == 1 ? "has" : "have"));
    }
  }

  void AddLoss() {
    std::vector<std::pair<std::string, double>> per_column;
    std::vector<const ColumnPair*> quasi;
    for (const ColumnPair& pair : pairs_) {
      if (!pair.cells) continue;
      quasi.push_back(&pair);
      per_column.emplace_back(pair.released->name(), 0.0);
    }
    if (quasi.size() < options_.quasi.size()) return;  // one has no original
    workers_.For(quasi.size(), [&](size_t i) {
      per_column[i].second = LossOfColumn(*quasi[i]->released, *quasi[i]->original, *quasi[i]->cells);
    });
    verdict_.loss = SumLosses(std::move(per_column), classes_, verdict_.withheld_rows);
  }

  // Compares one column row by row; without an order a row stands for the one at the same place.
  Found WalkColumn(size_t index, const RowId* order, size_t num_rows) const {
    const ColumnPair& pair = pairs_[index];
    std::vector<Found> blocks((num_rows + kRowsPerBlock - 1) / kRowsPerBlock);
    workers_.ForBlocks(num_rows, kRowsPerBlock, [&](size_t begin, size_t end) {
      Found& found = blocks[begin / kRowsPerBlock];
      const auto look = [&](auto&& ask, auto&& fits) {
        for (size_t row = begin; row < end; ++row) {
          if (order != nullptr && row + kAhead < end) ask(order[row + kAhead]);
          if (fits(row, order == nullptr ? row : order[row])) continue;
          if (found.rows++ == 0) found.first = row;
        }
      };
      pair.released->codes().Visit([&](auto cells) {
        pair.original->codes().Visit([&](auto values) {
          const auto ask = [&](size_t source) { __builtin_prefetch(&values[source]); };
          if (pair.cells) {
            const CellCover& cover = *pair.cells;
            look(ask,
                 [&](size_t row, size_t source) { return cover.Covers(cells[row], cover.position(values[source])); });
          } else {
            const SharedValues& shared = pair.values;
            look(ask, [&](size_t row, size_t source) {
              return shared.of_released[cells[row]] == shared.of_original[values[source]];
            });
          }
        });
      });
    });
    Found all;
    for (const Found& found : blocks) {
      if (all.rows == 0) all.first = found.first;
      all.rows += found.rows;
    }
    return all;
  }

  // Compares all columns row by row and reports what does not fit; returns whether everything does.
  bool WalkRows(const RowId* order, std::vector<Found>& found) const {
    found.clear();
    bool fits = true;
    const size_t rows = std::min(release_.num_rows(), order == nullptr ? original_.num_rows() : release_.num_rows());
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const bool mean = options_.means && verdict_.cover[i].quasi;
      found.push_back(mean ? Found() : WalkColumn(i, order, rows));
      fits &= found.back().rows == 0;
    }
    return fits;
  }

  void Report(const RowId* order, const std::vector<Found>& found) {
    for (size_t i = 0; i < pairs_.size(); ++i) {
      if (found[i].rows == 0) continue;
      const size_t row = found[i].first, source = order == nullptr ? row : order[row];
      const ColumnPair& pair = pairs_[i];
      ColumnCover& cover = verdict_.cover[i];
      cover.covered = false;
      cover.uncovered_rows = found[i].rows;
      cover.example = fmt::format(
          "row {}: {} {} {}", row + 1, CellName(pair.released->text(pair.released->codes()[row])),
          cover.quasi ? "does not cover" : "is not", CellName(pair.original->text(pair.original->codes()[source])));
    }
  }

  static std::string CellName(std::string_view text) { return text.empty() ? "(empty)" : std::string(text); }

  void CheckGivenOrder() {
    verdict_.row_match = RowMatch::kGiven;
    std::vector<bool> seen(original_.num_rows());
    uint64_t twice = 0;
    for (const RowId row : *options_.order) {
      twice += seen[row];
      seen[row] = true;
    }
    if (twice > 0) {
      verdict_.rows_match = false;
      verdict_.problems.push_back(
          fmt::format("{} released rows stand for an original row that another one stands for.", twice));
    }
    LearnOrder(options_.order->data());
    std::vector<Found> found;
    if (!WalkRows(options_.order->data(), found)) Report(options_.order->data(), found);
    if (options_.means) CheckMeansInOrder();
  }

  void CheckMeansInOrder() {
    double lost = 0;
    size_t columns = 0;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      ColumnCover& cover = verdict_.cover[i];
      if (!cover.quasi) continue;
      ++columns;
      const MeanFault fault = CheckMeans(*pairs_[i].released, *pairs_[i].original, classes_, *options_.order);
      cover.covered = fault.rows == 0;
      cover.uncovered_rows = fault.rows;
      cover.example = fault.example;
      lost += SquaredError(*pairs_[i].released, *pairs_[i].original, *options_.order);
    }
    if (!options_.loss || columns < options_.quasi.size()) return;
    verdict_.loss = SumLosses({}, classes_, verdict_.withheld_rows);
    verdict_.loss->squared_error = lost / static_cast<double>(std::max<size_t>(1, columns));
  }

  // Means whose rows are not known.
  void CheckWithoutOrder() {
    verdict_.row_match = RowMatch::kUndecided;
    if (!verdict_.rows_match) return;
    for (size_t i = 0; i < pairs_.size(); ++i) {
      ColumnCover& cover = verdict_.cover[i];
      if (!cover.quasi) {
        CheckValues(i);
        continue;
      }
      cover.unchecked_rows = release_.num_rows();
      const std::string wrong = CheckTotals(*pairs_[i].released, *pairs_[i].original, verdict_.withheld_rows == 0);
      if (!wrong.empty())
        verdict_.problems.push_back(fmt::format("Column {} is no column of means: it {}.", cover.column, wrong));
    }
    verdict_.unverified.push_back(
        "Means: which original rows stand behind a class is not known, so only totals and names were checked. Release "
        "with " TADA_OPTION("keep-order") " and audit with it to verify every mean.");
  }

  void FindOrder() {
    std::vector<Found> found;
    const bool same_size = release_.num_rows() == original_.num_rows();
    if (same_size && WalkRows(nullptr, found)) {
      verdict_.row_match = RowMatch::kSameOrder;
      LearnOrder(nullptr);
      return;
    }
    if (!verdict_.rows_match) {  // more rows than the original: nothing to search for
      verdict_.row_match = RowMatch::kNone;
      CheckColumns();
      return;
    }
    found_.known = WantsClasses() && same_size;
    found_.of_row.assign(found_.known ? original_.num_rows() : 0, ClassOfOriginal::kNone);
    const std::optional<uint64_t> left_over =
        SearchOrder(pairs_, release_, original_, classes_, options_.search_limit, workers_, found_);
    found_.known = found_.known && left_over == 0;
    if (left_over == 0) {
      verdict_.row_match = RowMatch::kFound;
      return;
    }
    verdict_.row_match = left_over ? RowMatch::kNone : RowMatch::kUndecided;
    if (!left_over) {
      verdict_.unverified.push_back(
          "Rows stand in another order than the original's, and the search for it was given up as too "
          "large; columns were checked one by one, which is necessary but not sufficient.");
      CheckColumns();
      return;
    }
    ReportLeftOver(*left_over, found, same_size);
  }

  // That rows are left which stand for nobody, and what is wrong with them as far as it can be told.
  void ReportLeftOver(uint64_t left_over, const std::vector<Found>& found, bool same_size) {
    verdict_.rows_match = false;
    verdict_.problems.push_back(fmt::format("{} released row{} cannot stand for any original row that is left.",
                                            left_over, left_over == 1 ? "" : "s"));
    // Mostly in order with a few false cells: those are what the reader wants to see.
    const bool mostly_in_order = same_size && std::all_of(found.begin(), found.end(), [&](const Found& column) {
                                   return column.rows * 2 < release_.num_rows();
                                 });
    if (mostly_in_order) {
      Report(nullptr, found);
    } else if (CheckColumns()) {
      verdict_.problems.push_back(
          "Every column by itself covers the original, but no order of the rows makes all columns do "
          "so together.");
    }
  }

  // Checks columns by themselves: whether some order would fit each. True if all do.
  bool CheckColumns();
  bool CheckCells(size_t index);
  bool CheckValues(size_t index);

  const Table& release_;
  const Table& original_;
  const AuditOptions& options_;
  const Classes& classes_;
  const Workers& workers_;
  Verdict& verdict_;
  ClassOfOriginal found_;
  std::vector<ColumnPair> pairs_;  // beside verdict_.cover
};

bool OriginalCheck::CheckColumns() {
  bool all = true;
  for (size_t i = 0; i < pairs_.size(); ++i) all &= pairs_[i].cells ? CheckCells(i) : CheckValues(i);
  return all;
}

bool OriginalCheck::CheckCells(size_t index) {
  const ColumnPair& pair = pairs_[index];
  const CellCover& cells = *pair.cells;
  const std::vector<uint32_t> cell_rows = RowsByCode(*pair.released), value_rows = RowsByCode(*pair.original);
  std::vector<uint32_t> supply(cells.num_positions());
  for (Code value = 0; value < value_rows.size(); ++value) supply[cells.position(value)] = value_rows[value];
  // Cells that cover everything take what the others leave: the number of rows tells whether that is enough.
  std::vector<Code> used;
  std::vector<RangeDemand> ranges;
  bool all_ranges = true;
  for (Code cell = 0; cell < cell_rows.size(); ++cell) {
    if (cell_rows[cell] == 0 || cells.is_mask(cell) || cells.is_unchecked(cell)) continue;
    used.push_back(cell);
    ranges.push_back({cells.hull_begin(cell), cells.hull_end(cell), cell_rows[cell]});
    all_ranges &= cells.is_range(cell);
  }
  std::optional<std::vector<uint32_t>> left;
  if (!all_ranges) {
    CandidateRows candidates{{&cells}, {}, used};
    candidates.positions.resize(supply.size());
    std::iota(candidates.positions.begin(), candidates.positions.end(), 0u);
    std::vector<uint32_t> demand, boxes(used.size());
    for (const RangeDemand& range : ranges) demand.push_back(range.demand);
    std::iota(boxes.begin(), boxes.end(), 0u);
    StepLimit limit(options_.search_limit / 4);
    const auto edges = FindEdges(candidates, candidates.positions, std::move(boxes), limit, workers_);
    if (edges) left = MeetDemand(supply, std::move(demand), *edges, limit, workers_);
  }
  // Hulls are wider than sets, so what fails with hulls fails.
  if (!left) left = MeetRangeDemand(supply, ranges);
  ColumnCover& cover = verdict_.cover[index];
  for (size_t i = 0; i < used.size(); ++i) {
    if ((*left)[i] == 0) continue;
    if (cover.uncovered_rows == 0) {
      cover.example = fmt::format("row {}: {} covers no original value that is left",
                                  FirstRow(*pair.released, used[i]) + 1, CellName(pair.released->text(used[i])));
    }
    cover.uncovered_rows += (*left)[i];
  }
  cover.covered = cover.uncovered_rows == 0;
  return cover.covered;
}

bool OriginalCheck::CheckValues(size_t index) {
  const ColumnPair& pair = pairs_[index];
  std::vector<int64_t> balance(pair.values.count, 0);  // original rows less released ones, by value
  const std::vector<uint32_t> released_rows = RowsByCode(*pair.released), original_rows = RowsByCode(*pair.original);
  for (Code code = 0; code < original_rows.size(); ++code)
    balance[pair.values.of_original[code]] += original_rows[code];
  for (Code code = 0; code < released_rows.size(); ++code)
    balance[pair.values.of_released[code]] -= released_rows[code];
  ColumnCover& cover = verdict_.cover[index];
  for (Code code = 0; code < released_rows.size(); ++code) {
    int64_t& rows = balance[pair.values.of_released[code]];
    if (rows >= 0 || released_rows[code] == 0) continue;
    if (cover.uncovered_rows == 0) {
      cover.example = fmt::format("row {}: {} is more often in the release than in the original",
                                  FirstRow(*pair.released, code) + 1, CellName(pair.released->text(code)));
    }
    cover.uncovered_rows += static_cast<uint64_t>(-rows);
    rows = 0;  // other spellings of the value are counted with this one
  }
  cover.covered = cover.uncovered_rows == 0;
  return cover.covered;
}

}  // namespace

ClassOfOriginal CheckAgainstOriginal(const Table& release, const AuditOptions& options, const Classes& classes,
                                     const Workers& workers, Verdict& verdict) {
  return OriginalCheck(release, options, classes, workers, verdict).Run();
}

}  // namespace tada
