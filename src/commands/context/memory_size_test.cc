#include "commands/context/memory_size.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(MemorySize, ReadsUnitsAndWritesTheLargest) {
  EXPECT_EQ(*MemoryOf("512MB"), uint64_t{512} << 20);
  EXPECT_EQ(*MemoryOf("2 gb"), uint64_t{2} << 30);
  EXPECT_EQ(*MemoryOf("1500000000"), 1'500'000'000u);
  EXPECT_EQ(MemoryText(uint64_t{4} << 30), "4GB");
  EXPECT_EQ(MemoryText(uint64_t{1536} << 20), "1536MB");
  EXPECT_EQ(MemoryText(1'500'000'001), "1500000001");
}

TEST(MemorySize, RefusesWhatIsNoSizeOrTooSmall) {
  for (const char* text : {"", "MB", "much", "-1GB", "5XB"}) EXPECT_FALSE(MemoryOf(text).ok()) << text;
  EXPECT_FALSE(MemoryOf("1MB").ok());
}

}  // namespace
}  // namespace tada
