#include "partition/compact/search_rows.h"

#include <algorithm>
#include <bit>

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

// Gives equal rows one tuple, numbered as they come up, and keeps one point a tuple.
void Collapse(MixedPoints points, SearchRows& out) {
  const size_t n = out.row_ids.size();
  Collapsed collapsed = CollapseEqual(
      n, [&](size_t i) { return Hash(points, i); }, [&](size_t a, size_t b) { return Equal(points, a, b); });
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
  for (const uint32_t tuple : out.tuple_of) ++out.first_of_tuple[tuple + 1];
  for (size_t tuple = 0; tuple < member.size(); ++tuple) out.first_of_tuple[tuple + 1] += out.first_of_tuple[tuple];
  std::vector<uint32_t> at(out.first_of_tuple.begin(), out.first_of_tuple.end() - 1);
  out.rows_by_tuple.resize(n);
  for (uint32_t i = 0; i < n; ++i) out.rows_by_tuple[at[out.tuple_of[i]]++] = i;
}

void FindNearTuples(const Problem& problem, SearchRows& out) {
  const auto num_tuples = static_cast<uint32_t>(out.first_of_tuple.size() - 1);
  std::vector<uint32_t> all(num_tuples);
  for (uint32_t tuple = 0; tuple < num_tuples; ++tuple) all[tuple] = tuple;
  const NearIndex index(out.tuples, std::move(all));
  out.near_count = std::min(num_tuples - 1, num_tuples > 1'000'000 ? kNearOfMany : kNear);
  out.near_tuples.resize(size_t{num_tuples} * out.near_count);
  problem.workers.ForBlocks(num_tuples, 1024, [&](size_t begin, size_t end) {
    std::vector<uint32_t> found;
    for (size_t i = begin; i < end; ++i) {
      const uint32_t tuple = index.members()[i];
      index.Nearest(tuple, out.near_count, found);
      found.resize(out.near_count, tuple);
      std::copy(found.begin(), found.end(), out.near_tuples.begin() + static_cast<ptrdiff_t>(tuple) * out.near_count);
    }
    problem.progress.Advance(end - begin);
  });
  out.cut_short = index.num_cut_short();
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
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      first_row[out.tuple_of[*row]] = *row;
      members.push_back(out.tuple_of[*row]);
    }
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const NearIndex index(out.tuples, std::move(members));
    const Code value = out.sensitive[size_t{rows[0]} * out.num_sensitive];
    problem.workers.ForBlocks(index.members().size(), 512, [&](size_t begin, size_t end) {
      std::vector<uint32_t> found;
      for (size_t i = begin; i < end; ++i) {
        const uint32_t tuple = index.members()[i];
        index.Nearest(tuple, kSame, found);
        for (uint32_t& other : found) other = first_row[other];
        for (const uint32_t row : out.RowsOf(tuple)) {
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
  const double cells = static_cast<double>(out.size()) * static_cast<double>(loss.num_columns());
  out.labels = MakeRowLabels(problem, out.row_ids, label_share, cells);
  Collapse(PointsOf(problem, loss, out.row_ids), out);
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
  problem.progress.Begin("neighbours", out.tuples.size());
  if (out.tuples.size() > 1) {
    FindNearTuples(problem, out);
    if (out.num_sensitive > 0) FindSameValue(problem, out);
  }
  return out;
}

}  // namespace tada
