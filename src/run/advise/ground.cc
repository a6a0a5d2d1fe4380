#include "run/advise/ground.h"

#include <fmt/ranges.h>

#include "base/option_mark.h"

namespace tada {
namespace {

constexpr uint32_t kFolds = 10;

Status CheckLabel(const Column& label) {
  if (label.num_values() <= 255) return Ok();
  return InvalidArgument("advise needs a label with few values: {} has {}", label.name(), label.num_values())
      .WithHint(
          "Give a column of classes, group the numbers of this one first, or leave " TADA_OPTION("label") " out.");
}

// Nothing to predict: every row has the same label.
LabelRows NoLabels(size_t rows) {
  LabelRows labels;
  labels.of_row.assign(rows, 0);
  labels.num_labels = 1;
  labels.num_folds = kFolds;
  labels.fold_of_row.assign(rows, 0);
  return labels;
}

}  // namespace

Result<std::unique_ptr<const Ground>> Ground::Make(const Table& table, const Plan& plan, uint64_t min_k) {
  std::unique_ptr<Ground> made(new Ground(table));
  Plan by_levels = plan;
  by_levels.method = "levels";
  by_levels.method_options = {};
  TADA_TRY(bound, BindPlan(by_levels, table));
  made->bound_ = std::move(bound);
  const Roles& roles = made->bound_.roles;
  if (roles.label.size() > 1)
    return InvalidArgument("advise takes one " TADA_OPTION("label") ", not {}", roles.label.size());
  if (!roles.label.empty()) {
    made->label_ = &table.column(roles.label.front());
    TADA_CHECK_OK(CheckLabel(*made->label_));
  }
  if (table.num_rows() < min_k || table.num_rows() == 0) {
    return Infeasible("Fewer rows than " TADA_OPTION("min-k") ": rows={}, min-k={}", table.num_rows(), min_k);
  }
  TADA_TRY(loaded, LoadHierarchies(plan, table, roles, true));
  made->loaded_ = std::move(loaded);
  made->hierarchies_ = made->loaded_.pointers();
  const Groups everything = Groups::Whole(table.num_rows());
  made->rows_ = std::make_unique<const LevelRows>(table, roles.quasi, made->hierarchies_, everything.order());
  made->labels_ = made->label_ == nullptr ? NoLabels(table.num_rows())
                                          : MakeLabelRows(*made->label_, everything.order(), kFolds, plan.seed);
  made->scorer_ = std::make_unique<const RuleScorer>(*made->rows_, made->labels_);
  TADA_TRY(reach, Reach::Make(by_levels, made->bound_, table, made->hierarchies_));
  made->reach_.emplace(std::move(reach));
  return std::unique_ptr<const Ground>(std::move(made));
}

std::string Ground::Words(const LevelVector& levels) const {
  std::vector<std::string> words;
  for (size_t c = 0; c < levels.size(); ++c) {
    if (levels[c] == rows_->top(c)) continue;
    const std::string& name = table_.column(roles().quasi[c]).name();
    if (levels[c] == 0) {
      words.push_back(name + " as it is");
    } else {
      const Code middle = hierarchies_[c]->num_nodes(levels[c]) / 2;
      words.push_back(fmt::format("{} at level {} of {}, such as {}", name, levels[c], rows_->top(c),
                                  hierarchies_[c]->label(levels[c], middle)));
    }
  }
  return words.empty() ? "nothing of these columns" : fmt::format("{}; nothing else", fmt::join(words, "; "));
}

}  // namespace tada
