#include <fmt/format.h>

#include "plan/shell_command.h"
#include "report/advice/advice_report.h"
#include "report/draw/text_layout.h"

namespace tada {
namespace {

// Where no rule is anonymous enough: says how many there are, and what to try.
std::string NothingFound(const Advice& advice, const AdviseOptions& options, const AdviceSource& source) {
  return fmt::format(
      "{}: {} rows, {} pairs of different {}\nNo way to recode keeps {} percent of them apart with k of {} or more; of "
      "{} "
      "rules found none has it.\nTry a lower --coverage, or --all-levels.\n",
      source.input, advice.rows, advice.pairs, advice.label, options.coverage, options.min_k, advice.found);
}

std::string Ways(const Advice& advice, const AdviceSource& source) {
  size_t frontier = 0, missed = 0;
  const bool diverse = !advice.rules.empty() && advice.rules.front().l.has_value();
  std::vector<std::vector<std::string>> rows = {{"id", "k", "l", "accuracy", "tree", "svm", "gain", "released"}};
  const auto percent = [](const std::optional<double>& x) {
    return x ? fmt::format("{:.1f}%", 100 * *x) : std::string();
  };
  for (const AdvisedRule& rule : advice.rules) {
    missed += rule.meets ? 0 : 1;
    if (!rule.frontier) continue;
    if (++frontier > 30) continue;
    std::vector<std::string> columns;
    for (size_t c = 0; c < rule.levels.size(); ++c) {
      if (rule.levels[c] + size_t{1} < advice.columns[c].nodes.size())
        columns.push_back(fmt::format("{}={}", advice.columns[c].name, rule.levels[c]));
    }
    rows.push_back({rule.id, fmt::format("{}", rule.k), rule.l ? fmt::format("{}", *rule.l) : "",
                    percent(rule.accuracy), percent(rule.validated.tree), percent(rule.validated.svm),
                    fmt::format("{:.4f}", rule.information_gain), fmt::format("{}", fmt::join(columns, " "))});
  }
  std::string text = fmt::format(
      "{}: {} rows, {} pairs of different {}\n{} {} to recode, {} of them on the frontier of k, accuracy and "
      "information gain:\n\n",
      source.input, advice.rows, advice.pairs, advice.label, advice.rules.size(),
      advice.rules.size() == 1 ? "way" : "ways", frontier);
  std::vector<bool> right = {false, true, true, true, true, true, true, false};
  if (!diverse) {
    right.erase(right.begin() + 2);
    for (auto& row : rows) row.erase(row.begin() + 2);
  }
  text += AlignColumns(rows, right);
  if (missed > 0)
    text += fmt::format("\n{} of them miss the l that is asked and cannot be released; the file marks them.\n", missed);
  if (advice.raw_tree)
    text += fmt::format("\nA tree on the raw columns: {:.1f}%; the commonest {}: {:.1f}%\n", 100 * *advice.raw_tree,
                        advice.label, 100 * advice.majority);
  if (advice.sampled_rows > 0)
    text +=
        fmt::format("Rules come from a sample of {} rows (--pairs); k and accuracy from all.\n", advice.sampled_rows);
  if (!source.file.empty() && source.file != "-") {
    text += fmt::format("\nTo release one, audited:\n  tada advise --choose <id> --from {} -o <output>\n",
                        ShellQuote(source.file));
  }
  return text;
}

}  // namespace

std::string AdviceText(const Advice& advice, const AdviseOptions& options, const AdviceSource& source) {
  return advice.rules.empty() ? NothingFound(advice, options, source) : Ways(advice, source);
}

}  // namespace tada
