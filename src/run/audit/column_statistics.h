#pragma once

// What a column says as a whole, before and after it was released: for the confidential report, since means and variances of raw
// columns that were never released are raw values too.

#include "run/audit/outcome.h"
#include "table/table.h"

namespace tada {

/// Of a column as it was read: mean and variance of numbers (of days, for dates), the share of the most frequent value of names.
Outcome::Column::Statistics StatisticsOf(const Column& column);

/// Of a released column, whose original this is: intervals count by their middles, masked cells not at all.
Outcome::Column::Statistics StatisticsOfReleased(const Column& released, const Column& original);

/// Both, for every column of the outcome that was released. Pre: DescribeRun filled it.
void DescribeStatistics(const Table& original, const Table& released, Outcome& outcome);

}  // namespace tada
