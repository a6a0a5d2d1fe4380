#include "files/csv/csv_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "files/csv/csv_testing.h"

namespace tada {
namespace {

using testing::Records;
using testing::TextSource;

std::vector<std::string> BlocksOf(const std::string& text, size_t size, bool follow_quotes) {
  TextSource source(text);
  const Workers workers(1);
  NoProgress silent;
  CsvBlocks blocks(source, "t.csv", ',', FastestMaskBytes(), workers, silent, size);
  if (follow_quotes) blocks.FollowQuotes();
  std::vector<std::string> found;
  for (std::string block;;) {
    EXPECT_TRUE(blocks.Next(block).ok());
    if (block.empty()) return found;
    found.push_back(block);
  }
}

void Parse(std::string_view text, Records& records) {
  CsvMachine machine(',', records);
  machine.Feed(text);
  machine.Finish();
}

TEST(CsvBlocks, EndAtLineEnds) {
  for (const bool follow : {false, true}) {
    EXPECT_EQ(BlocksOf("a,b\nc,d\ne", 6, follow), (std::vector<std::string>{"a,b\n", "c,d\n", "e"}));
    EXPECT_EQ(BlocksOf("a\r\nb\r\n", 2, follow), (std::vector<std::string>{"a\r\n", "b\r\n"}));
    EXPECT_EQ(BlocksOf("a\rb\r", 3, follow), (std::vector<std::string>{"a\r", "b\r"}));
    EXPECT_EQ(BlocksOf("", 4, follow), std::vector<std::string>{});
  }
}

TEST(CsvBlocks, EndInsideQuotesOnlyWhereTheseAreNotFollowed) {
  const std::string text = "a,\"b\nc\"\nd,e\n";
  EXPECT_EQ(BlocksOf(text, 8, true), (std::vector<std::string>{"a,\"b\nc\"\n", "d,e\n"}));
  EXPECT_EQ(BlocksOf(text, 7, false), (std::vector<std::string>{"a,\"b\n", "c\"\nd,e\n"}));
}

TEST(CsvBlocks, GiveAgainWhatIsPutBack) {
  TextSource source("a\nb\nc\n");
  const Workers workers(1);
  NoProgress silent;
  CsvBlocks blocks(source, "t.csv", ',', FastestMaskBytes(), workers, silent, 2);
  std::string first, second, again;
  ASSERT_TRUE(blocks.Next(first).ok() && blocks.Next(second).ok());
  blocks.PutBack(second);
  blocks.PutBack(first);
  for (const std::string expected : {"a\n", "b\n", "c\n", ""}) {
    ASSERT_TRUE(blocks.Next(again).ok());
    EXPECT_EQ(again, expected);
  }
}

TEST(CsvBlocks, ParsedOneByOneGiveTheRecordsOfTheWhole) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\",,\n\r\n")));
    Records whole, parts;
    Parse(text, whole);
    std::string all;
    for (const std::string& block : BlocksOf(text, *rc::gen::inRange<size_t>(1, 12), true)) {
      all += block;
      Parse(block, parts);
    }
    RC_ASSERT(all == text);
    RC_ASSERT(parts.records == whole.records);
  }));
}

}  // namespace
}  // namespace tada
