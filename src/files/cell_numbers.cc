#include "files/cell_numbers.h"

#include "recode/release.h"

namespace tada {

uint32_t TextPool::Intern(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const std::string& kept = texts_.emplace_back(text);
  return numbers_.emplace(kept, static_cast<uint32_t>(texts_.size())).first->second;
}

uint32_t IntervalNumbers::Number(uint32_t low, uint32_t high) {
  const uint64_t key = static_cast<uint64_t>(low) << 32 | high;
  const auto found = seen_.find(key);
  if (found != seen_.end()) return found->second;
  uint32_t number = 0;
  if (low == 0 && high == 0) {
    number = builder_.InternNull();
  } else if (low == high) {
    number = builder_.Intern(bounds_.text(low));
  } else {
    number = builder_.Intern(IntervalCell(bounds_.text(low), bounds_.text(high), Writing()));
  }
  return seen_.emplace(key, number).first->second;
}

uint32_t SetNumbers::Number(std::span<const uint32_t> elements) {
  const std::string_view key(reinterpret_cast<const char*>(elements.data()), elements.size_bytes());
  const auto found = seen_.find(key);
  if (found != seen_.end()) return found->second;
  std::string text;
  if (elements.size() == 1) {
    text = SingleCellText(elements_.text(elements[0]));
  } else {
    for (const uint32_t element : elements) {
      text += text.empty() ? '{' : ',';
      text += SetElementText(elements_.text(element));
    }
    text += elements.empty() ? "{}" : "}";
  }
  const std::string& kept = keys_.emplace_back(key);
  return seen_.emplace(kept, builder_.Intern(text)).first->second;
}

}  // namespace tada
