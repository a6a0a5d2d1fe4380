#include "partition/engine/problem.h"

#include <algorithm>

#include "partition/engine/domain_of.h"

namespace tada {

void StageNotes::AddAbout(std::string_view stage, std::string words) {
  std::pair<std::string, std::string> entry(stage, std::move(words));
  if (std::find(about.begin(), about.end(), entry) == about.end()) about.push_back(std::move(entry));
}

Domain DomainOf(const Column& column, std::span<const uint8_t> present) {
  Domain domain;
  domain.low = column.num_codes();
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (present[code] == 0) continue;
    ++domain.num_values;
    if (column.is_missing(code)) {
      domain.has_missing = true;
      continue;
    }
    domain.low = std::min(domain.low, code);
    domain.high = code;
  }
  if (column.is_numeric() && domain.low <= domain.high)
    domain.range = column.number(domain.high) - column.number(domain.low);
  return domain;
}

std::vector<Domain> FindDomains(const Table& table, const Roles& roles, std::span<const RowId> rows,
                                const Workers& workers) {
  std::vector<Domain> domains(roles.quasi.size());
  workers.For(domains.size(), [&](size_t i) {
    const Column& column = table.column(roles.quasi[i]);
    std::vector<uint8_t> present(column.num_codes(), 0);
    column.codes().Visit([&](auto codes) {
      for (const RowId row : rows) present[codes[row]] = 1;
    });
    domains[i] = DomainOf(column, present);
  });
  return domains;
}

double NormalizedSpan(const Problem& problem, size_t i, Code low, Code high) {
  if (low == high) return 0;
  const Column& column = problem.quasi(i);
  const Domain& domain = problem.domains[i];
  if (column.is_numeric()) {
    if (column.is_missing(low)) return column.is_missing(high) ? 0 : problem.importance(i);
    return domain.range > 0 ? problem.importance(i) * (column.number(high) - column.number(low)) / domain.range : 0;
  }
  const Code first = domain.has_missing ? 0 : domain.low;
  if (domain.high <= first) return 0;
  return problem.importance(i) * static_cast<double>(high - low) / static_cast<double>(domain.high - first);
}

}  // namespace tada
