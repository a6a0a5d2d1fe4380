#include "partition/compact/search_record.h"

#include "base/words.h"

namespace tada {
namespace {

std::string WordsOf(const SearchRecord& record) {
  std::string words = fmt::format(
      "Loss (NCP) {:.6f} in {} groups from the first cuts, {:.6f} in {} groups after {} of search", record.ncp_before,
      record.groups_before, record.ncp_after, record.groups_after, Plural(record.loss.size() - 1, "round"));
  if (record.label_share == 0) return words;
  return words +
         fmt::format("; the label had {:g} of the loss that was searched by, and of it {:.6f} was lost, then {:.6f}",
                     record.label_share, record.label_before, record.label_after);
}

FactMap FactsOf(const SearchRecord& record) {
  const bool has_share = record.label_share > 0;
  FactMap facts = FactMap()
                      .Add("effort", record.effort)
                      .Add("ncp_before", record.ncp_before)
                      .Add("ncp_after", record.ncp_after)
                      .Add("groups_before", record.groups_before)
                      .Add("groups_after", record.groups_after)
                      .Add(has_share ? "loss_by_round" : "ncp_by_round", FactList(record.loss));
  if (!has_share) return facts;
  return std::move(facts)
      .Add("label_share", record.label_share)
      .Add("label_loss_before", record.label_before)
      .Add("label_loss_after", record.label_after);
}

}  // namespace

void ReportSearch(const SearchRecord& record, StageNotes& notes) {
  const size_t rounds = record.loss.size() - 1;
  NoteSection section{.key = "compact", .title = "Search for less loss", .raw = true};
  section.text = WordsOf(record);
  const bool has_share = record.label_share > 0;
  section.facts = FactsOf(record);
  section.blocks.push_back({section.text + "."});
  if (rounds > 0) {
    const std::string name = has_share ? "loss" : "NCP";
    Series series{.name = name, .y = record.loss};
    for (size_t round = 0; round <= rounds; ++round) series.x.push_back(static_cast<double>(round));
    section.blocks.push_back({Chart{.title = "Information loss after each round of the local search",
                                    .x_label = "round",
                                    .y_label = name,
                                    .lines = {std::move(series)}}});
  }
  notes.sections.push_back(std::move(section));
}

}  // namespace tada
