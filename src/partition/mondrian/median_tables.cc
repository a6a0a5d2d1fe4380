#include "partition/mondrian/median_tables.h"

#include "partition/engine/splits/taxonomy_split.h"

namespace tada {
namespace {

uint64_t CountRows(const ValueTable& table) {
  uint64_t rows = 0;
  for (size_t v = 0; v < table.size(); ++v) rows += table.rows(v);
  return rows;
}

}  // namespace

MedianTables::MedianTables(const Problem& problem, std::span<const ValueTable> tables, Admissible& admissible)
    : MedianView(CountRows(tables[0])), problem_(problem), tables_(tables), admissible_(admissible) {}

Axis MedianTables::FindAxis(uint32_t column) {
  const std::span<const Code> codes = tables_[column].codes();
  return {0, column, codes.front(), codes.back()};
}

double MedianTables::SpanByHierarchy(uint32_t column) {
  return TaxonomySpan(problem_, column, tables_[column].codes());
}

Middle MedianTables::FindMiddle(const Axis& axis) {
  const ValueTable& table = tables_[axis.column];
  const uint64_t lower_rank = (num_rows() - 1) / 2, upper_rank = num_rows() / 2;
  uint64_t seen = 0;
  size_t at = 0;
  while (seen + table.rows(at) <= lower_rank) seen += table.rows(at++);
  const Code lower = table.code(at);
  while (seen + table.rows(at) <= upper_rank) seen += table.rows(at++);
  return {lower, table.code(at)};
}

std::span<const uint32_t> MedianTables::CountCodes(const Axis& axis) {
  const ValueTable& table = tables_[axis.column];
  counts_.assign(axis.high - axis.low + 1, 0);
  for (size_t v = 0; v < table.size(); ++v) counts_[table.code(v) - axis.low] = table.rows(v);
  return counts_;
}

bool MedianTables::TakeCut(const Axis& axis, Code cut) {
  const ValueTable& table = tables_[axis.column];
  child_.resize(table.size());
  for (size_t v = 0; v < table.size(); ++v) child_[v] = table.code(v) >= cut ? 1 : 0;
  if (!admissible_.AllChildren(table, child_, 2)) return false;
  split_ = {axis.column, 2, cut, {}, {}};
  return true;
}

bool MedianTables::TakeSides(const Axis& axis, std::span<const uint16_t> side_of) {
  const ValueTable& table = tables_[axis.column];
  child_.resize(table.size());
  for (size_t v = 0; v < table.size(); ++v) child_[v] = side_of[table.code(v) - axis.low];
  if (!admissible_.AllChildren(table, child_, 2)) return false;
  Remember(axis.column, 2);
  return true;
}

bool MedianTables::TakeRelaxed(const Axis& /*axis*/, Code /*middle*/) {
  throw InternalError("relaxed cuts deal rows, and there are none");
}

uint32_t MedianTables::TakeHierarchy(uint32_t column) {
  const uint32_t children = CutAtTaxonomy(problem_, column, tables_[column], admissible_, child_);
  if (children > 0) Remember(column, children);
  return children;
}

void MedianTables::Remember(uint32_t column, uint32_t num_children) {
  const std::span<const Code> codes = tables_[column].codes();
  split_ = {column, num_children, 0, {codes.begin(), codes.end()}, child_};
}

}  // namespace tada
