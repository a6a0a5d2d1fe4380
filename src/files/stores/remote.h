#pragma once

// Objects in stores that are reached by an address: s3://bucket/visits.parquet. They are copied to a private file before they are read, and releases
// are written and audited as a file before they are sent: an object appears under its name only when its upload is completed.

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace tada {

/// An object on its way to a store. It appears when it is completed; one that is not is given up.
class Upload {
 public:
  virtual ~Upload() = default;
  virtual Status Write(std::string_view bytes) = 0;
  virtual Status Complete() = 0;
};

/// Whether addresses of a scheme are those of stores: "s3".
bool IsStore(std::string_view scheme);
/// That something cannot be done there: "read". `words` are those of whoever tried; the first line of them is shown.
Error CannotAtStore(std::string_view what, ErrorCode code, const std::string& address, std::string_view words);

/// Objects are named by an address, and inside a folder that it stands for by a name; "": `address` itself.
class Remote {
 public:
  virtual ~Remote() = default;
  /// The objects below a folder, by their names inside it; none if it is not there.
  virtual Result<std::vector<std::string>> List(const std::string& address) = 0;
  /// Copies an object to an open file, in ranges.
  virtual Status Fetch(const std::string& address, const std::string& name, int descriptor) = 0;
  virtual Result<bool> Exists(const std::string& address) = 0;
  virtual Result<std::unique_ptr<Upload>> Open(const std::string& address, const std::string& name) = 0;
  virtual Status Remove(const std::string& address, const std::string& name) = 0;
};

}  // namespace tada
