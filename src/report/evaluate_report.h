#pragma once

// Results of a grid for a terminal, for machines, and as a page: utility against k as the papers draw it, one panel an l; a table that can be sorted.

#include <string>
#include <vector>

#include "evaluate/results.h"

namespace tada {

struct EvaluateSource {
  std::string input, command;
};

std::string EvaluateText(const std::vector<Summary>& summaries, Task task, const std::string& baseline);
std::string EvaluateJson(const std::vector<Summary>& summaries, const std::vector<EvaluateRow>& rows, const Plan& plan,
                         const EvaluateOptions& options, Task task, const std::string& baseline);
std::string EvaluateHtml(const std::vector<Summary>& summaries, const EvaluateOptions& options, Task task,
                         const std::string& baseline, const EvaluateSource& source);

}  // namespace tada
