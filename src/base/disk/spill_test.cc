#include "base/disk/spill.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <vector>

namespace tada {
namespace {

namespace fs = std::filesystem;

class SpillTest : public ::testing::Test {
 protected:
  SpillTest() : folder_(fs::path(::testing::TempDir()) / fmt::format("spill-{}", ::getpid())) {
    fs::create_directory(folder_);
  }
  ~SpillTest() override { fs::remove_all(folder_); }
  std::vector<fs::path> Entries() const { return {fs::directory_iterator(folder_), fs::directory_iterator()}; }
  const fs::path folder_;
};

TEST_F(SpillTest, HasAFolderThatNobodyElseMayOpenAndRemovesIt) {
  {
    const auto spill = Spill::Open(folder_, 64 << 20);
    ASSERT_TRUE(spill.ok());
    ASSERT_EQ(Entries().size(), 1u);
    struct stat seen{};
    ASSERT_EQ(::stat(Entries()[0].c_str(), &seen), 0);
    EXPECT_EQ(seen.st_mode & 0777, 0700u);
    EXPECT_EQ(Spill::Budget(), 64u << 20);
    EXPECT_TRUE(fs::is_empty(Entries()[0])) << "the file has no name, so that a killed run leaves no data";
  }
  EXPECT_TRUE(Entries().empty());
  EXPECT_EQ(Spill::Budget(), 0u);
}

TEST_F(SpillTest, KeepsWhatIsWrittenWhileLittleOfItIsInMemory) {
  const auto spill = Spill::Open(folder_, 64 << 20);
  ASSERT_TRUE(spill.ok());
  constexpr size_t kBytes = 8 << 20;
  std::vector<unsigned char*> blocks;
  for (int i = 0; i < 40; ++i) {
    blocks.push_back(static_cast<unsigned char*>(AllocateSpilled(kBytes)));
    ASSERT_TRUE(IsSpilled(blocks.back()));
    std::memset(blocks.back(), i + 1, kBytes);
    if (i % 3 == 2) {  // holes, to be filled again
      FreeSpilled(blocks[blocks.size() - 2]);
      blocks.erase(blocks.end() - 2);
    }
  }
  int last = 0;
  for (unsigned char* block : blocks) {
    const int value = block[0];
    EXPECT_GT(value, last);
    last = value;
    for (size_t at = 0; at < kBytes; at += 4096) ASSERT_EQ(block[at], value);
    FreeSpilled(block);
  }
}

TEST_F(SpillTest, BlocksMayOutliveIt) {
  auto spill = Spill::Open(folder_, 64 << 20);
  ASSERT_TRUE(spill.ok());
  auto* const block = static_cast<char*>(AllocateSpilled(kLargeBlock));
  block[100] = 'x';
  spill->reset();
  EXPECT_EQ(block[100], 'x');
  EXPECT_EQ(AllocateSpilled(kLargeBlock), nullptr) << "no spill is open";
  FreeSpilled(block);
}

TEST_F(SpillTest, RemovesTheFolderOfAKilledRunAndLeavesOthersAlone) {
  fs::create_directory(folder_ / ".tada-spill-1-00000001");
  fs::create_directory(folder_ / "mine");
  const auto first = Spill::Open(folder_, 64 << 20);
  ASSERT_TRUE(first.ok());
  EXPECT_FALSE(fs::exists(folder_ / ".tada-spill-1-00000001"));
  EXPECT_TRUE(fs::exists(folder_ / "mine"));
}

TEST(Spill, ByDefaultIsForRunsThatNeedMoreThanHalfOfTheMemory) {
  const uint64_t half = Spill::DefaultBudget(UINT64_MAX);
  EXPECT_GT(half, 0u);
  EXPECT_LE(half, static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2);
  EXPECT_EQ(Spill::DefaultBudget(half), 0u);
  EXPECT_EQ(Spill::DefaultBudget(half + 1), half);
  EXPECT_EQ(Spill::DefaultBudget(0), 0u);
}

TEST_F(SpillTest, SaysWhereItCannotWrite) {
  const auto spill = Spill::Open(folder_ / "none", 64 << 20);
  ASSERT_FALSE(spill.ok());
  EXPECT_NE(spill.error().message.find("none"), std::string::npos);
}

}  // namespace
}  // namespace tada
