#pragma once

// What came of a run: everything that the report, the command line and Python say about it.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "audit/audit.h"
#include "run/plan.h"
#include "score/scorecard.h"

namespace tada {

struct Outcome {
  std::string method;
  std::vector<std::string> stages;
  Plan plan;                                          ///< as it was run, defaults filled in
  Verdict verdict;                                    ///< of the finished file
  Scorecard score;
  uint64_t withheld_rows = 0;
  std::vector<std::pair<std::string, double>> seconds;  ///< by stage, in order
  double peak_memory_mb = 0;
  std::string input_path, input_sha256, input_format;
  uint64_t input_rows = 0, input_columns = 0;
  std::string output_path;
  std::vector<std::string> dropped_columns;           ///< had no role
  std::vector<std::string> warnings;
  /// Some released rows, header first, for the report's sample.
  std::vector<std::vector<std::string>> sample;
  struct Column {
    std::string name, role, kind;
    uint64_t distinct = 0, missing = 0;
  };
  std::vector<Column> columns;
};

}  // namespace tada
