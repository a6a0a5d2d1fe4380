#pragma once

// A workload: the queries that the release will be asked, so that Mondrian can cut where they are answered best.
//   query       rows that meet all of its conditions; asks for their number or for a target (the mean of a number, the shares
//               of a class), and sees some quasi-identifiers only.
//   condition   a range or a set of values of one quasi-identifier.
// LeFevre, DeWitt, Ramakrishnan 2006 name selection and projection without a formula; ours is in docs/algorithms/workload.md,
// where the file is described too.

#include <optional>
#include <string>
#include <vector>

#include "partition/engine/problem.h"

namespace tada {

struct QueryCondition {
  std::string column;
  std::optional<std::string> min, max;  ///< of a range, both ends included
  std::vector<std::string> values;      ///< of a set
};

struct Query {
  std::string name;
  std::vector<QueryCondition> where;
  std::string target;                ///< a label; "": the query counts
  std::vector<std::string> columns;  ///< quasi-identifiers that the query sees; none named: all of them
  double weight = 1;
};

/// Reads a workload file; errors name file, line and what would be right.
Result<std::vector<Query>> ReadWorkload(const std::string& path);
Result<std::vector<Query>> ParseWorkload(std::string_view text, const std::string& path);

/// A condition found in a table.
struct BoundCondition {
  uint32_t column = 0;          ///< among the quasi-identifiers
  std::vector<uint8_t> inside;  ///< by code
  std::vector<uint32_t> below;  ///< number of inside codes below each code, and all: how many lie in a range of codes
  bool is_range = false;        ///< of numbers, from `low` to `high`
  double low = 0, high = 0;
  bool Meets(Code first, Code last) const { return below[last + 1] > below[first]; }
};

struct BoundQuery {
  std::string name;
  std::vector<BoundCondition> where;  ///< at most one per column
  std::optional<size_t> target;       ///< among the labels
  std::vector<bool> sees;             ///< by quasi-identifier
  double weight = 1;
  const BoundCondition* On(uint32_t column) const {
    for (const BoundCondition& condition : where) {
      if (condition.column == column) return &condition;
    }
    return nullptr;
  }
};

/// Finds the columns and values of queries; kInvalidArgument names what is not there.
Result<std::vector<BoundQuery>> BindQueries(const Problem& problem, const std::vector<Query>& queries);

/// What a query gets on the raw rows, and on groups of which only the cells are known.
struct QueryAnswer {
  double raw = 0, released = 0;  ///< rows, or the mean of a number; of a class the share of its most frequent value
  double error = 0;  ///< |released - raw| / max(|raw|, 1 row or tiny); of a class half the sum of differences of shares
};
/// Rows of a group spread evenly over its cell (docs/algorithms/workload.md).
std::vector<QueryAnswer> AnswerQueries(const Problem& problem, const Groups& groups,
                                       const std::vector<BoundQuery>& queries);

/// The part of the report about the queries. `plain` is what Mondrian without the workload gives.
NoteSection ExplainWorkload(const std::vector<BoundQuery>& queries, const std::vector<QueryAnswer>& made,
                            const std::vector<QueryAnswer>& plain, const Problem& problem);

}  // namespace tada
