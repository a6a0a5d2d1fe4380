#include "partition/engine/splits/taxonomy_split.h"

#include <algorithm>

namespace tada {
namespace {

template <class T>
double SpanOf(const Problem& problem, size_t i, std::span<const T> codes) {
  const Hierarchy& hierarchy = *problem.hierarchy(i);
  const uint32_t level = CommonLevel<T>(hierarchy, codes);
  const Code values = problem.quasi(i).num_values();
  if (level == 0 || values < 2) return 0.0;
  return static_cast<double>(hierarchy.leaves(level, hierarchy.node(level, codes[0])) - 1) /
         static_cast<double>(values - 1);
}

// Children in the order of their codes, so that the cut does not depend on the order of rows. Returns how many.
template <class T>
uint32_t FillChildren(const Hierarchy& hierarchy, std::span<const T> codes, std::vector<uint16_t>& child) {
  const uint32_t level = CommonLevel<T>(hierarchy, codes);
  if (level == 0) return 0;
  std::vector<Code> nodes;
  for (const T code : codes) nodes.push_back(hierarchy.node(level - 1, code));
  std::vector<Code> different = nodes;
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() > UINT16_MAX) return 0;
  child.resize(codes.size());
  for (size_t p = 0; p < codes.size(); ++p) {
    child[p] =
        static_cast<uint16_t>(std::lower_bound(different.begin(), different.end(), nodes[p]) - different.begin());
  }
  return static_cast<uint32_t>(different.size());
}

}  // namespace

double TaxonomySpan(const Problem& problem, size_t i, const NodeRows& rows, const Node& node) {
  return rows.rows.Visit(static_cast<uint32_t>(i), node.begin, node.end, [&](auto codes) {
    using T = std::remove_const_t<typename decltype(codes)::value_type>;
    return SpanOf<T>(problem, i, codes);
  });
}

double TaxonomySpan(const Problem& problem, size_t i, std::span<const Code> codes) {
  return SpanOf<Code>(problem, i, codes);
}

uint32_t CutAtTaxonomy(const Problem& problem, size_t i, const NodeRows& rows, const Node& node, Admissible& admissible,
                       std::vector<uint16_t>& child) {
  const uint32_t children = rows.rows.Visit(static_cast<uint32_t>(i), node.begin, node.end, [&](auto codes) {
    using T = std::remove_const_t<typename decltype(codes)::value_type>;
    return FillChildren<T>(*problem.hierarchy(i), codes, child);
  });
  return children > 1 && admissible.AllChildren(rows, node, child, children) ? children : 0;
}

uint32_t CutAtTaxonomy(const Problem& problem, size_t i, const ValueTable& table, Admissible& admissible,
                       std::vector<uint16_t>& child) {
  const uint32_t children = FillChildren<Code>(*problem.hierarchy(i), table.codes(), child);
  return children > 1 && admissible.AllChildren(table, child, children) ? children : 0;
}

}  // namespace tada
