#pragma once

// The audit: verifies a released table from its cells alone, ours or another tool's. Written from the definitions, for
// clarity; it includes nothing of groups, partition or recode, so that a mistake there cannot hide here.
//   class     rows whose released quasi-identifier cells are equal.
//   verdict   whether every class meets the requirement, and what the file really reaches.
//   cover     a released cell covers an original value if the value lies in its interval or set, or is it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/workers.h"
#include "privacy/requirement.h"
#include "table/table.h"

namespace tada {

struct AuditClass {
  std::vector<std::string> cells;  ///< one a quasi-identifier
  std::vector<uint64_t> rows;      ///< row numbers in the release, counted from 1 (the header is not counted); at most 20
  uint64_t size = 0;
  uint64_t l = 0;                  ///< smallest over the sensitive columns; 0 without any
  std::string reason;              ///< how it breaks the requirement, in words; "" if it does not
};

struct AuditRisk {            ///< re-identification by somebody who knows the quasi-identifiers
  double highest = 0;         ///< prosecutor: 1 / smallest class
  double average = 0;         ///< marketer: classes / rows
  double share_at_risk = 0;   ///< rows whose risk is above 1/k
};

struct ColumnCover {
  std::string column;
  bool covered = true;
  uint64_t uncovered_rows = 0;  ///< rows whose cells cannot cover an original value
  std::string example;          ///< "row 17: [20,30] does not cover 34"
};

struct AuditOptions {
  std::vector<ColumnId> quasi, sensitive;  ///< columns of the release
  Requirement requirement;
  /// The original table and which of its columns stands behind each released one (by released ColumnId; nothing: none).
  const Table* original = nullptr;
  std::vector<std::optional<ColumnId>> original_column;
  /// If given, released row i stands for original row order[i]; otherwise the audit looks for an assignment itself.
  std::optional<std::vector<RowId>> order;
};

struct Verdict {
  bool passed = false;
  uint64_t rows = 0, classes = 0;
  uint64_t k = 0;                           ///< smallest class
  uint64_t l = 0;                           ///< smallest number of different sensitive values (or what the diversity counts)
  uint64_t breaking_classes = 0, breaking_rows = 0;
  uint64_t masked_rows = 0;                 ///< rows whose quasi-identifiers are all `*`
  uint64_t largest_class = 0;
  std::optional<AuditClass> worst;          ///< the smallest class that breaks the requirement
  std::vector<std::pair<uint64_t, uint64_t>> class_sizes;  ///< size and how many classes have it, ascending
  AuditRisk prosecutor, journalist, marketer;
  std::vector<ColumnCover> cover;           ///< one a column that has an original
  bool rows_match = true;                   ///< every original row is in the release exactly once
  std::vector<std::string> problems;        ///< everything that failed, in words
};

/// Verifies `release`, a table whose columns were read as text. Errors are kInvalidArgument (no such column) or kData.
Result<Verdict> Audit(const Table& release, const AuditOptions& options, const Workers& workers);

}  // namespace tada
