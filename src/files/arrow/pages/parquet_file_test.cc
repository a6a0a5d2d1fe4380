#include "files/arrow/pages/parquet_file.h"

#include <arrow/api.h>
#include <arrow/compute/api.h>
#include <arrow/io/memory.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>
#include <parquet/arrow/reader.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/file_reader.h>
#include <parquet/statistics.h>

#include <random>

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

ArrayPtr Json(const std::shared_ptr<arrow::DataType>& type, const std::string& json) {
  return *arrow::json::ArrayFromJSONString(type, json);
}

/// Numbers of cells in runs, as classes have them, and some alone.
std::vector<CellRun> Runs(uint32_t num_cells, size_t rows, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<CellRun> runs;
  for (size_t left = rows; left > 0;) {
    const auto length = static_cast<uint32_t>(std::min<size_t>(left, random() % 3 == 0 ? 1 : random() % 40 + 1));
    runs.push_back({static_cast<uint32_t>(random() % num_cells), length});
    left -= length;
  }
  return runs;
}

ArrayPtr Rows(const ArrayPtr& cells, const std::vector<CellRun>& runs) {
  arrow::UInt32Builder numbers;
  for (const CellRun& run : runs) {
    for (uint32_t i = 0; i < run.rows; ++i) EXPECT_TRUE(numbers.Append(run.cell).ok());
  }
  return arrow::compute::Take(cells, *numbers.Finish())->make_array();
}

std::shared_ptr<arrow::Buffer> File(const arrow::ArrayVector& cells, const std::vector<size_t>& groups, int threads) {
  std::vector<ParquetFile::Column> columns;
  for (const ArrayPtr& of_column : cells) {
    const auto field = arrow::field(std::to_string(columns.size()), of_column->type());
    columns.push_back({field, *LeavesOf(of_column, false)});
  }
  const auto stream = *arrow::io::BufferOutputStream::Create();
  auto file = *ParquetFile::Open(stream, std::move(columns));
  for (size_t group = 0; group < groups.size(); ++group) {
    const auto runs_of = [&](size_t i) {
      return Runs(static_cast<uint32_t>(cells[i]->length()), groups[group], static_cast<uint32_t>(100 * group + i));
    };
    EXPECT_TRUE(file.Write(groups[group], runs_of, Workers(threads)).ok());
  }
  file.Close();
  return *stream->Finish();
}

/// What a reader makes of the file, column by column, beside what it should.
void ExpectSame(const arrow::ArrayVector& cells, const std::vector<size_t>& groups) {
  const auto bytes = File(cells, groups, 1);
  EXPECT_TRUE(bytes->Equals(*File(cells, groups, 3)));
  auto reader =
      *parquet::arrow::OpenFile(std::make_shared<arrow::io::BufferReader>(bytes), arrow::default_memory_pool());
  const auto table = *reader->ReadTable();
  ASSERT_TRUE(table->ValidateFull().ok());
  for (size_t i = 0; i < cells.size(); ++i) {
    arrow::ArrayVector expected;
    for (size_t group = 0; group < groups.size(); ++group) {
      expected.push_back(Rows(cells[i], Runs(static_cast<uint32_t>(cells[i]->length()), groups[group],
                                             static_cast<uint32_t>(100 * group + i))));
    }
    const auto read = table->column(static_cast<int>(i));
    EXPECT_TRUE(read->type()->Equals(cells[i]->type())) << read->type()->ToString();
    EXPECT_TRUE(read->Equals(arrow::ChunkedArray(expected))) << cells[i]->type()->ToString();
  }
}

TEST(ParquetFile, HoldsTypedCellsWithNullsAndEmptyLists) {
  const auto whole = arrow::struct_({arrow::field("lo", arrow::int64()), arrow::field("hi", arrow::int64())});
  const auto named = arrow::struct_({arrow::field("lo", arrow::utf8()), arrow::field("hi", arrow::utf8())});
  const auto list = arrow::list(arrow::utf8());
  ExpectSame({Json(whole, R"([{"lo":1,"hi":5},null,{"lo":5,"hi":5},{"lo":null,"hi":null},{"lo":1,"hi":9}])"),
              Json(named, R"([{"lo":"a","hi":"b"},null,{"lo":"","hi":"b"}])"),
              Json(list, R"([["a"],["a","b"],null,[],["b","","c","d","e"],[""],["a",null]])"), Json(list, R"([null])"),
              Json(list, R"([[]])"), Json(whole, "[null]")},
             {150'000, 1, 70'000});
}

TEST(ParquetFile, HoldsEveryTypeAlsoThoseThatArrowWrites) {
  using namespace arrow;  // NOLINT(google-build-using-namespace): a list of its types
  ArrayVector cells;
  for (const auto& type :
       {int8(), int16(), int32(), int64(), uint8(), uint16(), uint32(), uint64(), float32(), float64()})
    cells.push_back(Json(type, "[1, null, 2, 100]"));
  for (const auto& type :
       {date32(), timestamp(TimeUnit::MILLI), timestamp(TimeUnit::MICRO, "UTC"), timestamp(TimeUnit::NANO)})
    cells.push_back(Json(type, "[0, null, 86400000]"));
  for (const auto& type : {utf8(), large_utf8()}) cells.push_back(Json(type, R"(["", null, "x", "a longer one"])"));
  for (const auto& type : {decimal128(30, 2), decimal256(50, 2)})
    cells.push_back(Json(type, R"(["1.50", null, "-0.07"])"));
  cells.push_back(Json(boolean(), "[true, false, null]"));
  cells.push_back(Json(null(), "[null, null]"));
  cells.push_back(Json(dictionary(int32(), utf8()), R"(["b", null, "a"])"));
  const auto money = decimal128(9, 2);
  cells.push_back(Json(struct_({field("lo", money), field("hi", money)}),
                       R"([{"lo":"1.00","hi":"2.50"},null,{"lo":null,"hi":null}])"));
  ExpectSame(cells, {70'000, 20});
}

TEST(ParquetFile, BeginsAPageWithinARunAndAfterALongList) {
  arrow::ListBuilder lists(arrow::default_memory_pool(), std::make_shared<arrow::StringBuilder>());
  auto& elements = static_cast<arrow::StringBuilder&>(*lists.value_builder());
  for (const int length : {1, 3, 1'000, 200'000}) {
    ASSERT_TRUE(lists.Append().ok());
    for (int i = 0; i < length; ++i) ASSERT_TRUE(elements.Append(std::to_string(i % 1'500)).ok());
  }
  ExpectSame({*lists.Finish()}, {60});
}

TEST(ParquetFile, LeavesManyValuesToArrow) {
  arrow::Int64Builder numbers;
  arrow::StringBuilder texts;
  for (int64_t i = 0; i < 300'000; ++i) {
    ASSERT_TRUE(i % 1'000 == 7 ? numbers.AppendNull().ok() : numbers.Append(i * 7919).ok());
    ASSERT_TRUE(texts.Append("text " + std::to_string(i)).ok());
  }
  const ArrayPtr number = *numbers.Finish();
  const auto both = *arrow::StructArray::Make({number, number}, std::vector<std::string>{"lo", "hi"});
  ExpectSame({number, *texts.Finish(), both}, {400'000});
}

// Dictionaries tell of no value that no row of the row group shows, and statistics of none that is in the file.
TEST(ParquetFile, HasInEachRowGroupOnlyWhatItsRowsShow) {
  const auto cells = Json(arrow::utf8(), R"(["z", "never", "a", "m", null])");
  std::vector<ParquetFile::Column> columns;
  columns.push_back({arrow::field("text", arrow::utf8()), *LeavesOf(cells, true)});
  const auto stream = *arrow::io::BufferOutputStream::Create();
  auto file = *ParquetFile::Open(stream, std::move(columns));
  const std::vector<std::vector<CellRun>> groups = {{{3, 20}, {0, 5}, {3, 1}}, {{4, 3}}, {{2, 1}, {4, 2}}};
  for (const auto& runs : groups) {
    size_t rows = 0;
    for (const CellRun& run : runs) rows += run.rows;
    ASSERT_TRUE(file.Write(rows, [&](size_t) { return runs; }, Workers(1)).ok());
  }
  file.Close();
  const auto bytes = *stream->Finish();
  EXPECT_EQ(bytes->ToString().find("never"), std::string::npos);
  const auto reader = parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(bytes));
  const auto metadata = reader->metadata();
  const auto statistics = [&](int group) { return metadata->RowGroup(group)->ColumnChunk(0)->statistics(); };
  EXPECT_EQ(statistics(0)->EncodeMin(), "m");
  EXPECT_EQ(statistics(0)->EncodeMax(), "z");
  EXPECT_EQ(statistics(0)->null_count(), 0);
  EXPECT_FALSE(statistics(1)->HasMinMax());
  EXPECT_EQ(statistics(1)->null_count(), 3);
  EXPECT_EQ(statistics(2)->EncodeMax(), "a");
  const std::vector<std::vector<std::string>> entries = {{"m", "z"}, {}, {"a"}};
  for (int group = 0; group < 3; ++group) {
    const auto pages = reader->RowGroup(group)->GetColumnPageReader(0);
    const auto page = std::static_pointer_cast<parquet::DictionaryPage>(pages->NextPage());
    ASSERT_EQ(page->type(), parquet::PageType::DICTIONARY_PAGE);
    std::string expected;
    for (const std::string& entry : entries[static_cast<size_t>(group)]) expected += std::string("\1\0\0\0", 4) + entry;
    EXPECT_EQ(page->buffer()->ToString(), expected);
  }
}

}  // namespace
}  // namespace tada
