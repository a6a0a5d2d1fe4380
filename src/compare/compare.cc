#include "compare/compare.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/option_mark.h"
#include "base/words.h"
#include "compare/queries.h"
#include "compare/statistics.h"
#include "run/audit/audit_options.h"
#include "run/audit/audit_release.h"

namespace tada {
namespace {

// Compares releases with one original, which is read once.
class Comparer {
 public:
  Comparer(const NamedRelease& original, const Plan& plan, const CompareOptions& options, const Workers& workers)
      : name_(original.name), original_(*original.table), plan_(plan), options_(options), workers_(workers) {
    for (const PlannedColumn& column : plan.quasi) quasi_.push_back(column.name);
    for (const auto* others : {&plan.sensitive, &plan.label, &plan.keep}) {
      for (const PlannedColumn& column : *others) others_.push_back(column.name);
    }
  }

  Result<TableFigures> DescribeOriginal() {
    TableFigures figures;
    figures.name = name_;
    Plan as_it_is = plan_;
    as_it_is.requirement.persons = Persons::kRows;
    as_it_is.person.clear();
    TADA_TRY(verdict, AuditByPlan(original_, nullptr, as_it_is, workers_));
    figures.verdict = std::move(verdict);
    std::vector<std::string> described = quasi_;
    for (const std::string& name : others_) {
      if (original_.Find(name)) described.push_back(name);
    }
    for (const std::string& name : described) {
      columns_.names.push_back(name);
      columns_.columns.push_back(&original_.column(*original_.Find(name)));
      columns_.readings.push_back(ColumnReading::OfOriginal(*columns_.columns.back()));
      parts_.emplace_back(*columns_.columns.back(), columns_.readings.back());
    }
    figures.columns = DescribeColumns(columns_, parts_);
    figures.correlations = FindCorrelations(columns_, workers_);
    TADA_CHECK_OK(AskOriginal());
    return figures;
  }

  /// Pre: DescribeOriginal, of which `before` is the result.
  Result<TableFigures> Describe(const NamedRelease& release, const TableFigures& before, Progress& progress) {
    TableFigures figures;
    figures.name = release.name;
    const Table& table = *release.table;
    TADA_TRY(verdict, AuditByPlan(table, &original_, plan_, workers_));
    figures.verdict = std::move(verdict);
    TADA_TRY(labels, LabelsByPlan(table, original_, plan_));
    const ReadColumns read = ReadRelease(table, labels, figures);
    figures.columns = DescribeColumns(read, PartsOf(read));
    for (ColumnFigures& column : figures.columns) {
      const auto same = std::ranges::find(before.columns, column.column, &ColumnFigures::column);
      column.marginal_error = MarginalError(same->marginal, column.marginal);
    }
    figures.correlations = FindCorrelations(read, workers_);
    if (!queries_.empty()) {
      const std::vector<const Column*> columns(read.columns.begin(),
                                               read.columns.begin() + static_cast<ptrdiff_t>(quasi_.size()));
      figures.queries = CompareAnswers(queries_, answers_, AnswerQueries(queries_, columns, read.readings, workers_),
                                       original_.num_rows());
    }
    if (options_.attack && table.num_rows() > 0 && original_.num_rows() > 0) {
      TADA_TRY(attack, AttackRelease(table, progress));
      figures.attack = std::move(attack);
      figures.notes.insert(figures.notes.end(), figures.attack->notes.begin(), figures.attack->notes.end());
    }
    return figures;
  }

 private:
  // The queries, and the answers of the original.
  Status AskOriginal() {
    const std::vector<const Column*> columns(columns_.columns.begin(),
                                             columns_.columns.begin() + static_cast<ptrdiff_t>(quasi_.size()));
    if (options_.workload.empty()) {
      queries_ = MakeUpQueries(columns, columns_.readings, options_.queries, plan_.seed);
    } else {
      TADA_TRY(queries, FindQueries(options_.workload, columns));
      if (queries.empty()) {
        return InvalidArgument(TADA_OPTION("workload") " has no query that counts rows: all have a target")
            .WithHint("Leave 'target' out of a query to have its rows counted.");
      }
      queries_ = std::move(queries);
    }
    answers_ = AnswerQueries(queries_, columns, columns_.readings, workers_);
    return Ok();
  }

  // The columns of a release that the original has too; quasi-identifiers first.
  ReadColumns ReadRelease(const Table& table, const std::vector<LabelCodes>& labels, TableFigures& figures) const {
    ReadColumns read;
    std::vector<std::string> unread;
    for (size_t i = 0; i < columns_.names.size(); ++i) {
      const auto id = table.Find(columns_.names[i]);
      if (!id) continue;
      const bool quasi = i < quasi_.size();
      const LabelCodes* known = quasi && *id < labels.size() ? &labels[*id] : nullptr;
      const Column& column = table.column(*id);
      read.names.push_back(columns_.names[i]);
      read.columns.push_back(&column);
      read.readings.push_back(ColumnReading::OfRelease(column, *columns_.columns[i], known, plan_.missing));
      if (read.readings.back().unread_rows() > 0) unread.push_back(columns_.names[i]);
    }
    if (!unread.empty()) {
      figures.notes.push_back(fmt::format(
          "Some cells of {} are names that say nothing about numbers; they are left out of means and variances. Name "
          "the hierarchy with " TADA_OPTION("hierarchies") " or " TADA_OPTION("hierarchy") ".",
          fmt::join(unread, ", ")));
    }
    return read;
  }

  std::vector<MarginalParts> PartsOf(const ReadColumns& read) const {
    std::vector<MarginalParts> parts;
    for (const std::string& name : read.names) {
      parts.push_back(parts_[static_cast<size_t>(std::ranges::find(columns_.names, name) - columns_.names.begin())]);
    }
    return parts;
  }

  static double MarginalError(const std::vector<MarginalShare>& before, const std::vector<MarginalShare>& after) {
    double sum = 0;
    for (size_t i = 0; i < before.size(); ++i) sum += std::abs(before[i].share - after[i].share);
    return sum / 2;
  }

  Result<AttackResult> AttackRelease(const Table& table, Progress& progress) const {
    AttackOptions options;
    options.quasi = quasi_;
    for (const PlannedColumn& column : plan_.sensitive) options.sensitive.push_back(column.name);
    options.max_people = options_.max_people;
    options.seed = plan_.seed;
    return Attack(table, original_, options, workers_, progress);
  }

  std::string name_;
  const Table& original_;
  const Plan& plan_;
  const CompareOptions& options_;
  const Workers& workers_;
  std::vector<std::string> quasi_, others_;
  ReadColumns columns_;  // of the original
  std::vector<MarginalParts> parts_;
  std::vector<CountQuery> queries_;
  std::vector<double> answers_;
};

}  // namespace

Result<Comparison> Compare(const std::vector<NamedRelease>& releases, const NamedRelease& original, const Plan& plan,
                           const CompareOptions& options, const Workers& workers, Progress& progress) {
  Comparison comparison;
  comparison.made_up_queries = options.workload.empty();
  Comparer comparer(original, plan, options, workers);
  TADA_TRY(before, comparer.DescribeOriginal());
  comparison.original = std::move(before);
  for (const NamedRelease& release : releases) {
    workers.Poll();
    TADA_TRY(figures, comparer.Describe(release, comparison.original, progress));
    comparison.releases.push_back(std::move(figures));
  }
  return comparison;
}

}  // namespace tada
