#pragma once

// Phase 1 of TA_DA / DT-Anon for classification and regression: a decision tree over the quasi-identifiers, guided by the
// label, every node of which meets the requirement. Its leaves are the groups handed on. docs/algorithms/ta_da.md

#include <memory>

#include "base/option.h"
#include "partition/ta_da/tree_chooser.h"

namespace tada {

std::unique_ptr<Stage> MakeTreeStage(TreeOptions options);
std::vector<OptionSpec> TreeOptionSpecs();
Result<TreeOptions> TreeOptionsFrom(const OptionValues& values, Task task);

}  // namespace tada
