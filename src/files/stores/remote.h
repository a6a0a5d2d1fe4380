#pragma once

// Objects in stores that are reached by an address: s3://bucket/visits.parquet. They are copied to a private file before they are read, and releases
// are written and audited as a file before they are sent: an object appears under its name only when its upload is completed.

#include <string>
#include <vector>

#include "base/status.h"

namespace tada {

class Remote {
 public:
  virtual ~Remote() = default;
  /// Whether addresses of that scheme are understood: "s3".
  virtual bool Knows(std::string_view scheme) const = 0;
  /// The objects below a folder, by their names inside it.
  virtual Result<std::vector<std::string>> List(const std::string& address) = 0;
  /// Copies an object to an open file, in ranges. `name` is that of the object inside the folder `address`; "": `address` itself.
  virtual Status Fetch(const std::string& address, const std::string& name, int descriptor) = 0;
  virtual Result<bool> Exists(const std::string& address) = 0;
  /// Sends a file. The upload is completed after its last byte, and aborted if anything fails.
  virtual Status Send(int descriptor, const std::string& address) = 0;
};

}  // namespace tada
