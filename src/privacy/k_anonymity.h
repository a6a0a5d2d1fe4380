#pragma once

// k-anonymity (Samarati, Sweeney): a group has at least k rows.

#include "privacy/requirements.h"

namespace tada {

RequirementEntry KAnonymityEntry();

}  // namespace tada
