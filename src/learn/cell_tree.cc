#include "learn/cell_tree.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "learn/c45.h"

namespace tada {
namespace {

struct Piece {
  uint32_t row;
  float weight;
};

struct Split {
  int32_t column = -1;
  uint32_t bin = 0;
  double gain = 0, ratio = 0;
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
  if (inside <= 1e-12) return bins.bin((cell.low + cell.high) / 2) <= bin ? 1 : 0;
  return std::clamp((bins.MassUpTo(cell, bin) - before) / inside, 0.0, 1.0);
}

double DrawUnit(uint64_t row, uint64_t node) { return static_cast<double>(MixSeed(row, node) >> 11) * 0x1p-53; }

}  // namespace

// The bins of each numeric column that the way to a node leaves.
struct CellTree::Box {
  std::vector<Range> ranges;
};

class CellTreeGrower {
 public:
  CellTreeGrower(const CellTable& table, const CellTreeOptions& options, CellTree& tree)
      : table_(table),
        options_(options),
        tree_(tree),
        z_(NormalQuantile(options.confidence)),
        used_(table.columns.size(), false) {
    for (size_t c = 0; c < table.columns.size(); ++c) box_.push_back({0, tree.bins_[c].size()});
  }

  void Run() {
    std::vector<Piece> all;
    for (uint32_t row = 0; row < table_.num_rows; ++row) all.push_back({row, 1.0F});
    Grow(all);
  }

 private:
  std::pair<uint32_t, double> Grow(std::vector<Piece>& pieces) {
    const auto id = static_cast<uint32_t>(tree_.nodes_.size());
    tree_.nodes_.emplace_back();
    std::vector<double> counts(table_.num_labels, 0.0);
    for (const Piece& piece : pieces) counts[table_.labels[piece.row]] += piece.weight;
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const double errors = total - *std::max_element(counts.begin(), counts.end());
    // Laplace's rule, with one row shared among the labels: keeps the order of the counts.
    for (const double count : counts)
      tree_.nodes_[id].shares.push_back((count + 1.0 / table_.num_labels) / (total + 1));
    const double leaf_error = errors + AddedErrors(total, errors, options_.confidence, z_);
    const Split split = errors > 1e-9 && total >= 2 * options_.min_rows ? Choose(pieces, counts, total) : Split{};
    if (split.column < 0) return {id, leaf_error};
    const double subtree_error = GrowChildren(id, pieces, split);
    if (leaf_error <= subtree_error + 0.1) {  // C4.5 prefers the leaf on a near tie
      tree_.nodes_[id].column = -1;
      tree_.nodes_[id].children.clear();
      tree_.nodes_.resize(id + 1);
      return {id, leaf_error};
    }
    return {id, subtree_error};
  }

  double GrowChildren(uint32_t id, std::vector<Piece>& pieces, const Split& split) {
    const auto c = static_cast<size_t>(split.column);
    const bool numeric = table_.columns[c].numeric;
    std::vector<std::vector<Piece>> parts = numeric ? DivideNumbers(id, pieces, split) : DivideNames(id, pieces, c);
    pieces = {};
    tree_.nodes_[id].column = split.column;
    tree_.nodes_[id].bin = split.bin;
    std::vector<uint32_t> children(parts.size(), 0);
    const Range range = box_[c];
    if (!numeric) used_[c] = true;
    double error = 0;
    for (size_t b = 0; b < parts.size(); ++b) {
      if (parts[b].empty()) continue;
      if (numeric) box_[c] = b == 0 ? Range{range.begin, split.bin + 1} : Range{split.bin + 1, range.end};
      const auto [child, child_error] = Grow(parts[b]);
      children[b] = child;
      error += child_error;
    }
    box_[c] = range;
    if (!numeric) used_[c] = false;
    tree_.nodes_[id].children = std::move(children);
    return error;
  }

  std::vector<std::vector<Piece>> DivideNumbers(uint32_t id, const std::vector<Piece>& pieces, const Split& split) {
    const auto c = static_cast<size_t>(split.column);
    std::vector<std::vector<Piece>> parts(2);
    for (const Piece& piece : pieces) {
      const double first = ShareUpTo(tree_.bins_[c], table_.columns[c].cell(piece.row), box_[c], split.bin);
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

  // The column with the best gain ratio among those whose gain is at least the average.
  Split Choose(const std::vector<Piece>& pieces, const std::vector<double>& counts, double total) {
    const double info = InfoOf(counts);
    std::vector<Split> splits;
    double gains = 0, averaged = 0;
    for (size_t c = 0; c < table_.columns.size(); ++c) {
      if (used_[c]) continue;
      const CellColumn& column = table_.columns[c];
      const Split split = column.numeric ? NumericSplit(pieces, c, info, total) : NameSplit(pieces, c, info, total);
      if (split.column < 0) continue;
      if (column.numeric || column.num_names < 0.3 * total) {  // as J48: no columns of many names
        gains += split.gain;
        averaged += 1;
      }
      splits.push_back(split);
    }
    const double average = averaged > 0 ? gains / averaged : 0;
    Split best;
    for (const Split& split : splits) {
      if (split.gain >= average - 1e-3 && split.gain > 0 && split.ratio > best.ratio) best = split;
    }
    return best;
  }

  Split NameSplit(const std::vector<Piece>& pieces, size_t c, double info, double total) {
    const CellColumn& column = table_.columns[c];
    const size_t m = table_.num_labels;
    counts_.assign(column.num_names * m, 0.0);
    everywhere_.assign(m, 0.0);
    for (const Piece& piece : pieces) {
      const CellColumn::Cell& cell = column.cell(piece.row);
      const uint32_t count = cell.end - cell.begin;
      const double share = piece.weight / static_cast<double>(count);
      const uint32_t label = table_.labels[piece.row];
      if (count == column.num_names) {
        everywhere_[label] += share;
      } else {
        for (uint32_t at = cell.begin; at < cell.end; ++at) counts_[column.names[at] * m + label] += share;
      }
    }
    double left = 0, split_info = XLogX(total);
    uint32_t large = 0;
    for (size_t name = 0; name < column.num_names; ++name) {
      const std::span<double> of_name(&counts_[name * m], m);
      double rows = 0;
      for (size_t label = 0; label < m; ++label) rows += of_name[label] += everywhere_[label];
      if (rows <= 0) continue;
      left += InfoOf(of_name);
      split_info -= XLogX(rows);
      large += rows >= options_.min_rows ? 1 : 0;
    }
    if (large < 2 || split_info <= 0) return {};
    return {static_cast<int32_t>(c), 0, (info - left) / total, (info - left) / split_info};
  }

  // Rows by bin and label. An interval adds a constant rate to the bins that it covers whole, which is noted where it begins
  // and ends, and summed up afterwards.
  void CountBins(const std::vector<Piece>& pieces, size_t c) {
    const CellColumn& column = table_.columns[c];
    const NumberBins& bins = tree_.bins_[c];
    const Range& range = box_[c];
    const size_t m = table_.num_labels, width = range.end - range.begin;
    counts_.assign(width * m, 0.0);
    rates_.assign((width + 1) * m, 0.0);
    for (const Piece& piece : pieces) {
      const CellColumn::Cell& cell = column.cell(piece.row);
      const uint32_t label = table_.labels[piece.row];
      const uint32_t first = std::clamp(first_bin_[c][column.of_row[piece.row]], range.begin, range.end - 1);
      const uint32_t last = std::clamp(last_bin_[c][column.of_row[piece.row]], range.begin, range.end - 1);
      if (first == last) {
        counts_[(first - range.begin) * m + label] += piece.weight;
        continue;
      }
      const double low = range.begin == 0 ? cell.low : std::max(cell.low, bins.cut(range.begin - 1));
      const double high = range.end == bins.size() ? cell.high : std::min(cell.high, bins.cut(range.end - 1));
      const double rate = piece.weight / (high - low);
      counts_[(first - range.begin) * m + label] += rate * (bins.cut(first) - low);
      counts_[(last - range.begin) * m + label] += rate * (high - bins.cut(last - 1));
      rates_[(first + 1 - range.begin) * m + label] += rate;
      rates_[(last - range.begin) * m + label] -= rate;
    }
    for (size_t label = 0; label < m; ++label) {
      double rate = 0;
      for (uint32_t bin = range.begin + 1; bin + 1 < range.end; ++bin) {
        rate += rates_[(bin - range.begin) * m + label];
        if (rate > 1e-12) counts_[(bin - range.begin) * m + label] += rate * (bins.cut(bin) - bins.cut(bin - 1));
      }
    }
  }

  Split NumericSplit(const std::vector<Piece>& pieces, size_t c, double info, double total) {
    if (box_[c].end - box_[c].begin < 2) return {};
    FindBins(c);
    CountBins(pieces, c);
    const size_t m = table_.num_labels, width = box_[c].end - box_[c].begin;
    const double least =
        std::clamp(0.1 * total / static_cast<double>(m), options_.min_rows, std::max(options_.min_rows, 25.0));
    std::vector<double> below(m, 0.0), above(m, 0.0);
    for (size_t bin = 0; bin < width; ++bin) {
      for (size_t label = 0; label < m; ++label) above[label] += counts_[bin * m + label];
    }
    Split best;
    double rows = 0, best_rows = 0;
    uint32_t cuts = 0;
    for (size_t bin = 0; bin + 1 < width; ++bin) {
      double here = 0;
      for (size_t label = 0; label < m; ++label) {
        const double count = counts_[bin * m + label];
        here += count;
        below[label] += count;
        above[label] = std::max(0.0, above[label] - count);
      }
      rows += here;
      if (here <= 1e-9 || total - rows <= 1e-9) continue;
      ++cuts;
      if (rows < least || total - rows < least) continue;
      const double gain = (info - InfoOf(below) - InfoOf(above)) / total;
      if (best.column < 0 || gain > best.gain + 1e-12) {
        best = {static_cast<int32_t>(c), box_[c].begin + static_cast<uint32_t>(bin), gain, 0};
        best_rows = rows;
      }
    }
    if (best.column < 0) return {};
    best.gain -= std::log2(static_cast<double>(cuts)) / total;  // what it costs to say which threshold (Quinlan 1996)
    if (best.gain <= 0) return {};
    best.ratio = best.gain * total / (XLogX(total) - XLogX(best_rows) - XLogX(total - best_rows));
    return best;
  }

  // The first and last bin of each cell, once a column.
  void FindBins(size_t c) {
    if (first_bin_.empty()) {
      first_bin_.resize(table_.columns.size());
      last_bin_.resize(table_.columns.size());
    }
    if (!first_bin_[c].empty()) return;
    for (const CellColumn::Cell& cell : table_.columns[c].cells) {
      first_bin_[c].push_back(tree_.bins_[c].bin(cell.low));
      last_bin_[c].push_back(tree_.bins_[c].bin(cell.high));
    }
  }

  const CellTable& table_;
  const CellTreeOptions& options_;
  CellTree& tree_;
  double z_;
  std::vector<bool> used_;  // names on the way to here
  std::vector<Range> box_;
  std::vector<double> counts_, rates_, everywhere_;
  std::vector<std::vector<uint32_t>> first_bin_, last_bin_;
};

CellTree::CellTree(const CellTable& table, const CellTreeOptions& options) {
  for (const CellColumn& column : table.columns) {
    bins_.emplace_back(column.numeric ? column : CellColumn{}, options.most_bins);
  }
  CellTreeGrower(table, options, *this).Run();
}

void CellTree::Predict(const CellTable& table, size_t row, std::vector<double>& probabilities) const {
  Box box;
  for (const NumberBins& bins : bins_) box.ranges.push_back({0, bins.size()});
  Descend(table, row, 0, 1.0, box, probabilities);
}

void CellTree::Descend(const CellTable& table, size_t row, uint32_t id, double weight, Box& box,
                       std::vector<double>& probabilities) const {
  const Node& node = nodes_[id];
  const auto stop = [&](double share) {
    for (size_t label = 0; label < node.shares.size(); ++label) probabilities[label] += share * node.shares[label];
  };
  if (node.column < 0) return stop(weight);
  const auto c = static_cast<size_t>(node.column);
  const CellColumn& column = table.columns[c];
  const CellColumn::Cell& cell = column.cell(row);
  const auto follow = [&](size_t branch, double share) {
    if (share <= 0) return;
    if (node.children[branch] == 0) return stop(share);  // no training row went there: the node's own shares
    Descend(table, row, node.children[branch], share, box, probabilities);
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
