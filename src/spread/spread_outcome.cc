#include "spread/spread_outcome.h"

#include <algorithm>

#include "privacy/check/requirements.h"
#include "spread/merged_verdict.h"
#include "spread/shown_loss.h"

namespace tada {
namespace {

Verdict MergePacked(const std::vector<std::string>& packed) {
  std::vector<Verdict> parts;
  for (const std::string& part : packed) parts.push_back(UnpackVerdict(part));
  return MergeVerdicts(parts);
}

std::vector<std::string> NamesOf(const std::vector<PlannedColumn>& columns) {
  std::vector<std::string> names;
  for (const PlannedColumn& column : columns) names.push_back(column.name);
  return names;
}

void NameAsked(const Shared& shared, const Requirement& requirement, Verdict& verdict) {
  verdict.requirement = requirement;
  verdict.quasi = NamesOf(shared.plan().quasi);
  verdict.sensitive = NamesOf(shared.plan().sensitive);
  AddRisks(verdict);
}

Verdict JudgeWhole(const Shared& shared, const SpreadFacts& facts) {
  Verdict verdict = MergePacked(facts.classes);
  const Verdict cover = MergePacked(facts.covers);
  verdict.cover = cover.cover;
  verdict.rows_match = cover.rows_match;
  verdict.row_match = RowMatch::kGiven;
  if (!cover.passed) verdict.problems.emplace_back("A released cell does not cover the value that it was made of.");
  verdict.unverified.insert(verdict.unverified.end(), cover.unverified.begin(), cover.unverified.end());
  verdict.problems.insert(verdict.problems.end(), facts.problems.begin(), facts.problems.end());
  if (verdict.rows != shared.num_rows()) {
    verdict.problems.push_back(
        fmt::format("The input has {} rows, and the release has {}.", shared.num_rows(), verdict.rows));
  }
  verdict.passed = verdict.problems.empty();
  NameAsked(shared, shared.WeakestRequirement(), verdict);
  return verdict;
}

// Small classes of one controller may hide among another's in the union. A failure is one of the whole release.
void JudgeControllers(const Shared& shared, const SpreadFacts& facts, Outcome& outcome) {
  if (shared.root_rows().size() < 2) return;
  for (uint32_t i = 0; i < shared.root_rows().size(); ++i) {
    std::vector<std::string> packed;
    for (const auto& [controller, verdict] : facts.of_controllers) {
      if (controller == i) packed.push_back(verdict);
    }
    Verdict verdict = MergePacked(packed);
    NameAsked(shared, shared.requirement(i), verdict);
    if (verdict.rows != shared.root_rows()[i]) verdict.problems.emplace_back("Rows are missing.");
    for (const std::string& problem : verdict.problems) {
      outcome.verdict.passed = false;
      outcome.verdict.problems.push_back(fmt::format("Controller {}: {}", shared.controller_name(i), problem));
    }
    outcome.controllers.push_back({shared.controller_name(i), std::move(verdict)});
  }
}

// Classes are those of the finished release; columns stand in the order of the input.
Scorecard ScoreOf(const Shared& shared, const SpreadFacts& facts, const Verdict& verdict) {
  const auto rows = static_cast<double>(std::max<uint64_t>(1, verdict.rows));
  ShownLoss shown(shared.empty(), shared.bound().roles.quasi);
  for (const std::string& part : facts.shown) shown.AddPacked(part);
  const std::vector<double> losses = shown.Sums();
  Scorecard score;
  for (const std::string& name : facts.columns) {
    const auto at = std::ranges::find(shared.plan().quasi, name, &PlannedColumn::name);
    if (at == shared.plan().quasi.end()) continue;
    const double loss = losses[static_cast<size_t>(at - shared.plan().quasi.begin())] / rows;
    score.per_column.emplace_back(name, loss);
    score.ncp += loss / static_cast<double>(losses.size());
  }
  for (const auto& [size, classes] : verdict.class_sizes) {
    score.discernibility += static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(classes);
  }
  score.groups = verdict.classes;
  score.smallest_group = verdict.smallest_class;
  score.largest_group = verdict.largest_class;
  score.masked_rows = verdict.masked_rows;
  score.average_group = rows / static_cast<double>(std::max<uint64_t>(1, verdict.classes));
  score.group_sizes = verdict.class_sizes;
  return score;
}

std::string_view RoleOf(const Plan& plan, const std::string& name) {
  const std::pair<const std::vector<PlannedColumn>*, std::string_view> roles[] = {
      {&plan.quasi, "quasi-identifier"}, {&plan.sensitive, "sensitive"}, {&plan.label, "label"}, {&plan.keep, "kept"}};
  for (const auto& [columns, role] : roles) {
    if (std::ranges::find(*columns, name, &PlannedColumn::name) != columns->end()) return role;
  }
  return name == plan.controller_column ? "controller" : "none";
}

// Columns in the order of the input.
void DescribeColumns(const Shared& shared, const SpreadFacts& facts, Outcome& outcome) {
  for (const std::string& name : facts.columns) {
    const std::string_view role = RoleOf(shared.plan(), name);
    if (role == "none") {
      outcome.dropped_columns.push_back(name);
      continue;
    }
    Outcome::Column& column = outcome.columns.emplace_back();
    column.name = name;
    column.role = role;
    column.released = role != "controller";
    if (const auto id = shared.empty().Find(name)) {
      column.kind = KindName(shared.empty().column(*id).kind());
      column.distinct = shared.empty().column(*id).num_values();
      column.missing = shared.MissingRows(*id);
    } else if (const auto kept = std::ranges::find(facts.kept, name, &SpreadFacts::Kept::name);
               kept != facts.kept.end()) {
      column.kind = kept->kind;
      column.distinct = kept->distinct;
      column.missing = kept->missing;
    }
  }
}

}  // namespace

Outcome DescribeSpread(const Shared& shared, const SpreadFacts& facts) {
  Outcome outcome;
  outcome.method = shared.bound().method;
  outcome.stages = shared.stage_names();
  outcome.plan = shared.plan();
  outcome.plan.method = shared.bound().method;
  outcome.plan.task = shared.bound().task;
  outcome.verdict = JudgeWhole(shared, facts);
  JudgeControllers(shared, facts, outcome);
  outcome.score = ScoreOf(shared, facts, outcome.verdict);
  outcome.seconds = facts.seconds;
  outcome.about = shared.AboutStages();
  outcome.raw_warnings = shared.hierarchies().Warnings(shared.empty(), shared.bound().roles);
  if (std::string idle = IdleRequirement(shared.plan().requirement); !idle.empty()) {
    outcome.warnings.push_back(std::move(idle));
  }
  outcome.warnings.insert(outcome.warnings.end(), facts.warnings.begin(), facts.warnings.end());
  outcome.raw_warnings.insert(outcome.raw_warnings.end(), facts.raw_warnings.begin(), facts.raw_warnings.end());
  outcome.input_path = "the frame";
  outcome.input_format = "spark";
  outcome.input_rows = shared.num_rows();
  outcome.input_columns = facts.columns.size();
  outcome.sample = facts.sample;
  DescribeColumns(shared, facts, outcome);
  return outcome;
}

}  // namespace tada
