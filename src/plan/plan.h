#pragma once

// A plan: everything that decides what a release looks like, besides the input itself. It comes from a TOML file, from
// the command line (which overrides the file), from Python or from the web page, always through the same options
// (plan/option_groups.h), and is written into the report so that a release can be made again.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/option.h"
#include "base/status.h"
#include "privacy/requirement.h"
#include "table/column.h"
#include "table/column_builder.h"
#include "table/domain_bounds.h"
#include "table/table.h"

namespace tada {

/// A column a plan names, with the kind if the plan overrides it: `zip:categorical`.
struct PlannedColumn {
  std::string name;
  std::optional<Kind> kind;
  bool dates = false;              ///< of a numeric kind: `dob:date`
  std::string format;              ///< how its numbers or dates are written: `dob:date:%d/%m/%Y`, `price:numeric:comma`
  double weight = 1.0;             ///< of a label among several: `y:2`
  std::vector<std::string> order;  ///< values in order, from [columns.NAME] order = [...] of a plan file
  bool order_of_appearance = false;  ///< [columns.NAME] order = "appearance"
  std::string hierarchy;             ///< a file or a builder, from --hierarchy or [columns.NAME] hierarchy = "..."
};

/// Top and bottom coding: numbers outside are taken for the nearer end.
struct ColumnClip {
  std::string column;
  std::string low, high;  ///< as the plan writes them; "": none on this side
};

struct Plan {
  std::vector<PlannedColumn> quasi, sensitive, label, keep;
  std::vector<PlannedColumn>
      person;                    ///< together they name a person; never released. How they count: requirement.persons
  bool rows_are_people = false;  ///< somebody said so, whatever the table looks like
  std::vector<PlannedColumn> pseudonym;  ///< released as keyed pseudonyms; they name people unless `person` does
  struct ShiftedDates {
    std::string name;
    std::string resolution = "day";  ///< "day", "month" or "year", as released
  };
  std::vector<ShiftedDates> shift_dates;  ///< released with all dates of a person moved by the same days
  std::string key;                        ///< the file of the secret key of both
  std::string domain;                     ///< pseudonyms of two domains cannot be joined
  std::string profile;                    ///< a policy: "cms", "risk:0.09", "hipaa-safe-harbor" or a file; "" for none
  std::vector<std::pair<std::string, std::string>>
      about;                           ///< [about]: purpose, legal-basis, recipient, author, retention
  std::vector<std::string> allow;      ///< columns that are released though they look like something that identifies
  std::vector<std::string> described;  ///< columns that the file has a section for, with a role or not: [columns.NAME]
  std::optional<Task> task;            ///< nothing: follows from the label
  std::string method;                  ///< "": follows from the task
  Requirement requirement;
  int64_t controllers = 1;
  std::string controller_column;
  /// Requirements of single controllers, by the value of the controller column: [controllers.NAME] k = 10.
  std::map<std::string, Requirement> controller_requirements;
  std::vector<std::string> missing = {"", "?"};
  std::optional<char> delimiter;
  std::string charset;  ///< of CSV that is not UTF-8; "": it has to be
  std::string sheet;    ///< of a workbook; "": its first
  uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  bool keep_order = false;
  std::string hierarchies;      ///< a folder with a hierarchy file per column, or one file with a section per column
  bool show_values = false;     ///< errors may quote values of the data; otherwise they only say where these stand
  bool guard_formulas = false;  ///< CSV cells that a spreadsheet would run get an apostrophe before them
  std::string cells = "typed";  ///< of Parquet and Arrow output: "typed" or "text"
  bool range_cut = false;       ///< cells are the boxes of the cuts, not the extremes of the rows inside: --range cut
  std::map<std::string, DomainBounds> domains;  ///< where boxes end that were never cut, by quasi-identifier: --domain
  int64_t safe = 0;  ///< groups of at least this many rows are formed by the quasi-identifiers alone; 0: not asked
  int64_t min_member = 0;  ///< no set names a value that fewer rows have; 0: not asked
  double withhold = 0;     ///< percent of the people that may be left out (run/anonymize/withhold.h)
  std::vector<ColumnClip> clip;
  std::map<std::string, double> importance;  ///< weights of quasi-identifiers in losses and cuts; 1 where none is given
  std::string recode = "cells";              ///< what groups with several values show: "cells", "exact" (`*`) or "mean"
  OptionValues method_options;               ///< options of the method itself, checked against its registry entry
};

/// A plan file: option values, and the parts that only a file can say.
struct PlanFile {
  OptionValues values;
  std::map<std::string, PlannedColumn> columns;            ///< [columns.NAME]
  std::map<std::string, OptionValues> controllers;         ///< [controllers.NAME]: k, l, diversity
  std::map<std::string, OptionValues> methods;             ///< [methods.NAME]: options of that method
  std::vector<std::pair<std::string, std::string>> about;  ///< [about]: what the report says of the release's purpose
};

/// Reads a plan file (format: docs/formats.md); errors name file and line, and the nearest known key.
Result<PlanFile> ReadPlanFile(const std::string& path);
/// The same from a text; `path` is what errors call it. The options `also` may stand there too, and win over those of a plan.
Result<PlanFile> ParsePlanFile(std::string_view text, const std::string& path, const OptionSpecs& also = {});

/// Builds a plan from a file and from `stronger` values that override it, without asking whether it is complete: a draft
/// may lack a quasi-identifier. Values that are no part of a plan (`output`, `force`) are left alone.
Result<Plan> DraftPlan(const PlanFile& file, const OptionValues& stronger);
/// Checks that a plan is complete and does not contradict itself; the error names the option and what would be right.
Status CheckPlan(const Plan& plan);

/// A draft that passed the check.
Result<Plan> PlanFromFile(const PlanFile& file, const OptionValues& stronger);
/// A plan to audit by. What `stronger` asks is asked of every controller, whatever the file's sections say.
Result<Plan> PlanForAudit(const PlanFile& file, const OptionValues& stronger);
Result<Plan> PlanFromValues(const OptionValues& values);

/// The plan as a TOML text that ReadPlanFile takes back to the same plan: for reports and `inspect --write-plan`.
std::string PlanToToml(const Plan& plan);

/// A column as a list of columns writes it, `zip:categorical`, and back. Only a known suffix counts (a kind; of a label
/// also a weight), so names may hold colons; a name that ends like one is followed by a colon of its own: `a:numeric:`.
PlannedColumn ParsePlannedColumn(std::string_view text, bool is_label);
std::string PlannedColumnText(const PlannedColumn& column, bool is_label);

/// The columns that name a person as --person takes them: `patient`, `patient:apart`.
std::vector<std::string> PersonItems(const Plan& plan);

/// Columns in which rows ask for a k of their own (--k-column), of the plan and of its controllers.
std::vector<std::string> OwnKColumns(const Plan& plan);
/// The columns of shifted dates as --shift-dates takes them: `visit`, `visit:month`.
std::vector<std::string> ShiftedItems(const Plan& plan);

/// What --clip and --importance take: `age=18..90`, `age=2`.
std::vector<std::string> ClipItems(const Plan& plan);
std::vector<std::string> ImportanceItems(const Plan& plan);

/// Whether a release lets its receiver tell which rows are one person's: their number is then known too.
inline bool LinksRows(const Plan& plan) { return !plan.pseudonym.empty() || !plan.shift_dates.empty(); }

/// A text in TOML's double quotes.
std::string TomlString(std::string_view text);

/// "classification", "clustering", "regression", "none".
std::string_view TaskName(Task task);

}  // namespace tada
