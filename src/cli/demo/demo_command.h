#pragma once

#include "cli/commands/command.h"

namespace tada {

Command MakeDemoCommand();

}  // namespace tada
