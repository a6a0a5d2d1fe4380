#pragma once

// What a caller of the C interface asks for, as one text: a plan in TOML or JSON, with the options of the command beside those of
// the plan.

#include "plan/plan.h"

namespace tada {

struct RequestText {
  PlanFile file;
  OptionValues values;  ///< of the command, which are no part of a plan
};

/// `text` may be null or empty: nothing is asked for. Errors name the line.
Result<RequestText> ReadRequestText(std::string_view command, const char* text);

}  // namespace tada
