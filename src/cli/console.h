#pragma once

// What a command may talk to: where results go, where notes go, who waits, and who may stop it.

#include <ostream>

#include "base/cancel.h"
#include "base/progress.h"

namespace tada {

struct Console {
  std::ostream& out;     ///< standard output: results
  std::ostream& err;     ///< standard error: notes; errors are returned, not printed
  Progress& progress;    ///< silent if --quiet asks for it or nobody looks
  const Cancel& cancel;  ///< for Workers(threads, &console.cancel)
};

}  // namespace tada
