#include "rules/patterns.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/random.h"
#include "rules/distance_kernel.h"
#include "rules/pattern_counter.h"

namespace tada {
namespace {

constexpr uint64_t kMaxArray = uint64_t{1} << 26;

uint64_t CountPairs(std::span<const uint64_t> rows_of_label) {
  uint64_t before = 0, pairs = 0;
  for (const uint64_t rows : rows_of_label) {
    pairs += before * rows;
    before += rows;
  }
  return pairs;
}

// One column of the rows that are compared, sorted by label: codes at all levels below the top, in one width.
class KeyColumn {
 public:
  virtual ~KeyColumn() = default;
  virtual void Add(size_t row, size_t begin, size_t count, uint32_t* keys) const = 0;
  virtual void Add(size_t row, size_t begin, size_t count, uint64_t* keys) const = 0;
};

template <class T>
class KeyColumnOf final : public KeyColumn {
 public:
  KeyColumnOf(const LevelRows& rows, size_t column, std::span<const uint32_t> order, uint64_t weight)
      : num_rows_(order.size()), num_levels_(rows.top(column)), weight_(weight) {
    by_level_.resize(num_rows_ * num_levels_);
    by_row_.resize(num_rows_ * num_levels_);
    for (uint32_t level = 0; level < num_levels_; ++level) {
      rows.nodes(column, level).Visit([&](auto nodes) {
        for (size_t i = 0; i < num_rows_; ++i) {
          by_level_[level * num_rows_ + i] = by_row_[i * num_levels_ + level] = static_cast<T>(nodes[order[i]]);
        }
      });
    }
  }
  void Add(size_t row, size_t begin, size_t count, uint32_t* keys) const override { AddTo(row, begin, count, keys); }
  void Add(size_t row, size_t begin, size_t count, uint64_t* keys) const override { AddTo(row, begin, count, keys); }

 private:
  template <class Key>
  void AddTo(size_t row, size_t begin, size_t count, Key* keys) const {
    const DistanceBlock<T> block{by_level_.data() + begin, num_rows_, num_levels_};
    AddDistances<T, Key>(block, by_row_.data() + row * num_levels_, static_cast<Key>(weight_), count, keys);
  }

  size_t num_rows_;
  uint32_t num_levels_;
  uint64_t weight_;
  std::vector<T> by_level_, by_row_;
};

std::unique_ptr<KeyColumn> MakeKeyColumn(const LevelRows& rows, size_t column, std::span<const uint32_t> order,
                                         uint64_t weight) {
  const Code nodes = rows.num_nodes(column, 0);
  if (nodes <= 256) return std::make_unique<KeyColumnOf<uint8_t>>(rows, column, order, weight);
  if (nodes <= 65536) return std::make_unique<KeyColumnOf<uint16_t>>(rows, column, order, weight);
  return std::make_unique<KeyColumnOf<uint32_t>>(rows, column, order, weight);
}

// A block of rows of one label, to be compared with all rows of the labels before.
struct Block {
  size_t begin, end;
  size_t compare_with;  // rows [0, compare_with)
};

std::vector<Block> MakeBlocks(std::span<const uint64_t> rows_of_label) {
  std::vector<Block> blocks;
  size_t begin = 0;
  for (const uint64_t rows : rows_of_label) {
    for (size_t at = begin; at < begin + rows && begin > 0; at += kDistanceBlock) {
      blocks.push_back({at, std::min<size_t>(at + kDistanceBlock, begin + rows), begin});
    }
    begin += rows;
  }
  return blocks;
}

template <class Key>
void CountBlocks(const std::vector<std::unique_ptr<KeyColumn>>& columns, const std::vector<Block>& blocks,
                 uint64_t num_keys, const PatternOptions& options, const Workers& workers, Progress& progress,
                 Patterns& out) {
  const uint64_t bytes = num_keys <= kMaxArray ? num_keys * sizeof(uint32_t) : uint64_t{200} << 20;
  const auto threads = static_cast<size_t>(std::clamp<uint64_t>(options.max_bytes / std::max<uint64_t>(1, bytes), 1,
                                                                static_cast<uint64_t>(workers.threads())));
  std::vector<PatternCounter<Key>> counters;
  counters.reserve(threads);
  for (size_t i = 0; i < threads; ++i) counters.emplace_back(num_keys, kMaxArray);  // in place: a copy is 200 MB more
  std::atomic<size_t> next{0};
  workers.For(threads, [&](size_t thread) {
    std::vector<Key> keys(kDistanceBlock);
    for (size_t i = next++; i < blocks.size(); i = next++) {
      workers.Poll();
      const Block& block = blocks[i];
      const size_t count = block.end - block.begin;
      for (size_t row = 0; row < block.compare_with; ++row) {
        std::fill(keys.begin(), keys.end(), Key{0});
        for (const auto& column : columns) column->Add(row, block.begin, count, keys.data());
        counters[thread].Add({keys.data(), count});
      }
      progress.Advance(count * block.compare_with);
    }
  });
  for (size_t i = 1; i < threads; ++i) counters[0].Take(counters[i]);
  counters[0].ForEach([&](uint64_t key, uint32_t count) {
    out.keys.push_back(key);
    out.counts.push_back(count);
    if (key == 0) out.equal_pairs = count;
  });
}

// Rows sorted by label; a seeded sample of them if all would make too many pairs.
std::vector<uint32_t> ChooseRows(std::span<const uint32_t> labels, uint32_t num_labels, const PatternOptions& options,
                                 std::vector<uint64_t>& rows_of_label) {
  std::vector<uint32_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0u);
  rows_of_label.assign(num_labels, 0);
  for (const uint32_t label : labels) ++rows_of_label[label];
  if (const uint64_t pairs = CountPairs(rows_of_label); pairs > options.max_pairs) {
    Random(MixSeed(options.seed, 0x9A125)).Shuffle(std::span(order));
    double share = std::sqrt(static_cast<double>(options.max_pairs) / static_cast<double>(pairs));
    for (;; share *= 0.99) {
      const auto rows = static_cast<size_t>(share * static_cast<double>(labels.size()));
      rows_of_label.assign(num_labels, 0);
      for (size_t i = 0; i < rows; ++i) ++rows_of_label[labels[order[i]]];
      if (CountPairs(rows_of_label) > options.max_pairs) continue;
      order.resize(rows);
      break;
    }
    std::sort(order.begin(), order.end());
  }
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return labels[a] < labels[b]; });
  return order;
}

}  // namespace

LevelVector Patterns::Unpack(uint64_t key) const {
  LevelVector distances;
  for (const uint8_t count : levels) {
    distances.push_back(static_cast<uint8_t>(key % count));
    key /= count;
  }
  return distances;
}

Result<Patterns> CountPatterns(const LevelRows& rows, std::span<const uint32_t> labels, uint32_t num_labels,
                               const PatternOptions& options, const Workers& workers, Progress& progress) {
  Patterns patterns;
  uint64_t num_keys = 1;
  for (size_t c = 0; c < rows.num_columns(); ++c) {
    patterns.strides.push_back(num_keys);
    patterns.levels.push_back(static_cast<uint8_t>(rows.num_levels(c)));
    if (__builtin_mul_overflow(num_keys, rows.num_levels(c), &num_keys)) {
      return InvalidArgument("Too many level vectors for patterns: more than 2^64 over {} columns", rows.num_columns())
          .WithHint("Take fewer quasi-identifiers, or hierarchies with fewer levels.");
    }
  }
  std::vector<uint64_t> rows_of_label;
  const std::vector<uint32_t> order = ChooseRows(labels, num_labels, options, rows_of_label);
  if (order.size() < labels.size()) patterns.sampled_rows = order.size();
  patterns.pairs = CountPairs(rows_of_label);
  progress.Begin("pairs", patterns.pairs);
  std::vector<std::unique_ptr<KeyColumn>> columns;
  for (size_t c = 0; c < rows.num_columns(); ++c) columns.push_back(MakeKeyColumn(rows, c, order, patterns.strides[c]));
  const std::vector<Block> blocks = MakeBlocks(rows_of_label);
  if (num_keys <= UINT32_MAX) {
    CountBlocks<uint32_t>(columns, blocks, num_keys, options, workers, progress, patterns);
  } else {
    CountBlocks<uint64_t>(columns, blocks, num_keys, options, workers, progress, patterns);
  }
  return patterns;
}

std::vector<uint64_t> FrequentPatterns(const Patterns& patterns, double percent) {
  // How many patterns have each count: a pass finds the count of the last pattern that is needed, without a sort.
  constexpr uint32_t kSmall = 1 << 16;
  std::vector<uint64_t> with_count(kSmall, 0);
  std::vector<uint32_t> large;
  for (const uint32_t count : patterns.counts) {
    if (count < kSmall) {
      ++with_count[count];
    } else {
      large.push_back(count);
    }
  }
  std::sort(large.begin(), large.end(), std::greater<>());
  const double wanted = percent / 100.0 * static_cast<double>(patterns.pairs);
  double covered = 0;
  uint32_t least = 1;
  size_t at = 0;
  for (; at < large.size() && covered < wanted; ++at) covered += least = large[at];
  for (uint32_t count = kSmall - 1; count > 0 && covered < wanted; --count) {
    if (with_count[count] == 0) continue;
    covered += static_cast<double>(count) * static_cast<double>(with_count[count]);
    least = count;
  }
  std::vector<uint64_t> frequent;
  for (size_t i = 0; i < patterns.keys.size(); ++i) {
    if (patterns.counts[i] >= least && patterns.keys[i] != 0) frequent.push_back(patterns.keys[i]);
  }
  return frequent;
}

}  // namespace tada
