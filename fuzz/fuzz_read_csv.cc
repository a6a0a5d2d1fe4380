// Any bytes are the same table to the fast reader of CSV as to the exact machine (files/csv/csv_machine.h), or none to both: in
// blocks of any size, with the processor's vectors and without. The first byte chooses the block and the number of columns.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "files/csv/csv_testing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t width = 1 + data[0] % 4, block = size_t{1} << data[0] / 4 % 16;
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto expected = tada::testing::ExactRows(body, width);
  for (tada::MaskBytes* const mask_bytes : {tada::FastestMaskBytes(), &tada::MaskBytesPortably}) {
    if (tada::testing::ReadRows(body, {width, block, mask_bytes}) == expected) continue;
    std::fprintf(stderr, "the reader and the machine differ: width=%zu, block=%zu\n", width, block);
    std::abort();
  }
  return 0;
}
