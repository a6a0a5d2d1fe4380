#pragma once

// How far a clustering survives anonymization (docs/evaluation.md): k-means on the raw rows, best of 50 starts, is the reference.
//   assign   released rows, scaled as the raw ones, go to the nearest raw centroid. No randomness; the primary figure.
//   warm     released rows, standardized by themselves, then Lloyd's iteration from the raw centroids.
// A name is the number of its value in order, a set the mean of its smallest and largest, an interval its midpoint.

#include "base/workers.h"
#include "learn/features/cell_table.h"

namespace tada {

struct ClusterAgreement {
  double assign_ari = 0, assign_nmi = 0, warm_ari = 0, warm_nmi = 0;
};

/// Pre: the tables have the same rows and columns.
ClusterAgreement CompareClusters(const CellTable& raw, const CellTable& released, uint32_t clusters,
                                 const Workers& workers);

}  // namespace tada
