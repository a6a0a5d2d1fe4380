#include "run/advise/advise.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "rules/all_levels.h"
#include "rules/discover.h"
#include "rules/validate.h"
#include "run/advise/released_classes.h"
#include "run/anonymize/anonymize.h"
#include "run/anonymize/stopwatch.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 8;

Result<std::vector<Baseline>> RunBaselines(const Table& table, const Plan& plan, const AdviseOptions& options,
                                           const RuleScorer& scorer, const Workers& workers, Progress& progress) {
  std::vector<Baseline> baselines;
  progress.Begin("baselines", options.baselines.size() * options.baseline_k.size());
  NoProgress silent;
  for (const std::string& method : options.baselines) {
    for (const int64_t k : options.baseline_k) {
      if (k > static_cast<int64_t>(table.num_rows())) continue;
      Plan with = plan;
      with.method = method;
      with.requirement = {.k = k};
      with.method_options = {};
      const Result<Anonymized> made = Anonymize(table, with, workers, silent);
      if (!made.ok() && made.error().code == ErrorCode::kInfeasible) continue;  // a controller has fewer rows than that
      if (!made.ok()) return made.error();
      const Rule scored = scorer.ScoreClasses({}, ReleasedClasses(made->release));
      baselines.push_back({method, k, scored.k, scored.classes, scored.accuracy, scored.information_gain});
      progress.Advance(1);
    }
  }
  return baselines;
}

// Cross-validates rules, several at a time; what the cache has is not done again.
void ValidateRules(std::vector<AdvisedRule>& rules, const LevelRows& rows, const LabelRows& labels,
                   const AdviseOptions& options, ValidationCache& cache, const Workers& workers, Progress& progress) {
  std::vector<AdvisedRule*> wanted;
  for (AdvisedRule& rule : rules) {
    if (rule.frontier || options.validate_all) wanted.push_back(&rule);
  }
  progress.Begin("cross-validation", wanted.size());
  workers.For(wanted.size(), [&](size_t i) {
    workers.Poll();
    Validated found = cache.Get(wanted[i]->levels);
    if (options.tree && !found.tree)
      cache.Set(wanted[i]->levels,
                {.tree = found.tree = TreeAccuracy(rows, labels, wanted[i]->levels), .svm = found.svm});
    workers.Poll();
    if (options.svm && !found.svm) found.svm = SvmAccuracy(rows, labels, wanted[i]->levels);
    cache.Set(wanted[i]->levels, found);
    wanted[i]->validated = {options.tree ? found.tree : std::nullopt, options.svm ? found.svm : std::nullopt};
    progress.Advance(1);
  });
}

void AddSample(const Ground& ground, Advice& advice) {
  const Table& table = ground.table();
  const size_t shown_rows = std::min(kSampleRows, table.num_rows());
  for (size_t c = 0; c < ground.roles().quasi.size(); ++c) {
    const Hierarchy& hierarchy = *ground.hierarchies()[c];
    const Column& quasi = table.column(ground.roles().quasi[c]);
    Advice::Column column;
    column.name = quasi.name();
    for (uint32_t level = 0; level < hierarchy.num_levels(); ++level) {
      column.nodes.push_back(hierarchy.num_nodes(level));
      std::vector<std::string>& shown = column.samples.emplace_back();
      for (size_t row = 0; row < shown_rows; ++row) {
        shown.push_back(hierarchy.label(level, hierarchy.node(level, quasi.codes()[row])));
      }
    }
    advice.columns.push_back(std::move(column));
  }
  for (size_t row = 0; ground.label() != nullptr && row < shown_rows; ++row)
    advice.sample_labels.emplace_back(ground.label()->text(ground.label()->codes()[row]));
}

// Numbers the rules, largest k first. Among equals the one that names fewest columns comes first.
void Number(std::vector<AdvisedRule>& rules, const LevelVector& top) {
  const auto named = [&](const AdvisedRule& rule) {
    size_t count = 0;
    for (size_t c = 0; c < top.size(); ++c) count += rule.levels[c] < top[c] ? 1 : 0;
    return count;
  };
  std::sort(rules.begin(), rules.end(), [&](const AdvisedRule& a, const AdvisedRule& b) {
    if (a.k != b.k) return a.k > b.k;
    if (a.accuracy != b.accuracy) return a.accuracy > b.accuracy;
    if (a.information_gain != b.information_gain) return a.information_gain > b.information_gain;
    if (named(a) != named(b)) return named(a) < named(b);
    return a.levels < b.levels;
  });
  size_t number = 0, vector = 0;
  for (AdvisedRule& rule : rules)
    rule.id = rule.origin == "vector" ? fmt::format("v{}", ++vector) : fmt::format("r{}", ++number);
}

// The vectors that are no rules join the list; every rule learns how far it is from the best vector of its k.
void AddVectors(std::vector<Rule> vectors, std::vector<AdvisedRule>& rules) {
  std::vector<Rule> by_k = vectors;
  std::sort(by_k.begin(), by_k.end(), [](const Rule& a, const Rule& b) { return a.k > b.k; });
  for (AdvisedRule& rule : rules) {
    double gain = rule.information_gain, accuracy = rule.accuracy;
    for (const Rule& other : by_k) {
      if (other.k < rule.k) break;
      gain = std::max(gain, other.information_gain);
      accuracy = std::max(accuracy, other.accuracy);
    }
    rule.best_gain = gain;
    rule.best_accuracy = accuracy;
  }
  std::set<LevelVector> known;
  for (const AdvisedRule& rule : rules) known.insert(rule.levels);
  for (Rule& vector : vectors) {
    if (known.contains(vector.levels)) continue;
    AdvisedRule added;
    static_cast<Rule&>(added) = std::move(vector);
    added.origin = "vector";
    rules.push_back(std::move(added));
  }
}

// The frontier of the rules that meet the requirement; the others are on none.
void MarkAdvised(std::vector<AdvisedRule>& rules) {
  std::vector<Rule> plain;
  for (const AdvisedRule& rule : rules) {
    if (rule.meets) plain.push_back(rule);
  }
  MarkFrontier(plain);
  auto marked = plain.begin();
  for (AdvisedRule& rule : rules) rule.frontier = rule.meets && (marked++)->frontier;
}

// What each rule reaches of the requirement. Of people who have several rows its figures are those of what would be released.
void AddReach(const Ground& ground, const AdviseOptions& options, Advice& advice, const Workers& workers,
              Progress& progress) {
  const Reach& reach = ground.reach();
  if (!reach.matters()) return;
  const TimeStage timer(advice.seconds, "requirement");
  progress.Begin("requirement", advice.rules.size());
  workers.For(advice.rules.size(), [&](size_t i) {
    workers.Poll();
    AdvisedRule& rule = advice.rules[i];
    static_cast<RuleReach&>(rule) = reach.Of(ground.rows(), rule.levels);
    if (reach.people()) {
      const ReleasedLevels shown = reach.Show(ground.rows(), rule.levels);
      const bool joined = rule.joined;
      static_cast<Rule&>(rule) = ground.scorer().ScoreClasses(rule.levels, shown.classes);
      rule.joined = joined;
      rule.k = reach.SmallestClass(shown.classes);
    }
    progress.Advance(1);
  });
  std::erase_if(advice.rules, [&](const AdvisedRule& rule) { return rule.asked_k.value_or(rule.k) < options.min_k; });
  MarkAdvised(advice.rules);
}

Result<Patterns> CountPairs(const LevelRows& rows, const LabelRows& labels, const PatternOptions& options,
                            Advice& advice, const Workers& workers, Progress& progress) {
  const TimeStage timer(advice.seconds, "pairs");
  TADA_TRY(patterns, CountPatterns(rows, labels.of_row, labels.num_labels, options, workers, progress));
  advice.pairs = patterns.pairs;
  advice.patterns = patterns.keys.size();
  advice.equal_pairs = patterns.equal_pairs;
  advice.sampled_rows = patterns.sampled_rows;
  return patterns;
}

Status AddRules(const Patterns& patterns, const RuleScorer& scorer, const AdviseOptions& options, Advice& advice,
                const Workers& workers, Progress& progress) {
  const TimeStage timer(advice.seconds, "rules");
  TADA_TRY(discovery,
           DiscoverRules(patterns, scorer, {options.coverage, options.min_k, options.max_rules}, workers, progress));
  advice.kept_patterns = discovery.kept_patterns;
  advice.minimal_patterns = discovery.minimal_patterns;
  advice.found = discovery.found;
  advice.found_with_k = discovery.found_with_k;
  for (Rule& rule : discovery.rules) {
    AdvisedRule advised;
    static_cast<Rule&>(advised) = std::move(rule);
    advised.origin = advised.joined ? "join" : "rule";
    advice.rules.push_back(std::move(advised));
  }
  return {};
}

}  // namespace

Validated ValidationCache::Get(const LevelVector& levels) const {
  std::lock_guard lock(mutex_);
  const auto found = found_.find(levels);
  return found == found_.end() ? Validated() : found->second;
}

void ValidationCache::Set(const LevelVector& levels, const Validated& found) {
  std::lock_guard lock(mutex_);
  found_[levels] = found;
}

std::map<LevelVector, Validated> ValidationCache::all() const {
  std::lock_guard lock(mutex_);
  return found_;
}

Result<Advice> Advise(const Ground& ground, const Plan& plan, const AdviseOptions& options, ValidationCache& cache,
                      const Workers& workers, Progress& progress) {
  const LevelRows& rows = ground.rows();
  const LabelRows& labels = ground.labels();
  const RuleScorer& scorer = ground.scorer();
  Advice advice;
  advice.rows = ground.table().num_rows();
  AddSample(ground, advice);
  if (ground.label() == nullptr) return advice;
  advice.label = ground.label()->name();
  advice.entropy = scorer.entropy();
  const std::optional<Rule> nothing = scorer.Score(rows.Top(), 1);
  advice.majority = nothing->accuracy;
  TADA_TRY(patterns,
           CountPairs(rows, labels, {.max_pairs = options.max_pairs, .seed = plan.seed}, advice, workers, progress));
  TADA_CHECK_OK(AddRules(patterns, scorer, options, advice, workers, progress));
  if (options.all_levels) {
    const TimeStage timer(advice.seconds, "all levels");
    TADA_TRY(vectors, FindAllVectors(scorer, options.min_k, options.max_vectors, workers, progress));
    AddVectors(std::move(vectors), advice.rules);
    MarkAdvised(advice.rules);
  }
  AddReach(ground, options, advice, workers, progress);
  for (AdvisedRule& rule : advice.rules) rule.words = ground.Words(rule.levels);
  Number(advice.rules, rows.Top());
  if (!options.baselines.empty()) {
    const TimeStage timer(advice.seconds, "baselines");
    TADA_TRY(baselines, RunBaselines(ground.table(), plan, options, scorer, workers, progress));
    advice.baselines = std::move(baselines);
  }
  if (options.tree || options.svm) {
    const TimeStage timer(advice.seconds, "cross-validation");
    ValidateRules(advice.rules, rows, labels, options, cache, workers, progress);
    if (options.tree) {
      const Groups everything = Groups::Whole(ground.table().num_rows());
      const std::vector<ColumnId>& quasi = ground.roles().quasi;
      advice.raw_tree = RawTreeAccuracy(ground.table(), quasi, everything.order(), labels, false);
      advice.raw_tree_in_order = RawTreeAccuracy(ground.table(), quasi, everything.order(), labels, true);
    }
  }
  return advice;
}

}  // namespace tada
