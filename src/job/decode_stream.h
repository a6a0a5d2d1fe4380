#pragma once

// From the stream of a release to a plain one to train models on: what job/decode_file.h is for files.

#include <memory>
#include <string>

#include "base/progress.h"
#include "base/workers.h"
#include "files/c_stream/write_stream.h"
#include "run/decode_plan.h"

namespace tada {

struct DecodeStreamJob {
  Plan plan;  ///< its quasi-identifiers are the columns to decode
  DecodeOptions options;
  std::string name = "the release";  ///< what messages call it
  bool untyped = false;              ///< the texts of a CSV file: types are inferred
};

struct StreamDecoded {
  std::shared_ptr<const Batches> batches;
  std::string json;  ///< what was done
};

/// `learn_from`: another release that the shares of values are estimated from; null: `release` itself.
Result<StreamDecoded> DecodeStream(ArrowArrayStream& release, ArrowArrayStream* learn_from, const DecodeStreamJob& job,
                                   const Workers& workers, Progress& progress);

}  // namespace tada
