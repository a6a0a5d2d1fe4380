#pragma once

// Mondrian (LeFevre, DeWitt, Ramakrishnan 2006) with k and l: cut the column that is widest inside the group at its median,
// as long as both sides meet the requirement. docs/algorithms/mondrian.md

#include <memory>

#include "partition/engine/method.h"
#include "partition/engine/splits/table_chooser.h"

namespace tada {

struct MondrianOptions {
  /// Strict keeps equal values together; relaxed may deal rows equal to the median to both sides, which helps columns with
  /// few values and costs truthfulness nothing, but lets cells of different groups overlap.
  bool strict = true;
  /// How a categorical column is cut.
  enum class Categorical {
    kOrdered,    ///< along the order of its values, at the median
    kFrequency,  ///< values by descending count, cut at half of the rows
    kBalanced,   ///< values by descending count, each to the lighter side
  };
  Categorical categorical = Categorical::kOrdered;
  /// Whether cuts may keep the distribution of sensitive values (stratified.h), where the requirement compares it.
  bool stratify = false;
};

/// Chooses Mondrian's median split; also what other choosers fall back to.
class MedianChooser final : public TableChooser {
 public:
  MedianChooser(const Problem& problem, MondrianOptions options) : problem_(problem), options_(options) {}
  std::unique_ptr<SplitScratch> MakeScratch() const override;
  uint32_t Choose(const NodeRows& rows, const Node& node, SplitScratch& scratch) const override;
  NodeSplit Decide(std::span<const ValueTable> tables, SplitScratch& scratch) const override;

 private:
  const Problem& problem_;
  MondrianOptions options_;
};

/// What the options change about cuts at the median, in sentences that begin with a blank; "" if nothing.
std::string MedianWords(const Problem& problem, const MondrianOptions& options);

/// The stage of that name.
std::unique_ptr<Stage> MakeMondrianStage(MondrianOptions options);
/// --relaxed and --categorical, for every method that ends in Mondrian.
std::vector<OptionSpec> MondrianOptionSpecs();
MondrianOptions MondrianOptionsFrom(const OptionValues& values);
/// Plain cuts count rows; relaxed ones and samples take them by position.
RowOrder MondrianRowOrder(const MethodContext& context);
/// Strict cuts make boxes; relaxed ones let groups overlap, and those found on a sample are not followed.
bool MondrianHasBoxes(const MethodContext& context);
MethodEntry MondrianMethod();

}  // namespace tada
