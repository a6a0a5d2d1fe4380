#include "audit/classes/classes.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "audit/classes/tuple_numbers.h"

namespace tada {

std::pair<std::vector<uint32_t>, std::vector<uint32_t>> SortByNumber(std::span<const uint32_t> numbers, size_t count) {
  std::vector<uint32_t> offsets(count + 1, 0);
  for (const uint32_t number : numbers) ++offsets[number + 1];
  for (size_t i = 0; i < count; ++i) offsets[i + 1] += offsets[i];
  std::vector<uint32_t> items(numbers.size());
  if (std::is_sorted(numbers.begin(), numbers.end())) {  // as the classes of a sorted release are
    std::iota(items.begin(), items.end(), 0u);
    return {std::move(items), std::move(offsets)};
  }
  std::vector<uint32_t> next(offsets.begin(), offsets.end() - 1);
  for (uint32_t i = 0; i < numbers.size(); ++i) items[next[numbers[i]]++] = i;
  return {std::move(items), std::move(offsets)};
}

Classes FindClasses(const Table& release, std::span<const ColumnId> quasi, const Workers& workers) {
  std::vector<uint32_t> sizes;
  std::vector<KeyColumn> keys;
  for (const ColumnId id : quasi) {
    sizes.push_back(release.column(id).num_codes());  // one code a text
    keys.push_back({&release.column(id).codes(), {}});
  }
  TupleNumbers numbers(sizes);
  Classes classes;
  classes.of_row = numbers.Number(keys, release.num_rows(), workers);
  std::tie(classes.rows, classes.offsets) = SortByNumber(classes.of_row, numbers.count());
  return classes;
}

}  // namespace tada
