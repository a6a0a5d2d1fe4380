#pragma once

// A plan: everything that decides what a release looks like, besides the input itself. It comes from a TOML file, from
// the command line (which overrides the file), from Python or from the web page, always through the same option table
// (run/option_table.h), and is written into the report so that a release can be made again.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/option.h"
#include "base/status.h"
#include "privacy/requirement.h"
#include "table/column.h"
#include "table/column_builder.h"
#include "table/table.h"

namespace tada {

/// A column a plan names, with the kind if the plan overrides it: `zip:categorical`.
struct PlannedColumn {
  std::string name;
  std::optional<Kind> kind;
  double weight = 1.0;             ///< of a label among several: `y:2`
  std::vector<std::string> order;  ///< values in order, from [columns.NAME] order = [...] of a plan file
  bool order_of_appearance = false;  ///< [columns.NAME] order = "appearance"
};

struct Plan {
  std::vector<PlannedColumn> quasi, sensitive, label, keep;
  std::optional<Task> task;  ///< nothing: follows from the label
  std::string method;        ///< "": follows from the task
  Requirement requirement;
  int64_t controllers = 1;
  std::string controller_column;
  /// Requirements of single controllers, by the value of the controller column: [controllers.NAME] k = 10.
  std::map<std::string, Requirement> controller_requirements;
  std::vector<std::string> missing = {"", "?"};
  std::optional<char> delimiter;
  uint64_t seed = 1;
  int threads = 0;  ///< 0: all cores
  bool keep_order = false;
  std::string cells = "typed";  ///< of Parquet and Arrow output: "typed" or "text"
  OptionValues method_options;  ///< options of the method itself, checked against its registry entry
};

/// Builds and checks a plan from option values; the error names the option and what would be right.
Result<Plan> PlanFromValues(const OptionValues& values);

/// Reads a plan file into option values and the parts that only a file can say; the error names file and line.
/// `values` holds what the file gives; PlanFromValues turns it, overridden by the command line, into a plan.
struct PlanFile {
  OptionValues values;
  std::map<std::string, PlannedColumn> columns;                 ///< [columns.NAME]
  std::map<std::string, OptionValues> controllers;              ///< [controllers.NAME]
};
Result<PlanFile> ReadPlanFile(const std::string& path);

/// The plan as a TOML text that ReadPlanFile takes: for reports and `inspect --write-plan`.
std::string PlanToToml(const Plan& plan);

}  // namespace tada
