#include "frontier/joint.h"

#include <algorithm>
#include <set>

#include "frontier/count_errors.h"
#include "frontier/method_candidates.h"
#include "partition/full_domain/full_domain.h"
#include "plan/shell_command.h"
#include "rules/all_levels.h"
#include "run/anonymize/stopwatch.h"

namespace tada {
namespace {

// NCP of releases by levels, from what each node loses.
class LevelLoss {
 public:
  explicit LevelLoss(const Ground& ground) : ground_(ground) {
    for (size_t c = 0; c < ground.roles().quasi.size(); ++c) {
      const Hierarchy& hierarchy = *ground.hierarchies()[c];
      auto& levels = losses_.emplace_back();
      for (uint32_t level = 0; level < hierarchy.num_levels(); ++level) {
        std::vector<double>& nodes = levels.emplace_back();
        for (Code node = 0; node < hierarchy.num_nodes(level); ++node)
          nodes.push_back(NodeLoss(ground.table().column(ground.roles().quasi[c]), hierarchy, level, node));
      }
    }
  }
  double Of(const LevelVector& levels, const ReleasedLevels& shown) const {
    const std::vector<uint32_t> sizes = shown.classes.Sizes();
    double sum = 0;
    for (size_t c = 0; c < levels.size(); ++c) {
      const Codes& codes = ground_.table().column(ground_.roles().quasi[c]).codes();
      for (size_t i = 0; i < sizes.size(); ++i) {
        const uint8_t level = shown.levels_of_class.empty() ? levels[c] : shown.levels_of_class[i][c];
        sum += sizes[i] * losses_[c][level][ground_.hierarchies()[c]->node(level, codes[shown.first[i]])];
      }
    }
    const double cells = static_cast<double>(shown.classes.of_row.size()) * static_cast<double>(levels.size());
    return cells == 0 ? 0 : sum / cells;
  }

 private:
  const Ground& ground_;
  std::vector<std::vector<std::vector<double>>> losses_;  // by column, level, node
};

// A vector as a candidate; nothing if it misses what is asked.
std::optional<Candidate> Measure(const LevelVector& levels, const Ground& ground, const LevelLoss& loss,
                                 const CountErrors& errors, uint64_t min_k) {
  const Reach& reach = ground.reach();
  Candidate candidate;
  candidate.method = "levels";
  candidate.levels = levels;
  const ReleasedLevels shown = reach.Show(ground.rows(), levels);
  candidate.k = reach.SmallestClass(shown.classes);
  candidate.asked_k = static_cast<int64_t>(candidate.k);
  if (reach.matters()) {
    const RuleReach found = reach.Of(ground.rows(), levels);
    if (!found.meets) return std::nullopt;
    candidate.l = found.l;
    candidate.asked_k = static_cast<int64_t>(found.asked_k.value_or(found.controller_k.value_or(candidate.k)));
  }
  if (static_cast<uint64_t>(candidate.asked_k) < min_k) return std::nullopt;
  candidate.classes = shown.classes.num_classes;
  if (ground.label() != nullptr) {
    const Rule scored = ground.scorer().ScoreClasses(levels, shown.classes);
    candidate.accuracy = scored.accuracy;
    candidate.information_gain = scored.information_gain;
  }
  candidate.ncp = loss.Of(levels, shown);
  candidate.query_error = errors.OfLevels(levels, shown);
  candidate.print = PrintOf(shown.classes);
  return candidate;
}

// All level vectors of the least k for which there are not too many; k rises until they fit.
Result<std::vector<Rule>> FindVectors(const Ground& ground, const JointOptions& options, Joint& joint,
                                      const Workers& workers, Progress& progress) {
  const Reach& reach = ground.reach();
  const LevelRows& units = reach.unit_rows(ground.rows());
  LabelRows none;
  if (reach.together()) {
    none.of_row.assign(units.num_rows(), 0);
    none.num_labels = 1;
    none.fold_of_row.assign(units.num_rows(), 0);
  }
  std::optional<RuleScorer> of_units;
  if (reach.together()) of_units.emplace(units, none);
  const RuleScorer& scorer = of_units ? *of_units : ground.scorer();
  const size_t most = options.max_vectors * (options.wide ? 10 : 1);
  joint.vectors_min_k = options.min_k;
  for (;; joint.vectors_min_k *= 2) {
    Result<std::vector<Rule>> found = FindAllVectors(scorer, joint.vectors_min_k, most, workers, progress);
    if (found.ok()) {
      if (joint.vectors_min_k > options.min_k) {
        joint.not_tried.push_back(fmt::format("level vectors with k from {} to {}: more than {} have it", options.min_k,
                                              joint.vectors_min_k - 1, most));
      }
      return found;
    }
    if (found.error().code != ErrorCode::kInfeasible) return found;
  }
}

Status AddLevels(const Ground& ground, const Advice& advice, const CountErrors& errors, const JointOptions& options,
                 Joint& joint, const Workers& workers, Progress& progress) {
  TADA_TRY(vectors, FindVectors(ground, options, joint, workers, progress));
  std::map<LevelVector, const AdvisedRule*> rules;
  for (const AdvisedRule& rule : advice.rules) rules.emplace(rule.levels, &rule);
  std::vector<LevelVector> all;
  for (const Rule& vector : vectors) {
    if (!rules.contains(vector.levels)) all.push_back(vector.levels);
  }
  for (const AdvisedRule& rule : advice.rules) all.push_back(rule.levels);
  const LevelLoss loss(ground);
  std::vector<std::optional<Candidate>> measured(all.size());
  progress.Begin("level vectors", all.size());
  workers.For(all.size(), [&](size_t i) {
    workers.Poll();
    measured[i] = Measure(all[i], ground, loss, errors, options.min_k);
    progress.Advance(1);
  });
  for (std::optional<Candidate>& candidate : measured) {
    if (!candidate) continue;
    candidate->words = ground.Words(candidate->levels);
    candidate->origin = "vector";
    if (const auto rule = rules.find(candidate->levels); rule != rules.end()) {
      candidate->id = rule->second->id;
      candidate->origin = rule->second->origin;
      candidate->tree = rule->second->validated.tree;
      candidate->svm = rule->second->validated.svm;
    }
    joint.candidates.push_back(*std::move(candidate));
  }
  return Ok();
}

// Largest k first, then the most useful; vectors get their numbers in this order.
void Sort(std::vector<Candidate>& candidates, bool by_label) {
  std::ranges::stable_sort(candidates, [&](const Candidate& a, const Candidate& b) {
    if (a.k != b.k) return a.k > b.k;
    if (by_label && a.accuracy != b.accuracy) return a.accuracy > b.accuracy;
    if (by_label && a.information_gain != b.information_gain) return a.information_gain > b.information_gain;
    if (a.ncp != b.ncp) return a.ncp < b.ncp;
    return std::tie(a.levels, a.id) < std::tie(b.levels, b.id);
  });
  size_t vector = 0;
  std::set<std::string> taken;
  for (const Candidate& candidate : candidates) taken.insert(candidate.id);
  for (Candidate& candidate : candidates) {
    if (!candidate.id.empty()) continue;
    do {
      candidate.id = fmt::format("v{}", ++vector);
    } while (taken.contains(candidate.id));
  }
}

}  // namespace

Plan PlanOf(const Candidate& candidate, const Plan& plan, const std::vector<std::string>& quasi) {
  Plan with = plan;
  with.method = candidate.method;
  with.requirement.k = candidate.asked_k;
  with.method_options = {};
  if (candidate.method == "levels") {
    std::vector<std::string> levels;
    for (size_t c = 0; c < candidate.levels.size(); ++c)
      levels.push_back(fmt::format("{}={}", quasi[c], candidate.levels[c]));
    with.method_options.Set("levels", std::move(levels));
  }
  if (candidate.suppress > 0) with.method_options.Set("suppress", {fmt::format("{}", candidate.suppress)});
  return with;
}

Result<Joint> FindJoint(const Ground& ground, const Advice& advice, const Plan& plan, const JointOptions& options,
                        const std::string& input, const Workers& workers, Progress& progress) {
  Joint joint;
  const bool by_label = ground.label() != nullptr;
  joint.need = static_cast<uint64_t>(std::max<int64_t>(plan.requirement.k, static_cast<int64_t>(options.min_k)));
  std::optional<CountErrors> errors;
  {
    const TimeStage timer(joint.seconds, "queries");
    progress.Begin("queries", 0);
    errors.emplace(ground, plan, options.min_k, workers);
  }
  {
    const TimeStage timer(joint.seconds, "level vectors");
    TADA_CHECK_OK(AddLevels(ground, advice, *errors, options, joint, workers, progress));
  }
  {
    const TimeStage timer(joint.seconds, "methods");
    const uint64_t units = ground.reach().unit_rows(ground.rows()).num_rows();
    Plan asked = plan;
    asked.requirement.k = static_cast<int64_t>(std::min(joint.need, units));
    const std::vector<int64_t> ks = KValues(std::max<uint64_t>(2, options.min_k), units / 10,
                                            static_cast<uint64_t>(asked.requirement.k), options.wide);
    TADA_CHECK_OK(AddMethods(ground, *errors, asked, options, ks, joint, workers, progress));
  }
  Sort(joint.candidates, by_label);
  MarkSame(joint.candidates);
  MarkBeaten(joint.candidates, by_label);
  joint.places = FindPlaces(joint.candidates, joint.need, by_label, advice.majority);
  std::vector<std::string> quasi;
  for (const ColumnId id : ground.roles().quasi) quasi.push_back(ground.table().column(id).name());
  for (Candidate& candidate : joint.candidates) {
    candidate.command = CommandOfPlan(PlanOf(candidate, plan, quasi), input, candidate.id + ".csv").value_or("");
  }
  return joint;
}

}  // namespace tada
