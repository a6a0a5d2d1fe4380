#pragma once

// The tables that the page works on: files named on the command line, read in place, and uploads. A table is read when it is first
// asked about, and kept as codes for the questions that follow.

#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "files/files.h"
#include "server/storage.h"

namespace tada {

struct ServedTable {
  std::string id;
  std::string name;  ///< as the page shows it
  std::string file;  ///< what commands call it (FileNameFor)
  std::string path;  ///< where it is
  uint64_t bytes = 0;
  bool uploaded = false;
  bool made_up = false;  ///< the demo's
};

/// A question that a newer one of the same table makes pointless.
class Asked {
 public:
  Asked() : cancel_(std::make_shared<Cancel>()) {}
  const Cancel& cancel() const { return *cancel_; }
  void Supersede() const { cancel_->Request(); }

 private:
  std::shared_ptr<Cancel> cancel_;
};

class Tables {
 public:
  Tables(Files& files, const Storage& storage) : files_(files), storage_(storage) {}

  /// A file that is read in place.
  Status AddFile(const std::string& path, bool made_up);
  /// A place for an upload, in a folder of its own.
  Result<std::string> UploadPath(const std::string& name, uint64_t quota);
  /// Takes an upload into the list; its id.
  std::string AddUpload(const std::string& path, const std::string& name);

  std::vector<ServedTable> All() const;
  std::optional<ServedTable> Find(const std::string& id) const;
  /// Deletes an upload, and lets go of any table; false if there is none.
  bool Forget(const std::string& id);

  /// The table, read now if it was not before. One thread reads, the others wait.
  Result<std::shared_ptr<const TableFile>> Read(const std::string& id);

  /// How the file is laid out, where it does not say it itself; what was read otherwise is let go of.
  void SetLayout(const std::string& id, LayoutOptions layout);
  LayoutOptions LayoutOf(const std::string& id) const;

  /// Registers a question of a table; the one before it is superseded.
  Asked Ask(const std::string& id);

  /// The folder of a table's hierarchies that were edited.
  std::string HierarchyFolder(const std::string& id) const;

 private:
  struct Entry {
    ServedTable table;
    std::mutex reading;
    std::shared_ptr<const TableFile> file;
    LayoutOptions layout;
    std::optional<Asked> last;
  };
  std::shared_ptr<Entry> EntryOf(const std::string& id) const;

  Files& files_;
  const Storage& storage_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;
};

nlohmann::ordered_json TableJson(const ServedTable& table);

}  // namespace tada
