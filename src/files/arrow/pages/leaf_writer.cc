#include "files/arrow/pages/leaf_writer.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <parquet/column_page.h>
#include <parquet/encoding.h>
#include <parquet/exception.h>
#include <parquet/statistics.h>

#include <algorithm>
#include <bit>

#include "base/status.h"
#include "files/arrow/pages/parquet_types.h"
#include "files/arrow/pages/run_encoder.h"

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

constexpr size_t kPageLevels = 1 << 16;  // of a page; it ends with a row
constexpr size_t kBlockRows = 1 << 16;   // that Arrow's writer is given at once
constexpr int64_t kDictionaryBytes =
    1 << 20;  // of a page at most, as Arrow's writer has it; elements of lists have no choice

int WidthFor(uint32_t most) { return std::max(1, static_cast<int>(std::bit_width(most))); }

int64_t PlainBytes(const arrow::Array& values) {
  switch (values.type_id()) {
    case arrow::Type::STRING:
      return static_cast<const arrow::StringArray&>(values).total_values_length() + 4 * values.length();
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeStringArray&>(values).total_values_length() + 4 * values.length();
    default:
      return values.type()->byte_width() * values.length();
  }
}

// The values of an array that Parquet has as numbers of a type.
template <class Type>
const typename Type::c_type* Numbers(const arrow::Array& values) {
  return values.data()->template GetValues<typename Type::c_type>(1);
}

// Plain bytes of values, and what is said of them. Pre: StoredAsIs().
template <class Type>
std::shared_ptr<arrow::Buffer> Plain(const arrow::Array& values, const parquet::ColumnDescriptor& column,
                                     parquet::Statistics& any) {
  const auto encoder = parquet::MakeTypedEncoder<Type>(parquet::Encoding::PLAIN, false, &column);
  auto& statistics = static_cast<parquet::TypedStatistics<Type>&>(any);
  if constexpr (std::is_same_v<Type, parquet::ByteArrayType>) {
    encoder->Put(values);
    statistics.Update(values, false);
  } else {
    encoder->Put(Numbers<Type>(values), static_cast<int>(values.length()));
    statistics.Update(Numbers<Type>(values), values.length(), 0);
  }
  return encoder->FlushValues();
}

std::shared_ptr<arrow::Buffer> Plain(const arrow::Array& values, const parquet::ColumnDescriptor& column,
                                     parquet::Statistics& statistics) {
  switch (column.physical_type()) {
    case parquet::Type::INT32:
      return Plain<parquet::Int32Type>(values, column, statistics);
    case parquet::Type::INT64:
      return Plain<parquet::Int64Type>(values, column, statistics);
    case parquet::Type::FLOAT:
      return Plain<parquet::FloatType>(values, column, statistics);
    case parquet::Type::DOUBLE:
      return Plain<parquet::DoubleType>(values, column, statistics);
    default:
      return Plain<parquet::ByteArrayType>(values, column, statistics);
  }
}

}  // namespace

// What the rows of a row group show.
struct LeafWriter::Shown {
  std::vector<int32_t> number_of_entry;  // in the dictionary page; below zero: shown by none
  std::vector<int32_t> entries;          // by number
  int64_t levels = 0, values = 0;
};

// Levels and entries on their way into a page.
class LeafWriter::Page {
 public:
  Page(const LeafCells& leaf, const Shown& shown, int16_t max_definition)
      : leaf_(leaf),
        shown_(shown),
        max_definition_(max_definition),
        entry_width_(WidthFor(static_cast<uint32_t>(std::max<size_t>(shown.entries.size(), 1) - 1))),
        definitions_(WidthFor(static_cast<uint32_t>(max_definition))),
        entries_(entry_width_) {}

  void Add(uint32_t cell, size_t rows) {
    const auto definitions = leaf_.DefinitionsOf(cell);
    const auto entries = leaf_.EntriesOf(cell);
    levels_ += definitions.size() * rows;
    if (definitions.size() == 1) return AddLevels(definitions[0], entries[0], 0, rows);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < definitions.size(); ++i) AddLevels(definitions[i], entries[i], i > 0 ? 1 : 0, 1);
    }
  }
  size_t levels() const { return levels_; }

  /// The bytes of the page; it is empty then.
  std::string Finish() {
    std::string bytes;
    if (leaf_.repeated) AppendLevels(repetitions_, bytes);
    AppendLevels(definitions_, bytes);
    bytes.push_back(static_cast<char>(entry_width_));
    bytes += entries_.Finish();
    levels_ = 0;
    return bytes;
  }

 private:
  void AddLevels(int16_t definition, int32_t entry, uint32_t repetition, size_t count) {
    if (leaf_.repeated) repetitions_.Put(repetition, count);
    definitions_.Put(static_cast<uint32_t>(definition), count);
    if (definition == max_definition_)
      entries_.Put(static_cast<uint32_t>(shown_.number_of_entry[static_cast<size_t>(entry)]), count);
  }
  static void AppendLevels(RunEncoder& levels, std::string& bytes) {
    const std::string encoded = levels.Finish();
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(encoded.size() >> shift));
    bytes += encoded;
  }

  const LeafCells& leaf_;
  const Shown& shown_;
  int16_t max_definition_;
  int entry_width_;
  RunEncoder repetitions_{1}, definitions_, entries_;
  size_t levels_ = 0;
};

LeafWriter::LeafWriter(const LeafCells& leaf, parquet::ColumnChunkMetaDataBuilder& metadata,
                       std::shared_ptr<arrow::io::OutputStream> file, const parquet::WriterProperties& properties)
    : leaf_(leaf),
      metadata_(metadata),
      properties_(properties),
      pages_(parquet::PageWriter::Open(std::move(file), properties.compression(metadata.descr()->path()), &metadata, -1,
                                       -1, arrow::default_memory_pool(), true)) {}

LeafWriter::~LeafWriter() = default;

LeafWriter::Shown LeafWriter::ShownBy(std::span<const CellRun> runs) const {
  Shown shown;
  shown.number_of_entry.assign(static_cast<size_t>(leaf_.values->length()), LeafCells::kNoValue);
  for (const CellRun& run : runs) {
    const auto entries = leaf_.EntriesOf(run.cell);
    shown.levels += static_cast<int64_t>(entries.size()) * run.rows;
    for (const int32_t entry : entries) {
      if (entry == LeafCells::kNoValue) continue;
      shown.values += run.rows;
      int32_t& number = shown.number_of_entry[static_cast<size_t>(entry)];
      if (number != LeafCells::kNoValue) continue;
      number = static_cast<int32_t>(shown.entries.size());
      shown.entries.push_back(entry);
    }
  }
  return shown;
}

arrow::Status LeafWriter::Write(std::span<const CellRun> runs) {
  BEGIN_PARQUET_CATCH_EXCEPTIONS
  const Shown shown = ShownBy(runs);
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr dictionary, DictionaryOf(shown));
  if (dictionary == nullptr) return WriteByArrow(runs);
  WriteDictionary(*dictionary, shown);
  WritePages(shown, runs);
  END_PARQUET_CATCH_EXCEPTIONS
  return arrow::Status::OK();
}

arrow::Result<ArrayPtr> LeafWriter::DictionaryOf(const Shown& shown) const {
  if (!StoredAsIs(*leaf_.values->type(), metadata_.descr()->physical_type())) return ArrayPtr();
  if (!leaf_.repeated && static_cast<int64_t>(shown.entries.size()) > kDictionaryBytes / 4) return ArrayPtr();
  const arrow::Int32Array entries(static_cast<int64_t>(shown.entries.size()), arrow::Buffer::Wrap(shown.entries));
  ARROW_ASSIGN_OR_RAISE(const auto dictionary, arrow::compute::Take(*leaf_.values, entries));
  return leaf_.repeated || PlainBytes(*dictionary) <= kDictionaryBytes ? dictionary : ArrayPtr();
}

void LeafWriter::WriteDictionary(const arrow::Array& dictionary, const Shown& shown) {
  const auto statistics = parquet::Statistics::Make(metadata_.descr());
  const auto bytes = Plain(dictionary, *metadata_.descr(), *statistics);
  bytes_ += pages_->WriteDictionaryPage(
      parquet::DictionaryPage(bytes, static_cast<int32_t>(dictionary.length()), parquet::Encoding::PLAIN));
  parquet::EncodedStatistics encoded = statistics->Encode();
  encoded.set_null_count(shown.levels - shown.values);
  encoded.ApplyStatSizeLimits(properties_.max_statistics_size(metadata_.descr()->path()));
  encoded.set_is_signed(metadata_.descr()->sort_order() == parquet::SortOrder::SIGNED);
  metadata_.SetStatistics(encoded);
}

void LeafWriter::WritePages(const Shown& shown, std::span<const CellRun> runs) {
  Page page(leaf_, shown, metadata_.descr()->max_definition_level());
  for (CellRun run : runs) {
    const size_t levels = leaf_.DefinitionsOf(run.cell).size();
    while (run.rows > 0) {
      const size_t room = (kPageLevels - page.levels() + levels - 1) / levels;
      const size_t rows = std::min<size_t>(run.rows, room);
      page.Add(run.cell, rows);
      run.rows -= static_cast<uint32_t>(rows);
      if (page.levels() >= kPageLevels) WritePage(page);
    }
  }
  if (page.levels() > 0) WritePage(page);
}

void LeafWriter::WritePage(Page& page) {
  const auto levels = static_cast<int32_t>(page.levels());
  std::shared_ptr<arrow::Buffer> bytes = arrow::Buffer::FromString(page.Finish());
  const int64_t size = bytes->size();
  if (pages_->has_compressor()) {
    PARQUET_ASSIGN_OR_THROW(std::shared_ptr<arrow::ResizableBuffer> packed, arrow::AllocateResizableBuffer(0));
    pages_->Compress(*bytes, packed.get());
    bytes = packed;
  }
  using parquet::Encoding;
  bytes_ += pages_->WriteDataPage(
      parquet::DataPageV1(bytes, levels, Encoding::RLE_DICTIONARY, Encoding::RLE, Encoding::RLE, size));
}

// Values in blocks of rows, as Arrow's writer takes them.
arrow::Status LeafWriter::WriteByArrow(std::span<const CellRun> runs) {
  TADA_ASSERT(!leaf_.repeated);
  by_arrow_ = parquet::ColumnWriter::Make(&metadata_, std::move(pages_), &properties_);
  const auto properties = parquet::default_arrow_writer_properties();
  parquet::ArrowWriteContext context(arrow::default_memory_pool(), properties.get());
  std::vector<int16_t> definitions;
  arrow::Int32Builder entries;
  const auto write = [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(const ArrayPtr places, entries.Finish());
    ARROW_ASSIGN_OR_RAISE(const ArrayPtr values, arrow::compute::Take(*leaf_.values, *places));
    ARROW_RETURN_NOT_OK(by_arrow_->WriteArrow(definitions.data(), nullptr, values->length(), *values, &context, true));
    definitions.clear();
    return arrow::Status::OK();
  };
  for (const CellRun& run : runs) {
    for (uint32_t row = 0; row < run.rows; ++row) {
      const int32_t entry = leaf_.EntriesOf(run.cell)[0];
      ARROW_RETURN_NOT_OK(entry == LeafCells::kNoValue ? entries.AppendNull() : entries.Append(entry));
      definitions.push_back(leaf_.DefinitionsOf(run.cell)[0]);
      if (definitions.size() == kBlockRows) ARROW_RETURN_NOT_OK(write());
    }
  }
  return definitions.empty() ? arrow::Status::OK() : write();
}

int64_t LeafWriter::Close() {
  if (by_arrow_ != nullptr) return by_arrow_->Close();
  pages_->Close(true, false);
  return bytes_;
}

}  // namespace tada
