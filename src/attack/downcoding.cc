#include "attack/downcoding.h"

#include <algorithm>
#include <cmath>

#include "table/number.h"

namespace tada {
namespace {

constexpr uint32_t kMostElements = 24;  // of a set: beyond, the sum below cancels out, and is taken to narrow nothing

// The share of the ways to give m people one of `values` values that use each of `used` given ones, by inclusion and exclusion.
double ShareUsingAll(uint32_t values, uint32_t used, uint32_t people) {
  double share = 0, choose = 1;
  for (uint32_t j = 0; j <= used; ++j) {
    const double left = 1 - static_cast<double>(j) / values;
    share += (j % 2 == 0 ? 1 : -1) * choose * std::pow(std::max(0.0, left), people);
    choose = choose * (used - j) / (j + 1);
  }
  return share;
}

bool SameNumber(const Column& column, Code code, std::string_view bound) {
  if (column.is_missing(code)) return false;
  if (column.is_date()) return IsDate(bound) && DateKey(bound) == DateKey(column.text(code));
  return ParseNumber(bound).has_value() && CompareNumbers(bound, column.text(code)) == 0;
}

class ColumnNarrower {
 public:
  ColumnNarrower(const Column& released, const Column& original, const CellCover& cover)
      : released_(released), original_(original), cover_(cover) {}

  /// Looks at a cell of a class with this many rows, and at the values (positions, ascending, each once) of the people that it covers.
  void Add(Code cell, uint32_t rows, const std::vector<uint32_t>& present) {
    const uint32_t first = cover_.hull_begin(cell), end = cover_.hull_end(cell);
    if (cover_.is_mask(cell) || cover_.is_unchecked(cell) || end <= first + 1 || present.empty()) return;
    const uint64_t before = found_.values, bounds = found_.bounds;
    const uint32_t values = cover_.is_range(cell) && original_.is_numeric() ? AddInterval(cell, first, end, present)
                                                                            : AddSet(cell, first, end, present);
    const auto used = static_cast<uint32_t>(found_.bounds - bounds);
    if (found_.values - before != used || used > kMostElements || values < used || rows < used) return;
    const double share = ShareUsingAll(values, used, rows);
    if (share > 0) bits_ -= std::log2(share);
  }

  Narrowing Finish(uint64_t people) {
    found_.column = original_.name();
    if (found_.tight() && people > 0) found_.bits = bits_ / static_cast<double>(people);
    return found_;
  }

 private:
  uint32_t AddInterval(Code cell, uint32_t first, uint32_t end, const std::vector<uint32_t>& present) {
    const ParsedCell parsed =
        ParseCell(released_.text(cell), original_.is_date() ? Reading::kDates : Reading::kNumbers);
    for (const auto& [bound, position] : {std::pair{parsed.low, first}, std::pair{parsed.high, end - 1}}) {
      ++found_.bounds;
      const bool there = std::binary_search(present.begin(), present.end(), position);
      found_.values += there && SameNumber(original_, cover_.value_at(position), bound) ? 1 : 0;
    }
    return end - first;
  }

  uint32_t AddSet(Code cell, uint32_t first, uint32_t end, const std::vector<uint32_t>& present) {
    uint32_t values = 0;
    for (uint32_t position = first; position < end; ++position) {
      if (!cover_.Covers(cell, position)) continue;
      ++values;
      ++found_.bounds;
      found_.values += std::binary_search(present.begin(), present.end(), position) ? 1 : 0;
    }
    return values;
  }

  const Column& released_;
  const Column& original_;
  const CellCover& cover_;
  Narrowing found_;
  double bits_ = 0;
};

}  // namespace

std::vector<Narrowing> MeasureNarrowing(const Table& release, std::span<const ColumnId> release_quasi,
                                        const Classes& classes, const People& people, const Matches& matches) {
  std::vector<std::vector<uint32_t>> kinds_of_class(classes.count());
  for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
    for (const uint32_t index : matches.of_kind(kind)) kinds_of_class[index].push_back(static_cast<uint32_t>(kind));
  }
  std::vector<Narrowing> found;
  std::vector<uint32_t> present;
  for (size_t q = 0; q < release_quasi.size(); ++q) {
    const Column& released = release.column(release_quasi[q]);
    const Column& original = people.table->column(people.quasi[q]);
    ColumnNarrower narrower(released, original, *people.covers[q]);
    for (size_t i = 0; i < classes.count(); ++i) {
      present.clear();
      for (const uint32_t kind : kinds_of_class[i]) {
        present.push_back(people.covers[q]->position(original.codes()[matches.kinds.members(kind).front()]));
      }
      std::sort(present.begin(), present.end());
      present.erase(std::unique(present.begin(), present.end()), present.end());
      narrower.Add(released.codes()[classes.members(i).front()], classes.size(i), present);
    }
    if (Narrowing one = narrower.Finish(release.num_rows()); one.bounds > 0) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace tada
