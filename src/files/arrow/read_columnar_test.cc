#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/json/from_string.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "files/arrow/arrow_testing.h"
#include "files/arrow/arrow_types.h"

namespace tada {
namespace {

using testing::AsItIs;
using testing::Bytes;
using testing::Folder;
using testing::Publish;
using testing::Read;

std::shared_ptr<arrow::Array> Strings(const std::vector<std::string>& texts) {
  arrow::StringBuilder builder;
  EXPECT_TRUE(builder.AppendValues(texts).ok());
  EXPECT_TRUE(builder.AppendNull().ok());
  return *builder.Finish();
}

struct Case {
  std::shared_ptr<arrow::DataType> type;
  std::vector<std::string> texts;
};

std::vector<Case> AllTypes() {
  using namespace arrow;  // NOLINT(google-build-using-namespace): a list of its types
  std::vector<Case> cases;
  for (const auto& type : {int8(), int16(), int32(), int64()}) cases.push_back({type, {"-7", "12"}});
  for (const auto& type : {uint8(), uint16(), uint32(), uint64()}) cases.push_back({type, {"0", "200"}});
  cases.push_back({int64(), {"-9223372036854775808", "9007199254740993"}});
  cases.push_back({uint64(), {"18446744073709551615", "1"}});
  cases.push_back({float16(), {"0.5", "-2"}});
  cases.push_back({float32(), {"0.1", "1e+20"}});
  cases.push_back({float64(), {"0.1", "-1.7976931348623157e+308"}});
  cases.push_back({decimal32(5, 2), {"1.50", "-0.07"}});
  cases.push_back({decimal64(12, 1), {"12345678901.5", "0.0"}});
  cases.push_back({decimal128(38, 10), {"1234567890123456789012345678.0000000001", "-0.0000000001"}});
  cases.push_back({decimal256(50, 3), {"1.500", "-99999999999999999999999999999999999999999999999.999"}});
  cases.push_back({date32(), {"1969-12-31", "2024-02-29"}});
  cases.push_back({date64(), {"0001-01-01", "9999-12-31"}});
  cases.push_back({timestamp(TimeUnit::SECOND), {"1969-12-31T23:59:59", "2024-02-29T12:30:00"}});
  cases.push_back({timestamp(TimeUnit::MILLI), {"1969-12-31T23:59:59.999", "2024-02-29T12:30:00"}});
  cases.push_back({timestamp(TimeUnit::MICRO, "Europe/Rome"), {"2024-02-29T12:30:00.25Z", "2024-02-29T12:30:00Z"}});
  cases.push_back({timestamp(TimeUnit::NANO, "UTC"), {"2024-02-29T12:30:00.000000001Z", "1960-01-01T00:00:00Z"}});
  cases.push_back({boolean(), {"true", "false"}});
  for (const auto& type : {utf8(), large_utf8(), utf8_view()}) cases.push_back({type, {"CA", "a \"b\", c"}});
  cases.push_back({dictionary(int8(), utf8()), {"CA", "MN"}});
  cases.push_back({dictionary(uint16(), int64()), {"3", "-4"}});
  return cases;
}

// A table with a column of every type, named by number; each has two values and a null.
std::shared_ptr<arrow::Table> TableOf(const std::vector<Case>& cases) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const Case& one : cases) {
    auto array = Strings(one.texts);
    if (one.type->id() == arrow::Type::DICTIONARY) {
      const auto& type = static_cast<const arrow::DictionaryType&>(*one.type);
      const auto values = *arrow::compute::Cast(*array->Slice(0, 2), type.value_type());
      arrow::Int64Builder indices;
      EXPECT_TRUE(indices.AppendValues({0, 1}).ok() && indices.AppendNull().ok());
      array = *arrow::DictionaryArray::FromArrays(one.type,
                                                  *arrow::compute::Cast(**indices.Finish(), type.index_type()), values);
    } else {
      array = *arrow::compute::Cast(*array, one.type);
    }
    fields.push_back(arrow::field(std::to_string(fields.size()), one.type));
    arrays.push_back(array);
  }
  return arrow::Table::Make(arrow::schema(fields), arrays);
}

// Cells of releases: intervals and sets, some null or empty.
std::shared_ptr<arrow::Table> TypedCells() {
  const auto interval = arrow::struct_({arrow::field("lo", arrow::int64()), arrow::field("hi", arrow::int64())});
  const auto set = arrow::list(arrow::utf8());
  const auto schema = arrow::schema({arrow::field("age", interval), arrow::field("job", set)});
  return arrow::Table::Make(
      schema, {*arrow::json::ArrayFromJSONString(interval, R"([{"lo":1,"hi":5},{"lo":1,"hi":5},null,{"lo":2,"hi":2}])"),
               *arrow::json::ArrayFromJSONString(set, R"([["a","b"],null,[],["c"]])")});
}

void WriteIpc(const arrow::Table& table, const std::string& path, bool stream) {
  const auto file = *arrow::io::FileOutputStream::Open(path);
  const auto writer =
      stream ? *arrow::ipc::MakeStreamWriter(file, table.schema()) : *arrow::ipc::MakeFileWriter(file, table.schema());
  ASSERT_TRUE(writer->WriteTable(table).ok() && writer->Close().ok() && file->Close().ok());
}

void WriteParquetFile(const arrow::Table& table, const std::string& path) {
  const auto file = *arrow::io::FileOutputStream::Open(path);
  const auto keep_types = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  ASSERT_TRUE(parquet::arrow::WriteTable(table, arrow::default_memory_pool(), file, 2,
                                         parquet::default_writer_properties(), keep_types)
                  .ok());
  ASSERT_TRUE(file->Close().ok());
}

void ExpectAll(const std::string& path, const std::vector<Case>& cases) {
  const auto read = Read(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->table.num_columns(), cases.size());
  for (ColumnId i = 0; i < cases.size(); ++i) {
    const Column& column = read->table.column(i);
    std::vector<std::string> texts;
    for (size_t row = 0; row < column.num_rows(); ++row) texts.emplace_back(column.text(column.codes()[row]));
    EXPECT_EQ(texts, (std::vector<std::string>{cases[i].texts[0], cases[i].texts[1], ""}))
        << path << " " << cases[i].type->ToString();
    EXPECT_TRUE(column.is_missing(column.codes()[2]));
    EXPECT_TRUE(TypeFromDetail(column.type_detail())->Equals(*cases[i].type))
        << path << " " << cases[i].type->ToString();
  }
}

TEST(ReadColumnar, ReadsEveryTypeAndWritesItBack) {
  const Folder folder;
  const std::vector<Case> cases = AllTypes();
  const auto table = TableOf(cases);
  WriteIpc(*table, folder / "t.arrow", false);
  WriteIpc(*table, folder / "stream.arrow", true);
  for (const char* name : {"t.arrow", "stream.arrow"}) ExpectAll(folder / name, cases);
  const auto read = Read(folder / "t.arrow");
  ASSERT_TRUE(Publish(AsItIs(read->table), folder / "u.arrow").ok());
  ExpectAll(folder / "u.arrow", cases);
  EXPECT_EQ(*ArrowFiles().Header(folder / "stream.arrow", {}), table->schema()->field_names());
}

TEST(ReadColumnar, ReadsAndWritesTheTypesOfParquet) {
  const Folder folder;
  std::vector<Case> cases = AllTypes();
  // Parquet itself stores these as others, and strings in dictionaries of its own.
  std::erase_if(cases, [](const Case& one) {
    return one.type->id() == arrow::Type::DATE64 || one.type->Equals(*arrow::timestamp(arrow::TimeUnit::SECOND)) ||
           one.type->id() == arrow::Type::DICTIONARY || one.type->id() == arrow::Type::DECIMAL32 ||
           one.type->id() == arrow::Type::DECIMAL64;
  });
  const auto table = TableOf(cases);
  WriteParquetFile(*table, folder / "t.parquet");
  ExpectAll(folder / "t.parquet", cases);
  ASSERT_TRUE(Publish(AsItIs(Read(folder / "t.parquet")->table), folder / "u.parquet").ok());
  ExpectAll(folder / "u.parquet", cases);
  EXPECT_EQ(*ArrowFiles().Header(folder / "t.parquet", {}), table->schema()->field_names());
}

TEST(ReadColumnar, NamesAColumnThatHasNoTexts) {
  const Folder folder;
  arrow::BinaryBuilder builder;
  ASSERT_TRUE(builder.Append("x").ok());
  const auto table = arrow::Table::Make(arrow::schema({arrow::field("photo", arrow::binary())}), {*builder.Finish()});
  WriteIpc(*table, folder / "t.arrow", false);
  WriteParquetFile(*table, folder / "t.parquet");
  for (const char* name : {"t.arrow", "t.parquet"}) {
    const auto read = Read(folder / name);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, ErrorCode::kData);
    EXPECT_NE(read.error().message.find("column photo"), std::string::npos);
    ReadOptions none;
    none.columns = std::vector<std::string>{};
    EXPECT_TRUE(Read(folder / name, none).ok());  // what is not asked for does no harm
  }
}

TEST(ReadColumnar, TakesNotANumberForMissing) {
  const Folder folder;
  arrow::DoubleBuilder builder;
  ASSERT_TRUE(builder.AppendValues({1.5, std::nan("")}).ok());
  WriteIpc(*arrow::Table::Make(arrow::schema({arrow::field("x", arrow::float64())}), {*builder.Finish()}),
           folder / "t.arrow", false);
  const auto read = Read(folder / "t.arrow");
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->table.column(0).is_numeric());
  EXPECT_TRUE(read->table.column(0).is_missing(read->table.column(0).codes()[1]));
}

TEST(ReadColumnar, NeverCrashesOnDamage) {
  const Folder folder;
  const auto table = TableOf({{arrow::int64(), {"1", "2"}},
                              {arrow::utf8(), {"a", "b"}},
                              {arrow::dictionary(arrow::int8(), arrow::utf8()), {"a", "b"}}});
  WriteIpc(*table, folder / "t.arrow", false);
  WriteIpc(*table, folder / "s.arrow", true);
  WriteParquetFile(*table, folder / "t.parquet");
  WriteParquetFile(*TypedCells(), folder / "cells.parquet");
  for (const char* name : {"t.arrow", "s.arrow", "t.parquet", "cells.parquet"}) {
    const std::string good = Bytes(folder / name);
    const std::string path = folder / (std::string("bad_") + name);
    const auto check = [&](const std::string& bytes) {
      folder.Write(std::string("bad_") + name, bytes);
      const auto read = Read(path, {}, 1);
      if (read.ok()) return;
      ASSERT_EQ(read.error().code, ErrorCode::kData);
      ASSERT_NE(read.error().message.find(path), std::string::npos) << read.error().message;
    };
    for (size_t length = 0; length < good.size(); length += 61) check(good.substr(0, length));
    for (size_t at = 0; at < good.size(); at += 11) {
      for (const char flip : {'\x01', '\x80', '\xFF'}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        check(bad);
      }
    }
    EXPECT_FALSE(Read(folder.Write(std::string("bad_") + name, "")).ok());
  }
}

}  // namespace
}  // namespace tada
