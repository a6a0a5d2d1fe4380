#include "run/advise/advise.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "rules/all_levels.h"
#include "rules/discover.h"
#include "rules/validate.h"
#include "run/anonymize.h"
#include "run/hierarchies.h"
#include "run/stopwatch.h"

namespace tada {
namespace {

constexpr size_t kSampleRows = 8;

// "age at level 3 of 5, such as [15-35]; sex as it is": what a rule shows.
std::string Words(const LevelVector& levels, const LevelRows& rows, const Table& table, const Roles& roles,
                  const std::vector<const Hierarchy*>& hierarchies) {
  std::vector<std::string> words;
  for (size_t c = 0; c < levels.size(); ++c) {
    if (levels[c] == rows.top(c)) continue;
    const std::string& name = table.column(roles.quasi[c]).name();
    if (levels[c] == 0) {
      words.push_back(name + " as it is");
    } else {
      const Code middle = hierarchies[c]->num_nodes(levels[c]) / 2;
      words.push_back(fmt::format("{} at level {} of {}, such as {}", name, levels[c], rows.top(c),
                                  hierarchies[c]->label(levels[c], middle)));
    }
  }
  return fmt::format("{}; nothing else", fmt::join(words, "; "));
}

// Rows that show the same in the whole release, whatever groups they came from.
LevelClasses ReleasedClasses(const Release& release) {
  std::unordered_map<std::string, uint32_t> numbers;
  std::vector<uint32_t> class_of_group(release.num_groups);
  for (GroupId group = 0; group < release.num_groups; ++group) {
    std::string shown;
    for (const ReleasedColumn& column : release.columns) {
      if (!column.recoded) continue;
      shown += CellText(release.table->column(column.source), column, column.cells[column.cell_of_group[group]]);
      shown += '\x1f';
    }
    class_of_group[group] = numbers.try_emplace(std::move(shown), static_cast<uint32_t>(numbers.size())).first->second;
  }
  LevelClasses classes;
  classes.num_classes = static_cast<uint32_t>(numbers.size());
  for (const GroupId group : release.group_of_row) classes.of_row.push_back(class_of_group[group]);
  return classes;
}

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

void AddSample(const Table& table, const Roles& roles, const std::vector<const Hierarchy*>& hierarchies,
               Advice& advice) {
  for (size_t c = 0; c < roles.quasi.size(); ++c) {
    Advice::Column column;
    column.name = table.column(roles.quasi[c]).name();
    for (uint32_t level = 0; level < hierarchies[c]->num_levels(); ++level) {
      column.nodes.push_back(hierarchies[c]->num_nodes(level));
      std::vector<std::string>& shown = column.samples.emplace_back();
      for (size_t row = 0; row < std::min(kSampleRows, table.num_rows()); ++row) {
        shown.push_back(
            hierarchies[c]->label(level, hierarchies[c]->node(level, table.column(roles.quasi[c]).codes()[row])));
      }
    }
    advice.columns.push_back(std::move(column));
  }
  const Column& label = table.column(roles.label.front());
  for (size_t row = 0; row < std::min(kSampleRows, table.num_rows()); ++row)
    advice.sample_labels.emplace_back(label.text(label.codes()[row]));
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

Status AddReach(const Table& table, const Plan& plan, const BoundPlan& bound, const LevelRows& rows, Advice& advice,
                const Workers& workers, Progress& progress) {
  TADA_TRY(reach, Reach::Make(plan, bound, table));
  if (!reach.matters()) return Ok();
  const TimeStage timer(advice.seconds, "requirement");
  progress.Begin("requirement", advice.rules.size());
  workers.For(advice.rules.size(), [&](size_t i) {
    workers.Poll();
    static_cast<RuleReach&>(advice.rules[i]) = reach.Of(rows.FindClasses(advice.rules[i].levels));
    progress.Advance(1);
  });
  MarkAdvised(advice.rules);
  return Ok();
}

Status CheckRows(const Table& table, const Column& label, const AdviseOptions& options) {
  if (label.num_values() > 255) {
    return InvalidArgument("advise needs a label with few values: {} has {}", label.name(), label.num_values())
        .WithHint("Give a column of classes, or group the numbers of this one first.");
  }
  if (table.num_rows() < options.min_k || table.num_rows() == 0) {
    return Infeasible("Fewer rows than --min-k: rows={}, min-k={}", table.num_rows(), options.min_k);
  }
  return {};
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

Result<Advice> Advise(const Table& table, const Plan& plan, const AdviseOptions& options, ValidationCache& cache,
                      const Workers& workers, Progress& progress) {
  Plan by_levels = plan;
  by_levels.method = "levels";
  by_levels.method_options = {};
  TADA_TRY(bound, BindPlan(by_levels, table));
  const Roles& roles = bound.roles;
  if (roles.label.size() != 1) return InvalidArgument("advise needs one --label, the column that a model will predict");
  const Column& label = table.column(roles.label.front());
  TADA_CHECK_OK(CheckRows(table, label, options));
  TADA_TRY(loaded, LoadHierarchies(plan, table, roles, true));
  const std::vector<const Hierarchy*> hierarchies = loaded.pointers();
  const Groups everything = Groups::Whole(table.num_rows());
  const LevelRows rows(table, roles.quasi, hierarchies, everything.order());
  const LabelRows labels = MakeLabelRows(label, everything.order(), 10, plan.seed);
  const RuleScorer scorer(rows, labels);

  Advice advice;
  advice.rows = table.num_rows();
  advice.label = label.name();
  advice.entropy = scorer.entropy();
  AddSample(table, roles, hierarchies, advice);
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
  TADA_CHECK_OK(AddReach(table, by_levels, bound, rows, advice, workers, progress));
  for (AdvisedRule& rule : advice.rules) rule.words = Words(rule.levels, rows, table, roles, hierarchies);
  Number(advice.rules, rows.Top());
  if (!options.baselines.empty()) {
    const TimeStage timer(advice.seconds, "baselines");
    TADA_TRY(baselines, RunBaselines(table, plan, options, scorer, workers, progress));
    advice.baselines = std::move(baselines);
  }
  if (options.tree || options.svm) {
    const TimeStage timer(advice.seconds, "cross-validation");
    ValidateRules(advice.rules, rows, labels, options, cache, workers, progress);
    if (options.tree) {
      advice.raw_tree = RawTreeAccuracy(table, roles.quasi, everything.order(), labels, false);
      advice.raw_tree_in_order = RawTreeAccuracy(table, roles.quasi, everything.order(), labels, true);
    }
  }
  return advice;
}

}  // namespace tada
