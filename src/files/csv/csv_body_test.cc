#include "files/csv/csv_body.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>

#include "files/csv/csv_testing.h"

namespace tada {
namespace {

using testing::ExactRows;
using testing::ReadRows;
using testing::Texts;
using testing::TextSource;

// Every way of reading gives what the exact machine gives.
void ExpectExact(const std::string& body, size_t width, size_t block) {
  const auto expected = ExactRows(body, width);
  for (MaskBytes* const mask_bytes : {FastestMaskBytes(), &MaskBytesPortably}) {
    EXPECT_EQ(ReadRows(body, {width, block, mask_bytes}), expected) << body;
  }
}

TEST(CsvBody, TakesQuotesAsTheExactMachineDoes) {
  for (const std::string body : {"\"a\",\"\"\n", "\"a\"\"b\",1\n", "\"a\"b,1\n", "\"a\"b\"c,1\n", "5\" pipe,1\n",
                                 "5\" pipe,\"1\n2\"\n", "\"\"\"\",\"\"\"\"\"\"\n", "a\"\"b,\"x\"\r\n", "\"a\r\nb\",c\r",
                                 "\"a,1\n", "a,\"", "\"a\"\"\n", "a,\"b\"c\"\n\",\n"}) {
    for (const size_t block : {1, 3, 1000}) ExpectExact(body, 2, block);
  }
}

TEST(CsvBody, TakesACharacterThatQuotesPart) {
  const Texts expected{{"\xC3\xA9", "1"}};
  EXPECT_EQ(ReadRows("\"\xC3\"\xA9,1\n", {}), expected);
  EXPECT_EQ(ReadRows("\xC3,\xA9\n", {}), std::nullopt);
  EXPECT_EQ(ReadRows("a,\xC3", {}), std::nullopt);
  EXPECT_EQ(ReadRows("a," + std::string(CsvScanner::kStep - 3, 'x') + "\xC3", {}), std::nullopt);
}

TEST(CsvBody, RecoversFromABlockThatEndsInQuotes) {
  std::string body;
  for (int i = 0; i < 500; ++i) body += fmt::format("{},\"line\n{}\"\"\n\"\n", i, i % 7);
  const auto expected = ExactRows(body, 2);
  ASSERT_TRUE(expected.has_value());
  for (const size_t block : {1, 10, 50, 333, 5000}) {
    for (const int threads : {1, 3}) {
      EXPECT_EQ(ReadRows(body, {.block = block, .threads = threads}), expected) << block;
    }
  }
}

TEST(CsvBody, ReadsRandomBytesAsTheExactMachineDoes) {
  EXPECT_TRUE(rc::check([] {
    static const std::vector<std::string> kPieces = {"a",
                                                     "a",
                                                     "bc",
                                                     ",",
                                                     ",",
                                                     ",",
                                                     "\"",
                                                     "\"",
                                                     "\"\"",
                                                     "\n",
                                                     "\n",
                                                     "\r",
                                                     "\r\n",
                                                     ";",
                                                     "\xC3\xA9",
                                                     "\xC3",
                                                     "\xA9",
                                                     "\xFF",
                                                     "\xE2\x82\xAC",
                                                     "long enough for a hash",
                                                     "\n\"",
                                                     "\",",
                                                     ",\"",
                                                     "\"\n",
                                                     std::string(60, 'x'),
                                                     std::string(1, '\0')};
    const auto picks = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
    ExpectExact(std::accumulate(picks.begin(), picks.end(), std::string()), *rc::gen::inRange<size_t>(1, 4),
                *rc::gen::elementOf(std::vector<size_t>{1, 2, 3, 7, 20, 64, 65, 1000}));
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

// Tables that are well-formed but for a byte, so that long stretches are read before something happens.
TEST(CsvBody, ReadsSpoiledTablesAsTheExactMachineDoes) {
  EXPECT_TRUE(rc::check([] {
    static const std::vector<std::string> kCells = {"",
                                                    "1",
                                                    "abc",
                                                    "12345678",
                                                    "123456789",
                                                    "\"\"",
                                                    "\"x,y\"",
                                                    "\"x\ny\"",
                                                    "\"x\r\ny\"",
                                                    "\"say \"\"hi\"\"\"",
                                                    "\xC3\xA9t\xC3\xA9",
                                                    "\"\xE2\x82\xAC\"",
                                                    "a cell of thirty-two bytes and more"};
    static const std::vector<std::string> kEnds = {"\n", "\r\n", "\r", "\n\n"};
    const auto width = *rc::gen::inRange<size_t>(1, 6);
    const auto end = *rc::gen::elementOf(kEnds);
    std::string body;
    for (int rows = *rc::gen::inRange(0, 300); rows > 0; --rows) {
      for (size_t i = 0; i < width; ++i) body += (i > 0 ? "," : "") + *rc::gen::elementOf(kCells);
      body += end;
    }
    if (!body.empty() && *rc::gen::arbitrary<bool>()) {
      body[*rc::gen::inRange<size_t>(0, body.size())] = *rc::gen::elementOf(std::string("a,\"\n\r\xC3\xFF"));
    }
    ExpectExact(body, width, *rc::gen::elementOf(std::vector<size_t>{1, 17, 64, 500, 4096, 1 << 20}));
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

TEST(CsvBody, KeepsWantedColumnsAndChecksTheOthers) {
  const auto read = [](const std::string& body) {
    TextSource source(body);
    NoProgress silent;
    std::vector<ColumnBuilder> builders;
    builders.emplace_back("b", ColumnOptions{});
    const auto whole = ReadCsvBody(source, 0, "t.csv", {.wanted = {false, true, false}}, Workers(1), silent, builders);
    return *whole ? std::string(builders[0].Finish()->text(0)) : "refused";
  };
  EXPECT_EQ(read("1,two,3\n"), "two");
  EXPECT_EQ(read("1,two,\xFF\n"), "refused");
  EXPECT_EQ(read("1,two\n"), "refused");
}

TEST(CsvMasks, AreTheSameOnAnyMachine) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::container<std::string>(
        192, rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::elementOf(std::string("\",;\n\r\x0B#-!"))));
    CsvMasks fast[3], portable[3];
    for (const char delimiter : {',', ';', '\t'}) {
      FastestMaskBytes()(bytes.data(), 3, delimiter, fast);
      MaskBytesPortably(bytes.data(), 3, delimiter, portable);
      RC_ASSERT(std::memcmp(fast, portable, sizeof fast) == 0);
    }
  }));
}

}  // namespace
}  // namespace tada
