#include "attack/matches.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>

#include "audit/original/box_join.h"
#include "base/option_mark.h"

namespace tada {
namespace {

constexpr uint64_t kMostCompared = 20'000'000'000;  // a minute or so
constexpr uint64_t kMostPairs = 200'000'000;        // 8 bytes each

// Kinds as points and classes as the hulls of their cells, over the positions of the people's values.
BoxList Points(const People& people, const Classes& kinds, std::span<const size_t> known) {
  BoxList list = BoxList::OfPoints(known.size(), kinds.count());
  for (size_t c = 0; c < known.size(); ++c) {
    const CellCover& cover = *people.covers[known[c]];
    const Codes& codes = people.table->column(people.quasi[known[c]]).codes();
    int32_t* low = list.low.data() + c * list.count;
    for (size_t i = 0; i < list.count; ++i)
      low[i] = static_cast<int32_t>(cover.position(codes[kinds.members(i).front()]));
  }
  return list;
}

BoxList Hulls(const Table& release, std::span<const ColumnId> release_quasi, const Classes& classes,
              const People& people, std::span<const size_t> known) {
  BoxList list = BoxList::Of(known.size(), classes.count());
  for (size_t c = 0; c < known.size(); ++c) {
    const CellCover& cover = *people.covers[known[c]];
    const Codes& codes = release.column(release_quasi[known[c]]).codes();
    for (size_t i = 0; i < list.count; ++i) {
      const Code cell = codes[classes.members(i).front()];
      list.low[c * list.count + i] = static_cast<int32_t>(cover.hull_begin(cell));
      list.high[c * list.count + i] = static_cast<int32_t>(cover.hull_end(cell)) - 1;  // empty: ends before it begins
    }
  }
  return list;
}

Classes FindKinds(const People& people, std::span<const size_t> known, const Workers& workers) {
  std::vector<ColumnId> columns;
  for (const size_t q : known) columns.push_back(people.quasi[q]);
  return FindClasses(*people.table, columns, workers);
}

// Calls found(pairs) with all kinds and classes whose cells cover them, one caller at a time. False if it gave up.
bool JoinKinds(const Table& release, std::span<const ColumnId> release_quasi, const Classes& classes,
               const People& people, const Classes& kinds, std::span<const size_t> known, const Workers& workers,
               const std::function<void(BoxPairs)>& found) {
  const BoxList points = Points(people, kinds, known);
  const BoxList hulls = Hulls(release, release_quasi, classes, people, known);
  const auto covered = [&](uint32_t kind, uint32_t index) {
    const RowId row = classes.members(index).front();
    for (size_t i = 0; i < known.size(); ++i) {
      const CellCover& cover = *people.covers[known[i]];
      const Code cell = release.column(release_quasi[known[i]]).codes()[row];
      if (cover.is_range(cell)) continue;  // the hull says it all
      if (!cover.Covers(cell, static_cast<uint32_t>(points.low[i * points.count + kind]))) return false;
    }
    return true;
  };
  std::mutex one;
  return JoinBoxes(points, hulls, kMostCompared, workers, [&](BoxPairs overlapping) {
           std::vector<std::pair<uint32_t, uint32_t>> pairs;
           pairs.reserve(overlapping.size());
           std::ranges::copy_if(overlapping, std::back_inserter(pairs),
                                [&](const auto& pair) { return covered(pair.first, pair.second); });
           const std::lock_guard lock(one);
           found(pairs);
         }) <= kMostCompared;
}

Error TooMany(const Classes& kinds, const Classes& classes, std::string hint) {
  return InvalidArgument("Too many released classes may be too many people: {} kinds of people, {} classes",
                         kinds.count(), classes.count())
      .WithHint(std::move(hint));
}

}  // namespace

People MeetPeople(const Table& release, std::span<const ColumnId> release_quasi, const Table& table,
                  std::vector<ColumnId> quasi) {
  People people{&table, std::move(quasi), {}};
  for (size_t q = 0; q < release_quasi.size(); ++q) {
    people.covers.push_back(
        std::make_unique<CellCover>(release.column(release_quasi[q]), table.column(people.quasi[q])));
  }
  return people;
}

Result<Matches> FindMatches(const Table& release, std::span<const ColumnId> release_quasi, const Classes& classes,
                            const People& people, std::span<const size_t> known, const Workers& workers) {
  Matches matches{FindKinds(people, known, workers), {}, {}};
  std::vector<uint32_t> kinds, found;
  const bool joined =
      JoinKinds(release, release_quasi, classes, people, matches.kinds, known, workers, [&](BoxPairs pairs) {
        if (found.size() > kMostPairs) return;
        for (const auto& [kind, index] : pairs) {
          kinds.push_back(kind);
          found.push_back(index);
        }
      });
  if (!joined || found.size() > kMostPairs) {
    return TooMany(matches.kinds, classes, "Attack fewer people: " TADA_OPTION("people=10000") ".");
  }
  const auto [order, begin] = SortByNumber(kinds, matches.kinds.count());
  matches.begin.assign(begin.begin(), begin.end());
  for (const uint32_t i : order) matches.candidates.push_back(found[i]);
  for (size_t kind = 0; kind < matches.kinds.count(); ++kind) {
    std::sort(matches.candidates.begin() + static_cast<ptrdiff_t>(matches.begin[kind]),
              matches.candidates.begin() + static_cast<ptrdiff_t>(matches.begin[kind + 1]));
  }
  return matches;
}

Result<std::vector<uint64_t>> CountCovered(const Table& release, std::span<const ColumnId> release_quasi,
                                           const Classes& classes, const People& people, std::span<const size_t> known,
                                           const Workers& workers) {
  const Classes kinds = FindKinds(people, known, workers);
  std::vector<uint64_t> covered(classes.count(), 0);
  const bool joined = JoinKinds(release, release_quasi, classes, people, kinds, known, workers, [&](BoxPairs pairs) {
    for (const auto& [kind, index] : pairs) covered[index] += kinds.size(kind);
  });
  if (!joined)
    return TooMany(kinds, classes, "Name a smaller " TADA_OPTION("population") ", or fewer quasi-identifiers.");
  return covered;
}

}  // namespace tada
