#include "commands/context/report_file.h"

#include "base/option_mark.h"
#include "files/write.h"

namespace tada {

Status CheckReportFile(const std::string& path, bool force) {
  if (path.empty()) return Ok();
  if (!path.ends_with(".html") && !path.ends_with(".json")) {
    return InvalidArgument(TADA_OPTION("report") " ends in .html or .json, not: {}", path);
  }
  TADA_CHECK_OK(PendingFile::Open(path, force));
  return Ok();
}

Status WriteReportFile(const std::string& path, bool force, const std::function<std::string()>& json,
                       const std::function<std::string()>& html) {
  if (path.empty()) return Ok();
  return WriteWhole(path, force, OnCommandLine(path.ends_with(".html") ? html() : json()));
}

}  // namespace tada
