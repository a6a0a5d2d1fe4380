#pragma once

// decode: a plain table to train models on, from a release alone.

#include "commands/context/context.h"
#include "decode/decode.h"
#include "plan/plan.h"

namespace tada {

struct DecodeRequest {
  Plan plan;  ///< its quasi-identifiers are the columns to decode
  DecodeOptions options;
};
/// The options that the command takes.
OptionSpecs DecodeCommandOptions();

Result<DecodeRequest> DecodeRequestFrom(const PlanFile& file, const OptionValues& options);

/// `learn_from`: another release that the shares of values are estimated from; null: `release` itself. The table of the result is
/// that of the sink.
Result<Decoded> Decode(const DecodeRequest& request, Source& release, Source* learn_from, Sink& sink, Context& context);

}  // namespace tada
