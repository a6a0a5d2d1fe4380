#pragma once

// TA_DA (target-aware data anonymization; its classification form is DT-Anon): first group rows by what the data is for, then
// run Mondrian inside each group with the same requirement.
//   classification, regression   a decision tree guided by the label: tree_stage.h
//   clustering                   a k-means whose clusters have at least k rows: kmeans_stage.h

#include "partition/engine/method.h"

namespace tada {

MethodEntry TaDaMethod();

}  // namespace tada
