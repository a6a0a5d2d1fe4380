#pragma once

// Results of a grid as a page: utility against k as the papers draw it, one panel an l; a table that can be sorted.

#include <string>
#include <vector>

#include "evaluate/results.h"

namespace tada {

struct EvaluateSource {
  std::string input, command;
};

std::string EvaluateHtml(const std::vector<Summary>& summaries, const EvaluateOptions& options, Task task,
                         const std::string& baseline, const EvaluateSource& source);

}  // namespace tada
