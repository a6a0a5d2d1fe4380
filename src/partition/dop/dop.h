#pragma once

// Method `dop`: density clusters, then optimal Mondrian inside each (DOP; docs/algorithms/dop.md). Where we differ from the
// paper by default: all columns weigh alike, noise joins its nearest cluster instead of being masked, and cuts minimize the
// release's NCP over all quasi-identifiers; --weights cardinality --noise mask --cost lil is the paper's form.

#include "partition/engine/method.h"

namespace tada {

MethodEntry DopMethod();

}  // namespace tada
