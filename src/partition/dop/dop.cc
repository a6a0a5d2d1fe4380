#include "partition/dop/dop.h"

#include "partition/dop/dbscan_stage.h"
#include "partition/mondrian/ncp_split.h"

namespace tada {
namespace {

class OptimalMondrianStage final : public Stage {
 public:
  /// `mask_aside` false: the group that was set aside is released like any other, but not split.
  OptimalMondrianStage(SplitCost cost, bool mask_aside) : cost_(cost), mask_aside_(mask_aside) {}
  std::string_view name() const override { return "optimal_mondrian"; }
  std::string About(const Problem& /*problem*/) const override {
    return fmt::format("Groups are cut in two, again and again, by that one of all cuts of all columns that {}; {}",
                       cost_ == SplitCost::kLil ? "leaves the narrowest ranges of numbers (local information loss)"
                                                : "loses least information (NCP)",
                       kCutsThatAreNotMade);
  }
  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    Groups result = SplitByCost(problem, groups, cost_, name());
    if (!result.masked() || mask_aside_ || problem.leaving > 0) return result;
    return Groups(result.order(), result.spans());
  }

 private:
  SplitCost cost_;
  bool mask_aside_;
};

Result<std::vector<std::unique_ptr<Stage>>> MakeStages(const MethodContext& context) {
  const DensityOptions density = DensityOptionsFrom(context.options);
  const SplitCost cost = context.options.Text("cost") == "lil" ? SplitCost::kLil : SplitCost::kNcp;
  std::vector<std::unique_ptr<Stage>> stages;
  if (!context.options.Flag("no-density")) stages.push_back(MakeDbscanStage(density));
  stages.push_back(std::make_unique<OptimalMondrianStage>(cost, density.noise == DensityOptions::Noise::kMask));
  return stages;
}

}  // namespace

MethodEntry DopMethod() {
  std::vector<OptionSpec> options = DensityOptionSpecs();
  options.push_back(
      {.name = "cost",
       .type = OptionType::kChoice,
       .value_name = "cost",
       .default_text = "ncp",
       .choices = {"ncp", "lil"},
       .section = "Density",
       .help = "Minimize the release's information loss with each cut, or the paper's local loss of numbers."});
  options.push_back({.name = "no-density",
                     .type = OptionType::kFlag,
                     .section = "Density",
                     .help = "Skip the density clusters and cut the whole table."});
  return {.name = "dop",
          .maturity = Maturity::kStable,
          .summary = "Density clusters first, then the cut of least information loss in each.",
          .page = "docs/algorithms/dop.md",
          .tasks = {},
          .options = std::move(options),
          .make = &MakeStages,
          .row_order = &ByPosition,
          .by_quasi_alone = &Always};
}

}  // namespace tada
