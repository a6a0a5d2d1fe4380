#include "partition/ta_da/clusters/cluster_set.h"

#include <map>

#include "base/fault.h"
#include "learn/clusters/cluster_means.h"

namespace tada {
namespace {

std::vector<uint32_t> Signatures(const Problem& problem, std::span<const RowId> rows) {
  std::map<std::vector<Code>, uint32_t> known;
  std::vector<uint32_t> signatures;
  std::vector<Code> values;
  for (const RowId row : rows) {
    values.clear();
    for (const CountedColumn& sensitive : problem.checker.sensitive()) {
      values.push_back(sensitive.mark_of_code[problem.table.column(sensitive.column).codes()[row]]);
    }
    signatures.push_back(known.try_emplace(values, static_cast<uint32_t>(known.size())).first->second);
  }
  return signatures;
}

}  // namespace

ClusterSet::ClusterSet(const Problem& problem, std::span<const RowId> rows, const Points& points,
                       std::vector<uint32_t> cluster_of, size_t num_clusters)
    : problem_(problem),
      rows_(rows),
      points_(points),
      cluster_of_(std::move(cluster_of)),
      signature_(Signatures(problem, rows)),
      slot_(rows.size()),
      members_(ClusterMembers(cluster_of_, num_clusters)),
      holds_(num_clusters, 0),
      tally_(problem.checker.EmptyTally()) {
  for (uint32_t cluster = 0; cluster < count(); ++cluster) {
    for (uint32_t s = 0; s < members_[cluster].size(); ++s) slot_[members_[cluster][s]] = s;
    Learn(cluster);
  }
  UpdateMeans();
}

double ClusterSet::Distance(uint32_t point, uint32_t cluster) const {
  return SquaredDistance(points_.point(point), mean(cluster));
}

std::vector<uint32_t> ClusterSet::Failing() const {
  std::vector<uint32_t> clusters;
  for (uint32_t c = 0; c < count(); ++c) {
    if (!empty(c) && !holds(c)) clusters.push_back(c);
  }
  return clusters;
}

std::vector<uint32_t> ClusterSet::Holding() const {
  std::vector<uint32_t> clusters;
  for (uint32_t c = 0; c < count(); ++c) {
    if (!empty(c) && holds(c)) clusters.push_back(c);
  }
  return clusters;
}

bool ClusterSet::WouldHold(uint32_t cluster, uint32_t without, uint32_t with) const {
  tally_.Clear();
  for (const uint32_t member : members_[cluster]) {
    if (member != without) problem_.checker.Add(rows_[member], tally_);
  }
  if (with != kNoPoint) problem_.checker.Add(rows_[with], tally_);
  return problem_.checker.Holds(tally_);
}

const Tally& ClusterSet::Count(uint32_t cluster) const {
  tally_.Clear();
  for (const uint32_t member : members_[cluster]) problem_.checker.Add(rows_[member], tally_);
  return tally_;
}

void ClusterSet::Learn(uint32_t cluster) {
  holds_[cluster] = TADA_FAULT("cluster-repair") || problem_.checker.Holds(Count(cluster)) ? 1 : 0;
}

void ClusterSet::Take(uint32_t point) {
  auto& members = members_[cluster_of_[point]];
  members[slot_[point]] = members.back();
  slot_[members.back()] = slot_[point];
  members.pop_back();
}

void ClusterSet::Move(uint32_t point, uint32_t to) {
  const uint32_t from = cluster_of_[point];
  Take(point);
  slot_[point] = static_cast<uint32_t>(members_[to].size());
  members_[to].push_back(point);
  cluster_of_[point] = to;
  Learn(from);
  Learn(to);
}

void ClusterSet::Merge(uint32_t from, uint32_t to) {
  const auto more = static_cast<double>(members_[from].size()), had = static_cast<double>(members_[to].size());
  double* mean = means_.data() + to * points_.features;
  const double* other = means_.data() + from * points_.features;
  for (size_t f = 0; f < points_.features; ++f) mean[f] = (mean[f] * had + other[f] * more) / (had + more);
  for (const uint32_t point : members_[from]) {
    slot_[point] = static_cast<uint32_t>(members_[to].size());
    members_[to].push_back(point);
    cluster_of_[point] = to;
  }
  members_[from].clear();
  holds_[from] = 0;
  Learn(to);
}

void ClusterSet::UpdateMeans() { means_ = ClusterMeans(points_, members_, problem_.workers); }

std::vector<std::vector<RowId>> ClusterSet::AsLists() const {
  std::vector<std::vector<RowId>> lists;
  std::vector<uint32_t> list_of(count(), UINT32_MAX);
  for (uint32_t point = 0; point < rows_.size();
       ++point) {  // members in the order of the rows, whatever was moved when
    uint32_t& list = list_of[cluster_of_[point]];
    if (list == UINT32_MAX) {
      list = static_cast<uint32_t>(lists.size());
      lists.emplace_back();
    }
    lists[list].push_back(rows_[point]);
  }
  return lists;
}

}  // namespace tada
