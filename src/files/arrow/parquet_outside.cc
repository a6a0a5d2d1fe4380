// What a Parquet file holds beside its cells. Pages are walked one by one; whatever bytes of the file belong to no page, index or
// footer are listed as they are.

#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/api.h>
#include <arrow/util/base64.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/bloom_filter.h>
#include <parquet/column_page.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "files/arrow/levels_left.h"
#include "files/arrow/outside.h"
#include "table/value_text.h"

namespace tada {
namespace {

constexpr int64_t kBatch = 1 << 14;

// A stored value as bytes, and its text.
template <class Number>
std::string BytesOf(const Number& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string StoredText(const parquet::ColumnDescriptor& column, const std::string& bytes) {
  std::string scratch;
  std::string_view text = bytes;
  const auto number = [&]<class Number>(Number value) {
    if (bytes.size() != sizeof value) return;
    std::memcpy(&value, bytes.data(), sizeof value);
    if constexpr (std::is_same_v<Number, int32_t>) {
      if (column.logical_type()->is_date()) return static_cast<void>(DateText(value, scratch, text));
    }
    NumberText(value, scratch, text);
  };
  switch (column.physical_type()) {
    case parquet::Type::INT32:
      number(int32_t{});
      break;
    case parquet::Type::INT64:
      number(int64_t{});
      break;
    case parquet::Type::FLOAT:
      number(float{});
      break;
    case parquet::Type::DOUBLE:
      number(double{});
      break;
    default:
      break;
  }
  return std::string(text);
}

// The different values of a column chunk, as the cells have them.
template <class Type>
std::set<std::string> ValuesOfPage(parquet::ColumnReader& reader, const parquet::ColumnChunkMetaData& chunk) {
  const parquet::ColumnDescriptor& column = *reader.descr();
  using Value = typename Type::c_type;
  auto& typed = static_cast<parquet::TypedColumnReader<Type>&>(reader);
  std::set<std::string> found;
  std::vector<int16_t> definition(kBatch), repetition(kBatch);
  const auto values = std::make_unique<Value[]>(kBatch);
  for (int64_t levels = 0; HasLevelsLeft(reader, chunk, levels);) {
    int64_t read = 0;
    levels += typed.ReadBatch(kBatch, definition.data(), repetition.data(), values.get(), &read);
    for (int64_t i = 0; i < read; ++i) {
      if constexpr (std::is_same_v<Value, parquet::ByteArray>) {
        found.emplace(reinterpret_cast<const char*>(values[i].ptr), values[i].len);
      } else if constexpr (std::is_same_v<Value, parquet::FixedLenByteArray>) {
        found.emplace(reinterpret_cast<const char*>(values[i].ptr), static_cast<size_t>(column.type_length()));
      } else {
        found.insert(BytesOf(values[i]));
      }
    }
  }
  return found;
}

std::set<std::string> ValuesOfPage(parquet::ColumnReader& reader, const parquet::ColumnChunkMetaData& chunk) {
  switch (reader.type()) {
    case parquet::Type::BOOLEAN:
      return ValuesOfPage<parquet::BooleanType>(reader, chunk);
    case parquet::Type::INT32:
      return ValuesOfPage<parquet::Int32Type>(reader, chunk);
    case parquet::Type::INT64:
      return ValuesOfPage<parquet::Int64Type>(reader, chunk);
    case parquet::Type::INT96:
      return ValuesOfPage<parquet::Int96Type>(reader, chunk);
    case parquet::Type::FLOAT:
      return ValuesOfPage<parquet::FloatType>(reader, chunk);
    case parquet::Type::DOUBLE:
      return ValuesOfPage<parquet::DoubleType>(reader, chunk);
    case parquet::Type::BYTE_ARRAY:
      return ValuesOfPage<parquet::ByteArrayType>(reader, chunk);
    case parquet::Type::FIXED_LEN_BYTE_ARRAY:
      return ValuesOfPage<parquet::FLBAType>(reader, chunk);
    default:
      return {};
  }
}

// The entries of a dictionary page, plainly encoded.
std::vector<std::string> EntriesOfPage(const parquet::DictionaryPage& page, const parquet::ColumnDescriptor& column) {
  std::vector<std::string> entries;
  std::string_view bytes(reinterpret_cast<const char*>(page.data()), static_cast<size_t>(page.size()));
  const auto take = [&](size_t size) {
    const std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(taken.size());
    return std::string(taken);
  };
  for (int32_t i = 0; i < page.num_values() && !bytes.empty(); ++i) {
    switch (column.physical_type()) {
      case parquet::Type::INT32:
      case parquet::Type::FLOAT:
        entries.push_back(take(4));
        break;
      case parquet::Type::INT96:
        entries.push_back(take(12));
        break;
      case parquet::Type::FIXED_LEN_BYTE_ARRAY:
        entries.push_back(take(static_cast<size_t>(column.type_length())));
        break;
      case parquet::Type::BYTE_ARRAY: {
        uint32_t size = 0;
        std::memcpy(&size, take(4).data(), sizeof size);
        entries.push_back(take(size));
        break;
      }
      default:
        entries.push_back(take(8));
        break;
    }
  }
  if (!bytes.empty()) entries.emplace_back(bytes);
  return entries;
}

// Whether it is a zero that cells have with the other sign: statistics say -0 of the least zero and +0 of the largest, as Parquet asks.
bool IsZeroAmong(const std::set<std::string>& values, std::string value, const parquet::ColumnDescriptor& column) {
  const auto type = column.physical_type();
  if (value.empty() || (type != parquet::Type::FLOAT && type != parquet::Type::DOUBLE)) return false;
  const auto last = static_cast<unsigned char>(value.back());
  const bool zero = (last & 0x7F) == 0 && std::all_of(value.begin(), value.end() - 1, [](char c) { return c == 0; });
  if (!zero) return false;
  value.back() = static_cast<char>(last ^ 0x80);
  return values.contains(value);
}

class ParquetWalk {
 public:
  ParquetWalk(std::shared_ptr<arrow::io::RandomAccessFile> file, OutsideList& list)
      : file_(std::move(file)), list_(list), reader_(parquet::ParquetFileReader::Open(file_)) {}

  arrow::Status Run() {
    const parquet::FileMetaData& metadata = *reader_->metadata();
    ARROW_ASSIGN_OR_RAISE(const int64_t size, file_->GetSize());
    Cover(0, 4);
    Cover(size - 8 - metadata.size(), size);
    if (const std::string& by = metadata.created_by(); !by.starts_with("parquet-cpp-arrow version "))
      list_.AddBytes("name of the program that made it", by);
    ARROW_RETURN_NOT_OK(AddMetadata(metadata.key_value_metadata().get()));
    for (int group = 0; group < metadata.num_row_groups(); ++group) {
      const auto rows = reader_->RowGroup(group);
      for (int column = 0; column < metadata.num_columns(); ++column) ARROW_RETURN_NOT_OK(WalkChunk(*rows, column));
    }
    return AddGaps(size);
  }

 private:
  void Cover(int64_t begin, int64_t end) {
    if (end > begin) covered_.emplace(begin, end);
  }

  arrow::Status AddMetadata(const arrow::KeyValueMetadata* metadata) {
    if (metadata == nullptr) return arrow::Status::OK();
    for (int64_t i = 0; i < metadata->size(); ++i) {
      if (metadata->key(i) != "ARROW:schema") {
        list_.AddMetadata("", metadata->key(i), metadata->value(i));
        continue;
      }
      // What Arrow keeps of its schema: types, and metadata of its own, which may differ from what the file says elsewhere.
      ARROW_ASSIGN_OR_RAISE(const std::string bytes, arrow::util::base64_decode(metadata->value(i)));
      arrow::io::BufferReader stream(arrow::Buffer::FromString(bytes));
      arrow::ipc::DictionaryMemo memo;
      ARROW_ASSIGN_OR_RAISE(const auto schema, arrow::ipc::ReadSchema(&stream, &memo));
      list_.AddSchema(*schema);
    }
    return arrow::Status::OK();
  }

  arrow::Status WalkChunk(parquet::RowGroupReader& rows, int index) {
    const auto chunk = rows.metadata()->ColumnChunk(index);
    const parquet::ColumnDescriptor& column = *reader_->metadata()->schema()->Column(index);
    const std::string name = column.path()->ToDotString();
    const std::set<std::string> values = ValuesOfPage(*rows.Column(index), *chunk);
    if (const auto& own = chunk->key_value_metadata()) {
      for (int64_t i = 0; i < own->size(); ++i) list_.AddMetadata(" of column " + name, own->key(i), own->value(i));
    }
    const auto add = [&](std::string_view what, const std::string& value) {
      if (values.contains(value) || IsZeroAmong(values, value, column)) return;
      list_.AddValue(std::string(what) + " of column " + name, StoredText(column, value));
    };
    const auto add_statistics = [&](const parquet::EncodedStatistics& statistics) {
      if (statistics.has_min) add("smallest value, by its statistics,", statistics.min());
      if (statistics.has_max) add("largest value, by its statistics,", statistics.max());
    };
    if (const auto& statistics = chunk->encoded_statistics()) add_statistics(*statistics);
    int64_t begin = chunk->data_page_offset();
    if (chunk->has_dictionary_page() && chunk->dictionary_page_offset() > 0)
      begin = std::min(begin, chunk->dictionary_page_offset());
    const int64_t size = chunk->total_compressed_size();
    ARROW_ASSIGN_OR_RAISE(auto bytes, file_->ReadAt(begin, size));
    const auto stream = std::make_shared<arrow::io::BufferReader>(std::move(bytes));
    const auto pages = parquet::PageReader::Open(stream, chunk->num_values(), chunk->compression(),
                                                 parquet::default_reader_properties(), column);
    while (const auto page = pages->NextPage()) {
      if (page->type() == parquet::PageType::DICTIONARY_PAGE) {
        for (const std::string& entry : EntriesOfPage(static_cast<const parquet::DictionaryPage&>(*page), column))
          add("unused dictionary entry", entry);
      } else if (page->type() == parquet::PageType::DATA_PAGE || page->type() == parquet::PageType::DATA_PAGE_V2) {
        add_statistics(static_cast<const parquet::DataPage&>(*page).statistics());
      }
    }
    ARROW_ASSIGN_OR_RAISE(const int64_t read, stream->Tell());
    Cover(begin, begin + read);
    CoverIndexes(*chunk);
    return arrow::Status::OK();
  }

  // Where the file says which page has which values: extremes again, which are those of the pages.
  void CoverIndexes(const parquet::ColumnChunkMetaData& chunk) {
    for (const auto& place : {chunk.GetColumnIndexLocation(), chunk.GetOffsetIndexLocation()}) {
      if (place) Cover(place->offset, place->offset + place->length);
    }
    if (chunk.bloom_filter_offset() && chunk.bloom_filter_length()) {
      Cover(*chunk.bloom_filter_offset(), *chunk.bloom_filter_offset() + *chunk.bloom_filter_length());
      list_.AddBytes(
          "Bloom filter of column " + chunk.path_in_schema()->ToDotString() + " (which tells what values are in it)",
          "");
    }
  }

  arrow::Status AddGaps(int64_t size) {
    int64_t reached = 0;
    for (const auto& [begin, end] : covered_) {
      if (begin > reached) ARROW_RETURN_NOT_OK(AddGap(reached, begin));
      reached = std::max(reached, end);
    }
    return reached < size ? AddGap(reached, size) : arrow::Status::OK();
  }
  arrow::Status AddGap(int64_t begin, int64_t end) {
    ARROW_ASSIGN_OR_RAISE(const auto bytes, file_->ReadAt(begin, end - begin));
    list_.AddBytes("bytes " + std::to_string(begin) + " to " + std::to_string(end - 1) + ", which belong to no page",
                   bytes->ToString());
    return arrow::Status::OK();
  }

  std::shared_ptr<arrow::io::RandomAccessFile> file_;
  OutsideList& list_;
  std::unique_ptr<parquet::ParquetFileReader> reader_;
  std::multimap<int64_t, int64_t> covered_;  // from, to behind
};

}  // namespace

arrow::Status ListOutsideParquet(std::shared_ptr<arrow::io::RandomAccessFile> file, OutsideList& list) {
  return ParquetWalk(std::move(file), list).Run();
}

}  // namespace tada
