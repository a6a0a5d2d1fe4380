#include "rules/all_levels.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/option_mark.h"

namespace tada {
namespace {

struct TooMany {};

// The search below one setting of the first columns.
class Search {
 public:
  Search(const RuleScorer& scorer, uint64_t min_k, const std::vector<size_t>& order, std::atomic<size_t>& found,
         size_t max_vectors, const Workers& workers)
      : scorer_(scorer),
        rows_(scorer.rows()),
        min_k_(min_k),
        order_(order),
        found_(found),
        max_vectors_(max_vectors),
        workers_(workers),
        classes_(order.size() + 1) {}

  /// Takes columns from `depth` on; `levels` and `classes` are settled before it.
  std::vector<Rule> Run(size_t depth, const LevelVector& levels, const LevelClasses& classes) {
    levels_ = levels;
    classes_[depth] = classes;
    Descend(depth);
    return std::move(rules_);
  }

 private:
  void Descend(size_t depth) {
    workers_.Poll();
    if (depth == order_.size()) {
      if (++found_ > max_vectors_) throw TooMany();
      rules_.push_back(scorer_.ScoreClasses(levels_, classes_[depth]));
      return;
    }
    const size_t column = order_[depth];
    const auto most = static_cast<uint32_t>(rows_.num_rows() / min_k_);
    const uint8_t top = rows_.top(column);
    for (uint32_t level = top + 1u; level-- > 0;) {
      if (rows_.smallest_node(column, level) < min_k_) break;
      if (level == top) {
        classes_[depth + 1] = classes_[depth];
      } else if (!rows_.Refine(classes_[depth], column, level, most, classes_[depth + 1]) ||
                 classes_[depth + 1].Smallest() < min_k_) {
        break;
      }
      levels_[column] = static_cast<uint8_t>(level);
      Descend(depth + 1);
    }
    levels_[column] = top;
  }

  const RuleScorer& scorer_;
  const LevelRows& rows_;
  uint64_t min_k_;
  const std::vector<size_t>& order_;
  std::atomic<size_t>& found_;
  size_t max_vectors_;
  const Workers& workers_;
  LevelVector levels_;
  std::vector<LevelClasses> classes_;  // by depth
  std::vector<Rule> rules_;
};

}  // namespace

Result<std::vector<Rule>> FindAllVectors(const RuleScorer& scorer, uint64_t min_k, size_t max_vectors,
                                         const Workers& workers, Progress& progress) {
  const LevelRows& rows = scorer.rows();
  TADA_ASSERT(min_k > 0);
  std::vector<Rule> rules;
  if (rows.num_rows() < min_k) return rules;
  // A column that is useless by itself (its level below the top falls short) stays at the top; the others in the order of
  // their levels, so that the tasks of the first two are many.
  std::vector<size_t> order;
  for (size_t c = 0; c < rows.num_columns(); ++c) {
    if (rows.top(c) > 0 && rows.smallest_node(c, rows.top(c) - 1u) >= min_k) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rows.num_levels(a) > rows.num_levels(b); });
  std::vector<LevelVector> tasks;  // settings of the first column or two
  const size_t settled = std::min<size_t>(2, order.size());
  tasks.push_back(rows.Top());
  for (size_t d = 0; d < settled; ++d) {
    std::vector<LevelVector> next;
    for (const LevelVector& task : tasks) {
      for (uint32_t level = 0; level <= rows.top(order[d]); ++level) {
        next.push_back(task);
        next.back()[order[d]] = static_cast<uint8_t>(level);
      }
    }
    tasks = std::move(next);
  }
  progress.Begin("all levels", tasks.size());
  std::vector<std::vector<Rule>> found_by_task(tasks.size());
  std::atomic<size_t> found{0};
  try {
    workers.For(tasks.size(), [&](size_t i) {
      LevelClasses classes;
      const auto most = static_cast<uint32_t>(rows.num_rows() / min_k);
      if (rows.FindClasses(tasks[i], most, classes) && classes.Smallest() >= min_k) {
        found_by_task[i] = Search(scorer, min_k, order, found, max_vectors, workers).Run(settled, tasks[i], classes);
      }
      progress.Advance(1);
    });
  } catch (const TooMany&) {
    return Infeasible("More than {} level vectors have a k of at least {}", max_vectors, min_k)
        .WithHint("Raise " TADA_OPTION("min-k") ", or leave " TADA_OPTION("all-levels") " out.");
  }
  for (std::vector<Rule>& part : found_by_task) {
    for (Rule& rule : part) {
      if (rule.levels != rows.Top()) rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace tada
