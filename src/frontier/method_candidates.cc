#include "frontier/method_candidates.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "frontier/hidden_labels.h"
#include "frontier/joint.h"
#include "partition/registry.h"
#include "run/advise/released_classes.h"
#include "run/anonymize/anonymize.h"
#include "score/scorecard.h"

namespace tada {
namespace {

constexpr int64_t kSuppressed = 5;  // percent, for methods that recode whole columns

// What a method is about to take: seconds on one core, from measurements on Adult (45,222 rows, 14 columns), by rows times columns.
struct Pace {
  std::string_view method;
  double per_cell = 0;
};
constexpr Pace kPaces[] = {{"compact", 11e-6}, {"dop", 2e-6}, {"topdown", 2e-6}, {"auto", 1e-3}};
constexpr double kUsualPace = 0.3e-6, kPerVector = 2.5e-9;  // of `optimal`: per level vector and row
constexpr double kBudget = 4, kMost = 20;                   // seconds for all k of a method, and for one

struct Try {
  std::string method;
  int64_t k = 0, suppress = 0;
};

double SecondsOf(const std::string& method, const Ground& ground) {
  const auto rows = static_cast<double>(ground.table().num_rows());
  const double cells = rows * static_cast<double>(ground.roles().quasi.size());
  if (method == "optimal") {
    double vectors = 1;
    for (size_t c = 0; c < ground.rows().num_columns(); ++c) vectors *= ground.rows().num_levels(c);
    return kPerVector * vectors * rows;
  }
  const auto* const found = std::ranges::find(kPaces, method, &Pace::method);
  return (found == std::end(kPaces) ? kUsualPace : found->per_cell) * cells;
}

// The k at which a method is tried; the others are left to a wide search.
std::vector<int64_t> TriedAt(const std::string& method, const std::vector<int64_t>& ks, int64_t need, bool wide,
                             const Ground& ground) {
  const double each = SecondsOf(method, ground);
  if (wide || each * static_cast<double>(ks.size()) <= kBudget) return ks;
  if (each > kMost) return {};
  const auto wanted = static_cast<size_t>(std::max(1.0, kBudget / each));
  std::vector<int64_t> tried{need};
  for (size_t i = 0; i < wanted - 1; ++i) {
    const int64_t k = ks[(ks.size() - 1) * (i + 1) / wanted];
    if (std::ranges::find(tried, k) == tried.end()) tried.push_back(k);
  }
  std::ranges::sort(tried);
  return tried;
}

std::string IdOf(const Try& one) {
  return fmt::format("{}-k{}{}", one.method, one.k, one.suppress > 0 ? fmt::format("-s{}", one.suppress) : "");
}

std::string WordsOf(const Try& one, const Candidate& made, const MethodEntry& method) {
  std::string words = method.by_levels
                          ? "whole columns, at levels that the method chose"
                          : fmt::format("all columns, each of the {} groups with cells of its own", made.classes);
  if (one.suppress > 0) {
    words += made.masked > 0 ? fmt::format("; {} masked", Plural(made.masked, "row")) : "; no row masked";
  }
  return words;
}

Candidate MeasureTry(const Try& one, const Anonymized& made, const Ground& ground, const CountErrors& errors,
                     const Workers& workers) {
  Candidate candidate;
  candidate.id = IdOf(one);
  candidate.origin = "method";
  candidate.method = one.method;
  candidate.asked_k = one.k;
  candidate.suppress = one.suppress;
  const LevelClasses classes = ReleasedClasses(made.release);
  candidate.classes = classes.num_classes;
  candidate.k = ground.reach().SmallestClass(classes);
  candidate.print = PrintOf(classes);
  if (ground.label() != nullptr) {
    const Rule scored = ground.scorer().ScoreClasses({}, classes);
    candidate.accuracy = scored.accuracy;
    candidate.information_gain = scored.information_gain;
  }
  const Scorecard score = Score(made.release, workers);
  candidate.ncp = score.ncp;
  candidate.masked = score.masked_rows;
  candidate.query_error = errors.OfRelease(made.release, made.hierarchies.pointers());
  const GroupId first = made.release.group_of_row[0];
  for (const ColumnId id : ground.roles().quasi) {
    const auto found = std::ranges::find(made.release.columns, id, &ReleasedColumn::source);
    candidate.cells.push_back(CellText(ground.table().column(id), *found, found->cells[found->cell_of_group[first]]));
  }
  candidate.words = WordsOf(one, candidate, *FindMethod(one.method));
  return candidate;
}

std::string Ks(const std::vector<int64_t>& ks) { return fmt::format("{}", fmt::join(ks, ", ")); }

// What is tried, the longest first so that threads end together; says what is not.
std::vector<Try> Choose(const Ground& ground, const Plan& plan, const JointOptions& options,
                        const std::vector<int64_t>& ks, Joint& joint) {
  std::vector<Try> tries;
  for (const std::string& method : options.methods) {
    const MethodEntry& entry = *FindMethod(method);
    if (!entry.tasks.empty() && std::ranges::find(entry.tasks, ground.bound().task) == entry.tasks.end()) {
      joint.left_out.push_back(fmt::format("{}: needs a label", method));
      continue;
    }
    const std::vector<int64_t> at = TriedAt(method, ks, plan.requirement.k, options.wide, ground);
    std::vector<int64_t> others;
    std::ranges::set_difference(ks, at, std::back_inserter(others));
    if (!others.empty()) joint.not_tried.push_back(fmt::format("{} at k={}", method, Ks(others)));
    const bool suppresses = FindOption(entry.options, "suppress") != nullptr;
    for (const int64_t k : at) {
      if (method != "optimal") tries.push_back({method, k, 0});  // what it finds unsuppressed is one of the vectors
      if (suppresses) tries.push_back({method, k, kSuppressed});
    }
  }
  std::ranges::stable_sort(tries, std::greater(), [&](const Try& one) { return SecondsOf(one.method, ground); });
  return tries;
}

}  // namespace

std::vector<int64_t> KValues(uint64_t low, uint64_t high, uint64_t need, bool wide) {
  const std::vector<double> steps = wide ? std::vector<double>{1, 1.5, 2, 3, 4, 5, 7} : std::vector<double>{1, 2, 5};
  std::vector<int64_t> ks;
  for (double ten = 1; ten <= static_cast<double>(high); ten *= 10) {
    for (const double step : steps) {
      const double k = step * ten;
      if (k == std::floor(k) && k >= static_cast<double>(low) && k <= static_cast<double>(high))
        ks.push_back(static_cast<int64_t>(k));
    }
  }
  ks.push_back(static_cast<int64_t>(need));
  std::ranges::sort(ks);
  ks.erase(std::unique(ks.begin(), ks.end()), ks.end());
  return ks;
}

Status AddMethods(const Ground& ground, const CountErrors& errors, const Plan& plan, const JointOptions& options,
                  const std::vector<int64_t>& ks, Joint& joint, const Workers& workers, Progress& progress) {
  const std::vector<Try> tries = Choose(ground, plan, options, ks, joint);
  progress.Begin("methods", tries.size());
  std::vector<std::optional<Candidate>> made(tries.size());
  std::vector<Error> failed(tries.size());
  workers.For(tries.size(), [&](size_t i) {
    NoProgress silent;
    const Workers alone = workers.Alone();
    Candidate asked;
    asked.method = tries[i].method;
    asked.asked_k = tries[i].k;
    asked.suppress = tries[i].suppress;
    const Plan with = PlanOf(asked, plan, {});
    const Result<Anonymized> released = Anonymize(ground.table(), with, alone, silent);
    if (!released.ok()) {
      failed[i] = released.error();
    } else {
      made[i] = MeasureTry(tries[i], *released, ground, errors, alone);
      if (LooksAtLabels(with, ground)) {
        const Result<double> accuracy = HiddenAccuracy(ground, with, alone);
        if (accuracy.ok()) {
          made[i]->accuracy = *accuracy;
        } else {
          made[i].reset();
          failed[i] = accuracy.error();
        }
      }
    }
    progress.Advance(1);
  });
  for (size_t i = 0; i < tries.size(); ++i) {
    if (made[i]) {
      joint.candidates.push_back(*std::move(made[i]));
      continue;
    }
    // The data cannot meet it, or the method cannot serve the requirement: the others can.
    if (failed[i].code != ErrorCode::kInfeasible && failed[i].code != ErrorCode::kInvalidArgument) return failed[i];
    joint.left_out.push_back(fmt::format("{}: {}", IdOf(tries[i]), failed[i].message));
  }
  return Ok();
}

}  // namespace tada
