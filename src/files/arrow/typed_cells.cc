#include "files/arrow/typed_cells.h"

#include <arrow/builder.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>

#include <algorithm>
#include <limits>

#include "files/arrow/arrow_types.h"

namespace tada {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;
using TypePtr = std::shared_ptr<arrow::DataType>;

// The texts of a column by code. Missing values are null: all of them, or only those written as nothing.
arrow::Result<ArrayPtr> Texts(const Column& column, bool all_missing_null) {
  arrow::LargeStringBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Reserve(column.num_codes()));
  for (Code code = 0; code < column.num_codes(); ++code) {
    const std::string_view text = column.text(code);
    const bool null = column.is_missing(code) && (all_missing_null || text.empty());
    ARROW_RETURN_NOT_OK(null ? builder.AppendNull() : builder.Append(text));
  }
  return builder.Finish();
}

// Texts as plain strings, or large ones if they are too long together for these.
arrow::Result<ArrayPtr> Strings(const Column& column, bool all_missing_null) {
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr texts, Texts(column, all_missing_null));
  const auto bytes = static_cast<const arrow::LargeStringArray&>(*texts).total_values_length();
  if (bytes > std::numeric_limits<int32_t>::max()) return texts;
  return arrow::compute::Cast(*texts, arrow::utf8());
}

// Whether every value has the same text as the one it was read from.
bool PrintsBack(const arrow::Array& values, const arrow::LargeStringArray& texts) {
  std::string scratch;
  std::string_view text;
  for (int64_t i = 0; i < values.length(); ++i) {
    if (texts.IsNull(i)) continue;
    if (ValueText(values, i, scratch, text) != TextState::kText || text != texts.GetView(i)) return false;
  }
  return true;
}

// The type that the texts of an untyped column all are, or null: then they are strings.
arrow::Result<ArrayPtr> AsSomeType(const arrow::LargeStringArray& texts) {
  if (texts.null_count() == texts.length()) return ArrayPtr();
  for (const TypePtr& type : {arrow::int64(), arrow::float64(), arrow::date32()}) {
    const auto values = arrow::compute::Cast(texts, type);
    if (values.ok() && PrintsBack(**values, texts)) return *values;
  }
  return ArrayPtr();
}

TypePtr StoredType(const Column& column) { return TypeFromDetail(column.type_detail()); }

TypePtr ValuesOf(const TypePtr& type) {
  if (type == nullptr || type->id() != arrow::Type::DICTIONARY) return type;
  return static_cast<const arrow::DictionaryType&>(*type).value_type();
}

bool IsStringLike(const arrow::DataType& type) {
  return type.id() == arrow::Type::STRING || type.id() == arrow::Type::LARGE_STRING ||
         type.id() == arrow::Type::STRING_VIEW;
}

// The values of a column by code, in the type that keeps them. A bound of an interval that is missing is always null.
arrow::Result<ArrayPtr> Values(const Column& column, bool bounds) {
  const TypePtr stored = ValuesOf(StoredType(column));
  if (stored != nullptr && IsStringLike(*stored)) {
    ARROW_ASSIGN_OR_RAISE(const ArrayPtr texts, Texts(column, bounds));
    // Views cannot be taken by index; they are cast at the end.
    return arrow::compute::Cast(*texts, stored->id() == arrow::Type::STRING_VIEW ? arrow::large_utf8() : stored);
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr texts, Texts(column, true));
  const auto& large = static_cast<const arrow::LargeStringArray&>(*texts);
  if (stored != nullptr) {
    if (large.null_count() == large.length()) return arrow::MakeArrayOfNull(stored, large.length());
    const auto values = arrow::compute::Cast(large, stored);
    if (values.ok() && PrintsBack(**values, large)) return *values;
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr inferred, AsSomeType(large));
  return inferred != nullptr ? inferred : Strings(column, bounds);
}

// Whether indices of a type reach `count` entries.
bool Reaches(const arrow::DataType& index, size_t count) {
  const int bits = index.bit_width() - (arrow::is_signed_integer(index.id()) ? 1 : 0);
  return bits >= 63 || count <= (uint64_t{1} << bits);
}

arrow::Result<ArrayPtr> Encode(const ArrayPtr& values, const arrow::DictionaryType& type) {
  const TypePtr index =
      Reaches(*type.index_type(), static_cast<size_t>(values->length())) ? type.index_type() : arrow::int32();
  arrow::Int64Builder indices;  // an entry for every code but those of missing values, which are null
  arrow::Int64Builder kept;
  for (int64_t i = 0; i < values->length(); ++i) {
    if (values->IsNull(i)) {
      ARROW_RETURN_NOT_OK(indices.AppendNull());
    } else {
      ARROW_RETURN_NOT_OK(indices.Append(kept.length()));
      ARROW_RETURN_NOT_OK(kept.Append(i));
    }
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr entries, kept.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr dictionary, arrow::compute::Take(*values, *entries));
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr wide, indices.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr narrow, arrow::compute::Cast(*wide, index));
  return arrow::DictionaryArray::FromArrays(arrow::dictionary(index, dictionary->type(), type.ordered()), narrow,
                                            dictionary);
}

arrow::Result<DistinctCells> Unchanged(const Column& column) {
  ARROW_ASSIGN_OR_RAISE(ArrayPtr values, Values(column, false));
  const TypePtr stored = StoredType(column);
  if (stored == nullptr) return DistinctCells{values, values->type()};
  if (stored->id() == arrow::Type::DICTIONARY) {
    ARROW_ASSIGN_OR_RAISE(values, Encode(values, static_cast<const arrow::DictionaryType&>(*stored)));
    return DistinctCells{values, values->type()};
  }
  return DistinctCells{values, stored->id() == arrow::Type::STRING_VIEW ? stored : values->type()};
}

arrow::Result<DistinctCells> Intervals(const Column& column, const ReleasedColumn& released) {
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr values, Values(column, true));
  arrow::UInt32Builder lows, highs;
  arrow::TypedBufferBuilder<bool> valid;
  int64_t masked = 0;
  for (const Cell& cell : released.cells) {
    const bool mask = cell.form == Cell::Form::kMask;
    masked += mask;
    ARROW_RETURN_NOT_OK(valid.Append(!mask));
    ARROW_RETURN_NOT_OK(mask ? lows.AppendNull() : lows.Append(cell.low));
    const Code high = cell.form == Cell::Form::kInterval ? cell.high : cell.low;
    ARROW_RETURN_NOT_OK(mask ? highs.AppendNull() : highs.Append(high));
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr low_codes, lows.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr high_codes, highs.Finish());
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr low, arrow::compute::Take(*values, *low_codes));
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr high, arrow::compute::Take(*values, *high_codes));
  ARROW_ASSIGN_OR_RAISE(const auto bits, valid.Finish());
  ARROW_ASSIGN_OR_RAISE(
      const ArrayPtr cells,
      arrow::StructArray::Make({low, high}, std::vector<std::string>{"lo", "hi"}, masked > 0 ? bits : nullptr, masked));
  return DistinctCells{cells, cells->type()};
}

arrow::Result<DistinctCells> Sets(const Column& column, const ReleasedColumn& released) {
  const auto elements = std::make_shared<arrow::StringBuilder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), elements);
  const auto text = [&](Code code) { return column.is_missing(code) ? std::string_view("") : column.text(code); };
  for (const Cell& cell : released.cells) {
    if (cell.form == Cell::Form::kMask) {
      ARROW_RETURN_NOT_OK(lists.AppendNull());
      continue;
    }
    ARROW_RETURN_NOT_OK(lists.Append());
    if (cell.form == Cell::Form::kValue) {
      ARROW_RETURN_NOT_OK(elements->Append(text(cell.low)));
      continue;
    }
    // As CellText has them: by text, since the order of codes may be the user's; missing is one element, however
    // spelled.
    std::vector<std::string_view> texts;
    for (const Code code : released.sets[cell.index]) texts.push_back(text(code));
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    for (const std::string_view element : texts) ARROW_RETURN_NOT_OK(elements->Append(element));
  }
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr cells, lists.Finish());
  return DistinctCells{cells, cells->type()};
}

arrow::Result<DistinctCells> Strings(const Column& column, const ReleasedColumn& released, CellForm form) {
  arrow::StringBuilder builder;
  for (const std::string& text : CellTexts(column, released, form)) ARROW_RETURN_NOT_OK(builder.Append(text));
  ARROW_ASSIGN_OR_RAISE(const ArrayPtr cells, builder.Finish());
  return DistinctCells{cells, cells->type()};
}

}  // namespace

arrow::Result<DistinctCells> MakeDistinctCells(const Table& table, const ReleasedColumn& released, CellForm form) {
  const Column& column = table.column(released.source);
  if (!released.recoded) return Unchanged(column);
  const auto has = [&](Cell::Form wanted) {
    return std::any_of(released.cells.begin(), released.cells.end(),
                       [&](const Cell& cell) { return cell.form == wanted; });
  };
  if (form != CellForm::kTyped || has(Cell::Form::kLabel)) return Strings(column, released, form);
  if (column.is_numeric() && !has(Cell::Form::kSet)) return Intervals(released.shown(column), released);
  TADA_ASSERT(!has(Cell::Form::kInterval));
  return Sets(column, released);
}

}  // namespace tada
