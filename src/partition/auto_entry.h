#pragma once

// The method `auto`: chosen by trying others on the table itself (evaluate/auto_method.h), before any stage runs. Where nobody
// tries, as in a part of a distributed table, it is the default method of the task.

#include "partition/registry.h"

namespace tada {

MethodEntry AutoMethod();

}  // namespace tada
