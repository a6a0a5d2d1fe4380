#pragma once

// What a file holds beside its cells, judged: everything is noted, and a raw value of the original among it fails the release.

#include <span>

#include "audit/audit.h"
#include "table/outside_content.h"

namespace tada {

/// `original`: with all of its columns, released or not; null if it is not there. Values that are released, or are column names, are
/// no raw values; in running bytes only values of at least four characters are looked for, where no letter or digit stands beside.
void JudgeOutside(std::span<const OutsideContent> outside, const Table& release, const Table* original,
                  Verdict& verdict);

}  // namespace tada
