#pragma once

// One group before and after, for a terminal and for machines. Both show raw rows: not for publication.

#include <nlohmann/json.hpp>
#include <string>

#include "run/anonymize/group_rows.h"

namespace tada {

std::string GroupRowsText(const GroupRows& rows);
nlohmann::ordered_json GroupRowsJson(const GroupRows& rows);

}  // namespace tada
