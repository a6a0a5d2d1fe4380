#pragma once

// Types of columns in PostgreSQL.

#include <map>
#include <string>
#include <vector>

#include "files/postgres/connection.h"
#include "files/read.h"
#include "recode/cell_form.h"

namespace tada {

struct PostgresType {
  std::string name;     ///< as SQL writes it: "numeric(10,2)"
  std::string base;     ///< without what is in parentheses, of a domain what it stands for: "numeric"
  char category = 'U';  ///< pg_type.typcategory: N numbers, D dates, S texts, B, E, A arrays, R ranges
};

/// How the columns of a table came, kept for a release that goes to PostgreSQL again.
struct PostgresColumns final : StoredColumns {
  std::map<std::string, PostgresType> by_name;
};

/// The types of described columns, in their order.
Result<std::vector<PostgresType>> TypesOf(PostgresConnection& connection,
                                          const std::vector<PostgresConnection::ColumnType>& columns);

/// What a column's values are; kData naming the column if there is no text that a table could hold.
Result<ValueType> ValueTypeOf(const std::string& column, const PostgresType& type,
                              const PostgresConnection& connection);

/// Whether values of a type are cells of a release: ranges of numbers and dates, and text[].
std::optional<Kind> CellKindOf(const PostgresType& type);

/// The type of a released column, and how its cells are written.
struct ReleasedType {
  std::string name;
  bool literals = false;  ///< cells as ranges and arrays, not as text
};
ReleasedType ReleasedTypeOf(const Column& column, const ReleasedColumn& released, CellForm form,
                            const PostgresType* stored);

}  // namespace tada
