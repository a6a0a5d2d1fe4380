#pragma once

// The result of an attack as sections of an HTML report: what was found, drawn beside what it is compared with.

#include <vector>

#include "attack/attack.h"
#include "draw/report_section.h"

namespace tada {

std::vector<ReportSection> AttackSections(const AttackResult& result);

}  // namespace tada
