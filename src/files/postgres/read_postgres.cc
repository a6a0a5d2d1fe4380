#include <algorithm>

#include "files/postgres/copy_text.h"
#include "files/postgres/postgres.h"
#include "files/postgres/types.h"
#include "files/read_parts.h"

namespace tada {
namespace {

std::vector<std::string> NamesOf(const std::vector<PostgresConnection::ColumnType>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  return names;
}

Status CheckNames(const std::vector<std::string>& names, const PostgresConnection& connection) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) ==
        names.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    Error error = connection.Fail(fmt::format("two columns have the name '{}'", names[i]));
    error.hint = "Name one of them otherwise: select a as b.";
    return error;
  }
  return Ok();
}

// A column as it is asked for: ranges of integers and days, which the server writes as `[20,31)`, with the bounds that they were given, `[20,30]`.
// An audit would count the one beyond them into what a cell leaves open.
std::string Selected(const std::string& name, const PostgresType& type) {
  const std::string column = QuotedName(name);
  if (type.base != "int4range" && type.base != "int8range" && type.base != "daterange") return column;
  return fmt::format(
      "case when isempty({0}) or lower_inf({0}) or upper_inf({0}) then {0}::text else '[' || lower({0}) || ',' || "
      "upper({0}) - 1 || ']' end",
      column);
}

}  // namespace

Result<std::vector<std::string>> PostgresHeader(const std::string& path) {
  TADA_TRY(address, PostgresAddress::Parse(path));
  TADA_TRY(connection, PostgresConnection::Open(address, ErrorCode::kData));
  TADA_TRY(columns, connection->Describe(address.Select()));
  return NamesOf(columns);
}

Result<TableFile> ReadPostgres(const std::string& path, const ReadOptions& options, const Workers& workers,
                               Progress& progress) {
  TADA_TRY(address, PostgresAddress::Parse(path));
  TADA_TRY(connection, PostgresConnection::Open(address, ErrorCode::kData));
  TADA_CHECK_OK(connection->Run("begin transaction isolation level repeatable read read only"));
  TADA_TRY(columns, connection->Describe(address.Select()));
  TableFile file;
  file.all_columns = NamesOf(columns);
  TADA_CHECK_OK(CheckNames(file.all_columns, *connection));
  TADA_TRY(wanted, WantedColumns(file.all_columns, options, address.shown));
  TADA_TRY(types, TypesOf(*connection, columns));
  auto stored = std::make_shared<PostgresColumns>();
  std::vector<ColumnBuilder> builders;
  std::string list;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (!wanted[i]) continue;
    const std::string& name = columns[i].name;
    TADA_TRY(type, ValueTypeOf(name, types[i], *connection));
    builders.emplace_back(name, OptionsOf(name, options)).SetType(type);
    if (const auto kind = CellKindOf(types[i])) file.typed_cells[name] = *kind;
    stored->by_name[name] = types[i];
    list += (list.empty() ? "" : ", ") + Selected(name, types[i]);
  }
  if (!builders.empty()) {
    progress.Begin("read", 0);
    TADA_CHECK_OK(CopyRows(*connection, fmt::format("(select {} from ({}) t)", list, address.Select()), builders,
                           workers, progress));
  }
  TADA_CHECK_OK(connection->Run("commit"));
  TADA_TRY(table, FinishColumns(std::move(builders), workers));
  file.table = std::move(table);
  file.format = "postgresql";
  file.stored = std::move(stored);
  return file;
}

}  // namespace tada
