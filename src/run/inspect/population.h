#pragma once

// What a raw table tells about the people of the population it is a sample of, class by class and row by row.

#include <optional>
#include <string>
#include <vector>

#include "base/workers.h"
#include "plan/plan.h"
#include "risk/population.h"
#include "risk/suda.h"
#include "table/table.h"

namespace tada {

struct Profile;

struct ProfileRisk {
  std::optional<PopulationRisk> population;  ///< if something is told of it: --population, --sampling, --weights
  bool counts_people = false;                ///< members are people, who have several rows, not rows
  std::optional<SudaScores> suda;            ///< if it was asked for
  std::vector<std::string> suda_columns;     ///< the quasi-identifiers, in the order of its shares
  /// By row: members of its class, people of the population that the class stands for (0: nothing is told), and its risk.
  struct Row {
    uint64_t members = 0;
    double people = 0, risk = 0;
  };
  std::vector<Row> rows;  ///< if rows were asked for
};

struct RiskQuestions {
  size_t suda = 0;    ///< the largest set of columns to look for special uniques in; 0: none
  bool rows = false;  ///< whether to say it row by row
};

/// Errors are kData: a weight that is not a number above 0; kInvalidArgument: more than 64 columns to score.
Result<ProfileRisk> MeasureProfileRisk(const Table& table, const Plan& plan, const Profile& profile,
                                       const RiskQuestions& questions, const Workers& workers);

/// The rows of a profile's risk as CSV, with a header.
std::string RowRisksCsv(const ProfileRisk& risk);

}  // namespace tada
