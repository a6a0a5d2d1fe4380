#include "partition/ta_da/clusters/kmeans_stage.h"

#include <algorithm>

#include "base/option_mark.h"
#include "learn/clusters/constrained_kmeans.h"
#include "partition/ta_da/clusters/cluster_report.h"

namespace tada {
namespace {

constexpr std::string_view kSection = "Clusters (task clustering)";

class KMeansStage final : public Stage {
 public:
  explicit KMeansStage(KMeansStageOptions options) : options_(options) {}
  std::string_view name() const override { return "kmeans"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& problem) const override {
    std::string words = fmt::format(
        "People who resemble each other{} are clustered by k-means, at least {} in every cluster.",
        options_.all_columns ? ", in the columns that are kept too," : "", problem.checker.smallest_group());
    if (!problem.checker.needs_values()) return words;
    return words + (options_.repair == RepairKind::kMerge
                        ? " A cluster short of sensitive values joins the one with the nearest mean."
                        : " A cluster short of sensitive values takes in single people of other clusters or swaps with "
                          "them; if it still falls short, its people go to other clusters.");
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    std::vector<std::vector<RowId>> clusters;
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      TADA_TRY(parts, Cluster(problem, groups.rows(group)));
      for (std::vector<RowId>& part : parts) clusters.push_back(std::move(part));
    }
    return Groups::FromLists(clusters);
  }

 private:
  std::vector<ColumnId> Columns(const Problem& problem) const {
    std::vector<ColumnId> columns = problem.roles.quasi;
    if (options_.all_columns) columns.insert(columns.end(), problem.roles.keep.begin(), problem.roles.keep.end());
    return columns;
  }

  Result<uint64_t> NumClusters(const Problem& problem, std::span<const RowId> rows) const {
    const uint64_t smallest = problem.checker.smallest_group();
    if (options_.clusters) {
      if (*options_.clusters * smallest <= rows.size()) return *options_.clusters;
      return InvalidArgument(
                 TADA_OPTION("clusters") " asks for more clusters than the rows allow: clusters={}, rows={}, rows of a cluster at "
                 "least {}",
                 *options_.clusters, rows.size(), smallest)
          .WithHint(fmt::format("At most {} clusters are possible; half as many leave Mondrian room to split.",
                                rows.size() / smallest));
    }
    uint64_t clusters = std::max<uint64_t>(1, rows.size() / (2 * smallest));
    if (problem.checker.needs_values()) {
      const auto l = static_cast<uint64_t>(problem.checker.requirement().l);
      clusters = std::clamp<uint64_t>(MostDiverseGroups(problem.checker.Count(rows), l), 1, clusters);
    }
    return clusters;
  }

  Clustering Search(const Problem& problem, const Points& points, uint64_t num_clusters) const {
    KMeansOptions search;
    search.clusters = num_clusters;
    search.minimum = static_cast<uint32_t>(problem.checker.smallest_group());
    search.iterations = options_.iterations;
    search.tolerance = options_.tolerance;
    search.restarts = options_.restarts;
    search.exact_flow = options_.exact_flow;
    search.seed = problem.seed;
    problem.progress.Begin(name(), uint64_t{options_.iterations} * options_.restarts);
    return ConstrainedKMeans(points, search, problem.workers, [&](const KMeansStep& step) {
      problem.progress.Tell(
          fmt::format("iteration {}, objective {:.6g}, {} rows moved", step.iteration, step.objective, step.moved));
      problem.progress.Advance(1);
    });
  }

  Result<Points> Encode(const Problem& problem, std::span<const RowId> rows) const {
    const auto orders_names = [&](size_t i) {
      return problem.hierarchy(i) != nullptr && !problem.quasi(i).is_numeric();
    };
    bool any = false;
    for (size_t i = 0; i < problem.roles.quasi.size(); ++i) any = any || orders_names(i);
    if (options_.encoding == NameEncoding::kHierarchy && !any) {
      problem.notes.warnings.push_back(TADA_OPTION(
          "encoding=hierarchy") ": no quasi-identifier that holds names has a hierarchy, so their codes are used");
    }
    return EncodeRows(problem.table, Columns(problem), rows, options_.encoding, problem.hierarchies,
                      problem.importances);
  }

  Result<std::vector<std::vector<RowId>>> Cluster(const Problem& problem, std::span<const RowId> rows) const {
    TADA_TRY(num_clusters, NumClusters(problem, rows));
    TADA_TRY(points, Encode(problem, rows));
    Clustered clustered;
    clustered.rows = rows.size();
    clustered.found = Search(problem, points, num_clusters);
    ClusterSet clusters(problem, rows, points, clustered.found.cluster_of, num_clusters);
    clustered.repair = RepairClusters(clusters, options_.repair);
    std::vector<std::vector<RowId>> lists = clusters.AsLists();
    for (const auto& list : lists) clustered.sizes.push_back(list.size());
    std::sort(clustered.sizes.begin(), clustered.sizes.end());
    ReportClusters(clustered, problem.notes);
    return lists;
  }

  KMeansStageOptions options_;
};

}  // namespace

uint64_t MostDiverseGroups(const Tally& tally, uint64_t l) {
  uint64_t most = tally.rows;
  for (const ValueCounts& counts : tally.columns) {
    const std::vector<uint32_t> descending = counts.Descending();
    const auto enough = [&](uint64_t groups) {
      uint64_t sum = 0;
      for (const uint32_t count : descending) sum += std::min<uint64_t>(count, groups);
      return sum >= l * groups;
    };
    uint64_t low = 0,
             high = most;  // enough(low) and everything above high is not; sum/groups falls, so halving finds the edge
    while (low < high) {
      const uint64_t middle = low + (high - low + 1) / 2;
      if (enough(middle))
        low = middle;
      else
        high = middle - 1;
    }
    most = low;
  }
  return most;
}

std::unique_ptr<Stage> MakeKMeansStage(KMeansStageOptions options) { return std::make_unique<KMeansStage>(options); }

std::vector<OptionSpec> KMeansOptionSpecs() {
  return {
      {.name = "clusters",
       .type = OptionType::kInteger,
       .value_name = "count",
       .minimum = 1,
       .section = kSection,
       .help = "Set the number of clusters per controller; by default rows / (2k), and no more than l allows."},
      {.name = "iterations",
       .type = OptionType::kInteger,
       .value_name = "count",
       .default_text = DefaultText(KMeansStageOptions{}.iterations),
       .minimum = 1,
       .maximum = 100000,
       .section = kSection,
       .help = "Set the maximum number of iterations of k-means."},
      {.name = "tolerance",
       .type = OptionType::kReal,
       .value_name = "shift",
       .default_text = DefaultText(KMeansStageOptions{}.tolerance),
       .minimum = 0,
       .section = kSection,
       .help = "Stop k-means when the squared shifts of all means add up to less than this."},
      {.name = "restarts",
       .type = OptionType::kInteger,
       .value_name = "count",
       .default_text = DefaultText(KMeansStageOptions{}.restarts),
       .minimum = 1,
       .maximum = 1000,
       .section = kSection,
       .help = "Start k-means from this many seedings and keep the best."},
      {.name = "exact-flow",
       .type = OptionType::kFlag,
       .section = kSection,
       .help = "Solve every assignment of rows to clusters exactly; slower, and rarely better."},
      {.name = "cluster-on",
       .type = OptionType::kChoice,
       .value_name = "columns",
       .default_text = "quasi",
       .choices = {"quasi", "all"},
       .section = kSection,
       .help = "Cluster on the quasi-identifiers, or also on the columns to keep, as the paper does."},
      {.name = "encoding",
       .type = OptionType::kChoice,
       .value_name = "kind",
       .default_text = "codes",
       .choices = {"codes", "appearance", "hierarchy", "one-hot"},
       .section = kSection,
       .help = "Turn names into numbers: ranks of the values in their order, by first appearance or along the "
               "leaves of the column's hierarchy, or one feature per value."},
      {.name = "repair",
       .type = OptionType::kChoice,
       .value_name = "kind",
       .default_text = "move",
       .choices = {"move", "merge"},
       .section = kSection,
       .help = "Repair clusters that fall short of l by moving and swapping rows, or merge them as the paper does."},
  };
}

KMeansStageOptions KMeansOptionsFrom(const OptionValues& values) {
  KMeansStageOptions options;
  if (values.Has("clusters")) options.clusters = static_cast<uint64_t>(values.Integer("clusters", 1));
  options.iterations = static_cast<uint32_t>(values.Integer("iterations", options.iterations));
  options.tolerance = values.Real("tolerance", options.tolerance);
  options.restarts = static_cast<uint32_t>(values.Integer("restarts", options.restarts));
  options.exact_flow = values.Flag("exact-flow");
  options.all_columns = values.Text("cluster-on") == "all";
  if (values.Text("encoding") == "appearance") options.encoding = NameEncoding::kAppearance;
  if (values.Text("encoding") == "hierarchy") options.encoding = NameEncoding::kHierarchy;
  if (values.Text("encoding") == "one-hot") options.encoding = NameEncoding::kOneHot;
  if (values.Text("repair") == "merge") options.repair = RepairKind::kMerge;
  return options;
}

}  // namespace tada
