#pragma once

// k-anonymity (Samarati, Sweeney): a group has at least k rows.

#include "privacy/requirement_entry.h"

namespace tada {

RequirementEntry KAnonymityEntry();

}  // namespace tada
