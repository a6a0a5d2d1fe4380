#include "files/stores/remote.h"

#include <algorithm>
#include <array>

#include "files/format.h"

namespace tada {

bool IsStore(std::string_view scheme) {
  static constexpr std::array<std::string_view, 7> kSchemes = {"s3", "gs", "gcs", "abfs", "abfss", "hdfs", "viewfs"};
  return std::ranges::find(kSchemes, scheme) != kSchemes.end();
}

Error CannotAtStore(std::string_view what, ErrorCode code, const std::string& address, std::string_view words) {
  return {code, fmt::format("Cannot {} {}: {}", what, ShownPath(address), words.substr(0, words.find('\n'))),
          "Check the address, and that whoever runs this may use it."};
}

}  // namespace tada
