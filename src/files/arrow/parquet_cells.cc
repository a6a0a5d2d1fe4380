#include "files/arrow/parquet_cells.h"

#include <arrow/builder.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/metadata.h>

#include <algorithm>

#include "files/arrow/arrow_types.h"

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

constexpr size_t kLevelsAtOnce = 1 << 16;

bool StoredAsIs(const arrow::DataType& type, parquet::Type::type physical) {
  switch (type.id()) {
    case arrow::Type::INT32:
    case arrow::Type::DATE32:
      return physical == parquet::Type::INT32;
    case arrow::Type::INT64:
      return physical == parquet::Type::INT64;
    case arrow::Type::FLOAT:
      return physical == parquet::Type::FLOAT;
    case arrow::Type::DOUBLE:
      return physical == parquet::Type::DOUBLE;
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
      return physical == parquet::Type::BYTE_ARRAY;
    default:
      return false;
  }
}

bool OnlyDictionaryPages(const parquet::ColumnChunkMetaData& chunk) {
  const auto& pages = chunk.encoding_stats();
  if (pages.empty() || pages.front().page_type != parquet::PageType::DICTIONARY_PAGE) return false;
  return std::all_of(pages.begin(), pages.end(), [&](const parquet::PageEncodingStats& page) {
    if (page.encoding == parquet::Encoding::PLAIN_DICTIONARY) return true;
    if (&page == &pages.front()) return page.encoding == parquet::Encoding::PLAIN;
    return page.page_type != parquet::PageType::DICTIONARY_PAGE && page.encoding == parquet::Encoding::RLE_DICTIONARY;
  });
}

// A bitmap of what is true of [0, count); null if all is.
template <class F>
arrow::Result<std::shared_ptr<arrow::Buffer>> Bitmap(int64_t count, int64_t& unset, F&& is_set) {
  arrow::TypedBufferBuilder<bool> bits;
  ARROW_RETURN_NOT_OK(bits.Reserve(count));
  for (int64_t i = 0; i < count; ++i) bits.UnsafeAppend(is_set(i));
  unset = bits.false_count();
  if (unset == 0) return std::shared_ptr<arrow::Buffer>();
  return bits.Finish();
}

template <class Number>
arrow::Result<ArrayPtr> EntriesOf(const std::shared_ptr<arrow::DataType>& type, const Number* entries, int64_t count) {
  ARROW_ASSIGN_OR_RAISE(auto buffer, arrow::AllocateBuffer(count * static_cast<int64_t>(sizeof(Number))));
  std::copy_n(entries, count, reinterpret_cast<Number*>(buffer->mutable_data()));
  return arrow::MakeArray(
      arrow::ArrayData::Make(type, count, {nullptr, std::shared_ptr<arrow::Buffer>(std::move(buffer))}, 0));
}

template <>
arrow::Result<ArrayPtr> EntriesOf(const std::shared_ptr<arrow::DataType>& /*type*/, const parquet::ByteArray* entries,
                                  int64_t count) {
  arrow::LargeStringBuilder builder;
  for (int64_t i = 0; i < count; ++i)
    ARROW_RETURN_NOT_OK(builder.Append(reinterpret_cast<const char*>(entries[i].ptr), entries[i].len));
  return builder.Finish();
}

}  // namespace

// The levels of a leaf that wait to be taken, and the entry of each that has a value.
class ParquetCells::Leaf {
 public:
  explicit Leaf(const parquet::ColumnDescriptor& column)
      : max_definition_(column.max_definition_level()), max_repetition_(column.max_repetition_level()) {}
  virtual ~Leaf() = default;

  /// Reads on until kLevelsAtOnce levels wait or there are no more.
  arrow::Status Fill() {
    while (!ended_ && waiting() < kLevelsAtOnce) ARROW_RETURN_NOT_OK(Read());
    return arrow::Status::OK();
  }
  arrow::Status ReadOn() { return Read(); }
  size_t waiting() const { return definition_.size(); }
  bool ended() const { return ended_; }
  int16_t definition(size_t i) const { return definition_[i]; }
  int16_t repetition(size_t i) const { return max_repetition_ > 0 ? repetition_[i] : int16_t{0}; }
  bool has_value(size_t i) const { return definition_[i] >= max_definition_; }

  /// The values of the first `levels` levels, without those below `least`, as a dictionary; then they no longer wait.
  arrow::Result<ArrayPtr> Take(size_t levels, int16_t least) {
    std::vector<uint8_t> valid;
    arrow::TypedBufferBuilder<int32_t> indices;
    ARROW_RETURN_NOT_OK(indices.Reserve(static_cast<int64_t>(levels)));
    size_t taken = 0;
    for (size_t i = 0; i < levels; ++i) {
      if (definition_[i] < least) continue;
      valid.push_back(has_value(i) ? 1 : 0);
      indices.UnsafeAppend(has_value(i) ? entries_[taken++] : 0);
    }
    const auto count = static_cast<int64_t>(valid.size());
    int64_t nulls = 0;
    ARROW_ASSIGN_OR_RAISE(const auto bits,
                          Bitmap(count, nulls, [&](int64_t i) { return valid[static_cast<size_t>(i)] != 0; }));
    ARROW_ASSIGN_OR_RAISE(const auto buffer, indices.Finish());
    const auto type = arrow::dictionary(arrow::int32(), dictionary_->type());
    const auto data = arrow::ArrayData::Make(type, count, {bits, buffer}, nulls);
    data->dictionary = dictionary_->data();
    const auto drop = [](auto& list, size_t count_dropped) {
      list.erase(list.begin(), list.begin() + static_cast<ptrdiff_t>(std::min(count_dropped, list.size())));
    };
    drop(definition_, levels);
    drop(repetition_, levels);
    drop(entries_, taken);
    return arrow::MakeArray(data);
  }

 protected:
  virtual arrow::Status Read() = 0;

  int16_t max_definition_, max_repetition_;
  std::vector<int16_t> definition_, repetition_;
  std::vector<int32_t> entries_;
  ArrayPtr dictionary_;
  bool ended_ = false;
};

template <class Type>
class ParquetCells::TypedLeaf final : public Leaf {
 public:
  TypedLeaf(std::shared_ptr<parquet::ColumnReader> reader, std::shared_ptr<arrow::DataType> type)
      : Leaf(*reader->descr()),
        reader_(std::static_pointer_cast<parquet::TypedColumnReader<Type>>(std::move(reader))),
        type_(std::move(type)) {}

 private:
  arrow::Status Read() override {
    const size_t before = waiting(), had = entries_.size();
    definition_.resize(before + kLevelsAtOnce, max_definition_);
    if (max_repetition_ > 0) repetition_.resize(before + kLevelsAtOnce);
    entries_.resize(had + kLevelsAtOnce);
    const typename Type::c_type* dictionary = nullptr;
    int32_t count = 0;
    int64_t found = 0;
    const int64_t levels =
        reader_->ReadBatchWithDictionary(kLevelsAtOnce, max_definition_ > 0 ? definition_.data() + before : nullptr,
                                         max_repetition_ > 0 ? repetition_.data() + before : nullptr,
                                         entries_.data() + had, &found, &dictionary, &count);
    definition_.resize(before + static_cast<size_t>(levels));
    if (max_repetition_ > 0) repetition_.resize(definition_.size());
    entries_.resize(had + static_cast<size_t>(found));
    const auto valued = std::count_if(definition_.begin() + static_cast<ptrdiff_t>(before), definition_.end(),
                                      [&](int16_t level) { return level >= max_definition_; });
    if (valued != found) return arrow::Status::Invalid("a page has not as many values as it says");
    if (dictionary_ == nullptr) {
      ARROW_ASSIGN_OR_RAISE(dictionary_, EntriesOf(type_, dictionary, count));
    }
    ended_ = levels == 0;
    return arrow::Status::OK();
  }

  std::shared_ptr<parquet::TypedColumnReader<Type>> reader_;
  std::shared_ptr<arrow::DataType> type_;
};

bool HasDictionaryCells(const parquet::FileMetaData& metadata, const parquet::arrow::SchemaField& field) {
  if (!IsIntervalType(*field.field->type()) && !IsSetType(*field.field->type())) return false;
  return std::all_of(field.children.begin(), field.children.end(), [&](const parquet::arrow::SchemaField& leaf) {
    if (!leaf.is_leaf()) return false;
    const auto* column = metadata.schema()->Column(leaf.column_index);
    if (!StoredAsIs(*leaf.field->type(), column->physical_type())) return false;
    for (int group = 0; group < metadata.num_row_groups(); ++group) {
      if (!OnlyDictionaryPages(*metadata.RowGroup(group)->ColumnChunk(leaf.column_index))) return false;
    }
    return true;
  });
}

ParquetCells::ParquetCells(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field) : field_(field) {
  for (const auto& leaf : field.children) leaves_.push_back(OpenLeaf(group, leaf));
}

ParquetCells::~ParquetCells() = default;

std::unique_ptr<ParquetCells::Leaf> ParquetCells::OpenLeaf(parquet::RowGroupReader& group,
                                                           const parquet::arrow::SchemaField& field) {
  auto reader = group.ColumnWithExposeEncoding(field.column_index, parquet::ExposedEncoding::DICTIONARY);
  if (reader->GetExposedEncoding() != parquet::ExposedEncoding::DICTIONARY)
    throw parquet::ParquetException("its pages are not of the encoding that it says");
  const auto type = field.field->type();
  switch (reader->type()) {
    case parquet::Type::INT32:
      return std::make_unique<TypedLeaf<parquet::Int32Type>>(std::move(reader), type);
    case parquet::Type::INT64:
      return std::make_unique<TypedLeaf<parquet::Int64Type>>(std::move(reader), type);
    case parquet::Type::FLOAT:
      return std::make_unique<TypedLeaf<parquet::FloatType>>(std::move(reader), type);
    case parquet::Type::DOUBLE:
      return std::make_unique<TypedLeaf<parquet::DoubleType>>(std::move(reader), type);
    default:
      return std::make_unique<TypedLeaf<parquet::ByteArrayType>>(std::move(reader), type);
  }
}

arrow::Result<ArrayPtr> ParquetCells::Next() {
  for (const auto& leaf : leaves_) ARROW_RETURN_NOT_OK(leaf->Fill());
  if (leaves_.front()->waiting() == 0) return ArrayPtr();
  return IsSetType(*field_.field->type()) ? NextSets() : NextIntervals();
}

arrow::Result<ArrayPtr> ParquetCells::NextIntervals() {
  Leaf &low = *leaves_[0], &high = *leaves_[1];
  const size_t rows = std::min(low.waiting(), high.waiting());
  if (rows == 0) return arrow::Status::Invalid("its columns differ in length");
  int64_t nulls = 0;
  ARROW_ASSIGN_OR_RAISE(const auto bits, Bitmap(static_cast<int64_t>(rows), nulls, [&](int64_t i) {
                          return low.definition(static_cast<size_t>(i)) >= field_.level_info.def_level;
                        }));
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr lows, low.Take(rows, 0));
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr highs, high.Take(rows, 0));
  return arrow::StructArray::Make({lows, highs}, std::vector<std::string>{"lo", "hi"}, bits, nulls);
}

// A row begins where nothing is repeated; the last one that waits may go on, unless nothing comes behind it.
arrow::Result<ArrayPtr> ParquetCells::NextSets() {
  Leaf& leaf = *leaves_.front();
  size_t levels = leaf.waiting();
  while (!leaf.ended()) {
    while (levels > 0 && leaf.repetition(levels - 1) > 0) --levels;
    if (levels > 1) {
      --levels;
      break;
    }
    ARROW_RETURN_NOT_OK(leaf.ReadOn());
    levels = leaf.waiting();
  }
  if (leaf.repetition(0) > 0) return arrow::Status::Invalid("its first list goes on from nowhere");
  const int16_t filled = field_.level_info.def_level;  // one below: an empty list; less: a null
  arrow::TypedBufferBuilder<int32_t> offsets;
  std::vector<uint8_t> valid;
  int32_t elements = 0;
  for (size_t i = 0; i < levels; ++i) {
    if (leaf.repetition(i) == 0) {
      ARROW_RETURN_NOT_OK(offsets.Append(elements));
      valid.push_back(leaf.definition(i) >= filled - 1 ? 1 : 0);
    }
    elements += leaf.definition(i) >= filled ? 1 : 0;
  }
  ARROW_RETURN_NOT_OK(offsets.Append(elements));
  const auto rows = static_cast<int64_t>(valid.size());
  int64_t nulls = 0;
  ARROW_ASSIGN_OR_RAISE(const auto bits,
                        Bitmap(rows, nulls, [&](int64_t i) { return valid[static_cast<size_t>(i)] != 0; }));
  ARROW_ASSIGN_OR_RAISE(const auto buffer, offsets.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr values, leaf.Take(levels, filled));
  return std::make_shared<arrow::ListArray>(arrow::list(values->type()), rows, buffer, values, bits, nulls);
}

}  // namespace tada
