#pragma once

// A connection to PostgreSQL. Messages of errors never hold values of the data, unless the server's own words are about names.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "files/postgres/address.h"

namespace tada {

class PostgresConnection {
 public:
  /// `code` is that of all errors: kData of an input, kIo of an output.
  static Result<std::unique_ptr<PostgresConnection>> Open(const PostgresAddress& address, ErrorCode code);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  /// Runs one or more commands.
  Status Run(const std::string& sql);
  /// Rows of texts; a null is "".
  Result<std::vector<std::vector<std::string>>> Rows(const std::string& sql);

  struct ColumnType {
    std::string name;
    unsigned oid = 0;
    int modifier = -1;
  };
  /// The columns that a select gives, without running it.
  Result<std::vector<ColumnType>> Describe(const std::string& select);

  /// COPY ... TO STDOUT: Begin, then lines until there are none.
  Status BeginCopyOut(const std::string& sql);
  /// The next row, with its line end; empty at the end.
  Result<std::string_view> NextLine();
  /// COPY ... FROM STDIN: Begin, then pieces of lines, then End.
  Status BeginCopyIn(const std::string& sql);
  Status Put(std::string_view bytes);
  Status EndCopyIn();

  /// Whether the connection is lost.
  bool lost() const;
  Error Fail(std::string_view what) const;

 private:
  PostgresConnection() = default;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tada
