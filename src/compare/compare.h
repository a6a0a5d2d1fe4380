#pragma once

// Several releases of one table side by side, ours or anybody's: what each reaches, what it costs, what statistics of it say beside
// those of the original, and what an attacker gets. Statistics of a release are those that somebody finds who decodes it (decode/) and
// draws without end: from its cells alone. Definitions: docs/compare.md. The result shows figures of the original: it is confidential.

#include <optional>
#include <string>
#include <vector>

#include "attack/attack.h"
#include "audit/audit.h"
#include "base/progress.h"
#include "base/workers.h"
#include "partition/mondrian/workload.h"
#include "plan/plan.h"
#include "table/table.h"

namespace tada {

/// The share of a value, or of numbers from one to another.
struct MarginalShare {
  std::string label;
  double share = 0;
};

/// A column of the original or of a release. Mean and variance are of numbers, "missing" left out; dates are days since 1970-01-01.
struct ColumnFigures {
  std::string column;
  std::optional<double> mean, variance;
  std::vector<MarginalShare> marginal;  ///< the same labels for all tables
  /// Half the sum of the differences of shares to the original: 0 the same, 1 nothing in common. 0 in the original.
  double marginal_error = 0;
};

/// Pearson's, between two columns of numbers; nothing if one of them is constant.
struct Correlation {
  std::string first, second;
  std::optional<double> value;
};

/// |answer - true answer| / max(true answer, 0.1% of the rows), over count queries.
struct QueryErrors {
  uint64_t queries = 0;
  double mean = 0, median = 0, highest = 0;
};

/// What is said of one table.
struct TableFigures {
  std::string name;
  Verdict verdict;  ///< of the original: as if it were released as it is
  std::vector<ColumnFigures> columns;
  std::vector<Correlation> correlations;
  std::optional<QueryErrors> queries;  ///< of a release
  std::optional<AttackResult> attack;  ///< of a release
  std::vector<std::string> notes;
};

struct Comparison {
  TableFigures original;
  std::vector<TableFigures> releases;
  bool made_up_queries = true;  ///< drawn at random; otherwise the workload's
};

struct CompareOptions {
  uint64_t queries = 500;        ///< count queries to make up if there is no workload; 0: none
  std::vector<Query> workload;   ///< those that count are asked
  uint64_t max_people = 10'000;  ///< to attack; 0: all
  bool attack = true;
};

struct NamedRelease {
  std::string name;
  const Table* table = nullptr;  ///< read as for an audit
};

/// Pre: the plan's quasi-identifiers and sensitive columns are in all tables.
Result<Comparison> Compare(const std::vector<NamedRelease>& releases, const NamedRelease& original, const Plan& plan,
                           const CompareOptions& options, const Workers& workers, Progress& progress);

}  // namespace tada
