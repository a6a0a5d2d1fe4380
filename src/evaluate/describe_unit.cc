#include "evaluate/describe_unit.h"

#include <algorithm>
#include <limits>
#include <set>

#include "evaluate/paired.h"
#include "learn/metrics.h"
#include "run/inspect/people.h"
#include "score/scorecard.h"

namespace tada {
namespace {

// People of the group that has fewest, or rows.
uint64_t ReachedK(const Anonymized& made, const Table& table, uint64_t rows) {
  if (made.bound.person.empty()) return rows;
  const PeopleOfRows people = FindPeople(table, made.bound.person);
  uint64_t least = UINT64_MAX;
  for (GroupId group = 0; group < made.groups.num_groups(); ++group) {
    std::set<uint32_t> members;
    for (const RowId row : made.groups.rows(group)) members.insert(people.of_row[row]);
    least = std::min<uint64_t>(least, members.size());
  }
  return least == UINT64_MAX ? 0 : least;
}

uint64_t ReachedL(const Anonymized& made, const Table& table) {
  std::optional<uint64_t> least;
  for (const CountedColumn& counted : CountedColumns(table, made.bound.roles.sensitive, made.requirement)) {
    const Codes& codes = table.column(counted.column).codes();
    for (GroupId group = 0; group < made.groups.num_groups(); ++group) {
      std::set<Code> values;
      for (const RowId row : made.groups.rows(group)) values.insert(counted.mark_of_code[codes[row]]);
      if (counted.uncounted) values.erase(*counted.uncounted);
      least = std::min<uint64_t>(least.value_or(UINT64_MAX), values.size());
    }
  }
  return least.value_or(0);
}

}  // namespace

void DescribeRelease(const Anonymized& made, const Table& table, const Workers& workers, EvaluateRow& row) {
  const Scorecard score = Score(made.release, workers);
  row.ncp = score.ncp;
  row.discernibility = score.discernibility;
  row.reached_k = ReachedK(made, table, score.smallest_group);
  row.groups = score.groups;
  row.reached_l = ReachedL(made, table);
}

void DescribeVerdict(const Verdict& verdict, EvaluateRow& row) {
  row.reached_k = verdict.k;
  row.reached_l = verdict.l;
  row.groups = verdict.classes;
  row.ncp = verdict.loss ? verdict.loss->ncp_with_withheld : kNaN;
  row.discernibility = verdict.loss ? verdict.loss->discernibility : kNaN;
}

void Judge(const Predictions& made, const CellTable& test, EvaluateRow& row) {
  const auto set = [&](Metric metric, double value) { row.metrics[static_cast<size_t>(metric)] = value; };
  if (!made.numbers.empty()) {
    set(Metric::kR2, R2(test.targets, made.numbers));
    set(Metric::kRmse, Rmse(test.targets, made.numbers));
    return;
  }
  set(Metric::kAccuracy, Accuracy(test.labels, made.labels));
  set(Metric::kF1Macro, F1Macro(test.labels, made.labels, test.num_labels));
  set(Metric::kBalancedAccuracy, BalancedAccuracy(test.labels, made.labels, test.num_labels));
  if (made.probabilities.empty()) return;
  set(Metric::kLogLoss, LogLoss(test.labels, made.probabilities, test.num_labels));
  set(Metric::kAuc, Auc(test.labels, made.probabilities, test.num_labels));
}

std::string AuditProblem(const Verdict& verdict) {
  if (verdict.breaking_classes > 0) {
    return fmt::format("the audit fails: {} of {} classes break the requirement (k={}, l={})", verdict.breaking_classes,
                       verdict.classes, verdict.k, verdict.l);
  }
  std::vector<std::string> false_columns;
  for (const ColumnCover& cover : verdict.cover) {
    if (!cover.covered) false_columns.push_back(cover.column);
  }
  if (false_columns.empty()) return "the audit fails: released rows cannot stand for original ones";
  return fmt::format("the audit fails: cells do not cover the original in {}", fmt::join(false_columns, ", "));
}

}  // namespace tada
