#include "partition/dop/dbscan_stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fault.h"
#include "base/random.h"
#include "learn/clusters/dbscan.h"
#include "learn/neighbours/collapse.h"
#include "partition/dop/dbscan_report.h"
#include "partition/engine/loss_model.h"

namespace tada {
namespace {

using Lists = std::vector<std::vector<RowId>>;

std::vector<double> ColumnWeights(const LossModel& loss, DensityOptions::Weights kind) {
  std::vector<double> weights;
  for (size_t i = 0; i < loss.num_columns(); ++i) {
    const double values = loss.column(i).num_values();
    weights.push_back(kind == DensityOptions::Weights::kUniform       ? 1
                      : kind == DensityOptions::Weights::kCardinality ? values
                                                                      : 1 / std::max(1.0, values));
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

// The rows as points: every quasi-identifier that varies, scaled to [0, 1] and by the root of its weight; a missing number
// lies as far below the smallest as the largest lies above it.
struct DensePoints {
  WeightedPoints points;
  std::vector<uint32_t> point_of;  // by position in the rows
};

DensePoints PointsOf(const Problem& problem, std::span<const RowId> rows, DensityOptions::Weights kind) {
  const LossModel loss(problem);
  const std::vector<double> weights = ColumnWeights(loss, kind);
  std::vector<size_t> columns;
  for (size_t i = 0; i < loss.num_columns(); ++i) {
    if (!loss.column(i).is_constant()) columns.push_back(i);
  }
  const size_t width = columns.size();
  WeightedPoints all{width, std::vector<double>(rows.size() * width), {}};
  for (size_t j = 0; j < width; ++j) {
    const ColumnLoss& column = loss.column(columns[j]);
    std::vector<double> place(column.num_codes());
    for (Code code = 0; code < column.num_codes(); ++code) {
      const double scaled = !column.is_numeric()      ? column.value(code) * column.step()
                            : column.is_missing(code) ? -column.importance()
                                                      : column.position(code);
      place[code] = scaled * std::sqrt(weights[columns[j]]);
    }
    problem.quasi(columns[j]).codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) all.at[i * width + j] = place[codes[rows[i]]];
    });
  }
  const auto hash = [&](size_t i) {
    uint64_t h = 0;
    for (size_t j = 0; j < width; ++j) h = MixSeed(h, std::bit_cast<uint64_t>(all.at[i * width + j]));
    return h;
  };
  const auto equal = [&](size_t a, size_t b) { return std::equal(all.Point(a), all.Point(a) + width, all.Point(b)); };
  Collapsed collapsed = CollapseEqual(rows.size(), hash, equal);
  DensePoints result{{width, {}, std::vector<uint32_t>(collapsed.first.size(), 0)}, std::move(collapsed.number_of)};
  for (const uint32_t first : collapsed.first) {
    result.points.at.insert(result.points.at.end(), all.Point(first), all.Point(first) + width);
  }
  for (const uint32_t point : result.point_of) ++result.points.weights[point];
  return result;
}

// Sends noise to the cluster of the nearest point that is in one.
void AttachNoise(const WeightedPoints& points, std::vector<int32_t>& cluster_of, const Workers& workers) {
  std::vector<uint32_t> members;
  for (uint32_t i = 0; i < points.size(); ++i) {
    if (cluster_of[i] != kNoise) members.push_back(i);
  }
  const PointTree tree(points, std::move(members));
  std::vector<int32_t> attached = cluster_of;
  workers.ForBlocks(points.size(), 512, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (cluster_of[i] == kNoise) attached[i] = cluster_of[tree.Nearest(points.Point(i)).member];
    }
  });
  cluster_of = std::move(attached);
}

// Joins clusters that fail the requirement to the nearest that meets it, by their centres. Where shares of values count,
// the joined cluster may fail again; then it is joined again. Every turn leaves fewer clusters, and one of all rows holds.
void JoinFailing(const Problem& problem, const DensePoints& dense, std::span<const RowId> rows,
                 std::vector<int32_t>& cluster_of, size_t num_clusters) {
  const size_t width = dense.points.width;
  for (;;) {
    Lists lists(num_clusters);
    WeightedPoints centres{width, std::vector<double>(num_clusters * width, 0), std::vector<uint32_t>(num_clusters, 1)};
    for (size_t i = 0; i < rows.size(); ++i) {
      const int32_t cluster = cluster_of[dense.point_of[i]];
      if (cluster == kNoise) continue;
      lists[cluster].push_back(rows[i]);
      for (size_t j = 0; j < width; ++j) centres.at[cluster * width + j] += dense.points.Point(dense.point_of[i])[j];
    }
    std::vector<uint32_t> valid, failing;
    for (uint32_t cluster = 0; cluster < num_clusters; ++cluster) {
      if (lists[cluster].empty()) continue;
      for (size_t j = 0; j < width; ++j) centres.at[cluster * width + j] /= static_cast<double>(lists[cluster].size());
      (TADA_FAULT("dop-join") || problem.checker.Holds(lists[cluster]) ? valid : failing).push_back(cluster);
    }
    if (failing.empty()) return;
    std::vector<int32_t> becomes(num_clusters);
    std::iota(becomes.begin(), becomes.end(), 0);
    const PointTree tree(centres, valid);
    for (const uint32_t cluster : failing) {
      becomes[cluster] = valid.empty() ? 0 : static_cast<int32_t>(tree.Nearest(centres.Point(cluster)).member);
    }
    for (int32_t& cluster : cluster_of) {
      if (cluster != kNoise) cluster = becomes[cluster];
    }
  }
}

class DbscanStage final : public Stage {
 public:
  explicit DbscanStage(DensityOptions options) : options_(options) {}
  std::string_view name() const override { return "dbscan"; }
  bool MergesGroups() const override { return true; }
  std::string About(const Problem& /*problem*/) const override {
    std::string words = "People are clustered by density (DBSCAN)";
    if (options_.weights == DensityOptions::Weights::kCardinality) {
      words += ", columns counting by their number of values";
    } else if (options_.weights == DensityOptions::Weights::kInverse) {
      words += ", columns counting less the more values they have";
    }
    words += ". A cluster short of the requirement joins the nearest that meets it.";
    if (options_.noise == DensityOptions::Noise::kAttach) {
      return words + " People in no dense place join the cluster of the person nearest to them.";
    }
    return words + fmt::format(
                       " People in no dense place {}, if they are enough to meet the requirement together; otherwise "
                       "they join the cluster of the person nearest to them.",
                       options_.noise == DensityOptions::Noise::kMask ? "are set aside and masked"
                                                                      : "are set aside as one group that is not cut");
  }

  Result<Groups> Refine(const Problem& problem, Groups groups) const override {
    problem.progress.Begin(name(), groups.num_rows());
    Groups result;
    for (GroupId group = 0; group < groups.num_groups(); ++group) {
      result.Append(Cluster(problem, groups.rows(group)));
      problem.progress.Advance(groups.rows(group).size());
    }
    return result;
  }

 private:
  Groups Cluster(const Problem& problem, std::span<const RowId> rows) const {
    const DensePoints dense = PointsOf(problem, rows, options_.weights);
    if (dense.points.size() < 2) return Groups::One({rows.begin(), rows.end()});
    DensityRecord record;
    record.rows = rows.size();
    record.min_points = options_.min_points.value_or(
        std::max<uint64_t>(static_cast<uint64_t>(problem.checker.requirement().k), 2 * problem.num_quasi()));
    ChooseEps(problem, dense.points, record);
    if (record.eps <= 0)
      return Groups::One({rows.begin(), rows.end()});  // rows are so dense that distances say nothing
    DensityClusters found = Dbscan(dense.points, {record.eps, record.min_points, problem.seed, false}, problem.workers);
    record.sampled = found.sampled;
    Count(dense, found, record);
    Groups result = Form(problem, dense, rows, found, record);
    ReportDensity(record, problem.notes);
    return result;
  }

  void ChooseEps(const Problem& problem, const WeightedPoints& points, DensityRecord& record) const {
    if (options_.eps) {
      record.eps = *options_.eps;
      return;
    }
    record.knee = FindKnee(points, record.min_points, problem.seed, problem.workers);
    record.eps = record.knee.eps;
    if (record.eps > 0) return;
    // Most rows have equal ones beside them: take the first distance that there is.
    const auto positive = std::upper_bound(record.knee.curve.begin(), record.knee.curve.end(), 0.0);
    if (positive == record.knee.curve.end()) return;
    record.eps = *positive;
    record.knee.position = static_cast<size_t>(positive - record.knee.curve.begin());
  }

  static void Count(const DensePoints& dense, const DensityClusters& found, DensityRecord& record) {
    record.cluster_sizes.assign(static_cast<size_t>(found.num_clusters), 0);
    for (size_t point = 0; point < dense.points.size(); ++point) {
      const uint64_t weight = dense.points.weights[point];
      if (found.cluster_of[point] == kNoise) {
        record.noise_rows += weight;
      } else {
        record.cluster_sizes[static_cast<size_t>(found.cluster_of[point])] += weight;
      }
    }
    std::sort(record.cluster_sizes.begin(), record.cluster_sizes.end(), std::greater<>());
  }

  Groups Form(const Problem& problem, const DensePoints& dense, std::span<const RowId> rows, DensityClusters& found,
              DensityRecord& record) const {
    std::vector<RowId> noise, others;
    for (size_t i = 0; i < rows.size(); ++i) {
      (found.cluster_of[dense.point_of[i]] == kNoise ? noise : others).push_back(rows[i]);
    }
    if (others.empty())
      return Groups::One(std::move(noise));   // nothing is dense: one group, as if there was no density
    const bool leaves = problem.leaving > 0;  // in a trial noise is who may go
    const bool aside = !noise.empty() && problem.checker.Holds(others) &&
                       (leaves || (options_.noise != DensityOptions::Noise::kAttach && problem.checker.Holds(noise)));
    record.noise_as = aside ? (options_.noise == DensityOptions::Noise::kKeep ? "kept" : "masked") : "attached";
    if (!aside && !noise.empty() && options_.noise != DensityOptions::Noise::kAttach) {
      problem.notes.warnings.emplace_back(
          "Noise rows are too few to be a group of their own; they joined their nearest cluster");
    }
    if (!aside && !noise.empty()) AttachNoise(dense.points, found.cluster_of, problem.workers);
    JoinFailing(problem, dense, rows, found.cluster_of, static_cast<size_t>(found.num_clusters));
    Lists lists(static_cast<size_t>(found.num_clusters));
    for (size_t i = 0; i < rows.size(); ++i) {
      const int32_t cluster = found.cluster_of[dense.point_of[i]];
      if (cluster != kNoise) lists[static_cast<size_t>(cluster)].push_back(rows[i]);
    }
    Groups result = Groups::FromLists(lists);
    record.groups = result.num_groups();
    if (aside) {
      result.Append(Groups::One(std::move(noise)));
      result.set_masked(result.num_groups() - 1);
    }
    return result;
  }

  DensityOptions options_;
};

}  // namespace

std::vector<OptionSpec> DensityOptionSpecs() {
  return {
      {.name = "column-weights",
       .type = OptionType::kChoice,
       .value_name = "kind",
       .default_text = "uniform",
       .choices = {"uniform", "cardinality", "inverse"},
       .section = "Density",
       .help = "Weigh columns in distances: all alike, by their number of values, or by its inverse."},
      {.name = "eps",
       .type = OptionType::kReal,
       .value_name = "distance",
       .minimum = 1e-12,
       .section = "Density",
       .help = "Set how near rows of a cluster are, columns scaled to [0, 1]; by default the knee of the curve of "
               "distances."},
      {.name = "min-points",
       .type = OptionType::kInteger,
       .value_name = "rows",
       .minimum = 1,
       .section = "Density",
       .help = "Set how many rows within that distance make a place dense; by default the larger of k and twice the "
               "columns."},
      {.name = "noise",
       .type = OptionType::kChoice,
       .value_name = "what",
       .default_text = "attach",
       .choices = {"attach", "keep", "mask"},
       .section = "Density",
       .help = "Let rows in no dense place join the nearest cluster, form one group, or be masked."},
  };
}

DensityOptions DensityOptionsFrom(const OptionValues& values) {
  DensityOptions options;
  if (values.Text("column-weights") == "cardinality") options.weights = DensityOptions::Weights::kCardinality;
  if (values.Text("column-weights") == "inverse") options.weights = DensityOptions::Weights::kInverse;
  if (values.Has("eps")) options.eps = values.Real("eps", 0);
  if (values.Has("min-points")) options.min_points = static_cast<uint64_t>(values.Integer("min-points", 1));
  if (values.Text("noise") == "keep") options.noise = DensityOptions::Noise::kKeep;
  if (values.Text("noise") == "mask") options.noise = DensityOptions::Noise::kMask;
  return options;
}

std::unique_ptr<Stage> MakeDbscanStage(DensityOptions options) { return std::make_unique<DbscanStage>(options); }

}  // namespace tada
