#pragma once

// target_weighted: one recursion that keeps together what a model would answer alike, and keeps narrow what the answer
// depends on. docs/algorithms/target_weighted.md

#include "partition/engine/method.h"

namespace tada {

MethodEntry TargetWeightedMethod();

}  // namespace tada
