#include "groups/level_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tada {
namespace {

constexpr uint32_t kNoRow = UINT32_MAX;

// Numbers pairs (class, node) in order of appearance through a table indexed by the pair itself.
template <class T>
bool RefineDirect(const LevelClasses& in, std::span<const T> nodes, Code num_nodes, uint32_t max_classes,
                  LevelClasses& out) {
  std::vector<uint32_t> number(size_t{in.num_classes} * num_nodes, kNoRow);
  uint32_t next = 0;
  for (size_t row = 0; row < nodes.size(); ++row) {
    uint32_t& slot = number[size_t{in.of_row[row]} * num_nodes + nodes[row]];
    if (slot == kNoRow) {
      if (next == max_classes) return false;
      slot = next++;
    }
    out.of_row[row] = slot;
  }
  out.num_classes = next;
  return true;
}

// The same through a hash table, for pairs that are many more than rows.
template <class T>
bool RefineHashed(const LevelClasses& in, std::span<const T> nodes, Code num_nodes, uint32_t max_classes,
                  LevelClasses& out) {
  const size_t slots = std::bit_ceil(2 * std::min<size_t>(nodes.size(), size_t{max_classes} + 1) + 16);
  const int shift = 64 - std::countr_zero(slots);
  std::vector<uint64_t> keys(slots, UINT64_MAX);
  std::vector<uint32_t> number(slots);
  uint32_t next = 0;
  for (size_t row = 0; row < nodes.size(); ++row) {
    const uint64_t key = uint64_t{in.of_row[row]} * num_nodes + nodes[row];
    size_t slot = (key * 0x9E3779B97F4A7C15ull) >> shift;
    while (keys[slot] != key && keys[slot] != UINT64_MAX) slot = (slot + 1) & (slots - 1);
    if (keys[slot] == UINT64_MAX) {
      if (next == max_classes) return false;
      keys[slot] = key;
      number[slot] = next++;
    }
    out.of_row[row] = number[slot];
  }
  out.num_classes = next;
  return true;
}

}  // namespace

std::vector<uint32_t> LevelClasses::Sizes() const {
  std::vector<uint32_t> sizes(num_classes, 0);
  for (const uint32_t number : of_row) ++sizes[number];
  return sizes;
}

uint32_t LevelClasses::Smallest() const {
  const std::vector<uint32_t> sizes = Sizes();
  return sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
}

LevelRows::LevelRows(const Table& table, std::span<const ColumnId> columns,
                     std::span<const Hierarchy* const> hierarchies, std::span<const RowId> rows)
    : num_rows_(rows.size()), columns_(columns.size()) {
  for (size_t c = 0; c < columns.size(); ++c) {
    const Hierarchy& hierarchy = *hierarchies[c];
    TADA_ASSERT(hierarchy.num_levels() < 256);
    columns_[c].resize(hierarchy.num_levels());
    for (uint32_t l = 0; l < hierarchy.num_levels(); ++l) {
      Level& level = columns_[c][l];
      level.num_nodes = hierarchy.num_nodes(l);
      level.nodes = Codes(rows.size(), level.num_nodes);
      std::vector<uint32_t> counts(level.num_nodes, 0);
      const std::span<const Code> node_of = hierarchy.nodes(l);
      table.column(columns[c]).codes().Visit([&](auto codes) {
        level.nodes.Visit([&](auto nodes) {
          for (size_t i = 0; i < rows.size(); ++i) {
            const Code node = node_of[codes[rows[i]]];
            nodes[i] = static_cast<typename decltype(nodes)::value_type>(node);
            ++counts[node];
          }
        });
      });
      level.smallest = static_cast<uint32_t>(rows.size());
      for (const uint32_t count : counts) level.smallest = count > 0 ? std::min(level.smallest, count) : level.smallest;
    }
  }
}

LevelVector LevelRows::Top() const {
  LevelVector levels;
  for (size_t c = 0; c < num_columns(); ++c) levels.push_back(top(c));
  return levels;
}

LevelClasses LevelRows::OneClass() const { return {std::vector<uint32_t>(num_rows_, 0), num_rows_ > 0 ? 1u : 0u}; }

bool LevelRows::Refine(const LevelClasses& in, size_t column, uint32_t level, uint32_t max_classes,
                       LevelClasses& out) const {
  const Level& by = columns_[column][level];
  out.of_row.resize(num_rows_);
  const bool direct = uint64_t{in.num_classes} * by.num_nodes <= 4 * num_rows_ + 1024;
  const bool done = by.nodes.Visit([&](auto nodes) {
    using T = std::remove_const_t<typename decltype(nodes)::value_type>;
    const std::span<const T> view(nodes);
    return direct ? RefineDirect<T>(in, view, by.num_nodes, max_classes, out)
                  : RefineHashed<T>(in, view, by.num_nodes, max_classes, out);
  });
  if (!done) out = {};
  return done;
}

bool LevelRows::FindClasses(std::span<const uint8_t> levels, uint32_t max_classes, LevelClasses& out) const {
  // Columns with few nodes first: classes stay few, and tables small, for as long as they can.
  std::vector<size_t> order;
  for (size_t c = 0; c < num_columns(); ++c) {
    if (levels[c] < top(c)) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return num_nodes(a, levels[a]) < num_nodes(b, levels[b]); });
  out = OneClass();
  LevelClasses next;
  for (const size_t c : order) {
    if (!Refine(out, c, levels[c], max_classes, next)) {
      out = {};
      return false;
    }
    std::swap(out, next);
  }
  return true;
}

LevelClasses LevelRows::FindClasses(std::span<const uint8_t> levels) const {
  LevelClasses classes;
  FindClasses(levels, UINT32_MAX, classes);
  return classes;
}

Groups GroupsOf(const LevelClasses& classes, std::span<const RowId> rows) {
  std::vector<uint32_t> begins(classes.num_classes + 1, 0);
  for (const uint32_t number : classes.of_row) ++begins[number + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<Groups::Span> spans;
  for (uint32_t i = 0; i < classes.num_classes; ++i) spans.push_back({begins[i], begins[i + 1]});
  std::vector<RowId> order(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) order[begins[classes.of_row[i]]++] = rows[i];
  return Groups(std::move(order), std::move(spans));
}

}  // namespace tada
