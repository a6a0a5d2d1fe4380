#pragma once

// apply: releases other rows by the cuts of an earlier release, audited before they appear. Runs as anonymize does, with cuts in the request.

#include "commands/release/anonymize.h"

namespace tada {

/// The options that the command takes.
OptionSpecs ApplyCommandOptions();

/// What cuts and options ask for; `path` is what errors call the cuts.
Result<AnonymizeRequest> ApplyRequestFrom(Cuts cuts, const std::string& path, const OptionValues& options);

}  // namespace tada
