#include "files/read_parts.h"

#include <algorithm>

namespace tada {

Result<std::vector<bool>> WantedColumns(const std::vector<std::string>& all, const ReadOptions& options,
                                        const std::string& name) {
  if (!options.columns) return std::vector<bool>(all.size(), true);
  std::vector<bool> wanted(all.size(), false);
  for (const std::string& column : *options.columns) {
    const auto found = std::find(all.begin(), all.end(), column);
    if (found == all.end()) {
      std::string hint = "Its columns are: ";
      for (const std::string& known : all) hint.append(&known == &all.front() ? "" : ", ").append(known);
      return InvalidArgument("Column is not in the file: column={}, file={}", column, name).WithHint(std::move(hint));
    }
    wanted[static_cast<size_t>(found - all.begin())] = true;
  }
  for (size_t i = 0; options.also != nullptr && i < all.size(); ++i) wanted[i] = wanted[i] || options.also(all[i]);
  return wanted;
}

const ColumnOptions& OptionsOf(const std::string& column, const ReadOptions& options) {
  const auto found = options.by_name.find(column);
  return found == options.by_name.end() ? options.defaults : found->second;
}

Result<Table> FinishColumns(std::vector<ColumnBuilder> builders, const Workers& workers,
                            const std::shared_ptr<const RowLines>& lines) {
  std::vector<Column> columns(builders.size());
  std::vector<Status> failed(builders.size());
  workers.For(builders.size(), [&](size_t i) {
    Result<Column> column = builders[i].Finish();
    if (column.ok()) {
      columns[i] = std::move(column).value();
      columns[i].set_lines(lines);
    } else {
      failed[i] = std::move(column).error();
    }
  });
  for (Status& status : failed) {
    if (status.ok()) continue;
    Error error = std::move(status).error();
    error.message = WithPlaces(error.message, lines.get());
    return error;
  }
  return Table(std::move(columns));
}

}  // namespace tada
