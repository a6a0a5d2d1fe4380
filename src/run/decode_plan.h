#pragma once

// `tada decode` from its options: the same for the command line and for Python.

#include "decode/decode.h"
#include "plan/plan.h"

namespace tada {

/// What a plan and the options of `decode` ask for. The plan's quasi-identifiers are the columns to decode; it may name none,
/// --quasi may not.
Result<DecodeOptions> DecodeOptionsFrom(const Plan& plan, const OptionValues& values);

/// How the columns of a release are read to be decoded: as text.
ColumnOptions DecodedColumnDefaults(const Plan& plan);

/// What was done, for a person and for a script. `input` and `output` are file names.
std::string DecodeText(const Decoded& decoded, const DecodeOptions& options, const std::string& output);
std::string DecodeJson(const Decoded& decoded, const DecodeOptions& options);

}  // namespace tada
