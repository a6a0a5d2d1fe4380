#pragma once

// What every machine of a run knows about the whole table, so that each can work on some of its rows and all decide as one
// machine would: dictionaries, domains, how often labels occur, feasibility. Made from a survey, once on every machine.
//   survey     per column, every different value with its controller and its number of rows.
//   names      the columns that decisions need: quasi-identifiers, sensitive columns, labels, the controllers' column; kept ones too for methods
//              that decide by position, because the order that they are given rows in follows from all columns with a role.
//   codes      a part of the rows: for each of the names one code per row.
// How rows travel is the caller's business; no row order, no division of the rows and no repetition changes an answer.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "audit/audit.h"
#include "files/c_stream/read_stream.h"
#include "files/c_stream/write_stream.h"
#include "partition/engine/method.h"
#include "partition/engine/splits/table_chooser.h"
#include "run/anonymize/anonymize.h"
#include "spread/spread_tree.h"

namespace tada {

/// Of one of the names: its different values, each perhaps several times, for different controllers.
struct ColumnSurvey {
  StreamTable values;  ///< one column
  std::optional<StreamTable>
      controllers;             ///< one column, of whom each of these rows is; nothing: there is one controller
  std::vector<uint64_t> rows;  ///< how many rows of the table each of these stands for
};

using CodeColumns = std::vector<std::span<const int32_t>>;

/// What a node comes to.
struct FinishedNode {
  std::shared_ptr<const Batches> cells;  ///< of the quasi-identifiers, in the order of the rows that were given
  std::string shown;                     ///< what they lose, packed (spread/shown_loss.h)
  std::vector<std::string> warnings;
};

struct PartProblem;

/// The columns that a plan's decisions need.
std::vector<std::string> SpreadNames(const Plan& plan);

class Shared {
 public:
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  /// kInvalidArgument names what a spread run does not do; kInfeasible says what the table allows.
  static Result<std::unique_ptr<Shared>> Make(Plan plan, std::vector<ColumnSurvey> survey);

  const Plan& plan() const { return plan_; }
  const BoundPlan& bound() const { return bound_; }
  const std::vector<std::string>& names() const { return names_; }
  size_t num_quasi() const { return bound_.roles.quasi.size(); }
  std::vector<std::string> stage_names() const;
  uint64_t num_rows() const;
  /// Rows by controller.
  const std::vector<uint64_t>& root_rows() const { return root_rows_; }
  const std::string& controller_name(uint32_t controller) const { return controllers_[controller].name; }
  const Requirement& requirement(uint32_t controller) const { return controllers_[controller].requirement; }
  /// What rows of all controllers meet together.
  Requirement WeakestRequirement() const;
  /// A table of these columns without rows; and all of their values.
  const Table& empty() const { return empty_; }
  const ColumnHierarchies& hierarchies() const { return hierarchies_; }
  /// Rows with missing values in one of the columns.
  uint64_t MissingRows(size_t column) const;
  /// Refuses what needs all rows of a controller on one machine if that is to hold fewer.
  Status CheckLocal(uint64_t local_rows) const;
  /// What each stage does, in words.
  std::vector<std::pair<std::string, std::string>> AboutStages() const;
  /// Refuses columns that identify people, by some rows of the table with all columns that are released; what was allowed is told.
  Result<std::vector<std::string>> Guard(const Table& some_rows) const;

  /// The codes of a part, by column; kData if it has values that the survey has not.
  Result<std::vector<std::vector<int32_t>>> Encode(const Table& part) const;
  /// Audits whole classes of the release, of one controller or of all (ReleasePart, run/audit/audit_release.h).
  Result<Verdict> AuditClasses(const Table& part, std::vector<std::vector<uint64_t>> reference,
                               std::optional<uint32_t> controller) const;
  /// The plan with the kinds that sensitive columns have over the whole table: a part might be read as another.
  Plan PlanWithKinds() const;
  /// Audits that released rows cover the rows that they were made of, which are given in the same order.
  Result<Verdict> Cover(const Table& released, const Table& before) const;
  /// The original values of all columns.
  std::shared_ptr<const Batches> Decode(const CodeColumns& codes) const;
  /// The node of each row.
  std::vector<int32_t> Route(const SpreadTree& tree, const CodeColumns& codes) const;
  /// The value tables of the open nodes over a part of the rows, packed.
  std::vector<std::pair<uint32_t, std::string>> Count(const SpreadTree& tree, const CodeColumns& codes) const;
  /// Adds up what was counted of a node and decides.
  StageSplit Choose(const SpreadTree& tree, uint32_t node, std::span<const std::string_view> counts) const;
  /// Runs the rest of the method on a node's rows, all of which are here, and recodes them. Of a final node any of its rows will do.
  Result<FinishedNode> Finish(const SpreadTree& tree, uint32_t node, const CodeColumns& codes) const;
  /// The type of the cells of each quasi-identifier, as a stream without rows.
  std::shared_ptr<const Batches> CellTypes() const;

 private:
  friend struct PartProblem;
  Shared() = default;
  Status Bind(std::vector<ColumnSurvey> survey);
  Status FindControllersOf(const std::vector<ColumnSurvey>& survey);
  void CountSurvey(const std::vector<ColumnSurvey>& survey);
  Status CheckStages();
  Status CheckFeasible() const;
  Status CheckLevels(const MethodEntry& method) const;
  std::vector<CountedColumn> CountedFor(const Table& table, const Requirement& requirement) const;
  Tally ReferenceOf(const Checker& checker, uint32_t controller) const;
  void AddRows(const Checker& checker, size_t controller, Tally& tally) const;
  Result<Groups> RefinePart(const SpreadTree::Node& node, const Table& table, StageNotes& notes) const;
  Result<Groups> RefineWhole(uint32_t controller, const Table& table, StageNotes& notes) const;
  Result<std::vector<int32_t>> EncodeColumn(size_t column, const Column& part) const;
  Column ColumnOf(size_t column, std::span<const int32_t> codes) const;
  Table TableOf(const CodeColumns& codes) const;
  std::vector<std::unique_ptr<const TableChooser>> Choosers(const PartProblem& asked, uint32_t controller) const;
  std::span<const int32_t> ControllersOf(const CodeColumns& codes) const;
  std::vector<ColumnId> TextColumns() const;
  FinishedNode ShowCells(const Release& release) const;
  FinishedNode ShowFinal(const SpreadTree::Node& node, size_t num_rows) const;

  struct OfController {
    std::string name;
    Requirement requirement;
    std::vector<Domain> domains;
    WholeCounts whole;
    bool needs_all_rows = false;  // counts do not decide: one machine has to hold the controller's rows
    std::vector<std::vector<uint64_t>> sensitive_counts;  // by code
  };

  Plan plan_;
  std::vector<std::string> names_;
  size_t controller_column_ = SIZE_MAX;  // among the names
  std::vector<Column> dictionaries_;     // one row per code that occurs
  std::vector<StoredValues> stored_;
  std::vector<std::vector<RowId>> row_of_code_;
  std::vector<std::unordered_map<std::string, Code>> code_of_;
  Table empty_;
  BoundPlan bound_;
  std::vector<double> weights_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<const SpreadStage*> spread_stages_;  // the same
  ColumnHierarchies hierarchies_;
  std::vector<std::optional<Hierarchy>> sensitive_hierarchies_;
  std::vector<uint64_t> root_rows_;
  std::vector<uint64_t> missing_rows_;  // by column
  std::vector<OfController> controllers_;
};

}  // namespace tada
