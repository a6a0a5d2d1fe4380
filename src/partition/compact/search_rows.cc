#include "partition/compact/search_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/random.h"
#include "learn/neighbours/collapse.h"
#include "learn/neighbours/near_index.h"

namespace tada {
namespace {

constexpr uint32_t kNear = 24, kNearOfMany = 12;  // tuples; the fewer for tables of more than a million
constexpr uint32_t kSame = 8;                     // rows with the same rare value
constexpr Code kMaxIndexedValues = 256;           // an index a sensitive value, so not for domains without end

// The numbers and names of every row, row by row.
MixedPoints PointsOf(const Problem& problem, const LossModel& loss, const std::vector<RowId>& rows) {
  MixedPoints points;
  std::vector<size_t> numbers, names;
  for (size_t i = 0; i < loss.num_columns(); ++i) {
    if (loss.column(i).is_constant()) continue;
    (loss.column(i).is_numeric() ? numbers : names).push_back(i);
  }
  points.num_numbers = static_cast<uint32_t>(numbers.size());
  points.num_names = static_cast<uint32_t>(names.size());
  points.numbers.resize(rows.size() * numbers.size());
  points.names.resize(rows.size() * names.size());
  for (size_t j = 0; j < numbers.size(); ++j) {
    const ColumnLoss& column = loss.column(numbers[j]);
    problem.quasi(numbers[j]).codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) {
        const Code code = codes[rows[i]];
        points.numbers[i * numbers.size() + j] = column.is_missing(code) ? kMissingNumber : column.position(code);
      }
    });
  }
  for (size_t j = 0; j < names.size(); ++j) {
    const ColumnLoss& column = loss.column(names[j]);
    points.name_steps.push_back(column.step());
    points.name_values.push_back(column.num_values());
    problem.quasi(names[j]).codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) points.names[i * names.size() + j] = column.value(codes[rows[i]]);
    });
  }
  return points;
}

uint64_t Hash(const MixedPoints& points, size_t i) {
  uint64_t hash = 0;
  for (uint32_t j = 0; j < points.num_numbers; ++j)
    hash = MixSeed(hash, std::bit_cast<uint64_t>(points.NumbersOf(i)[j]));
  for (uint32_t j = 0; j < points.num_names; ++j) hash = MixSeed(hash, points.NamesOf(i)[j]);
  return hash;
}

bool Equal(const MixedPoints& points, size_t a, size_t b) {
  return std::equal(points.NumbersOf(a), points.NumbersOf(a) + points.num_numbers, points.NumbersOf(b)) &&
         std::equal(points.NamesOf(a), points.NamesOf(a) + points.num_names, points.NamesOf(b));
}

// Gives equal rows one tuple, numbered as they come up, and keeps one point for each tuple.
void Collapse(MixedPoints points, SearchRows& out) {
  Collapsed collapsed = CollapseEqual(
      out.row_ids.size(), [&](size_t i) { return Hash(points, i); },
      [&](size_t a, size_t b) { return Equal(points, a, b); });
  out.tuple_of = std::move(collapsed.number_of);
  const std::vector<uint32_t>& member = collapsed.first;    // one row of each tuple
  for (size_t tuple = 0; tuple < member.size(); ++tuple) {  // members ascend, so points move to the front
    std::copy_n(points.NumbersOf(member[tuple]), points.num_numbers,
                points.numbers.begin() + tuple * points.num_numbers);
    std::copy_n(points.NamesOf(member[tuple]), points.num_names, points.names.begin() + tuple * points.num_names);
  }
  points.numbers.resize(member.size() * points.num_numbers);
  points.names.resize(member.size() * points.num_names);
  points.numbers.shrink_to_fit();
  points.names.shrink_to_fit();
  out.tuples = std::move(points);
  out.first_of_tuple.assign(member.size() + 1, 0);
}

// Numbers tuples anew: tuple `order[i]` becomes i. Then numbers rows by their tuples.
void Renumber(std::span<const uint32_t> order, SearchRows& out) {
  MixedPoints& points = out.tuples;
  std::vector<double> numbers;
  std::vector<Code> names;
  numbers.reserve(points.numbers.size());
  names.reserve(points.names.size());
  std::vector<uint32_t> number_of(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    number_of[order[i]] = i;
    numbers.insert(numbers.end(), points.NumbersOf(order[i]), points.NumbersOf(order[i]) + points.num_numbers);
    names.insert(names.end(), points.NamesOf(order[i]), points.NamesOf(order[i]) + points.num_names);
  }
  points.numbers = std::move(numbers);
  points.names = std::move(names);
  for (uint32_t& tuple : out.tuple_of) ++out.first_of_tuple[(tuple = number_of[tuple]) + 1];
  for (size_t tuple = 0; tuple < order.size(); ++tuple) out.first_of_tuple[tuple + 1] += out.first_of_tuple[tuple];
  std::vector<uint32_t> at(out.first_of_tuple.begin(), out.first_of_tuple.end() - 1);
  std::vector<RowId> row_ids(out.row_ids.size());
  for (size_t row = 0; row < row_ids.size(); ++row) row_ids[at[out.tuple_of[row]]++] = out.row_ids[row];
  out.row_ids = std::move(row_ids);
  std::sort(out.tuple_of.begin(), out.tuple_of.end());
}

// Finds the near tuples of every tuple, and numbers tuples as they stand in the index.
void FindNearTuples(const Problem& problem, SearchRows& out) {
  const auto num_tuples = static_cast<uint32_t>(out.first_of_tuple.size() - 1);
  std::vector<uint32_t> order(num_tuples);
  std::iota(order.begin(), order.end(), 0U);
  if (out.tuples.size() > 1) {
    const NearIndex index(out.tuples, std::move(order));
    out.near_count = std::min(num_tuples - 1, num_tuples > 1'000'000 ? kNearOfMany : kNear);
    out.near_tuples.resize(size_t{num_tuples} * out.near_count);
    order = index.members();
    std::vector<uint32_t> number_of(num_tuples);
    for (uint32_t i = 0; i < num_tuples; ++i) number_of[order[i]] = i;
    problem.workers.ForBlocks(index.num_leaves(), 128, [&](size_t begin, size_t end) {
      std::vector<uint32_t> lists;
      for (size_t leaf = begin; leaf < end; ++leaf) {
        const size_t first = index.FirstOfLeaf(static_cast<uint32_t>(leaf));
        index.NearestOfLeaf(static_cast<uint32_t>(leaf), out.near_count, lists);
        uint32_t* near = out.near_tuples.data() + first * out.near_count;
        for (const uint32_t tuple : lists) *near++ = number_of[tuple];
        problem.progress.Advance(lists.size() / out.near_count);
      }
    });
    out.cut_short = index.num_cut_short();
  }
  Renumber(order, out);
}

// For rows whose value of the first sensitive column is held by less than half of the rows.
void FindSameValue(const Problem& problem, SearchRows& out) {
  const Code num_values = problem.checker.sensitive()[0].num_marks();
  if (num_values > kMaxIndexedValues) return;
  const auto n = static_cast<uint32_t>(out.size());
  std::vector<std::vector<uint32_t>> rows_of_value(num_values);
  for (uint32_t row = 0; row < n; ++row) rows_of_value[out.sensitive[size_t{row} * out.num_sensitive]].push_back(row);
  size_t most = 0;
  for (const std::vector<uint32_t>& rows : rows_of_value) most = std::max(most, rows.size());
  out.scarce =
      (n - most) * problem.checker.smallest_group() < n * static_cast<uint64_t>(problem.checker.requirement().l - 1);
  std::vector<std::vector<uint32_t>> found_of_row(n);
  std::vector<uint32_t> first_row(out.tuples.size());  // of a tuple, among those with the value
  for (const std::vector<uint32_t>& rows : rows_of_value) {
    if (rows.empty() || 2 * rows.size() >= n) continue;
    std::vector<uint32_t> members;
    for (const uint32_t row : rows) {  // by their tuples
      if (!members.empty() && members.back() == out.tuple_of[row]) continue;
      first_row[out.tuple_of[row]] = row;
      members.push_back(out.tuple_of[row]);
    }
    const NearIndex index(out.tuples, std::move(members));
    const Code value = out.sensitive[size_t{rows[0]} * out.num_sensitive];
    problem.workers.ForBlocks(index.members().size(), 512, [&](size_t begin, size_t end) {
      std::vector<uint32_t> found;
      for (size_t i = begin; i < end; ++i) {
        const uint32_t tuple = index.members()[i];
        index.Nearest(tuple, kSame, found);
        for (uint32_t& other : found) other = first_row[other];
        for (uint32_t row = out.first_of_tuple[tuple]; row < out.first_of_tuple[tuple + 1]; ++row) {
          if (out.sensitive[size_t{row} * out.num_sensitive] == value) found_of_row[row] = found;
        }
      }
    });
  }
  out.first_same.assign(1, 0);
  for (const std::vector<uint32_t>& found : found_of_row) {
    out.same_value.insert(out.same_value.end(), found.begin(), found.end());
    out.first_same.push_back(static_cast<uint32_t>(out.same_value.size()));
  }
}

}  // namespace

SearchRows MakeSearchRows(const Problem& problem, const LossModel& loss, std::vector<RowId> rows, double label_share) {
  SearchRows out;
  std::sort(rows.begin(), rows.end());
  out.row_ids = std::move(rows);
  Collapse(PointsOf(problem, loss, out.row_ids), out);
  problem.progress.Begin("neighbours", out.tuples.size());
  FindNearTuples(problem, out);
  const double cells = static_cast<double>(out.size()) * static_cast<double>(loss.num_columns());
  out.labels = MakeRowLabels(problem, out.row_ids, label_share, cells);
  if (problem.checker.needs_values()) {
    const auto& sensitive = problem.checker.sensitive();
    out.num_sensitive = static_cast<uint32_t>(sensitive.size());
    out.sensitive.resize(out.size() * sensitive.size());
    for (size_t s = 0; s < sensitive.size(); ++s) {
      problem.table.column(sensitive[s].column).codes().Visit([&](auto codes) {
        for (size_t i = 0; i < out.size(); ++i) {
          out.sensitive[i * sensitive.size() + s] = sensitive[s].mark_of_code[codes[out.row_ids[i]]];
        }
      });
    }
  }
  if (out.tuples.size() > 1 && out.num_sensitive > 0) FindSameValue(problem, out);
  return out;
}

}  // namespace tada
