#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_mark.h"
#include "base/words.h"
#include "plan/shell_command.h"
#include "report/advice/advice_report.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

constexpr size_t kMostLines = 24;

// Where no rule is anonymous enough: says how many there are, and what to try.
std::string NoRules(const Advice& advice, const AdviseOptions& options) {
  return fmt::format(
      "No way to recode keeps {} percent of the pairs of different {} apart with k of {} or more; of {} rules found "
      "none "
      "has it.\nTry a lower " TADA_OPTION("coverage") ".\n",
      options.coverage, advice.label, options.min_k, advice.found);
}

std::string Percent(const std::optional<double>& x) { return x ? fmt::format("{:.1f}%", 100 * *x) : std::string(); }

// What a candidate releases, briefly.
std::string Released(const Candidate& candidate, const Advice& advice) {
  if (candidate.origin == "method") return candidate.words;
  std::vector<std::string> columns;
  for (size_t c = 0; c < candidate.levels.size(); ++c) {
    if (candidate.levels[c] + size_t{1} < advice.columns[c].nodes.size())
      columns.push_back(fmt::format("{}={}", advice.columns[c].name, candidate.levels[c]));
  }
  return columns.empty() ? "nothing" : fmt::format("{}", fmt::join(columns, " "));
}

// At most kMostLines of the frontier, evenly picked, and all places to start.
std::vector<const Candidate*> Shown(const Joint& joint) {
  std::vector<const Candidate*> frontier, shown;
  for (const Candidate& candidate : joint.candidates) {
    if (candidate.frontier) frontier.push_back(&candidate);
  }
  for (size_t i = 0; i < frontier.size(); ++i) {
    const bool place = std::ranges::any_of(joint.places, [&](const Place& one) { return one.id == frontier[i]->id; });
    if (place || frontier.size() <= kMostLines ||
        i * kMostLines / frontier.size() != (i + 1) * kMostLines / frontier.size())
      shown.push_back(frontier[i]);
  }
  return shown;
}

std::string FrontierTable(const Advice& advice, const Joint& joint) {
  const bool by_label = !advice.label.empty();
  const bool diverse = std::ranges::any_of(joint.candidates, [](const Candidate& c) { return c.l.has_value(); });
  std::vector<std::string> head = {"id", "k"};
  if (diverse) head.emplace_back("l");
  if (by_label) head.insert(head.end(), {"accuracy", "gain"});
  head.insert(head.end(), {"NCP", "query error", "released"});
  std::vector<std::vector<std::string>> rows = {head};
  for (const Candidate* one : Shown(joint)) {
    std::vector<std::string> row = {one->id, fmt::format("{}", one->k)};
    if (diverse) row.push_back(one->l ? fmt::format("{}", *one->l) : "");
    if (by_label) row.insert(row.end(), {Percent(one->accuracy), fmt::format("{:.4f}", *one->information_gain)});
    row.insert(row.end(), {fmt::format("{:.3f}", one->ncp), Percent(one->query_error), Released(*one, advice)});
    rows.push_back(std::move(row));
  }
  std::vector<bool> right(head.size(), true);
  right.front() = right.back() = false;
  return AlignColumns(rows, right);
}

std::string Ways(const Advice& advice, const Joint& joint, const AdviceSource& source) {
  const auto frontier = static_cast<size_t>(std::ranges::count_if(joint.candidates, &Candidate::frontier));
  const size_t shown = Shown(joint).size();
  std::string text =
      fmt::format("{}: {}\n{} that could be made, {} of them not beaten by any other in {}{}:\n\n", source.input,
                  Plural(advice.rows, "row"), Plural(joint.candidates.size(), "release"), frontier,
                  advice.label.empty() ? "k, NCP and query error" : "k, accuracy and information gain",
                  shown < frontier ? fmt::format("; {} of these", shown) : "");
  text += FrontierTable(advice, joint);
  if (advice.raw_tree)
    text += fmt::format("\nA tree on the raw columns: {:.1f}%; the commonest {}: {:.1f}%\n", 100 * *advice.raw_tree,
                        advice.label, 100 * advice.majority);
  if (!joint.places.empty()) text += "\nPlaces to start:\n";
  for (const Place& place : joint.places) text += fmt::format("  {}, {}: {}\n", place.name, place.id, place.words);
  return text;
}

// The rules among them, and what was not looked at.
std::string Rest(const Advice& advice, const Joint& joint, const AdviceSource& source) {
  std::string text;
  if (!advice.label.empty() && !advice.rules.empty()) {
    const auto on = std::ranges::count_if(advice.rules, [](const AdvisedRule& rule) { return rule.frontier; });
    const auto missed = std::ranges::count_if(advice.rules, [](const AdvisedRule& rule) { return !rule.meets; });
    text += fmt::format("\n{} from {} pairs of different {}, {} of them on the frontier of rules alone.\n",
                        Plural(advice.rules.size(), "rule"), advice.pairs, advice.label, on);
    if (missed > 0)
      text += fmt::format("{} of them miss what is asked and cannot be released; the file marks them.\n", missed);
  }
  if (advice.sampled_rows > 0)
    text += fmt::format("Rules come from a sample of {} rows (" TADA_OPTION("pairs") "); k and accuracy from all.\n",
                        advice.sampled_rows);
  if (!joint.not_tried.empty()) text += fmt::format("\n--wide would also try: {}.\n", fmt::join(joint.not_tried, "; "));
  if (!source.file.empty() && source.file != "-" && !joint.candidates.empty()) {
    text += fmt::format("\nTo release one, audited:\n  tada advise --choose <id> --from {} -o <output>\n",
                        ShellQuote(source.file));
  }
  return text;
}

}  // namespace

std::string AdviceText(const Advice& advice, const Joint& joint, const AdviseOptions& options,
                       const AdviceSource& source) {
  std::string text;
  if (joint.candidates.empty()) {
    text =
        fmt::format("{}: {}\nNothing that was tried meets what is asked.\n", source.input, Plural(advice.rows, "row"));
  } else {
    text = Ways(advice, joint, source);
  }
  if (!advice.label.empty() && advice.rules.empty()) text += "\n" + NoRules(advice, options);
  return text + Rest(advice, joint, source);
}

}  // namespace tada
