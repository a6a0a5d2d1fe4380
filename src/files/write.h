#pragma once

// Writing releases, so that a file appears under its name whole or not at all.
//   pending file   written under a hidden name in the target's folder, `.tada-PID-RANDOM.NAME`, and locked while its
//                  writer lives; Publish() renames it. Whatever a killed run left there is removed by the next run in
//                  that folder.

#include <memory>
#include <set>
#include <string>

#include "base/status.h"
#include "files/read.h"
#include "recode/cell_form.h"

namespace tada {

/// A name for what is being written, in the same folder: hidden, and known to whoever clears up after killed runs.
std::string PendingName(const std::string& folder, const std::string& name);
/// Removes what killed runs left in a folder.
void RemovePending(const std::string& folder);

class PendingFile {
 public:
  /// Opens a pending file for `target`; removes leftovers of killed runs in the same folder. Fails with kIo if the
  /// folder is not there or not writable, or if `target` exists and `force` is off. `target` "-" is standard output:
  /// the bytes wait in the temporary folder and Publish() copies them.
  static Result<PendingFile> Open(const std::string& target, bool force);

  PendingFile(PendingFile&&) noexcept;
  PendingFile& operator=(PendingFile&&) noexcept;
  ~PendingFile();  ///< removes the file unless it was published

  /// Where the bytes are now; has the extension of the target, so that it can be read back by it.
  const std::string& path() const;
  const std::string& target() const;
  int descriptor() const;
  Status Write(std::string_view bytes);
  /// Lets nobody but its owner read the finished file, whatever the umask says.
  void KeepPrivate();
  /// Flushes to the disk, a large file in the background: it can be read by path() meanwhile, and Publish() waits for it.
  Status Sync();
  /// Gives the file its name, and syncs the folder. Pre: Sync() succeeded.
  Status Publish();

 private:
  struct State;
  explicit PendingFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes a file whole or not at all, as a pending file that is published.
Status WriteWhole(const std::string& target, bool force, std::string_view bytes);

struct WriteOptions {
  char delimiter = ',';
  bool guard_formulas = false;  ///< CSV: an apostrophe before cells that a spreadsheet would run
  CellForm cells = CellForm::kTyped;
  std::string input_format = {};          ///< what the input is, for sinks whose format nobody named: "csv"
  const StoredColumns* stored = nullptr;  ///< how the columns of the input were stored (TableFile::stored)
  std::set<std::string> changed = {};     ///< columns whose values are no longer those that were stored
};

}  // namespace tada
