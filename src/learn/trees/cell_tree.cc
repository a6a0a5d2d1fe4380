#include "learn/trees/cell_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/random.h"
#include "learn/trees/c45.h"
#include "learn/trees/variance.h"

namespace tada {
namespace {

struct Piece {
  uint32_t row;
  float weight;
};

struct Range {
  uint32_t begin = 0, end = 0;  // bins [begin, end)
};

double Before(const NumberBins& bins, const CellColumn::Cell& cell, const Range& range) {
  return range.begin == 0 ? 0 : bins.MassUpTo(cell, range.begin - 1);
}

// The share of what a cell has inside a range of bins that lies in bins up to `bin`.
double ShareUpTo(const NumberBins& bins, const CellColumn::Cell& cell, const Range& range, uint32_t bin) {
  const double before = Before(bins, cell, range), inside = bins.MassUpTo(cell, range.end - 1) - before;
  if (inside <= 1e-12) return bins.bin(cell.middle()) <= bin ? 1 : 0;
  return std::clamp((bins.MassUpTo(cell, bin) - before) / inside, 0.0, 1.0);
}

double DrawUnit(uint64_t row, uint64_t node) { return static_cast<double>(MixSeed(row, node) >> 11) * 0x1p-53; }

}  // namespace

namespace {

// The bins of a column that some piece has a part in: a bit for each.
class BinSet {
 public:
  void Clear(uint32_t bins) { words_.assign(bins / 64 + 1, 0); }
  void Fill(uint32_t bins) {
    words_.assign(bins / 64 + 1, ~uint64_t{0});
    words_.back() = (uint64_t{1} << bins % 64) - 1;
  }
  void Add(uint32_t bin) { words_[bin / 64] |= uint64_t{1} << bin % 64; }
  /// Calls f(bin) for each, in order.
  template <class F>
  void ForEach(F&& f) const {
    for (size_t word = 0; word < words_.size(); ++word) {
      for (uint64_t left = words_[word]; left != 0; left &= left - 1) {
        f(static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<uint64_t> words_;
};

}  // namespace

// The bins of each numeric column that the way to a node leaves.
struct CellTree::Box {
  std::vector<Range> ranges;
};

template <class Criterion>
class CellTreeGrower {
 public:
  CellTreeGrower(const CellTable& table, const CellTreeOptions& options, const Criterion& criterion, CellTree& tree)
      : table_(table),
        options_(options),
        criterion_(criterion),
        tree_(tree),
        used_(table.columns.size(), false),
        bins_of_cell_(table.columns.size()) {
    for (size_t c = 0; c < table.columns.size(); ++c) box_.push_back({0, tree.bins_[c].size()});
  }

  // Grows the tree and returns what it costs.
  double Run() {
    tree_.nodes_.clear();
    std::vector<Piece> all;
    for (uint32_t row = 0; row < table_.num_rows; ++row) all.push_back({row, 1.0F});
    return Grow(all).second;
  }

 private:
  // Grows the subtree of some pieces; its node, and what it costs.
  std::pair<uint32_t, double> Grow(std::vector<Piece>& pieces) {
    if (options_.workers != nullptr) options_.workers->Poll();
    const auto id = static_cast<uint32_t>(tree_.nodes_.size());
    tree_.nodes_.emplace_back();
    std::vector<double> counts(criterion_.width(), 0.0);
    for (const Piece& piece : pieces) criterion_.Add(counts, piece.row, piece.weight);
    tree_.nodes_[id].values = criterion_.LeafValues(counts);
    const double leaf_cost = criterion_.LeafCost(counts);
    const TreeSplit split = criterion_.MayDivide(counts) ? Choose(pieces, counts) : TreeSplit{};
    if (split.column < 0) return {id, leaf_cost};
    const double subtree_cost = GrowChildren(id, pieces, split);
    if (criterion_.PrefersLeaf(leaf_cost, subtree_cost)) {
      tree_.nodes_[id].column = -1;
      tree_.nodes_[id].children.clear();
      tree_.nodes_.resize(id + 1);
      return {id, leaf_cost};
    }
    return {id, subtree_cost};
  }

  double GrowChildren(uint32_t id, std::vector<Piece>& pieces, const TreeSplit& split) {
    const auto c = static_cast<size_t>(split.column);
    const bool numeric = table_.columns[c].numeric;
    std::vector<std::vector<Piece>> parts = numeric ? DivideNumbers(id, pieces, split) : DivideNames(id, pieces, c);
    pieces = {};
    tree_.nodes_[id].column = split.column;
    tree_.nodes_[id].bin = split.threshold;
    std::vector<uint32_t> children(parts.size(), 0);
    const Range range = box_[c];
    if (!numeric) used_[c] = true;
    double cost = 0;
    for (size_t b = 0; b < parts.size(); ++b) {
      if (parts[b].empty()) continue;
      if (numeric) box_[c] = b == 0 ? Range{range.begin, split.threshold + 1} : Range{split.threshold + 1, range.end};
      const auto [child, child_cost] = Grow(parts[b]);
      children[b] = child;
      cost += child_cost;
    }
    box_[c] = range;
    if (!numeric) used_[c] = false;
    tree_.nodes_[id].children = std::move(children);
    return cost;
  }

  std::vector<std::vector<Piece>> DivideNumbers(uint32_t id, const std::vector<Piece>& pieces, const TreeSplit& split) {
    const auto c = static_cast<size_t>(split.column);
    std::vector<std::vector<Piece>> parts(2);
    for (const Piece& piece : pieces) {
      const double first = ShareUpTo(tree_.bins_[c], table_.columns[c].cell(piece.row), box_[c], split.threshold);
      if (first <= 0 || first >= 1) {
        parts[first <= 0 ? 1 : 0].push_back(piece);
      } else if (piece.weight * std::min(first, 1 - first) < options_.least_piece) {
        parts[DrawUnit(piece.row, id) < first ? 0 : 1].push_back(piece);
      } else {
        parts[0].push_back({piece.row, static_cast<float>(piece.weight * first)});
        parts[1].push_back({piece.row, static_cast<float>(piece.weight * (1 - first))});
      }
    }
    return parts;
  }

  std::vector<std::vector<Piece>> DivideNames(uint32_t id, const std::vector<Piece>& pieces, size_t c) {
    std::vector<std::vector<Piece>> parts(table_.columns[c].num_names);
    for (const Piece& piece : pieces) {
      const auto names = table_.columns[c].names_of(table_.columns[c].cell(piece.row));
      const auto count = static_cast<float>(names.size());
      if (names.size() > 1 && piece.weight / count < options_.least_piece) {
        parts[names[static_cast<size_t>(DrawUnit(piece.row, id) * count)]].push_back(piece);
        continue;
      }
      for (const uint32_t name : names) parts[name].push_back({piece.row, piece.weight / count});
    }
    return parts;
  }

  TreeSplit Choose(const std::vector<Piece>& pieces, std::span<const double> counts) {
    const double spread = criterion_.Spread(counts), total = criterion_.Rows(counts);
    std::vector<TreeSplit> splits;
    for (size_t c = 0; c < table_.columns.size(); ++c) {
      if (used_[c]) continue;
      const TreeSplit split = table_.columns[c].numeric ? NumericSplit(pieces, c, counts, spread, total)
                                                        : NameSplit(pieces, c, spread, total);
      if (split.column >= 0) splits.push_back(split);
    }
    return criterion_.Choose(splits, total);
  }

  TreeSplit NameSplit(const std::vector<Piece>& pieces, size_t c, double spread, double total) {
    const CellColumn& column = table_.columns[c];
    const size_t width = criterion_.width();
    counts_.assign(column.num_names * width, 0.0);
    everywhere_.assign(width, 0.0);
    for (const Piece& piece : pieces) {
      const CellColumn::Cell& cell = column.cell(piece.row);
      const uint32_t count = cell.end - cell.begin;
      if (count == 1 && column.num_names > 1) {
        criterion_.Add(Place(counts_, column.names[cell.begin]), piece.row, piece.weight);
        continue;
      }
      const double share = piece.weight / static_cast<double>(count);
      if (count == column.num_names) {
        criterion_.Add(everywhere_, piece.row, share);
      } else {
        for (uint32_t at = cell.begin; at < cell.end; ++at)
          criterion_.Add(Place(counts_, column.names[at]), piece.row, share);
      }
    }
    for (size_t at = 0; at < counts_.size(); ++at) counts_[at] += everywhere_[at % width];
    return criterion_.RateNames(c, counts_, spread, total);
  }

  // Counts by bin. An interval adds a constant rate to the bins that it covers whole, which is noted where it begins and ends,
  // and summed up afterwards. Nodes are many and most have few rows: what costs a step per bin is done for bins that they have a part in.
  void CountBins(const std::vector<Piece>& pieces, size_t c) {
    const CellColumn& column = table_.columns[c];
    const NumberBins& bins = tree_.bins_[c];
    const Range& range = box_[c];
    const std::vector<BinSpan>& spans = bins_of_cell_[c];
    const size_t width = criterion_.width();
    if (bin_counts_.size() < (range.end - range.begin) * width) {
      bin_counts_.resize((range.end - range.begin) * width, 0.0);
      rates_.resize((range.end - range.begin + 1) * width, 0.0);
    }
    const bool are_few = pieces.size() < range.end - range.begin;
    if (are_few) {
      filled_.Clear(range.end - range.begin);
    } else {
      filled_.Fill(range.end - range.begin);
    }
    Range rated{range.end, range.begin};  // where rates begin and end
    for (const Piece& piece : pieces) {
      const BinSpan& span = spans[column.of_row[piece.row]];
      const uint32_t first = std::clamp(span.first, range.begin, range.end - 1);
      const uint32_t last = std::clamp(span.last, range.begin, range.end - 1);
      if (are_few) filled_.Add(first - range.begin);
      if (first == last) {
        criterion_.Add(Place(bin_counts_, first - range.begin), piece.row, piece.weight);
        continue;
      }
      const CellColumn::Cell& cell = column.cell(piece.row);
      const double low = range.begin == 0 ? cell.low : std::max(cell.low, bins.cut(range.begin - 1));
      const double high = range.end == bins.size() ? cell.high : std::min(cell.high, bins.cut(range.end - 1));
      const double rate = piece.weight / (high - low);
      criterion_.Add(Place(bin_counts_, first - range.begin), piece.row, rate * (bins.cut(first) - low));
      criterion_.Add(Place(bin_counts_, last - range.begin), piece.row, rate * (high - bins.cut(last - 1)));
      criterion_.Add(Place(rates_, first + 1 - range.begin), piece.row, rate);
      criterion_.Add(Place(rates_, last - range.begin), piece.row, -rate);
      filled_.Add(last - range.begin);
      rated = {std::min(rated.begin, first + 1), std::max(rated.end, last + 1)};
    }
    if (rated.begin < rated.end) SpreadRates(bins, range, rated);
  }

  void SpreadRates(const NumberBins& bins, const Range& range, const Range& rated) {
    const size_t width = criterion_.width();
    for (size_t i = 0; i < width; ++i) {
      double rate = 0;
      for (uint32_t bin = rated.begin; bin + 1 < range.end; ++bin) {
        const size_t at = (bin - range.begin) * width + i;
        if (bin < rated.end) rate += rates_[at];
        if (std::abs(rate) > 1e-12) {
          bin_counts_[at] += rate * (bins.cut(bin) - bins.cut(bin - 1));
          filled_.Add(bin - range.begin);
        } else if (bin >= rated.end) {
          break;
        }
      }
    }
    std::fill(rates_.begin() + static_cast<ptrdiff_t>((rated.begin - range.begin) * width),
              rates_.begin() + static_cast<ptrdiff_t>((rated.end - range.begin) * width), 0.0);
  }

  TreeSplit NumericSplit(const std::vector<Piece>& pieces, size_t c, std::span<const double> counts, double spread,
                         double total) {
    const Range range = box_[c];
    if (range.end - range.begin < 2) return {};
    FindBins(c);
    CountBins(pieces, c);
    ThresholdSearch search(criterion_, counts, spread, total);
    filled_.ForEach([&](uint32_t at) {
      const std::span<double> here = Place(bin_counts_, at);
      if (range.begin + at + 1 < range.end) {
        const double rows = criterion_.Rows(here);
        search.Pass(here, rows);
        if (rows > 1e-9 && total - search.rows() > 1e-9) search.Try(c, range.begin + at);
      }
      std::fill(here.begin(), here.end(), 0.0);
    });
    return search.Best();
  }

  std::span<double> Place(std::vector<double>& counts, size_t at) const {
    return std::span(counts).subspan(at * criterion_.width(), criterion_.width());
  }

  // The first and last bin of each cell, once per column.
  void FindBins(size_t c) {
    if (!bins_of_cell_[c].empty()) return;
    for (const CellColumn::Cell& cell : table_.columns[c].cells) {
      bins_of_cell_[c].push_back({tree_.bins_[c].bin(cell.low), tree_.bins_[c].bin(cell.high)});
    }
  }

  struct BinSpan {
    uint32_t first, last;
  };

  const CellTable& table_;
  const CellTreeOptions& options_;
  const Criterion& criterion_;
  CellTree& tree_;
  std::vector<bool> used_;  // names on the way to here
  std::vector<Range> box_;
  std::vector<double> counts_, everywhere_;  // of names
  std::vector<double> bin_counts_, rates_;   // of bins, 0 between two columns
  BinSet filled_;
  std::vector<std::vector<BinSpan>> bins_of_cell_;  // by column; found when it is first asked for
};

CellTree::CellTree(const CellTable& table, const CellTreeOptions& options) {
  for (const CellColumn& column : table.columns) {
    bins_.emplace_back(column.numeric ? column : CellColumn{}, options.most_bins);
  }
  if (table.targets.empty()) {
    const C45Criterion criterion(table.labels, table.num_labels, options.min_rows, options.confidence);
    CellTreeGrower(table, options, criterion, *this).Run();
  } else {
    const VarianceCriterion free(table.targets, options.min_rows_of_numbers, 0);
    const double left = CellTreeGrower(table, options, free, *this).Run();
    const double price = VarianceCriterion::Price(table.num_rows, left, num_leaves());
    const VarianceCriterion criterion(table.targets, options.min_rows_of_numbers, price);
    CellTreeGrower(table, options, criterion, *this).Run();
  }
}

void CellTree::Predict(const CellTable& table, size_t row, std::vector<double>& values) const {
  Box box;
  for (const NumberBins& bins : bins_) box.ranges.push_back({0, bins.size()});
  Descend(table, row, 0, 1.0, box, values);
}

void CellTree::Descend(const CellTable& table, size_t row, uint32_t id, double weight, Box& box,
                       std::vector<double>& values) const {
  const Node& node = nodes_[id];
  const auto stop = [&](double share) {
    for (size_t i = 0; i < node.values.size(); ++i) values[i] += share * node.values[i];
  };
  if (node.column < 0) return stop(weight);
  const auto c = static_cast<size_t>(node.column);
  const CellColumn& column = table.columns[c];
  const CellColumn::Cell& cell = column.cell(row);
  const auto follow = [&](size_t branch, double share) {
    if (share <= 0) return;
    if (node.children[branch] == 0) return stop(share);  // no training row went there: the node's own values
    Descend(table, row, node.children[branch], share, box, values);
  };
  if (!column.numeric) {
    const auto names = column.names_of(cell);
    for (const uint32_t name : names) follow(name, weight / static_cast<double>(names.size()));
    return;
  }
  const Range range = box.ranges[c];
  const double first = ShareUpTo(bins_[c], cell, range, node.bin);
  box.ranges[c] = {range.begin, node.bin + 1};
  follow(0, weight * first);
  box.ranges[c] = {node.bin + 1, range.end};
  follow(1, weight * (1 - first));
  box.ranges[c] = range;
}

size_t CellTree::num_leaves() const {
  size_t leaves = 0;
  for (const Node& node : nodes_) leaves += node.column < 0 ? 1 : 0;
  return leaves;
}

}  // namespace tada
