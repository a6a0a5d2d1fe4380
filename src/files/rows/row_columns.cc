#include "files/rows/row_columns.h"

#include <algorithm>

#include "files/rows/read_rows.h"

namespace tada {

bool RowColumns::IsWanted(std::string_view column) const {
  return !options_.columns ||
         std::find(options_.columns->begin(), options_.columns->end(), column) != options_.columns->end();
}

size_t RowColumns::Find(std::string_view column) {
  const auto [found, is_new] = numbers_.try_emplace(std::string(column), names_.size());
  if (!is_new) return found->second;
  names_.emplace_back(column);
  std::optional<ColumnBuilder>& builder = builders_.emplace_back();
  current_.emplace_back();
  set_.push_back(false);
  if (IsWanted(column)) {
    builder.emplace(names_.back(), OptionsOf(names_.back(), options_));
    for (size_t row = 0; row < rows_; ++row) builder->Append(builder->InternNull());
  }
  return found->second;
}

bool RowColumns::Take(size_t column) {
  if (set_[column]) return false;
  set_[column] = true;
  return true;
}

bool RowColumns::Set(size_t column, std::string_view text) {
  if (!Take(column)) return false;
  if (builders_[column]) current_[column] = builders_[column]->Intern(text);
  return true;
}

void RowColumns::EndRow() {
  for (size_t i = 0; i < builders_.size(); ++i) {
    if (builders_[i]) builders_[i]->Append(current_[i] ? *current_[i] : builders_[i]->InternNull());
    current_[i].reset();
    set_[i] = false;
  }
  ++rows_;
}

Result<TableFile> RowColumns::Finish(const Workers& workers) && {
  if (names_.empty()) return DataError("{}: the file is empty", name_).WithHint("It must name its columns.");
  TADA_CHECK_OK(WantedColumns(names_, options_, name_));
  std::vector<ColumnBuilder> wanted;
  for (auto& builder : builders_) {
    if (builder) wanted.push_back(*std::move(builder));
  }
  TADA_TRY(table, FinishColumns(std::move(wanted), workers));
  TableFile file;
  file.table = std::move(table);
  file.all_columns = std::move(names_);
  return file;
}

Result<TableFile> ReadRows(const std::string& path, Format format, const ReadOptions& options, const Workers& workers,
                           Progress& progress) {
  RowColumns columns(options, InputName(path));
  TableFile about;
  progress.Begin("read", 0);
  TADA_CHECK_OK((format == Format::kJsonLines ? ReadJsonRows : ReadWorkbookRows)(path, options, columns, about));
  TADA_TRY(file, std::move(columns).Finish(workers));
  file.format = FormatName(format);
  file.charset = about.charset;
  file.bytes = about.bytes;
  return file;
}

Result<std::vector<std::string>> ReadRowsHeader(const std::string& path, Format format, const LayoutOptions& layout) {
  ReadOptions options{layout};
  options.columns.emplace();
  RowColumns columns(options, InputName(path));
  TableFile about;
  TADA_CHECK_OK((format == Format::kJsonLines ? ReadJsonRows : ReadWorkbookRows)(path, options, columns, about));
  return columns.names();
}

}  // namespace tada
