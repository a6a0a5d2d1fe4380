#pragma once

// Who has been released: a confidential file of codes, HMACs of what names a person under a secret key, so that nobody is released
// twice (tada anonymize --save-people, tada apply --released-people). Without the key nothing of it can be told.

#include <set>
#include <string>

#include "keys/secret_key.h"
#include "run/anonymize/anonymize.h"

namespace tada {

class ReleasedPeople {
 public:
  explicit ReleasedPeople(SecretKey key) : key_(std::move(key)) {}

  /// Adds what a file of FileText() has. kData if it is damaged, kInvalidArgument if it was written with another key.
  Status Read(const std::string& path);
  /// kInfeasible if a row is of somebody who is here already.
  Status CheckNew(const Table& table, const std::vector<ColumnId>& person) const;
  /// Adds the people of these rows.
  void Add(const Table& table, const std::vector<ColumnId>& person, const std::vector<RowId>& rows);

  std::string FileText() const;

 private:
  std::string CodeOf(const Table& table, const std::vector<ColumnId>& person, RowId row) const;

  SecretKey key_;
  std::set<std::string> codes_;
};

/// What names the person of a row, as one text; "" if nothing does.
std::string PersonText(const Table& table, const std::vector<ColumnId>& person, RowId row);

}  // namespace tada
