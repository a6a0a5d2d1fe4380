#include "table/codes.h"

namespace tada {
namespace {

// The place in the variant of the smallest integer that holds codes below this.
size_t WidthFor(Code num_codes) { return num_codes <= 0x100 ? 0 : num_codes <= 0x10000 ? 1 : 2; }

}  // namespace

Codes::Codes(size_t size, Code num_codes) {
  const size_t width = WidthFor(num_codes);
  if (width == 0) {
    codes_ = std::vector<uint8_t>(size);
  } else if (width == 1) {
    codes_ = std::vector<uint16_t>(size);
  } else {
    codes_ = std::vector<uint32_t>(size);
  }
}

void Codes::Widen(Code num_codes) {
  if (WidthFor(num_codes) <= codes_.index()) return;
  std::visit(
      [&](auto& narrow) {
        Codes wide(0, num_codes);
        wide.Reserve(narrow.capacity());
        std::visit([&](auto& codes) { codes.assign(narrow.begin(), narrow.end()); }, wide.codes_);
        *this = std::move(wide);
      },
      codes_);
}

void Codes::Append(std::span<const Code> added, Code num_codes) {
  Widen(num_codes);
  std::visit(
      [&](auto& codes) {
        using Narrow = typename std::decay_t<decltype(codes)>::value_type;
        const size_t before = codes.size();
        codes.resize(before + added.size());
        for (size_t i = 0; i < added.size(); ++i) codes[before + i] = static_cast<Narrow>(added[i]);
      },
      codes_);
}

void Codes::Renumber(std::span<const Code> codes, Code num_codes) {
  Widen(num_codes);
  Visit([&](auto rows) {
    using Narrow = typename decltype(rows)::value_type;
    for (Narrow& row : rows) row = static_cast<Narrow>(codes[row]);
  });
  if (WidthFor(num_codes) == codes_.index()) return;
  Codes narrow(size(), num_codes);
  Visit([&](auto wide) {
    narrow.Visit([&](auto rows) {
      using Narrow = typename decltype(rows)::value_type;
      for (size_t row = 0; row < rows.size(); ++row) rows[row] = static_cast<Narrow>(wide[row]);
    });
  });
  *this = std::move(narrow);
}

}  // namespace tada
