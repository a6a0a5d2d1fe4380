// Two texts are one sensitive value to the checker if and only if they are to the audit, whatever characters they have: the input,
// cut in two at a byte 0.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "audit/checks/folding.h"
#include "files/utf8.h"
#include "privacy/canonical_value.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const size_t cut = std::min(all.find('\0'), all.size());
  const std::string_view first = all.substr(0, cut), second = all.substr(std::min(cut + 1, all.size()));
  if (!tada::IsUtf8(first) || !tada::IsUtf8(second)) return 0;
  const bool checker = tada::CanonicalValue(first) == tada::CanonicalValue(second);
  const bool audit = tada::FoldedText(first) == tada::FoldedText(second);
  const bool missing = tada::CanonicalValue(first).empty() == tada::FoldedText(first).empty();
  if (checker == audit && missing) return 0;
  std::fprintf(stderr, "one value to the checker: %d, to the audit: %d; missing alike: %d\n", checker, audit, missing);
  std::abort();
}
