#pragma once

// Released pseudonyms tell which rows are one person's. Then everybody who knows how many rows somebody has, and how far apart the
// dates of these are, looks for a person of a class with that number and those gaps: k people have to share them.

#include "audit/classes/classes.h"
#include "audit/classes/verdict.h"

namespace tada {

/// Judges a release that has such columns; a release without pseudonyms but with shifted dates is not verified.
void JudgeLinkedRows(const Table& release, const AuditOptions& options, const Classes& classes, Verdict& verdict);

}  // namespace tada
