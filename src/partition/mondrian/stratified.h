#pragma once

// Cuts that keep the distribution of the sensitive values. Plain cuts part people who differ in quasi-identifiers, and with them in
// what goes along with these; under closeness, likeness or disclosure most of them are not allowed. Here the rows of every
// sensitive value are sorted along a column, and the same share of each goes to the left side: both sides keep the shares, but
// for rounding, and the cells of the two may overlap.
//   stratum   rows with the same sensitive value; of a column that is compared by order, with one of 10 ranges of values.
// docs/algorithms/requirements.md

#include <string_view>

#include "partition/engine/problem.h"

namespace tada {

/// Splits every group in five ways: by such cuts alone or with the cheapest plain cuts (ncp_split.h) as further candidates, each at
/// the half or where whole groups of k fit, and by plain cuts alone. Keeps what loses least (NCP).
/// Pre: the requirement compares distributions, and the checker needs values: a closeness of 1 asks for nothing.
Groups SplitStratified(const Problem& problem, const Groups& groups, std::string_view stage);

/// What SplitStratified() does, for the report.
inline constexpr std::string_view kStratifiedWords =
    "Groups are cut in two, again and again: the people of every sensitive value are sorted along a quasi-identifier, "
    "and the same "
    "share of each goes to one side, so that both sides keep the distribution of the sensitive values; or at one place "
    "for all of "
    "them, where that loses less. Of several ways to do so the one with the least loss (NCP) is kept; ";

/// `--stratify [never]`.
OptionSpec StratifyOptionSpec();

}  // namespace tada
