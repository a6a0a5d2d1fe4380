#include "partition/ta_da/clusters/cluster_report.h"

#include <algorithm>
#include <map>

namespace tada {
namespace {

constexpr std::string_view kKey = "clusters";

uint64_t Median(const std::vector<uint64_t>& sizes) { return sizes[sizes.size() / 2]; }

Fact Facts(const Clustered& clustered) {
  std::map<uint64_t, uint64_t> how_many;
  for (const uint64_t size : clustered.sizes) ++how_many[size];
  Fact::Map sizes;
  for (const auto& [size, count] : how_many) sizes.emplace_back(fmt::to_string(size), count);
  const RepairCounts& repair = clustered.repair;
  return FactMap()
      .Add("rows", clustered.rows)
      .Add("clusters", clustered.sizes.size())
      .Add("smallest", clustered.sizes.front())
      .Add("median", Median(clustered.sizes))
      .Add("largest", clustered.sizes.back())
      .Add("sizes", std::move(sizes))
      .Add("objective", RoundToDigits(clustered.found.objective, 6))
      .Add("objective_before_exchanges", RoundToDigits(clustered.found.objective_before_exchange, 6))
      .Add("iterations", clustered.found.iterations)
      .Add("repair", FactMap()
                         .Add("failing", repair.failing)
                         .Add("moved_rows", repair.moved)
                         .Add("swapped_pairs", repair.swapped)
                         .Add("dissolved", repair.dissolved)
                         .Add("merged", repair.merged));
}

std::string RepairWords(const RepairCounts& repair) {
  if (repair.failing == 0) return "not needed";
  return fmt::format("{} clusters failed: {} rows moved, {} pairs swapped, {} clusters dissolved, {} merged",
                     repair.failing, repair.moved, repair.swapped, repair.dissolved, repair.merged);
}

NoteSection& FindSection(StageNotes& notes) {
  for (NoteSection& section : notes.sections) {
    if (section.key == kKey) return section;
  }
  NoteSection& section = notes.sections.emplace_back();
  section.key = kKey;
  section.title = "Clusters before Mondrian";
  section.facts = Fact::List{};
  section.raw = true;  // how rows were moved about says more than the groups that came of it
  section.blocks.push_back(
      {DataTable{.header = {"rows", "clusters", "smallest", "median", "largest", "objective", "repair for l"},
                 .right = {true, true, true, true, true, true}}});
  return section;
}

}  // namespace

void ReportClusters(const Clustered& clustered, StageNotes& notes) {
  NoteSection& section = FindSection(notes);
  section.facts.Append(Facts(clustered));
  std::get<DataTable>(section.blocks.front().content)
      .rows.push_back({fmt::to_string(clustered.rows), fmt::to_string(clustered.sizes.size()),
                       fmt::to_string(clustered.sizes.front()), fmt::to_string(Median(clustered.sizes)),
                       fmt::to_string(clustered.sizes.back()), fmt::format("{:.6g}", clustered.found.objective),
                       RepairWords(clustered.repair)});
}

}  // namespace tada
