#include "report/release/report_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "partition/registry.h"
#include "privacy/check/requirements.h"
#include "privacy/models/max_risk.h"
#include "report/draw/chart_axis.h"
#include "report/release/report.h"

namespace tada {
namespace {

std::vector<std::string> Names(const std::vector<PlannedColumn>& columns) {
  std::vector<std::string> names;
  for (const PlannedColumn& column : columns) names.push_back(column.name);
  return names;
}

// What every group holds besides enough rows.
std::vector<std::string> ValueWords(const Requirement& requirement, const std::string& sensitive) {
  std::vector<std::string> words;
  for (const RequirementEntry& entry : Requirements()) {
    std::string asked = entry.name == "k" ? "" : entry.words(requirement, sensitive);
    if (!asked.empty()) words.push_back(std::move(asked));
  }
  return words;
}

// "age=3, sex=0".
std::string LevelWords(const Fact& levels) {
  std::vector<std::string> words;
  for (const auto& [column, level] : std::get<Fact::Map>(levels.value())) {
    words.push_back(fmt::format("{}={}", column, std::get<uint64_t>(level.value())));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

bool HasHierarchies(const Outcome& outcome) {
  const MethodEntry* method = FindMethod(outcome.method);
  if (!outcome.plan.hierarchies.empty() || (method != nullptr && method->by_levels)) return true;
  return std::ranges::any_of(outcome.plan.quasi, [](const PlannedColumn& column) { return !column.hierarchy.empty(); });
}

}  // namespace

std::optional<double> WeightedNcp(const Outcome& outcome) {
  if (outcome.plan.importance.empty()) return std::nullopt;
  double sum = 0, weights = 0;
  for (const auto& [name, loss] : outcome.score.per_column) {
    const auto given = outcome.plan.importance.find(name);
    const double weight = given == outcome.plan.importance.end() ? 1.0 : given->second;
    sum += weight * loss;
    weights += weight;
  }
  return weights > 0 ? sum / weights : 0;
}

std::string AboveLeastWords(const Outcome& outcome) {
  const auto above = outcome.above_least();
  if (!above) return "";
  return fmt::format(
      "No release of these rows at this k{} loses less than {:.4f} (NCP over the input): this one is at most {:.0f}% "
      "above "
      "the least possible.",
      outcome.plan.requirement.l > 1 ? " and l" : "", *outcome.least_ncp, std::ceil(100 * *above));
}

std::string LossWords(const Outcome& outcome) {
  if (outcome.plan.recode == "mean") {
    const auto& loss = outcome.verdict.loss;
    return loss && loss->squared_error
               ? fmt::format("squared error of means, as a share of the variance: {:.4f}", *loss->squared_error)
               : "groups are shown by their means";
  }
  std::string words = fmt::format("information loss (NCP): {:.4f}", outcome.score.ncp);
  const Scorecard& input = outcome.input_score;
  if (fmt::format("{:.4f}", input.ncp) != fmt::format("{:.4f}", outcome.score.ncp)) {
    words += fmt::format(" of what cells show, {:.4f} of the input", input.ncp);
  }
  if (const auto weighted = WeightedNcp(outcome)) words += fmt::format(", by importance: {:.4f}", *weighted);
  if (input.ncp_leaves) words += fmt::format(", by leaves of hierarchies: {:.4f}", *input.ncp_leaves);
  if (const auto above = outcome.above_least(); outcome.report_raw && above) {
    words += fmt::format(", at most {:.0f}% above the least possible", std::ceil(100 * *above));
  }
  return words;
}

std::string WithheldWords(const Outcome& outcome) {
  if (outcome.withheld_rows == 0) return "";
  std::string words = fmt::format("Rows withheld: {} of {}", outcome.withheld_rows, outcome.input_rows);
  if (outcome.withheld_people) words += fmt::format(", all rows of {} people", *outcome.withheld_people);
  if (outcome.plan.recode == "mean") return words + '\n';
  return words + fmt::format("; NCP by the spans of the input: {:.4f}, with withheld rows counted 1: {:.4f}\n",
                             outcome.input_score.ncp, outcome.ncp_with_withheld());
}

std::string LevelLines(const Outcome& outcome) {
  std::string text;
  for (const NoteSection& section : outcome.sections) {
    const Fact* chosen = section.facts.Find("chosen");
    if (section.key != "levels" || chosen == nullptr) continue;
    const std::string whose = section.controller.empty() ? "" : fmt::format(" of controller {}", section.controller);
    text += fmt::format("Levels{}: {}\n", whose, LevelWords(*chosen));
    if (const Fact* next = section.facts.Find("next"); next != nullptr) {
      const auto& others = std::get<Fact::List>(next->value());
      if (others.empty()) continue;
      text += fmt::format("Next best: {}; loss {:.6g} instead of {:.6g}\n", LevelWords(*others.front().Find("levels")),
                          std::get<double>(others.front().Find("loss")->value()),
                          std::get<double>(section.facts.Find("loss")->value()));
    }
    if (const Fact* lower = section.facts.Find("one_lower"); lower != nullptr) {
      std::vector<std::string> words;
      for (const Fact& column : std::get<Fact::List>(lower->value())) {
        words.push_back(fmt::format(
            "{} at {}={}", Plural(std::get<uint64_t>(column.Find("short_rows")->value()), "row"),
            std::get<std::string>(column.Find("column")->value()), std::get<uint64_t>(column.Find("level")->value())));
      }
      if (!words.empty()) text += fmt::format("Short of the requirement one level lower: {}\n", fmt::join(words, ", "));
    }
  }
  return text;
}

std::string NameList(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string MethodWords(const Outcome& outcome) {
  const Plan& plan = outcome.plan;
  const bool several = plan.controllers > 1 || !plan.controller_column.empty();
  std::string text = several ? "All people of a controller start as one group." : "All people start as one group.";
  for (const auto& [stage, words] : outcome.about) text += " " + words;
  if (plan.recode == "mean") {
    text +=
        " All people of a group are released with the same cells: the mean of their numbers, the most frequent of "
        "their "
        "names. That need not be true of anybody";
  } else if (plan.recode == "exact") {
    text += " All people of a group are released with the same cells: a value that all of them have, or *";
  } else {
    text +=
        " All people of a group are released with the same cells: a range that spans their numbers, or the set of "
        "their values";
  }
  if (HasHierarchies(outcome) && plan.recode == "cells") {
    text += "; in a column with a hierarchy, the label that stands for all of them";
  }
  return text + (outcome.verdict.masked_rows > 0 ? ". Masked people show * in every quasi-identifier." : ".");
}

std::vector<std::string> PlainWords(const Requirement& requirement) {
  std::vector<std::string> sentences;
  for (const RequirementEntry& entry : Requirements()) {
    if (!entry.plain.empty() && !entry.words(requirement, "").empty()) sentences.emplace_back(entry.plain);
  }
  return sentences;
}

std::string ReachedWords(const ReachedDemand& demand) {
  return fmt::format("{} of {} {}{}", demand.name, demand.column, demand.reached,
                     demand.asked.empty() ? ", not asked of all rows together" : ", asked " + demand.asked);
}

std::string VerdictWords(const Outcome& outcome) {
  const Verdict& verdict = outcome.verdict;
  const Requirement& requirement = Asked(outcome);
  for (const Outcome::ControllerPart& part : outcome.controllers) {
    if (!part.verdict.passed) {
      return fmt::format("The part of controller {} breaks its requirement. Do not give this file away.", part.name);
    }
  }
  if (!verdict.passed) {
    return fmt::format("{} of {} rows stand in groups that break the requirement. Do not give this file away.",
                       WithCommas(verdict.breaking_rows), WithCommas(verdict.rows));
  }
  if (verdict.people) {
    std::string text = fmt::format(
        "Each class of the {} released rows that look the same in everything an attacker is assumed to know ({}) holds "
        "at "
        "least {} people, {} rows",
        WithCommas(verdict.rows), NameList(Names(outcome.plan.quasi)), WithCommas(*verdict.people),
        WithCommas(verdict.smallest_class));
    const std::vector<std::string> values = ValueWords(requirement, NameList(Names(outcome.plan.sensitive)));
    if (!values.empty()) text += ", and " + NameList(values);
    return text + ". An audit that shares no code with the anonymization read the finished file and confirmed it.";
  }
  std::string text = fmt::format(
      "Each of the {} released rows looks the same as at least {} {} in everything an attacker is "
      "assumed to know ({})",
      WithCommas(verdict.rows), WithCommas(verdict.k > 0 ? verdict.k - 1 : 0), verdict.k == 2 ? "other" : "others",
      NameList(Names(outcome.plan.quasi)));
  const std::vector<std::string> values = ValueWords(requirement, NameList(Names(outcome.plan.sensitive)));
  if (!values.empty()) text += ", and every such group holds " + NameList(values);
  return text + ". An audit that shares no code with the anonymization read the finished file and confirmed it.";
}

std::vector<std::string> LimitWords(const Outcome& outcome) {
  const Plan& plan = outcome.plan;
  std::vector<std::string> limits;
  const std::string sensitive = NameList(Names(plan.sensitive));
  if (plan.sensitive.empty()) {
    limits.push_back(
        "Attributes. No column was named as sensitive, so the people of a group may all share a value: whoever knows "
        "that somebody is in a group then knows that value too.");
  } else if (std::ranges::any_of(plan.requirement.more, [](const Demand& demand) { return demand.name != kMaxRisk; })) {
    limits.push_back(fmt::format(
        "Other columns. The requirement bounds what a group tells about {}, column by column. What two columns tell "
        "together, or a column released as it is, is not bounded.",
        sensitive));
  } else if (plan.requirement.l < 2) {
    limits.push_back(
        fmt::format("Sensitive values. l is 1, so all people of a group may have the same {}: it can then be read off "
                    "without telling them apart.",
                    sensitive));
  } else {
    limits.push_back(
        fmt::format("Likely guesses. A group holds several values of {}, but one may be far more frequent than the "
                    "others, or all may be of one kind; a guess can be right more often than 1 in {}.",
                    sensitive, plan.requirement.l));
  }
  std::vector<std::string> unchanged = Names(plan.label);
  for (const std::string& name : Names(plan.keep)) unchanged.push_back(name);
  if (!unchanged.empty()) {
    limits.push_back(
        fmt::format("Columns released as they are ({}). If an attacker knows them about a person, groups become "
                    "smaller than this report says.",
                    NameList(unchanged)));
  }
  limits.push_back(
      "Knowledge beyond the quasi-identifiers. The promise holds against people who know the quasi-identifiers and "
      "nothing else about their target; choosing them is the data owner's judgement.");
  limits.push_back(
      "Other releases. If the same people appear in another release, the two can be combined; check with tada "
      "compose.");
  limits.push_back(
      "Membership. The release does not hide that a person is in the table, nor what holds for the group as a whole. "
      "This is not differential privacy.");
  if (plan.controllers > 1 || !plan.controller_column.empty()) {
    limits.push_back(
        "Several controllers. Each was anonymized on its own; a person known to two of them stands in a group of "
        "each.");
  }
  return limits;
}

}  // namespace tada
