#pragma once

// What came of a run over spread rows, in the form that reports are drawn from.

#include <string>
#include <utility>
#include <vector>

#include "run/audit/outcome.h"
#include "spread/shared.h"

namespace tada {

/// What the machines of a run found, added up by whoever drives them.
struct SpreadFacts {
  std::vector<std::string> classes;  ///< packed verdicts over the release's classes
  std::vector<std::string> covers;   ///< packed verdicts of released rows beside what they were made of
  std::vector<std::pair<uint32_t, std::string>> of_controllers;  ///< packed verdicts over the classes of one controller
  std::vector<std::string> shown;                                ///< of finished nodes, packed (spread/shown_loss.h)
  std::vector<std::pair<std::string, double>> seconds;
  std::vector<std::string> warnings, raw_warnings;
  std::vector<std::string> problems;             ///< what the comparison of input, witness and release found
  std::vector<std::string> columns;              ///< all of the input's
  std::vector<std::vector<std::string>> sample;  ///< some released rows, header first
  struct Kept {
    std::string name, kind;
    uint64_t distinct = 0, missing = 0;
  };
  std::vector<Kept> kept;
};

Outcome DescribeSpread(const Shared& shared, const SpreadFacts& facts);

}  // namespace tada
