#pragma once

// What is written into the rows of a unit: what its release reached and lost, and how well a model does.

#include <string>

#include "audit/audit.h"
#include "evaluate/evaluate.h"
#include "run/anonymize/anonymize.h"

namespace tada {

/// Fills what only the release knows.
void DescribeRelease(const Anonymized& made, const Table& table, const Workers& workers, EvaluateRow& row);

/// The same of a release by somebody else, from its verdict.
void DescribeVerdict(const Verdict& verdict, EvaluateRow& row);

/// Fills the metrics of what a model says about the test rows.
void Judge(const Predictions& made, const CellTable& test, EvaluateRow& row);

/// Why a release of others is not compared; no cell stands in it.
std::string AuditProblem(const Verdict& verdict);

}  // namespace tada
