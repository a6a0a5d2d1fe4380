#pragma once

// The parts of a workbook, which is a zip file of XML: each is read from front to back, within limits.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tada {

/// The attributes of an element, by name.
using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>;

/// What a reader of a part does when elements begin and end. Names come without prefixes.
struct XmlEvents {
  std::function<void(std::string_view name, const XmlAttributes& attributes)> start;
  std::function<void(std::string_view name)> end;
  std::function<void(std::string_view text)> text;
  std::function<bool()> go_on = [] { return true; };  ///< false ends the reading; asked after every piece
};

class ZipParts {
 public:
  static Result<ZipParts> Open(const std::string& path);
  ZipParts(ZipParts&&) noexcept;
  ~ZipParts();

  bool Has(const std::string& part) const;
  /// Parses a part; kData if it is not there, damaged, too large or not plain XML.
  Status Read(const std::string& part, const XmlEvents& events) const;
  uint64_t stored_bytes() const;

 private:
  struct State;
  explicit ZipParts(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tada
