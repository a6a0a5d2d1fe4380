#pragma once

// What the list of methods (partition/registry.h) knows of a method: its name, its words, its options, and how its stages are made.

#include <memory>
#include <string_view>
#include <vector>

#include "base/option.h"
#include "partition/engine/problem.h"

namespace tada {

enum class Maturity { kStable, kExperimental };

/// What a method needs to know to choose its stages.
struct MethodContext {
  Task task = Task::kNone;
  const OptionValues& options;
  bool compares_distributions = false;  ///< whether the requirement does
};

/// What the order of the input's rows is to a method.
enum class RowOrder {
  kIgnored,    ///< it decides by counts: no order of rows changes what it releases
  kCanonical,  ///< it decides by position too, and is given the rows in an order that follows from their values
  kInput,      ///< it is asked to look at the order of the input: another order gives another release
};

/// The row order of a method that decides by position whatever its options are.
inline RowOrder ByPosition(const MethodContext&) { return RowOrder::kCanonical; }

/// Of a method that does something whatever its options are.
inline bool Always(const MethodContext&) { return true; }

struct MethodEntry {
  std::string_view name;
  Maturity maturity;
  std::string_view summary;  ///< one sentence
  std::string_view page;     ///< its page in docs/
  /// Tasks it serves; empty: any, with or without a label.
  std::vector<Task> tasks;
  std::vector<OptionSpec> options;
  /// The stages, in order; an error if task or options do not fit.
  Result<std::vector<std::unique_ptr<Stage>>> (*make)(const MethodContext& context);
  /// It recodes whole columns by their hierarchies: a quasi-identifier that comes without one gets one from the data.
  bool by_levels = false;
  /// Whether an option means anything for a task; nullptr: every one does. make() refuses one that doesn't.
  bool (*serves)(const OptionSpec& option, Task task) = nullptr;
  /// What the order of rows is to it with these options; nullptr: it is ignored.
  RowOrder (*row_order)(const MethodContext& context) = nullptr;
  /// Whether its groups are boxes of cuts with these options, so that --range cut works; nullptr: never.
  bool (*has_boxes)(const MethodContext& context) = nullptr;
  /// Whether it decides by nothing but quasi-identifiers and the requirement with these options, so that --safe works; nullptr:
  /// never.
  bool (*by_quasi_alone)(const MethodContext& context) = nullptr;
  /// When and why released rows depend on the order of the input's rows: a sentence; empty: they never do.
  std::string_view order_matters = "";
};

}  // namespace tada
