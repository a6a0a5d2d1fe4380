#include "server/tables.h"

#include <filesystem>

#include "base/option_mark.h"
#include "plan/plan.h"
#include "run/read_options.h"
#include "server/http/secret.h"

namespace tada {

namespace fs = std::filesystem;

namespace {

/// A message about a table with the name that the page knows it by, not the place where the server keeps it.
Error CalledByName(Error error, const ServedTable& table) {
  for (std::string* text : {&error.message, &error.hint}) {
    for (size_t at = 0; (at = text->find(table.path, at)) != std::string::npos; at += table.file.size())
      text->replace(at, table.path.size(), table.file);
  }
  return error;
}

}  // namespace

nlohmann::ordered_json TableJson(const ServedTable& table) {
  return {{"id", table.id},       {"name", table.name},         {"file", table.file},
          {"bytes", table.bytes}, {"uploaded", table.uploaded}, {"made_up", table.made_up}};
}

Status Tables::AddFile(const std::string& path, bool made_up) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  auto entry = std::make_shared<Entry>();
  entry->table = {.id = RandomHex(8),
                  .name = absolute.filename().string(),
                  .file = FileNameFor(absolute.filename().string()),
                  .path = absolute.string(),
                  .bytes = fs::file_size(absolute, error),
                  .made_up = made_up};
  if (error) {
    return DataError("Cannot read {}: {}", path, error.message())
        .WithHint("'tada serve' takes files of tables: .csv, .parquet ...");
  }
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
  return Ok();
}

Result<std::string> Tables::UploadPath(const std::string& name, uint64_t quota) {
  if (storage_.Used() > quota) {
    return IoError("The room for uploads is used up")
        .WithHint("Forget tables that are no longer needed, or allow more with " TADA_OPTION("max-upload") ".");
  }
  const std::string folder = storage_.path() + "/table-" + RandomHex(8);
  std::error_code error;
  if (!fs::create_directory(folder, error)) return IoError("Cannot make a folder for the upload: {}", error.message());
  return folder + "/" + FileNameFor(name);
}

std::string Tables::AddUpload(const std::string& path, const std::string& name) {
  std::error_code error;
  auto entry = std::make_shared<Entry>();
  entry->table = {.id = RandomHex(8),
                  .name = name,
                  .file = fs::path(path).filename().string(),
                  .path = path,
                  .bytes = fs::file_size(path, error),
                  .uploaded = true};
  std::string id = entry->table.id;
  const std::lock_guard lock(mutex_);
  entries_.push_back(std::move(entry));
  return id;
}

std::vector<ServedTable> Tables::All() const {
  const std::lock_guard lock(mutex_);
  std::vector<ServedTable> all;
  for (const auto& entry : entries_) all.push_back(entry->table);
  return all;
}

std::shared_ptr<Tables::Entry> Tables::EntryOf(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  for (const auto& entry : entries_) {
    if (entry->table.id == id) return entry;
  }
  return nullptr;
}

std::optional<ServedTable> Tables::Find(const std::string& id) const {
  const auto entry = EntryOf(id);
  if (entry == nullptr) return std::nullopt;
  return entry->table;
}

bool Tables::Forget(const std::string& id) {
  const auto entry = EntryOf(id);
  if (entry == nullptr) return false;
  {
    const std::lock_guard lock(mutex_);
    std::erase(entries_, entry);
  }
  std::error_code error;
  if (entry->table.uploaded) fs::remove_all(fs::path(entry->table.path).parent_path(), error);
  return true;
}

Result<std::shared_ptr<const TableFile>> Tables::Read(const std::string& id) {
  const auto entry = EntryOf(id);
  if (entry == nullptr) return InvalidArgument("There is no such table");
  const std::lock_guard lock(entry->reading);
  if (entry->file == nullptr) {
    const Workers workers(0);
    NoProgress silent;
    ReadOptions options = OriginalReadOptions(Plan{});
    static_cast<LayoutOptions&>(options) = entry->layout;
    auto file = files_.Read(entry->table.path, options, workers, silent);
    if (!file.ok()) return CalledByName(file.error(), entry->table);
    entry->file = std::make_shared<const TableFile>(std::move(*file));
  }
  return entry->file;
}

void Tables::SetLayout(const std::string& id, LayoutOptions layout) {
  const auto entry = EntryOf(id);
  if (entry == nullptr) return;
  const std::lock_guard lock(entry->reading);
  entry->layout = std::move(layout);
  entry->file = nullptr;
}

LayoutOptions Tables::LayoutOf(const std::string& id) const {
  const auto entry = EntryOf(id);
  if (entry == nullptr) return {};
  const std::lock_guard lock(entry->reading);
  return entry->layout;
}

Asked Tables::Ask(const std::string& id) {
  Asked now;
  const auto entry = EntryOf(id);
  if (entry == nullptr) return now;
  const std::lock_guard lock(mutex_);
  if (entry->last) entry->last->Supersede();
  entry->last = now;
  return now;
}

std::string Tables::HierarchyFolder(const std::string& id) const { return storage_.path() + "/hierarchies-" + id; }

}  // namespace tada
