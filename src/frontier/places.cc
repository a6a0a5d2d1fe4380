#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/random.h"
#include "frontier/joint.h"
#include "score/frontier.h"

namespace tada {
namespace {

constexpr double kKept = 0.5;  // of what the most useful release gains, kept by a cautious one

ParetoPoint PointOf(const Candidate& candidate, bool by_label) {
  const auto k = static_cast<double>(candidate.k);
  if (by_label) return {k, candidate.accuracy.value_or(0), candidate.information_gain.value_or(0)};
  return {k, -candidate.ncp, -candidate.query_error};
}

bool Dominates(const ParetoPoint& a, const ParetoPoint& b) {
  return a != b && a[0] >= b[0] && a[1] >= b[1] && a[2] >= b[2];
}

double Useful(const Candidate& candidate, bool by_label) {
  return by_label ? candidate.accuracy.value_or(0) : -candidate.ncp;
}

std::string Figures(const Candidate& candidate, bool by_label) {
  return by_label ? fmt::format("{:.1f}%", 100 * candidate.accuracy.value_or(0))
                  : fmt::format("NCP {:.3f}", candidate.ncp);
}

}  // namespace

uint64_t PrintOf(const LevelClasses& classes) {
  std::vector<uint32_t> renumbered(classes.num_classes, UINT32_MAX);  // by first rows, whatever numbers they have
  uint32_t next = 0;
  uint64_t print = 0xcbf29ce484222325;
  for (const uint32_t of_row : classes.of_row) {
    if (renumbered[of_row] == UINT32_MAX) renumbered[of_row] = next++;
    print = MixSeed(print, renumbered[of_row]);
  }
  return print;
}

void MarkSame(std::vector<Candidate>& candidates) {
  // The same release with other figures is not the same point: labels may have been hidden from one of two methods that come to it.
  using Point = std::tuple<uint64_t, uint64_t, double, double, std::optional<double>, std::optional<double>>;
  std::map<Point, const Candidate*> known;
  const auto rank =
      [](const Candidate& candidate) {  // rules before vectors, these before methods, less suppression first
        return std::tuple(candidate.origin == "method", candidate.origin == "vector", candidate.suppress,
                          -candidate.asked_k, candidate.id);
      };
  std::vector<Candidate*> order;
  for (Candidate& candidate : candidates) order.push_back(&candidate);
  std::ranges::stable_sort(order, [&](const Candidate* a, const Candidate* b) { return rank(*a) < rank(*b); });
  for (Candidate* candidate : order) {
    const auto [found, is_new] =
        known.try_emplace({candidate->print, candidate->classes, candidate->ncp, candidate->query_error,
                           candidate->accuracy, candidate->information_gain},
                          candidate);
    candidate->same_as = is_new ? "" : found->second->id;
  }
}

void MarkBeaten(std::vector<Candidate>& candidates, bool by_label) {
  std::vector<ParetoPoint> points;
  for (const Candidate& candidate : candidates) points.push_back(PointOf(candidate, by_label));
  const std::vector<bool> on_frontier = FindFrontier(points);
  std::vector<size_t> frontier;
  for (size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].frontier = on_frontier[i];
    candidates[i].beaten_by.clear();
    if (on_frontier[i]) frontier.push_back(i);
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (on_frontier[i] && !candidates[i].same_as.empty()) candidates[i].frontier = false;
    if (on_frontier[i]) continue;
    const Candidate* best = nullptr;  // the most useful of those that beat it
    for (const size_t f : frontier) {
      if (!candidates[f].same_as.empty() || !Dominates(points[f], points[i])) continue;
      if (best == nullptr || Useful(candidates[f], by_label) > Useful(*best, by_label)) best = &candidates[f];
    }
    TADA_ASSERT(best != nullptr);
    candidates[i].beaten_by = best->id;
  }
}

std::vector<Place> FindPlaces(const std::vector<Candidate>& candidates, uint64_t need, bool by_label, double guess) {
  std::vector<const Candidate*> within;
  for (const Candidate& candidate : candidates) {
    if (candidate.frontier && candidate.k >= need) within.push_back(&candidate);
  }
  std::vector<Place> places;
  if (within.empty()) return places;
  const auto more_useful = [&](const Candidate* a, const Candidate* b) {
    return std::pair(Useful(*a, by_label), a->k) < std::pair(Useful(*b, by_label), b->k);
  };
  const Candidate* useful = *std::ranges::max_element(within, more_useful);
  places.push_back({"Most useful", useful->id,
                    fmt::format("{} at k {}: the most that was measured from k {} up.", Figures(*useful, by_label),
                                useful->k, need)});
  const double nothing = by_label ? guess : -1.0;
  const double enough = nothing + kKept * (Useful(*useful, by_label) - nothing);
  const Candidate* cautious = useful;
  for (const Candidate* candidate : within) {
    if (Useful(*candidate, by_label) >= enough && candidate->k > cautious->k) cautious = candidate;
  }
  if (cautious != useful) {
    places.push_back({"Cautious", cautious->id,
                      fmt::format("{} at k {}: the largest k that keeps half of what the most useful one {}.",
                                  Figures(*cautious, by_label), cautious->k,
                                  by_label ? "gains over guessing" : "keeps of the table")});
  }
  const Candidate* rule = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.origin == "method" || candidate.k < need || !candidate.same_as.empty()) continue;
    if (rule == nullptr || more_useful(rule, &candidate)) rule = &candidate;
  }
  if (rule != nullptr && rule != useful && rule != cautious) {
    places.push_back({"Best rule", rule->id,
                      fmt::format("{} at k {}: the most of what can be written as a rule for whole columns, from k {} "
                                  "up.",
                                  Figures(*rule, by_label), rule->k, need)});
  }
  return places;
}

}  // namespace tada
