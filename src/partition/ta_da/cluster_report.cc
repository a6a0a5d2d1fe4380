#include "partition/ta_da/cluster_report.h"

#include <algorithm>
#include <map>

#include "draw/html_text.h"

namespace tada {
namespace {

constexpr std::string_view kKey = "clusters";
constexpr std::string_view kRowsEnd = "</tbody>";  // where ToHtml ends the rows of a table

uint64_t Median(const std::vector<uint64_t>& sizes) { return sizes[sizes.size() / 2]; }

std::string Json(const Clustered& clustered) {
  std::map<uint64_t, uint64_t> how_many;
  for (const uint64_t size : clustered.sizes) ++how_many[size];
  std::string sizes;
  for (const auto& [size, count] : how_many)
    sizes += fmt::format("{}\"{}\": {}", sizes.empty() ? "" : ", ", size, count);
  const RepairCounts& repair = clustered.repair;
  return fmt::format(
      "{{\"rows\": {}, \"clusters\": {}, \"smallest\": {}, \"median\": {}, \"largest\": {}, \"sizes\": {{{}}}, "
      "\"objective\": {:.6g}, \"objective_before_exchanges\": {:.6g}, \"iterations\": {}, \"repair\": {{\"failing\": "
      "{}, "
      "\"moved_rows\": {}, \"swapped_pairs\": {}, \"dissolved\": {}, \"merged\": {}}}}}",
      clustered.rows, clustered.sizes.size(), clustered.sizes.front(), Median(clustered.sizes), clustered.sizes.back(),
      sizes, clustered.found.objective, clustered.found.objective_before_exchange, clustered.found.iterations,
      repair.failing, repair.moved, repair.swapped, repair.dissolved, repair.merged);
}

std::string RepairWords(const RepairCounts& repair) {
  if (repair.failing == 0) return "not needed";
  return fmt::format("{} clusters failed: {} rows moved, {} pairs swapped, {} clusters dissolved, {} merged",
                     repair.failing, repair.moved, repair.swapped, repair.dissolved, repair.merged);
}

StageNotes::Section& FindSection(StageNotes& notes) {
  for (StageNotes::Section& section : notes.sections) {
    if (section.key == kKey) return section;
  }
  StageNotes::Section& section = notes.sections.emplace_back();
  section.key = kKey;
  section.title = "Clusters before Mondrian";
  section.html = ToHtml({.header = {"rows", "clusters", "smallest", "median", "largest", "objective", "repair for l"},
                         .right = {true, true, true, true, true, true}});
  section.json = "[]";
  return section;
}

}  // namespace

void ReportClusters(const Clustered& clustered, StageNotes& notes) {
  StageNotes::Section& section = FindSection(notes);
  section.json.insert(section.json.size() - 1, (section.json.size() > 2 ? ", " : "") + Json(clustered));
  const std::vector<std::string> cells = {fmt::to_string(clustered.rows),
                                          fmt::to_string(clustered.sizes.size()),
                                          fmt::to_string(clustered.sizes.front()),
                                          fmt::to_string(Median(clustered.sizes)),
                                          fmt::to_string(clustered.sizes.back()),
                                          fmt::format("{:.6g}", clustered.found.objective),
                                          RepairWords(clustered.repair)};
  std::string row = "<tr>";
  for (size_t i = 0; i < cells.size(); ++i)
    row += fmt::format("<td{}>{}</td>", i < 6 ? " class=\"num\"" : "", Escape(cells[i]));
  section.html.insert(section.html.rfind(kRowsEnd), row + "</tr>");
}

}  // namespace tada
