#pragma once

// What the tests of CSV share: bytes in memory as a source, and what the reader and the exact machine make of them.

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/byte_source.h"
#include "files/csv/csv_body.h"
#include "files/csv/csv_machine.h"
#include "files/utf8.h"

namespace tada::testing {

using Texts = std::vector<std::vector<std::string>>;

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

/// Collects records.
class Records final : public CsvEvents {
 public:
  void OnByte(char byte) override { cell_ += byte; }
  void OnCell() override { record_.push_back(std::exchange(cell_, {})); }
  bool OnRecord(uint64_t, bool blank) override {
    records.push_back(std::exchange(record_, {}));
    blanks.push_back(blank);
    return true;
  }
  Texts records;
  std::vector<bool> blanks;

 private:
  std::string cell_;
  std::vector<std::string> record_;
};

/// The rows of a body of `width` columns by the exact machine; nothing if it is none.
inline std::optional<Texts> ExactRows(std::string_view body, size_t width) {
  Records records;
  CsvMachine machine(',', records);
  machine.Feed(body);
  if (machine.in_quotes()) return std::nullopt;
  machine.Finish();
  Texts rows;
  for (size_t i = 0; i < records.records.size(); ++i) {
    if (records.blanks[i] && width > 1) continue;
    if (records.records[i].size() != width) return std::nullopt;
    for (const std::string& cell : records.records[i]) {
      if (!IsUtf8(cell)) return std::nullopt;
    }
    rows.push_back(std::move(records.records[i]));
  }
  return rows;
}

/// How a body is read.
struct BodySetup {
  size_t width = 2;
  size_t block = CsvBlocks::kBlock;
  MaskBytes* mask_bytes = FastestMaskBytes();
  int threads = 1;
};

/// The same by the reader.
inline std::optional<Texts> ReadRows(const std::string& body, const BodySetup& setup) {
  TextSource source(body);
  NoProgress silent;
  const CsvShape shape{',', std::vector<bool>(setup.width, true), setup.mask_bytes};
  std::vector<ColumnBuilder> builders;
  for (size_t i = 0; i < setup.width; ++i) builders.emplace_back(std::to_string(i), ColumnOptions{});
  const auto whole = ReadCsvBody(source, 0, "t.csv", shape, Workers(setup.threads), silent, builders, setup.block);
  TADA_ASSERT(whole.ok());
  if (!*whole) return std::nullopt;
  Texts rows(builders[0].num_rows(), std::vector<std::string>(setup.width));
  for (size_t i = 0; i < setup.width; ++i) {
    const Column column = std::move(builders[i].Finish()).value();
    for (size_t row = 0; row < rows.size(); ++row) rows[row][i] = column.text(column.codes()[row]);
  }
  return rows;
}

}  // namespace tada::testing
