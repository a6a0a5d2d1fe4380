#pragma once

// The result of an attack for a terminal, for machines, and as sections of an HTML page: what was found, drawn beside what it is
// compared with.

#include <string>
#include <vector>

#include "attack/attack.h"
#include "report/draw/report_section.h"

namespace tada {

/// The result for a terminal, as JSON, and as sections of an HTML page.
std::string AttackText(const AttackResult& result);
std::string AttackJson(const AttackResult& result);
std::vector<ReportSection> AttackSections(const AttackResult& result);

}  // namespace tada
