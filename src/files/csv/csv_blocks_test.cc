#include "files/csv/csv_blocks.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <string>
#include <vector>

#include "files/csv/csv_machine.h"

namespace tada {
namespace {

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  Result<size_t> Read(char* out, size_t count) override {
    count = std::min(count, text_.size() - at_);
    std::memcpy(out, text_.data() + at_, count);
    at_ += count;
    return count;
  }
  Status Rewind() override {
    at_ = 0;
    return Ok();
  }
  uint64_t stored_size() const override { return text_.size(); }
  uint64_t stored_position() const override { return at_; }
  Status CheckUnchanged() const override { return Ok(); }

 private:
  std::string text_;
  size_t at_ = 0;
};

std::vector<std::string> BlocksOf(const std::string& text, size_t size) {
  TextSource source(text);
  const Workers workers(1);
  NoProgress silent;
  CsvBlocks blocks(source, "t.csv", ',', workers, silent, size);
  std::vector<std::string> found;
  for (;;) {
    std::string block = *blocks.Next();
    if (block.empty()) return found;
    found.push_back(std::move(block));
  }
}

class Records final : public CsvEvents {
 public:
  void OnByte(char byte) override { cell_ += byte; }
  void OnCell() override { record_.push_back(std::exchange(cell_, {})); }
  bool OnRecord(uint64_t, bool) override {
    records.push_back(std::exchange(record_, {}));
    return true;
  }
  std::vector<std::vector<std::string>> records;

 private:
  std::string cell_;
  std::vector<std::string> record_;
};

void Parse(std::string_view text, Records& records) {
  CsvMachine machine(',', records);
  machine.Feed(text);
  machine.Finish();
}

TEST(CsvBlocks, EndAtLineEnds) {
  EXPECT_EQ(BlocksOf("a,b\nc,d\ne", 6), (std::vector<std::string>{"a,b\n", "c,d\n", "e"}));
  EXPECT_EQ(BlocksOf("a\r\nb\r\n", 2), (std::vector<std::string>{"a\r\n", "b\r\n"}));
  EXPECT_EQ(BlocksOf("", 4), std::vector<std::string>{});
}

TEST(CsvBlocks, DoNotEndInsideQuotes) {
  EXPECT_EQ(BlocksOf("a,\"b\nc\"\nd,e\n", 7), (std::vector<std::string>{"a,\"b\nc\"\n", "d,e\n"}));
}

TEST(CsvBlocks, ParsedOneByOneGiveTheRecordsOfTheWhole) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\"\",,\n\r\n")));
    Records whole, parts;
    Parse(text, whole);
    std::string all;
    for (const std::string& block : BlocksOf(text, *rc::gen::inRange<size_t>(1, 12))) {
      all += block;
      Parse(block, parts);
    }
    RC_ASSERT(all == text);
    RC_ASSERT(parts.records == whole.records);
  }));
}

}  // namespace
}  // namespace tada
