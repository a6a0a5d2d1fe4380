#pragma once

// Top-down greedy partitioning (Xu, Wang, Pei, Wang, Shi, Fu 2006: Utility-Based Anonymization Using Local Recoding): cut a
// group in two around two rows that are far apart, each row to the side that widens less. docs/algorithms/rules.md

#include "partition/engine/method.h"

namespace tada {

MethodEntry TopDownMethod();

}  // namespace tada
