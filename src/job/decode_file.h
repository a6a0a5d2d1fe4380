#pragma once

// From a released file to a plain one to train models on: read, decode, write under a hidden name, give it its name.
// Cells are held as codes and written block by block, so that memory is that of the release's codes, whatever its texts.

#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "run/decode_plan.h"

namespace tada {

struct DecodeJob {
  std::string input, output;  ///< paths, or "-"
  bool force = false;         ///< overwrites the output
  Plan plan;                  ///< its quasi-identifiers are the columns to decode
  DecodeOptions options;
};

/// Errors leave no file behind.
Result<Decoded> DecodeFile(const DecodeJob& job, const Workers& workers, Progress& progress);

}  // namespace tada
