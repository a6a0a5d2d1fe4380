#include "files/arrow/outside.h"

#include <arrow/io/file.h>
#include <parquet/exception.h>

#include <algorithm>

namespace tada {

void OutsideList::Add(OutsideContent content) {
  if (known_.emplace(content.where, content.bytes).second) list_.push_back(std::move(content));
}

void OutsideList::AddBytes(std::string where, std::string bytes) {
  const bool zero = !bytes.empty() && std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
  if (!zero) Add({std::move(where), std::move(bytes), false});
}

void OutsideList::AddValue(std::string where, std::string text) { Add({std::move(where), std::move(text), true}); }

void OutsideList::AddMetadata(const std::string& whose, const std::string& key, const std::string& value) {
  AddBytes("metadata '" + key + "'" + whose, key + "\n" + value);
}

void OutsideList::AddField(const arrow::Field& field, const std::string& path) {
  const std::string name = path.empty() ? field.name() : path + "." + field.name();
  if (field.metadata() != nullptr) {
    for (int64_t i = 0; i < field.metadata()->size(); ++i) {
      if (field.metadata()->key(i) == "PARQUET:field_id") continue;  // a number that the reader of Parquet puts there
      AddMetadata(" of column " + name, field.metadata()->key(i), field.metadata()->value(i));
    }
  }
  for (const auto& child : field.type()->fields()) AddField(*child, name);
}

void OutsideList::AddSchema(const arrow::Schema& schema) {
  if (schema.metadata() != nullptr) {
    for (int64_t i = 0; i < schema.metadata()->size(); ++i)
      AddMetadata("", schema.metadata()->key(i), schema.metadata()->value(i));
  }
  for (const auto& field : schema.fields()) AddField(*field, "");
}

Result<std::vector<OutsideContent>> ReadColumnarOutside(const std::string& path, Format format) {
  OutsideList list;
  const auto damaged = [&](std::string_view why) {
    return DataError("Damaged or not {}: {}: {}", FormatName(format), path, why)
        .WithHint("Make the file again, or copy it again.");
  };
  try {
    auto file = arrow::io::ReadableFile::Open(path);
    if (!file.ok()) return DataError("Cannot read {}: {}", path, file.status().message());
    const arrow::Status status =
        format == Format::kParquet ? ListOutsideParquet(*file, list) : ListOutsideArrow(*file, list);
    if (!status.ok()) return damaged(status.message());
  } catch (const parquet::ParquetException& exception) {
    return damaged(exception.what());
  }
  return list.Take();
}

}  // namespace tada
