#pragma once

// What Parquet and Arrow files hold beside the cells of their tables (table/outside_content.h).

#include <arrow/io/interfaces.h>
#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "files/format.h"
#include "table/outside_content.h"

namespace tada {

/// Collects, each thing once. Nothing is listed of bytes that are all zero: padding.
class OutsideList {
 public:
  void AddBytes(std::string where, std::string bytes);
  void AddValue(std::string where, std::string text);
  /// `whose`: "" or " of column age".
  void AddMetadata(const std::string& whose, const std::string& key, const std::string& value);
  /// The metadata of a schema, of its fields and of those inside.
  void AddSchema(const arrow::Schema& schema);
  std::vector<OutsideContent> Take() { return std::move(list_); }

 private:
  void AddField(const arrow::Field& field, const std::string& path);
  void Add(OutsideContent content);

  std::vector<OutsideContent> list_;
  std::set<std::pair<std::string, std::string>> known_;
};

arrow::Status ListOutsideParquet(std::shared_ptr<arrow::io::RandomAccessFile> file, OutsideList& list);
arrow::Status ListOutsideArrow(std::shared_ptr<arrow::io::RandomAccessFile> file, OutsideList& list);

/// kData if the file is damaged.
Result<std::vector<OutsideContent>> ReadColumnarOutside(const std::string& path, Format format);

}  // namespace tada
