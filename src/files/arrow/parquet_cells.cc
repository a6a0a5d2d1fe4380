#include "files/arrow/parquet_cells.h"

#include <arrow/builder.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/metadata.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "files/arrow/arrow_types.h"
#include "files/arrow/levels_left.h"
#include "files/arrow/pages/parquet_types.h"

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

constexpr size_t kLevelsAtOnce = 1 << 14;

bool OnlyDictionaryPages(const parquet::ColumnChunkMetaData& chunk) {
  const auto& pages = chunk.encoding_stats();
  if (pages.empty() || pages.front().page_type != parquet::PageType::DICTIONARY_PAGE) return false;
  return std::all_of(pages.begin(), pages.end(), [&](const parquet::PageEncodingStats& page) {
    if (page.encoding == parquet::Encoding::PLAIN_DICTIONARY) return true;
    if (&page == &pages.front()) return page.encoding == parquet::Encoding::PLAIN;
    return page.page_type != parquet::PageType::DICTIONARY_PAGE && page.encoding == parquet::Encoding::RLE_DICTIONARY;
  });
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

// The type of the values, where these are in a dictionary of Arrow's too.
const arrow::DataType& TypeOfValues(const parquet::arrow::SchemaField& leaf) {
  const arrow::DataType& type = *leaf.field->type();
  return type.id() == arrow::Type::DICTIONARY ? *static_cast<const arrow::DictionaryType&>(type).value_type() : type;
}

bool IsDictionaryLeaf(const parquet::RowGroupMetaData& group, const parquet::arrow::SchemaField& leaf) {
  return leaf.is_leaf() && StoredAsIs(TypeOfValues(leaf), group.schema()->Column(leaf.column_index)->physical_type()) &&
         OnlyDictionaryPages(*group.ColumnChunk(leaf.column_index));
}

}  // namespace

// The levels of a leaf that wait to be taken, and the entry of each that has a value.
class ParquetCells::Leaf {
 public:
  explicit Leaf(const parquet::ColumnDescriptor& column)
      : max_definition_(column.max_definition_level()), max_repetition_(column.max_repetition_level()) {}
  virtual ~Leaf() = default;

  /// Forgets what was taken, and reads on until kLevelsAtOnce levels wait or there are no more.
  arrow::Status Fill() {
    Drop();
    while (!ended_ && waiting() < kLevelsAtOnce) ARROW_RETURN_NOT_OK(ReadOn());
    return arrow::Status::OK();
  }
  arrow::Status ReadOn() {
    MakeRoom(definitions_, num_levels_);
    MakeRoom(entries_, num_entries_);
    if (max_repetition_ > 0) MakeRoom(repetitions_, num_levels_);
    const size_t first_level = num_levels_, first_entry = num_entries_;
    ARROW_RETURN_NOT_OK(Read());
    const auto added = std::span(definitions_).subspan(first_level, num_levels_ - first_level);
    if (max_definition_ == 0) std::ranges::fill(added, int16_t{0});
    const auto has_value = [&](int16_t definition) { return definition >= max_definition_; };
    if (std::ranges::count_if(added, has_value) != static_cast<ptrdiff_t>(num_entries_ - first_entry))
      return arrow::Status::Invalid("a page has not as many values as it says");
    uint32_t highest = 0;
    for (size_t i = first_entry; i < num_entries_; ++i) highest = std::max(highest, static_cast<uint32_t>(entries_[i]));
    if (num_entries_ > first_entry && highest >= dictionary_->length())
      return arrow::Status::Invalid("a page names an entry that its dictionary has not");
    return arrow::Status::OK();
  }
  size_t waiting() const { return num_levels_; }
  bool ended() const { return ended_; }
  int16_t repetition(size_t i) const { return repetitions_[i]; }

  /// The first `levels` of those that wait.
  LeafLevels Take(size_t levels) {
    const auto definitions = std::span(definitions_).first(levels);
    taken_levels_ = levels;
    taken_entries_ = levels == num_levels_
                         ? num_entries_
                         : static_cast<size_t>(std::ranges::count_if(
                               definitions, [&](int16_t definition) { return definition >= max_definition_; }));
    return {.definitions = definitions,
            .repetitions = max_repetition_ > 0 ? std::span(repetitions_).first(levels) : std::span<int16_t>(),
            .entries = std::span(entries_).first(taken_entries_),
            .filled = max_definition_,
            .dictionary = dictionary_};
  }

 protected:
  /// Adds at most kLevelsAtOnce levels behind those that wait, for which there is room.
  virtual arrow::Status Read() = 0;

  int16_t max_definition_, max_repetition_;
  std::vector<int16_t> definitions_, repetitions_;
  std::vector<int32_t> entries_;
  size_t num_levels_ = 0, num_entries_ = 0;
  ArrayPtr dictionary_;
  bool ended_ = false;

 private:
  template <class T>
  static void MakeRoom(std::vector<T>& list, size_t used) {
    if (list.size() < used + kLevelsAtOnce) list.resize(used + kLevelsAtOnce);
  }
  void Drop() {
    const auto drop = [](auto& list, size_t begin, size_t end) {
      std::copy(list.begin() + static_cast<ptrdiff_t>(begin), list.begin() + static_cast<ptrdiff_t>(end), list.begin());
    };
    drop(definitions_, taken_levels_, num_levels_);
    if (max_repetition_ > 0) drop(repetitions_, taken_levels_, num_levels_);
    drop(entries_, taken_entries_, num_entries_);
    num_levels_ -= std::exchange(taken_levels_, 0);
    num_entries_ -= std::exchange(taken_entries_, 0);
  }

  size_t taken_levels_ = 0, taken_entries_ = 0;
};

template <class Type>
class ParquetCells::TypedLeaf final : public Leaf {
 public:
  TypedLeaf(std::shared_ptr<parquet::ColumnReader> reader, std::unique_ptr<parquet::ColumnChunkMetaData> chunk,
            std::shared_ptr<arrow::DataType> type)
      : Leaf(*reader->descr()),
        reader_(std::static_pointer_cast<parquet::TypedColumnReader<Type>>(std::move(reader))),
        chunk_(std::move(chunk)),
        type_(std::move(type)) {}

 private:
  arrow::Status Read() override {
    ended_ = !HasLevelsLeft(*reader_, *chunk_, num_read_);
    if (ended_) return arrow::Status::OK();
    const typename Type::c_type* dictionary = nullptr;
    int32_t count = 0;
    int64_t found = 0;
    const int64_t levels = reader_->ReadBatchWithDictionary(
        kLevelsAtOnce, max_definition_ > 0 ? definitions_.data() + num_levels_ : nullptr,
        max_repetition_ > 0 ? repetitions_.data() + num_levels_ : nullptr, entries_.data() + num_entries_, &found,
        &dictionary, &count);
    if (levels == 0) return arrow::Status::Invalid("a page has not as many values as it says");
    num_read_ += levels;
    num_levels_ += static_cast<size_t>(levels);
    num_entries_ += static_cast<size_t>(found);
    if (dictionary_ == nullptr) {
      ARROW_ASSIGN_OR_RAISE(dictionary_, EntriesOf(type_, dictionary, count));
      ARROW_RETURN_NOT_OK(dictionary_->ValidateFull());
    }
    return arrow::Status::OK();
  }

  std::shared_ptr<parquet::TypedColumnReader<Type>> reader_;
  std::unique_ptr<parquet::ColumnChunkMetaData> chunk_;
  std::shared_ptr<arrow::DataType> type_;
  int64_t num_read_ = 0;  // levels
};

bool HasDictionaryCells(const parquet::RowGroupMetaData& group, const parquet::arrow::SchemaField& field) {
  if (field.is_leaf()) return IsDictionaryLeaf(group, field);
  if (!IsIntervalType(*field.field->type()) && !IsSetType(*field.field->type())) return false;
  return std::ranges::all_of(field.children, [&](const auto& leaf) { return IsDictionaryLeaf(group, leaf); });
}

ParquetCells::ParquetCells(parquet::RowGroupReader& group, const parquet::arrow::SchemaField& field) : field_(field) {
  if (field.is_leaf()) leaves_.push_back(OpenLeaf(group, field));
  for (const auto& leaf : field.children) leaves_.push_back(OpenLeaf(group, leaf));
}

ParquetCells::~ParquetCells() = default;

std::unique_ptr<ParquetCells::Leaf> ParquetCells::OpenLeaf(parquet::RowGroupReader& group,
                                                           const parquet::arrow::SchemaField& field) {
  auto reader = group.ColumnWithExposeEncoding(field.column_index, parquet::ExposedEncoding::DICTIONARY);
  if (reader->GetExposedEncoding() != parquet::ExposedEncoding::DICTIONARY)
    throw parquet::ParquetException("its pages are not of the encoding that it says");
  const auto type = TypeOfValues(field).GetSharedPtr();
  auto chunk = group.metadata()->ColumnChunk(field.column_index);
  switch (reader->type()) {
    case parquet::Type::INT32:
      return std::make_unique<TypedLeaf<parquet::Int32Type>>(std::move(reader), std::move(chunk), type);
    case parquet::Type::INT64:
      return std::make_unique<TypedLeaf<parquet::Int64Type>>(std::move(reader), std::move(chunk), type);
    case parquet::Type::FLOAT:
      return std::make_unique<TypedLeaf<parquet::FloatType>>(std::move(reader), std::move(chunk), type);
    case parquet::Type::DOUBLE:
      return std::make_unique<TypedLeaf<parquet::DoubleType>>(std::move(reader), std::move(chunk), type);
    default:
      return std::make_unique<TypedLeaf<parquet::ByteArrayType>>(std::move(reader), std::move(chunk), type);
  }
}

arrow::Result<std::optional<CellLevels>> ParquetCells::Next() {
  for (const auto& leaf : leaves_) ARROW_RETURN_NOT_OK(leaf->Fill());
  if (leaves_.front()->waiting() == 0) return std::nullopt;
  if (IsSetType(*field_.field->type())) return NextLists();
  size_t rows = std::numeric_limits<size_t>::max();
  for (const auto& leaf : leaves_) rows = std::min(rows, leaf->waiting());
  if (rows == 0) return arrow::Status::Invalid("its columns differ in length");
  CellLevels cells{.rows = rows, .present = field_.level_info.def_level, .leaves = {}};
  for (const auto& leaf : leaves_) cells.leaves.push_back(leaf->Take(rows));
  return cells;
}

// A row begins where nothing is repeated; the last one that waits may go on, unless nothing comes behind it.
arrow::Result<CellLevels> ParquetCells::NextLists() {
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
  const LeafLevels taken = leaf.Take(levels);
  const auto rows = static_cast<size_t>(std::ranges::count(taken.repetitions, int16_t{0}));
  return CellLevels{.rows = rows, .present = field_.level_info.def_level, .leaves = {taken}};
}

}  // namespace tada
