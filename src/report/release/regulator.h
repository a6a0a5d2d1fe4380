#pragma once

// The questions that a regulator asks of anonymized data (Article 29 Working Party, opinion 05/2014): can somebody be singled out, can
// records be linked, can something be inferred. Each is answered with figures of this release, and with what was not checked.

#include <string>
#include <vector>

#include "run/audit/outcome.h"

namespace tada {

struct RegulatorAnswer {
  std::string question, answer, not_checked;
};

std::vector<RegulatorAnswer> RegulatorAnswers(const Outcome& outcome);

}  // namespace tada
