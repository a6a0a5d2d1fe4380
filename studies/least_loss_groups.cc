// The groups that studies/least_loss.py asks for, which compiles this file and describes the problem.
//   kind        rows with equal values, the sensitive one too; groups are sets of kinds, some of them more than once.
//   remainder   of a group: its cost, size x span of its box, less the prices of its rows and of the cuts that it takes part in.
//   needless    a group that can be cut in two groups: the two cost no more, so some cheapest grouping does without it.
// A group is found in its own box, the narrowest with its rows. Boxes are built column by column: a part of the first column, the rows in
// there, a part of the next. A box is given up with all boxes in it once the cheapest group of its rows, at the span
// of the columns so far, is not cheap enough.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

struct Column {
  bool is_name;
  int num_values;
  const int32_t* codes;   // by row
  const double* numbers;  // by code, on the scale of spans
  double step;            // span of one value more, of names
};

struct Result {
  int64_t most_groups, most_members, groups = 0, members = 0;
  int32_t *kinds, *sizes;
  double* costs;
  bool is_full = false;
};

struct Search {
  int32_t k, l;
  std::vector<Column> columns;
  const int32_t *sensitive, *kind_of;  // by row
  const double* prices;                // by row
  double below;                        // remainders that are asked for
  bool only_cheapest;                  // of every box, and of those the cheapest for each row
  std::vector<std::vector<std::pair<int32_t, int32_t>>> cuts_of;  // by kind: cut, weight
  const int32_t* divisors;                                        // by cut
  const double* cut_prices;                                       // by cut, none above 0
  Result* result;

  std::vector<std::pair<int32_t, int32_t>> box;  // by column: least and largest code, or 0 and the bits of the names
  std::vector<int32_t> weights;                  // by cut, of the group
  std::vector<int32_t> group;
  std::vector<double> least;                   // by row: remainder of its cheapest group
  std::vector<std::vector<int32_t>> cheapest;  // by row
  const std::vector<int32_t>* inside = nullptr;
  std::vector<double> first_sums, negative_sums;
  double span = 0;

  // The cheapest group of rows in a box of that span, without cuts; rows stand by price, highest first. Some cheapest group has the first row of
  // each of the first l values, as any others can be exchanged for them.
  double CheapestOf(const std::vector<int32_t>& rows, double at, std::vector<int32_t>* chosen = nullptr) const {
    constexpr double kNone = 1e9;
    if (rows.size() < static_cast<size_t>(std::max(k, l))) return kNone;
    int32_t places[32], num_places = 0;
    for (size_t i = 0; i < rows.size() && num_places < l; ++i) {
      const bool is_new = std::none_of(places, places + num_places, [&](int32_t place) {
        return sensitive[rows[static_cast<size_t>(place)]] == sensitive[rows[i]];
      });
      if (is_new) places[num_places++] = static_cast<int32_t>(i);
    }
    if (num_places < l) return kNone;
    double remainder = 0;
    for (int32_t i = 0; i < num_places; ++i) {
      remainder += at - prices[rows[static_cast<size_t>(places[i])]];
      if (chosen) chosen->push_back(rows[static_cast<size_t>(places[i])]);
    }
    int32_t size = num_places, next = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (next < num_places && places[next] == static_cast<int32_t>(i)) {
        ++next;
        continue;
      }
      const double change = at - prices[rows[i]];
      if (size >= k && change >= 0) break;
      remainder += change;
      ++size;
      if (chosen) chosen->push_back(rows[i]);
    }
    return remainder;
  }

  double AddToCuts(int32_t kind) {
    double change = 0;
    for (const auto& [cut, weight] : cuts_of[static_cast<size_t>(kind)]) {
      int32_t& sum = weights[static_cast<size_t>(cut)];
      change -= cut_prices[cut] * ((sum + weight) / divisors[cut] - sum / divisors[cut]);
      sum += weight;
    }
    return change;
  }

  void TakeFromCuts(int32_t kind) {
    for (const auto& [cut, weight] : cuts_of[static_cast<size_t>(kind)]) weights[static_cast<size_t>(cut)] -= weight;
  }

  bool FillsBox() const {
    for (size_t c = 0; c < columns.size(); ++c) {
      int32_t low = INT32_MAX, high = -1, names = 0;
      for (const int32_t row : group) {
        const int32_t code = columns[c].codes[row];
        low = std::min(low, code), high = std::max(high, code);
        if (columns[c].is_name) names |= 1 << code;
      }
      if (columns[c].is_name ? names != box[c].second : box[c] != std::pair(low, high)) return false;
    }
    return true;
  }

  // Two groups of k rows and two values each are there if two rows have another value than the most frequent one.
  bool IsNeedless() const {
    if (group.size() < 2 * static_cast<size_t>(k) || l > 2) return false;
    size_t most = 0;
    for (const int32_t row : group) {
      most = std::max<size_t>(most, static_cast<size_t>(std::count_if(group.begin(), group.end(), [&](int32_t other) {
                                return sensitive[other] == sensitive[row];
                              })));
    }
    return group.size() - most + 1 > static_cast<size_t>(l);
  }

  void Write(const std::vector<int32_t>& rows, double cost) {
    if (result->groups == result->most_groups ||
        result->members + static_cast<int64_t>(rows.size()) > result->most_members) {
      result->is_full = true;
      return;
    }
    for (const int32_t row : rows) result->kinds[result->members++] = kind_of[row];
    result->sizes[result->groups] = static_cast<int32_t>(rows.size());
    result->costs[result->groups++] = cost;
  }

  void Offer() {
    std::vector<int32_t> values;
    for (const int32_t row : group) values.push_back(sensitive[row]);
    std::sort(values.begin(), values.end());
    const auto different = std::unique(values.begin(), values.end()) - values.begin();
    if (group.size() < static_cast<size_t>(k) || different < l || IsNeedless() || !FillsBox()) return;
    Write(group, static_cast<double>(group.size()) * span);
  }

  // Every group in the box: the next row is in it or not. Rows of a kind stand together, and without the first the others are out as well.
  void Enumerate(size_t next, double remainder) {
    const std::vector<int32_t>& rows = *inside;
    if (result->is_full) return;
    const size_t missing = group.size() < static_cast<size_t>(k) ? static_cast<size_t>(k) - group.size() : 0;
    if (next + missing > rows.size()) return;
    const double at_least = remainder + first_sums[next + missing] - first_sums[next] + negative_sums[next + missing];
    if (at_least >= below) return;
    if (next == rows.size()) return Offer();
    const int32_t row = rows[next], kind = kind_of[row];
    group.push_back(row);
    const double change = AddToCuts(kind);
    Enumerate(next + 1, remainder + change + span - prices[row]);
    TakeFromCuts(kind);
    group.pop_back();
    while (next < rows.size() && kind_of[rows[next]] == kind) ++next;
    Enumerate(next, remainder);
  }

  void VisitBox(const std::vector<int32_t>& rows) {
    if (only_cheapest) {
      std::vector<int32_t> chosen;
      const double remainder = CheapestOf(rows, span, &chosen);
      for (const int32_t row : chosen) {
        if (remainder >= least[static_cast<size_t>(row)]) continue;
        least[static_cast<size_t>(row)] = remainder;
        cheapest[static_cast<size_t>(row)] = chosen;
      }
      return;
    }
    inside = &rows;
    first_sums.assign(rows.size() + 1, 0);
    negative_sums.assign(rows.size() + 1, 0);
    for (size_t i = 0; i < rows.size(); ++i) first_sums[i + 1] = first_sums[i] + span - prices[rows[i]];
    for (size_t i = rows.size(); i-- > 0;)
      negative_sums[i] = negative_sums[i + 1] + std::min(0.0, span - prices[rows[i]]);
    Enumerate(0, 0);
  }

  void VisitPart(size_t c, const std::vector<int32_t>& rows, double at, std::pair<int32_t, int32_t> part) {
    std::vector<int32_t> in_part;
    for (const int32_t row : rows) {
      const int32_t code = columns[c].codes[row];
      const bool is_in =
          columns[c].is_name ? (part.second >> code & 1) != 0 : code >= part.first && code <= part.second;
      if (is_in) in_part.push_back(row);
    }
    box[c] = part;
    if (CheapestOf(in_part, at) < below) Visit(c + 1, in_part, at);
  }

  void Visit(size_t c, const std::vector<int32_t>& rows, double at) {
    if (result->is_full) return;
    if (c == columns.size()) {
      span = at;
      return VisitBox(rows);
    }
    const Column& column = columns[c];
    std::vector<int32_t> codes;
    for (const int32_t row : rows) codes.push_back(column.codes[row]);
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    if (column.is_name) {
      int32_t all = 0;
      for (const int32_t code : codes) all |= 1 << code;
      for (int32_t names = all; names > 0; names = (names - 1) & all)
        VisitPart(c, rows, at + column.step * (__builtin_popcount(static_cast<uint32_t>(names)) - 1), {0, names});
      return;
    }
    std::vector<int32_t> from = rows;  // those that are not below the part
    for (size_t low = 0; low < codes.size(); ++low) {
      std::erase_if(from, [&](int32_t row) { return column.codes[row] < codes[low]; });
      for (size_t high = low; high < codes.size(); ++high) {
        const double wider = at + column.numbers[codes[high]] - column.numbers[codes[low]];
        if (CheapestOf(from, wider) >= below) break;
        VisitPart(c, from, wider, {codes[low], codes[high]});
      }
    }
  }
};

}  // namespace

/// Writes kinds, sizes and costs of groups with a remainder less than `below`: all but needless ones, or with `only_cheapest` the cheapest
/// for each row. Returns their number, or -1 - number if there is no more room. Codes are by column and row, `numbers` and
/// `num_values` by column; every cut has `parts` in `part_cut`, `part_kind` and `part_weight`.
extern "C" int64_t find_groups(int32_t rows, int32_t kinds, int32_t num_columns, const int32_t* num_values,
                               const int32_t* codes, const double* numbers, const double* steps,
                               const int32_t* sensitive, const int32_t* kind_of, int32_t k, int32_t l,
                               const double* prices, double below, int32_t only_cheapest, int32_t num_cuts,
                               const int32_t* divisors, const double* cut_prices, int32_t parts,
                               const int32_t* part_cut, const int32_t* part_kind, const int32_t* part_weight,
                               int64_t most_groups, int64_t most_members, int32_t* out_kinds, int32_t* out_sizes,
                               double* out_costs) {
  Result result{.most_groups = most_groups,
                .most_members = most_members,
                .kinds = out_kinds,
                .sizes = out_sizes,
                .costs = out_costs};
  Search search{.k = k,
                .l = l,
                .columns = {},
                .sensitive = sensitive,
                .kind_of = kind_of,
                .prices = prices,
                .below = below,
                .only_cheapest = only_cheapest != 0,
                .cuts_of = {},
                .divisors = divisors,
                .cut_prices = cut_prices,
                .result = &result};
  for (int32_t c = 0; c < num_columns; ++c) {
    search.columns.push_back({steps[c] > 0, num_values[c], codes + int64_t{c} * rows, numbers, steps[c]});
    numbers += num_values[c];
  }
  search.cuts_of.resize(static_cast<size_t>(kinds));
  for (int32_t i = 0; i < parts; ++i)
    search.cuts_of[static_cast<size_t>(part_kind[i])].emplace_back(part_cut[i], part_weight[i]);
  search.box.resize(search.columns.size());
  search.weights.resize(static_cast<size_t>(num_cuts));
  search.least.assign(static_cast<size_t>(rows), below);
  search.cheapest.resize(static_cast<size_t>(rows));
  std::vector<int32_t> order(static_cast<size_t>(rows));
  for (int32_t row = 0; row < rows; ++row) order[static_cast<size_t>(row)] = row;
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return prices[a] != prices[b] ? prices[a] > prices[b] : kind_of[a] < kind_of[b];
  });
  search.Visit(0, order, 0);
  std::sort(search.cheapest.begin(), search.cheapest.end());
  search.cheapest.erase(std::unique(search.cheapest.begin(), search.cheapest.end()), search.cheapest.end());
  for (const std::vector<int32_t>& rows_of_group : search.cheapest) {
    if (!rows_of_group.empty()) search.Write(rows_of_group, -1);  // the caller knows the kinds, and their cost
  }
  return result.is_full ? -1 - result.groups : result.groups;
}
