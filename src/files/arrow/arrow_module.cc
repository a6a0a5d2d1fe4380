#include "files/arrow/arrow_module.h"

#include "files/arrow/arrow_files.h"
#include "files/arrow/arrow_remote.h"

extern "C" __attribute__((visibility("default"))) void tada_make_arrow_parts(tada::ArrowParts& parts) {
  parts.files = std::make_unique<tada::ArrowFiles>();
  parts.remote = std::make_unique<tada::ArrowRemote>();
}
