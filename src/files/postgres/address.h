#pragma once

// Addresses of tables in PostgreSQL (files/postgres/postgres.h), taken apart.

#include <string>

#include "base/status.h"

namespace tada {

struct PostgresAddress {
  std::string connection;     ///< what libpq is given
  std::string shown;          ///< what messages call it: no password, no query
  std::string schema, table;  ///< schema "": as the server finds it
  std::string query;          ///< "" for a table

  static Result<PostgresAddress> Parse(const std::string& path);
  /// The table as SQL names it.
  std::string Qualified() const;
  /// What is read: "select * from ...", or the query.
  std::string Select() const;
};

/// A name in double quotes.
std::string QuotedName(std::string_view name);
/// A text in single quotes.
std::string QuotedText(std::string_view text);

}  // namespace tada
