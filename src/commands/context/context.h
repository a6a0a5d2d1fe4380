#pragma once

// What a command works with, whoever calls it: the command line, Python, the C interface. It prints nothing.

#include "base/cancel.h"
#include "base/progress.h"
#include "files/files.h"

namespace tada {

struct Context {
  Files& files;          ///< who reads and writes the files that options name
  Progress& progress;    ///< whom to tell how far the work is
  const Cancel& cancel;  ///< who may stop it
};

}  // namespace tada
