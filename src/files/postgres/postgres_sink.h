#pragma once

// A release as a table of PostgreSQL, in one transaction: made under another name, filled, read back, and given its name by a rename that is
// committed once the audit has passed. Whoever kills us leaves nothing: the server takes back what was not committed.

#include "files/files.h"
#include "files/postgres/connection.h"

namespace tada {

class PostgresSink final : public Sink {
 public:
  static Result<std::unique_ptr<Sink>> Open(const std::string& path, bool force);
  const std::string& name() const override { return address_.shown; }
  Status Write(const Release& release, const WriteOptions& options, const Workers& workers,
               Progress& progress) override;
  Result<Table> ReadBack(const ReadOptions& options, const Workers& workers) override;
  Status Publish() override;

 private:
  PostgresSink(PostgresAddress address, std::unique_ptr<PostgresConnection> connection, bool force);
  Status FindTarget();
  Result<std::vector<std::string>> KnownTypes(const std::vector<std::string>& names);
  Status KeepGrants();

  PostgresAddress address_;
  std::unique_ptr<PostgresConnection> connection_;
  bool force_;
  std::string replaced_;  // the oid of the table that is there; "" for none
  std::string pending_;   // the name while it is being made, qualified
  std::vector<std::string> columns_;
};

}  // namespace tada
