#include "recode/rare_values.h"

#include <algorithm>

namespace tada {

RareValues::RareValues(const Column& column, uint64_t least) {
  if (least < 2 || column.is_numeric()) return;
  std::vector<uint64_t> rows(column.num_values(), 0);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows[column.value_id(code)];
  });
  rare_.resize(column.num_codes());
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const uint64_t own = rows[column.value_id(code)];
    rare_[code] = own > 0 && own < least ? 1 : 0;
    count_ += rare_[code];
  }
}

bool RareValues::HasAny(std::span<const Code> codes) const {
  return !rare_.empty() && std::any_of(codes.begin(), codes.end(), [&](Code code) { return rare_[code] != 0; });
}

}  // namespace tada
