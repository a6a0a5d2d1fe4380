#pragma once

// What a run and its release have to say for the outcome.

#include <string>
#include <vector>

#include "run/anonymize/anonymize.h"
#include "run/audit/outcome.h"

namespace tada {

/// Fills what follows from the run: method, stages, plan, score, columns, warnings, memory.
void DescribeRun(const Table& original, const std::vector<std::string>& all_columns, const Plan& plan,
                 const Anonymized& made, const Workers& workers, Outcome& outcome);

/// Adds what only a confidential report shows, and marks the outcome's report as one. Pre: DescribeRun filled it.
void DescribeRawValues(const Table& original, const Release& release, Outcome& outcome);

/// Some released rows, header first, for the report's sample.
std::vector<std::vector<std::string>> Sample(const Table& released);

}  // namespace tada
