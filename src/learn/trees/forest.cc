#include "learn/trees/forest.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/status.h"

namespace tada {
namespace {

constexpr size_t kMostBins = 256;
constexpr size_t kBlockRows = 1 << 14;

// The bin of every code: values in order, each new bin begun when the last one has its share of the rows.
std::vector<uint8_t> BinOfCode(const Column& column, std::span<const RowId> rows) {
  std::vector<uint32_t> counts(column.num_codes(), 0);
  column.codes().Visit([&](auto codes) {
    for (const RowId row : rows) ++counts[codes[row]];
  });
  const auto present =
      static_cast<size_t>(std::count_if(counts.begin(), counts.end(), [](uint32_t c) { return c > 0; }));
  std::vector<uint8_t> bin_of(column.num_codes(), 0);
  uint64_t seen = 0;
  size_t values = 0;
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (counts[code] == 0) continue;
    const size_t bin = present <= kMostBins ? values : seen * kMostBins / rows.size();
    bin_of[code] = static_cast<uint8_t>(bin);
    seen += counts[code];
    ++values;
  }
  return bin_of;
}

}  // namespace

BinnedRows BinRows(std::span<const Column* const> columns, std::span<const RowId> rows, const Workers& workers) {
  BinnedRows binned;
  binned.num_columns = static_cast<uint32_t>(columns.size());
  binned.bins.resize(rows.size() * columns.size());
  workers.For(columns.size(), [&](size_t c) {
    const std::vector<uint8_t> bin_of = BinOfCode(*columns[c], rows);
    columns[c]->codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) binned.bins[i * columns.size() + c] = bin_of[codes[rows[i]]];
    });
  });
  return binned;
}

// Grows one tree: a stack of nodes over a list of row numbers that is reordered in place.
class Forest::Grower {
 public:
  Grower(const BinnedRows& rows, std::span<const uint16_t> classes, uint32_t num_classes, const ForestOptions& options,
         uint64_t seed)
      : rows_(rows), classes_(classes), num_classes_(num_classes), options_(options), random_(seed) {
    tried_ = std::max(1u, static_cast<uint32_t>(std::sqrt(static_cast<double>(rows.num_columns))));
    for (uint32_t c = 0; c < rows.num_columns; ++c) columns_.push_back(c);
    counts_.resize(kMostBins * num_classes);
    left_.resize(num_classes);
    total_.resize(num_classes);
  }

  Tree Grow() {
    Tree tree;
    const size_t num_rows = rows_.num_rows();
    const size_t bag = std::min<size_t>(num_rows, options_.bag);
    tree.in_bag.assign((num_rows + 63) / 64, 0);
    for (size_t i = 0; i < bag; ++i) {
      const auto row = static_cast<uint32_t>(random_.Below(num_rows));
      bag_.push_back(row);
      tree.in_bag[row / 64] |= uint64_t{1} << row % 64;
    }
    std::sort(bag_.begin(), bag_.end());  // near rows are near in memory
    struct Open {
      uint32_t node, begin, end;
    };
    std::vector<Open> open = {{0, 0, static_cast<uint32_t>(bag)}};
    tree.nodes.emplace_back();
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      const uint32_t middle = Split(at.begin, at.end, tree.nodes[at.node]);
      if (middle == at.end) {
        tree.nodes[at.node].next = AddLeaf(tree, at.end - at.begin);
        continue;
      }
      const auto next = static_cast<uint32_t>(tree.nodes.size());
      tree.nodes[at.node].leaf = false;
      tree.nodes[at.node].next = next;
      tree.nodes.resize(next + 2);
      open.push_back({next, at.begin, middle});
      open.push_back({next + 1, middle, at.end});
    }
    return tree;
  }

 private:
  // total_ holds the counts of the node's classes.
  uint32_t AddLeaf(Tree& tree, uint32_t size) {
    const auto first = static_cast<uint32_t>(tree.probabilities.size());
    for (const uint32_t count : total_)
      tree.probabilities.push_back(static_cast<float>(count) / static_cast<float>(size));
    return first;
  }

  // The sum of squared counts divided by the rows, of both sides: larger is purer (Gini).
  static double Purity(std::span<const uint32_t> left, std::span<const uint32_t> total, uint32_t left_rows,
                       uint32_t rows) {
    double left_squares = 0, right_squares = 0;
    for (size_t c = 0; c < total.size(); ++c) {
      const double l = left[c], r = total[c] - left[c];
      left_squares += l * l;
      right_squares += r * r;
    }
    return left_squares / left_rows + right_squares / (rows - left_rows);
  }

  // Looks for the best split among a few columns and reorders the rows; `end` if there is none.
  uint32_t Split(uint32_t begin, uint32_t end, Node& node) {
    std::fill(total_.begin(), total_.end(), 0u);
    for (uint32_t i = begin; i < end; ++i) ++total_[classes_[bag_[i]]];
    const uint32_t rows = end - begin;
    const bool pure = std::any_of(total_.begin(), total_.end(), [&](uint32_t count) { return count == rows; });
    if (pure || rows < 2 * options_.least_leaf) return end;
    double best = 0;
    for (const uint32_t count : total_) best += static_cast<double>(count) * count / rows;
    best *= 1 + 1e-12;
    bool found = false;
    for (uint32_t t = 0; t < tried_; ++t) {
      std::swap(columns_[t], columns_[t + random_.Below(columns_.size() - t)]);
      found = TryColumn(columns_[t], begin, end, best, node) || found;
    }
    if (!found) return end;
    const auto middle = std::partition(bag_.begin() + begin, bag_.begin() + end,
                                       [&](uint32_t row) { return rows_.row(row)[node.column] <= node.limit; });
    return static_cast<uint32_t>(middle - bag_.begin());
  }

  bool TryColumn(uint32_t column, uint32_t begin, uint32_t end, double& best, Node& node) {
    uint8_t low = 255, high = 0;
    for (uint32_t i = begin; i < end; ++i) {
      const uint8_t bin = rows_.row(bag_[i])[column];
      low = std::min(low, bin);
      high = std::max(high, bin);
      ++counts_[bin * num_classes_ + classes_[bag_[i]]];
    }
    std::fill(left_.begin(), left_.end(), 0u);
    uint32_t left_rows = 0;
    bool found = false;
    for (uint32_t bin = low; bin < high; ++bin) {
      const uint32_t before = left_rows;
      for (uint32_t c = 0; c < num_classes_; ++c) {
        left_[c] += counts_[bin * num_classes_ + c];
        left_rows += counts_[bin * num_classes_ + c];
      }
      if (left_rows == before || left_rows < options_.least_leaf || end - begin - left_rows < options_.least_leaf)
        continue;
      const double purity = Purity(left_, total_, left_rows, end - begin);
      if (purity <= best) continue;
      best = purity;
      node.column = static_cast<uint16_t>(column);
      node.limit = static_cast<uint8_t>(bin);
      found = true;
    }
    std::fill(counts_.begin() + low * num_classes_, counts_.begin() + (high + 1) * num_classes_, 0u);
    return found;
  }

  const BinnedRows& rows_;
  std::span<const uint16_t> classes_;
  uint32_t num_classes_;
  const ForestOptions& options_;
  Random random_;
  uint32_t tried_;
  std::vector<uint32_t> columns_, bag_, counts_, left_, total_;
};

Forest::Forest(const BinnedRows& rows, std::span<const uint16_t> classes, uint32_t num_classes,
               const ForestOptions& options, const Workers& workers)
    : num_classes_(num_classes), shares_(num_classes, 0.0f), trees_(options.trees) {
  TADA_ASSERT(rows.num_rows() == classes.size() && rows.num_rows() > 0);
  for (const uint16_t one : classes) shares_[one] += 1.0f;
  for (float& share : shares_) share /= static_cast<float>(classes.size());
  workers.For(trees_.size(), [&](size_t t) {
    workers.Poll();
    trees_[t] = Grower(rows, classes, num_classes, options, MixSeed(options.seed, t)).Grow();
  });
}

const float* Forest::Leaf(const Tree& tree, const uint8_t* row) const {
  uint32_t at = 0;
  while (!tree.nodes[at].leaf) at = tree.nodes[at].next + (row[tree.nodes[at].column] > tree.nodes[at].limit ? 1 : 0);
  return tree.probabilities.data() + tree.nodes[at].next;
}

void Forest::Predict(const uint8_t* row, std::span<float> out) const {
  for (const Tree& tree : trees_) {
    const float* leaf = Leaf(tree, row);
    for (uint32_t c = 0; c < num_classes_; ++c) out[c] += leaf[c] / static_cast<float>(trees_.size());
  }
}

std::vector<float> Forest::OutOfBag(const BinnedRows& rows, const Workers& workers) const {
  std::vector<float> out(rows.num_rows() * num_classes_, 0.0f);
  workers.ForBlocks(rows.num_rows(), kBlockRows, [&](size_t begin, size_t end) {
    workers.Poll();
    std::vector<uint32_t> trees_of(end - begin, 0);
    for (const Tree& tree : trees_) {  // a tree at a time, so that it stays in the cache
      for (size_t row = begin; row < end; ++row) {
        if (tree.in_bag[row / 64] >> row % 64 & 1) continue;
        const float* leaf = Leaf(tree, rows.row(row));
        for (uint32_t c = 0; c < num_classes_; ++c) out[row * num_classes_ + c] += leaf[c];
        ++trees_of[row - begin];
      }
    }
    for (size_t row = begin; row < end; ++row) {
      const auto count = static_cast<float>(trees_of[row - begin]);
      for (uint32_t c = 0; c < num_classes_; ++c) {
        float& probability = out[row * num_classes_ + c];
        probability = count > 0 ? probability / count : shares_[c];
      }
    }
  });
  return out;
}

}  // namespace tada
