#include "table/change_values.h"

#include "table/column_builder.h"

namespace tada {
namespace {

// A builder that reads texts of the column as it does, and keeps the order of its names.
ColumnBuilder BuilderLike(const Column& column) {
  ColumnOptions options{.kind = column.kind(), .dates = column.is_date(), .writing = column.writing(), .missing = {}};
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (column.is_missing(code)) {
      options.missing.emplace_back(column.text(code));
    } else if (!column.is_numeric()) {
      options.order.emplace_back(column.text(code));
    }
  }
  ColumnBuilder builder(column.name(), std::move(options));
  builder.SetType(column.type(), column.type_detail());
  return builder;
}

Column Built(ColumnBuilder& builder) {
  Result<Column> built = builder.Finish();
  TADA_ASSERT(built.ok());  // every text is one that the column can read
  return std::move(built).value();
}

Column NarrowColumn(const Column& column, std::span<const RowId> rows, std::vector<Code>& old_code) {
  constexpr uint32_t kUnused = UINT32_MAX;
  ColumnBuilder builder = BuilderLike(column);
  std::vector<uint32_t> number_of(column.num_codes(), kUnused);
  builder.Reserve(rows.size());
  column.codes().Visit([&](auto codes) {
    for (const RowId row : rows) {
      uint32_t& number = number_of[codes[row]];
      if (number == kUnused) number = builder.Intern(column.text(codes[row]));
      builder.Append(number);
    }
  });
  Column narrow = Built(builder);
  old_code.assign(narrow.num_codes(), 0);
  for (RowId i = 0; i < rows.size(); ++i) old_code[narrow.codes()[i]] = column.codes()[rows[i]];
  return narrow;
}

}  // namespace

NarrowTable NarrowRows(const Table& table, std::span<const RowId> rows) {
  NarrowTable narrow;
  std::vector<Column> columns;
  for (const Column& column : table.columns()) {
    columns.push_back(NarrowColumn(column, rows, narrow.old_code.emplace_back()));
  }
  narrow.table = Table(std::move(columns));
  return narrow;
}

Column ClipColumn(const Column& column, const ClipBound& low, const ClipBound& high) {
  ColumnBuilder builder = BuilderLike(column);
  std::vector<uint32_t> numbers;
  for (Code code = 0; code < column.num_codes(); ++code) {
    std::string_view text = column.text(code);
    // The bound itself is written as everything beyond it is: two spellings would tell rows apart.
    if (!column.is_missing(code) && !low.text.empty() && column.number(code) <= low.number) text = low.text;
    if (!column.is_missing(code) && !high.text.empty() && column.number(code) >= high.number) text = high.text;
    numbers.push_back(builder.Intern(text));
  }
  builder.Reserve(column.num_rows());
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) builder.Append(numbers[code]);
  });
  return Built(builder);
}

}  // namespace tada
