#pragma once

#include <span>

#include "partition/engine/problem.h"

namespace tada {

/// The domain of a column of which the codes marked in `present` occur.
Domain DomainOf(const Column& column, std::span<const uint8_t> present);

}  // namespace tada
