#include "partition/full_domain/optimal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/option_mark.h"
#include "partition/full_domain/full_domain.h"

namespace tada {
namespace {

constexpr uint64_t kMaxLattice = 4'000'000;
constexpr size_t kBatch = 16;  // vectors evaluated together; does not depend on the threads, so neither does the search
constexpr size_t kRanked = 4;  // vectors that the report shows

enum class Minimize { kNcp, kDiscernibility, kLabel };

struct Evaluation {
  bool feasible = false;
  double loss = 0;
  double unmasked = 0;  // what it would lose if nothing were masked: a bound for all vectors above
};

class Search {
 public:
  Search(const Problem& problem, std::span<const RowId> rows, bool prune)
      : problem_(problem),
        domain_(problem, {rows.begin(), rows.end()}),
        rows_(domain_.rows()),
        prune_(prune),
        allowed_(RowsToSuppress(problem, rows.size())),
        row_ids_(rows.begin(), rows.end()) {
    const std::string what = problem.options.Text("minimize");
    by_leaves_ = what == "leaves";
    if (what == "discernibility") minimize_ = Minimize::kDiscernibility;
    if (what == "label" && !problem.roles.label.empty()) minimize_ = Minimize::kLabel;
    for (size_t c = 0; c < rows_.num_columns(); ++c) AddLosses(c);
    if (minimize_ == Minimize::kLabel) ReadLabels();
  }

  Result<OptimalResult> Run() {
    OptimalResult best;
    best.lattice = 1;
    for (size_t c = 0; c < rows_.num_columns(); ++c) {
      best.lattice *= rows_.num_levels(c);
      if (best.lattice <= kMaxLattice) continue;
      return InvalidArgument("Too many level vectors to search: more than {}", kMaxLattice)
          .WithHint(
              "Use hierarchies with fewer levels (" TADA_OPTION("hierarchy=<column>=flat") "), fewer quasi-identifiers, or " TADA_OPTION("method") " "
              "datafly.");
    }
    // Vectors below a coarser one have at least its outliers if failing is inherited. Otherwise they have some, at least,
    // if what all of them meet is kept by merging: enough to know where none is allowed.
    const Checker& checker = problem_.checker;
    if (prune_ && (checker.FailingIsInherited() || (allowed_ == 0 && checker.KeptByMerging()))) CountPairOutliers();
    const std::vector<std::pair<double, uint32_t>> order = SortByBound(best.lattice);
    problem_.progress.Begin("optimal", best.lattice);
    std::vector<LevelChoice> ranking;  // the best feasible ones, best first
    // What loses no less than the second best need not be looked at.
    const auto limit = [&] { return ranking.size() < 2 ? std::numeric_limits<double>::infinity() : ranking[1].loss; };
    std::vector<LevelVector> costly;  // lose at least that even unmasked: whatever is above them too
    for (size_t begin = 0; begin < order.size();) {
      problem_.workers.Poll();
      if (prune_ && order[begin].first >= limit() && minimize_ == Minimize::kNcp) break;  // so do all that follow
      std::vector<LevelVector> batch;
      for (; begin < order.size() && batch.size() < kBatch; ++begin) {
        LevelVector levels = Unpack(order[begin].second);
        if (!prune_ || !IsAbove(levels, costly)) batch.push_back(std::move(levels));
      }
      std::vector<Evaluation> evaluations(batch.size());
      problem_.workers.For(batch.size(), [&](size_t i) { evaluations[i] = Evaluate(batch[i]); });
      for (size_t i = 0; i < batch.size(); ++i) {
        ++best.evaluated;
        if (evaluations[i].feasible) Rank({batch[i], evaluations[i].loss}, ranking);
      }
      for (size_t i = 0; i < batch.size() && minimize_ != Minimize::kNcp; ++i) {
        const bool ranked = std::ranges::find(ranking, batch[i], &LevelChoice::levels) != ranking.end();
        if (evaluations[i].unmasked >= limit() && !ranked) costly.push_back(batch[i]);
      }
      problem_.progress.Advance(batch.size());
    }
    TADA_ASSERT(!ranking.empty());  // the vector of all tops makes one class, which meets the requirement
    best.levels = ranking.front().levels;
    best.loss = ranking.front().loss;
    best.next.assign(ranking.begin() + 1, ranking.end());
    return best;
  }

  const FullDomain& domain() const { return domain_; }

  Groups MakeGroups(const LevelVector& levels) const {
    const LevelClasses classes = rows_.FindClasses(levels);
    std::vector<uint8_t> outliers = domain_.FindOutliers(classes);
    domain_.CompleteMask(classes, outliers);
    return domain_.MakeGroups(levels, classes, outliers);
  }

 private:
  // Puts a feasible vector where it belongs; of equal losses the first that was looked at stays before.
  static void Rank(LevelChoice choice, std::vector<LevelChoice>& ranking) {
    const auto place = std::ranges::upper_bound(ranking, choice.loss, {}, &LevelChoice::loss);
    ranking.insert(place, std::move(choice));
    if (ranking.size() > kRanked) ranking.pop_back();
  }

  void AddLosses(size_t c) {
    const Hierarchy& hierarchy = *problem_.hierarchy(c);
    node_loss_.emplace_back();
    sum_loss_.emplace_back();
    max_loss_.emplace_back();
    for (uint32_t level = 0; level < rows_.num_levels(c); ++level) {
      std::vector<double>& losses = node_loss_[c].emplace_back();
      for (Code node = 0; node < hierarchy.num_nodes(level); ++node)
        losses.push_back(problem_.importance(c) *
                         (by_leaves_ ? NodeLeafLoss : NodeLoss)(problem_.quasi(c), hierarchy, level, node));
      std::vector<uint64_t> counts(losses.size(), 0);
      rows_.nodes(c, level).Visit([&](auto nodes) {
        for (const auto node : nodes) ++counts[node];
      });
      double sum = 0, most = 0;
      for (size_t node = 0; node < losses.size(); ++node) {
        sum += losses[node] * static_cast<double>(counts[node]);
        most = std::max(most, losses[node]);
      }
      sum_loss_[c].push_back(sum);
      max_loss_[c].push_back(most);
    }
    mask_loss_ += problem_.quasi(c).num_values() < 2 ? 0 : problem_.importance(c);
  }

  void ReadLabels() {
    const Column& label = problem_.table.column(problem_.roles.label.front());
    num_labels_ = label.num_values();
    label.codes().Visit([&](auto codes) {
      for (const RowId row : row_ids_) labels_.push_back(label.value_id(codes[row]));
    });
  }

  LevelVector Unpack(uint32_t index) const {
    LevelVector levels;
    for (size_t c = 0; c < rows_.num_columns(); ++c) {
      levels.push_back(static_cast<uint8_t>(index % rows_.num_levels(c)));
      index /= rows_.num_levels(c);
    }
    return levels;
  }

  static bool IsAbove(const LevelVector& levels, const std::vector<LevelVector>& low) {
    return std::any_of(low.begin(), low.end(), [&](const LevelVector& l) {
      return std::equal(l.begin(), l.end(), levels.begin(), [](uint8_t a, uint8_t b) { return a <= b; });
    });
  }

  // Outliers of all pairs of columns, the others at their tops.
  void CountPairOutliers() {
    const size_t n = rows_.num_columns();
    struct Pair {
      size_t a, b;
      uint8_t level_a, level_b;
    };
    std::vector<Pair> pairs;
    pair_outliers_.resize(n * n);
    for (size_t a = 0; a < n; ++a) {
      for (size_t b = a + 1; b < n; ++b) {
        pair_outliers_[a * n + b].resize(rows_.num_levels(a) * rows_.num_levels(b));
        for (uint8_t i = 0; i <= rows_.top(a); ++i) {
          for (uint8_t j = 0; j <= rows_.top(b); ++j) pairs.push_back({a, b, i, j});
        }
      }
    }
    problem_.workers.For(pairs.size(), [&](size_t i) {
      const auto& [a, b, level_a, level_b] = pairs[i];
      LevelVector levels = rows_.Top();
      levels[a] = level_a;
      levels[b] = level_b;
      const LevelClasses classes = rows_.FindClasses(levels);
      pair_outliers_[a * n + b][level_a * rows_.num_levels(b) + level_b] =
          FullDomain::CountRows(classes, domain_.FindOutliers(classes));
    });
  }

  uint64_t KnownOutliers(const LevelVector& levels) const {
    const size_t n = rows_.num_columns();
    uint64_t most = 0;
    for (size_t a = 0; a < n && !pair_outliers_.empty(); ++a) {
      for (size_t b = a + 1; b < n; ++b) {
        most = std::max(most, pair_outliers_[a * n + b][levels[a] * rows_.num_levels(b) + levels[b]]);
      }
    }
    return most;
  }

  double Cells() const { return static_cast<double>(std::max<size_t>(1, rows_.num_rows() * rows_.num_columns())); }

  // Vectors that may be feasible, those with the least bound first. For what has no bound, those with low levels first.
  std::vector<std::pair<double, uint32_t>> SortByBound(uint64_t lattice) const {
    std::vector<std::pair<double, uint32_t>> order;
    std::vector<uint32_t> level_sums;
    for (uint32_t index = 0; index < lattice; ++index) {
      const LevelVector levels = Unpack(index);
      const uint64_t outliers = KnownOutliers(levels);
      if (outliers > allowed_) continue;
      double bound = 0, most = 0;
      for (size_t c = 0; c < levels.size() && minimize_ == Minimize::kNcp; ++c) {
        bound += sum_loss_[c][levels[c]];
        most += max_loss_[c][levels[c]];
      }
      // What rounding may add to a sum must not make the bound pass the loss itself.
      bound = (bound + static_cast<double>(outliers) * std::max(0.0, mask_loss_ - most)) / Cells() * (1 - 1e-12);
      order.emplace_back(minimize_ == Minimize::kNcp ? bound : 0.0, index);
    }
    const auto level_sum = [&](uint32_t index) {
      const LevelVector levels = Unpack(index);
      return std::accumulate(levels.begin(), levels.end(), 0u);
    };
    if (minimize_ == Minimize::kNcp) {
      std::sort(order.begin(), order.end());
    } else {
      std::stable_sort(order.begin(), order.end(),
                       [&](const auto& a, const auto& b) { return level_sum(a.second) < level_sum(b.second); });
    }
    return order;
  }

  Evaluation Evaluate(const LevelVector& levels) const {
    Evaluation evaluation;
    const LevelClasses classes = rows_.FindClasses(levels);
    std::vector<uint8_t> masked = domain_.FindOutliers(classes);
    if (minimize_ == Minimize::kDiscernibility)
      evaluation.unmasked = Discernibility(classes, std::vector<uint8_t>(masked.size(), 0));
    if (minimize_ == Minimize::kLabel) evaluation.unmasked = LabelLoss(classes, std::vector<uint8_t>(masked.size(), 0));
    if (FullDomain::CountRows(classes, masked) > allowed_) return evaluation;
    domain_.CompleteMask(classes, masked);
    if (FullDomain::CountRows(classes, masked) > allowed_) return evaluation;
    evaluation.feasible = true;
    switch (minimize_) {
      case Minimize::kNcp:
        evaluation.loss = Ncp(levels, classes, masked);
        break;
      case Minimize::kDiscernibility:
        evaluation.loss = Discernibility(classes, masked);
        break;
      case Minimize::kLabel:
        evaluation.loss = LabelLoss(classes, masked);
        break;
    }
    return evaluation;
  }

  double Ncp(const LevelVector& levels, const LevelClasses& classes, const std::vector<uint8_t>& masked) const {
    double sum = 0;
    for (size_t c = 0; c < levels.size(); ++c) sum += sum_loss_[c][levels[c]];
    // A masked row costs one per column instead of what its nodes cost; counted once per class.
    const std::vector<uint32_t> sizes = classes.Sizes();
    std::vector<uint8_t> done(classes.num_classes, 0);
    for (size_t row = 0; row < classes.of_row.size(); ++row) {
      const uint32_t number = classes.of_row[row];
      if (masked[number] == 0 || done[number] != 0) continue;
      done[number] = 1;
      double shown = 0;
      for (size_t c = 0; c < levels.size(); ++c) shown += node_loss_[c][levels[c]][rows_.nodes(c, levels[c])[row]];
      sum += (mask_loss_ - shown) * sizes[number];
    }
    return sum / Cells();
  }

  double Discernibility(const LevelClasses& classes, const std::vector<uint8_t>& masked) const {
    double sum = 0, aside = 0;
    const std::vector<uint32_t> sizes = classes.Sizes();
    for (uint32_t i = 0; i < classes.num_classes; ++i) {
      if (masked[i] != 0)
        aside += sizes[i];
      else
        sum += static_cast<double>(sizes[i]) * sizes[i];
    }
    return sum + aside * aside;
  }

  // Rows whose label is not the most frequent of their class; a masked row tells nothing, and counts as lost.
  double LabelLoss(const LevelClasses& classes, const std::vector<uint8_t>& masked) const {
    std::vector<uint32_t> counts(size_t{classes.num_classes} * num_labels_, 0);
    for (size_t row = 0; row < classes.of_row.size(); ++row)
      ++counts[size_t{classes.of_row[row]} * num_labels_ + labels_[row]];
    uint64_t right = 0;
    for (size_t i = 0; i < classes.num_classes; ++i) {
      const auto* of_class = &counts[i * num_labels_];
      if (masked[i] == 0) right += *std::max_element(of_class, of_class + num_labels_);
    }
    return static_cast<double>(classes.of_row.size() - right);
  }

  const Problem& problem_;
  FullDomain domain_;
  const LevelRows& rows_;
  bool prune_;
  uint64_t allowed_;
  std::vector<RowId> row_ids_;
  Minimize minimize_ = Minimize::kNcp;
  bool by_leaves_ = false;                                   // NCP that counts leaves / domain of a label
  std::vector<std::vector<std::vector<double>>> node_loss_;  // by column, level, node
  std::vector<std::vector<double>> sum_loss_, max_loss_;     // by column, level
  double mask_loss_ = 0;                                     // of a masked row: columns that are not constant
  std::vector<std::vector<uint64_t>> pair_outliers_;         // by pair of columns, pair of levels
  std::vector<uint32_t> labels_;
  size_t num_labels_ = 0;
};

// What is minimized, in words.
std::string_view LossName(const Problem& problem) {
  const std::string what = problem.options.Text("minimize");
  if (what == "leaves") return "NCP by leaves of the hierarchies";
  if (what == "discernibility") return "the discernibility of the classes";
  if (what == "label" && !problem.roles.label.empty()) {
    return "the number of rows that are masked or whose label is not the commonest of their class";
  }
  return "NCP";
}

class OptimalStage final : public Stage {
 public:
  std::string_view name() const override { return "optimal"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& problem) const override {
    return fmt::format(
        "Whole columns are recoded by their hierarchies{}. Of all combinations of levels that meet the requirement, "
        "the one with the least loss is taken; the loss is {}.",
        SuppressWords(problem), LossName(problem));
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    if (problem.options.Text("minimize") == "label" && problem.roles.label.empty()) {
      problem.notes.warnings.emplace_back(
          TADA_OPTION("minimize=label") ": no column is the label, so NCP is minimized instead");
    }
    Search search(problem, groups.order(), true);
    TADA_TRY(best, search.Run());
    problem.notes.sections.push_back(
        DescribeLevels(search.domain(), {best.levels, best.loss}, best.next, LossName(problem)));
    WarnOfMask(problem, search.domain(), best.levels);
    return search.MakeGroups(best.levels);
  }
};

}  // namespace

Result<OptimalResult> FindOptimal(const Problem& problem, std::span<const RowId> rows, bool prune) {
  return Search(problem, rows, prune).Run();
}

MethodEntry OptimalMethod() {
  return {
      .name = "optimal",
      .maturity = Maturity::kExperimental,
      .summary =
          "Recodes whole columns by hierarchies: searches all combinations of levels for the one that loses least.",
      .page = "docs/algorithms/rules.md",
      .tasks = {},
      .options =
          {SuppressOption(),
           {.name = "minimize",
            .type = OptionType::kChoice,
            .value_name = "loss",
            .default_text = "ncp",
            .choices = {"ncp", "leaves", "discernibility", "label"},
            .section = "Recoding of columns",
            .help = "Minimize NCP, NCP by the leaves below a label, sizes of classes, or the rows that are masked or "
                    "whose label is not the commonest of their class."}},
      .make = [](const MethodContext&) -> Result<std::vector<std::unique_ptr<Stage>>> {
        std::vector<std::unique_ptr<Stage>> stages;
        stages.push_back(std::make_unique<OptimalStage>());
        return stages;
      },
      .by_levels = true,
      .row_order = &ByPosition,
      .by_quasi_alone = [](const MethodContext& context) { return context.options.Text("minimize") != "label"; }};
}

}  // namespace tada
