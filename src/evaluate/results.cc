#include "evaluate/results.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>

#include "base/option_mark.h"
#include "base/random.h"
#include "base/version.h"

namespace tada {
namespace {

constexpr size_t kFixedBefore = 8, kFixedAfter = 8;  // columns before and behind the metrics

std::string Number(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : c == '\n' ? " " : std::string(1, c);
  return quoted + '"';
}

std::vector<std::string> SplitLine(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        fields.back() += line[i++];
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[i];
    }
  }
  return fields;
}

double ReadNumber(const std::string& text) {
  double value = kNaN;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

EvaluateRow ReadRow(const std::vector<std::string>& fields) {
  EvaluateRow row;
  row.method = fields[2];
  row.k = static_cast<int64_t>(ReadNumber(fields[3]));
  row.l = static_cast<int64_t>(ReadNumber(fields[4]));
  row.seed = static_cast<uint64_t>(ReadNumber(fields[5]));
  row.learner = fields[6];
  for (size_t m = 0; m < kNumMetrics; ++m) row.metrics[m] = ReadNumber(fields[kFixedBefore + m]);
  const size_t at = kFixedBefore + kNumMetrics;
  row.ncp = ReadNumber(fields[at]);
  row.discernibility = ReadNumber(fields[at + 1]);
  row.reached_k = static_cast<uint64_t>(ReadNumber(fields[at + 2]));
  row.reached_l = static_cast<uint64_t>(ReadNumber(fields[at + 3]));
  row.groups = static_cast<uint64_t>(ReadNumber(fields[at + 4]));
  row.release_seconds = ReadNumber(fields[at + 5]);
  row.learn_seconds = ReadNumber(fields[at + 6]);
  row.problem = fields[at + 7];
  return row;
}

std::vector<std::string> Judges(const EvaluateOptions& options, Task task) {
  if (task == Task::kClustering) return {"assign", "warm"};
  std::vector<std::string> names;
  for (const Learner learner : options.learners) names.emplace_back(LearnerName(learner));
  return names;
}

using Key = std::tuple<std::string, std::string, int64_t, int64_t>;  // learner, method, k, l
using BySeed = std::map<uint64_t, const EvaluateRow*>;

const BySeed* Find(const std::map<Key, BySeed>& rows, const Key& key) {
  const auto found = rows.find(key);
  return found == rows.end() ? nullptr : &found->second;
}

// Values of two methods for the seeds that both have.
std::vector<std::pair<double, double>> Pairs(const BySeed& a, const BySeed* b, Metric metric) {
  std::vector<std::pair<double, double>> pairs;
  if (b == nullptr) return pairs;
  for (const auto& [seed, row] : a) {
    const auto other = b->find(seed);
    if (other == b->end()) continue;
    const double x = row->metric(metric), y = other->second->metric(metric);
    if (!std::isnan(x) && !std::isnan(y)) pairs.emplace_back(x, y);
  }
  return pairs;
}

double TestRatio(const EvaluateOptions& options, Task task) {
  return task == Task::kClustering ? 0 : options.test_share / (1 - options.test_share);
}

// An interval of Student's is symmetric and may reach where no value can be.
MeanInterval Within(MeanInterval interval, std::pair<double, double> range) {
  if (std::isnan(interval.low)) return interval;
  return {interval.mean, std::max(interval.low, range.first), std::min(interval.high, range.second)};
}

void Compare(const BySeed& own, const BySeed* baseline, Metric metric, double test_ratio, Summary& summary) {
  std::vector<double> differences;
  for (const auto& [mine, other] : Pairs(own, baseline, metric)) differences.push_back(mine - other);
  if (differences.empty()) {
    summary.difference = summary.p = kNaN;
    return;
  }
  summary.difference = MeanOf(differences, test_ratio).mean;
  summary.p = PairedP(differences, test_ratio);
  summary.against_baseline = summary.p >= 0.05 ? "tie" : summary.difference > 0 ? "win" : "loss";
}

Summary SummarizeOne(const Key& key, const BySeed& own, const BySeed* raw, Metric metric, double test_ratio) {
  Summary summary;
  std::tie(summary.learner, summary.method, summary.k, summary.l) = key;
  std::vector<double> values, accuracies, losses, seconds;
  for (const auto& [seed, row] : own) {
    if (!row->problem.empty()) summary.problem = row->problem;
    if (std::isnan(row->metric(metric))) continue;
    values.push_back(row->metric(metric));
    accuracies.push_back(row->metric(Metric::kAccuracy));
    losses.push_back(row->ncp);
    seconds.push_back(row->release_seconds);
    summary.reached_k = values.size() == 1 ? row->reached_k : std::min(summary.reached_k, row->reached_k);
    summary.reached_l = values.size() == 1 ? row->reached_l : std::min(summary.reached_l, row->reached_l);
  }
  summary.seeds = static_cast<uint32_t>(values.size());
  summary.value = Within(MeanOf(values, test_ratio), MetricRange(metric));
  summary.accuracy = MeanOf(accuracies, 0).mean;
  summary.ncp = MeanOf(losses, 0).mean;
  summary.release_seconds = MeanOf(seconds, 0).mean;
  std::vector<double> ratios;
  for (const auto& [mine, of_raw] : Pairs(own, raw, metric)) {
    if (of_raw > 0) ratios.push_back(mine / of_raw);
  }
  summary.ratio = ratios.empty() ? kNaN : MeanOf(ratios, 0).mean;
  return summary;
}

}  // namespace

std::string RunName(const std::string& input, const Plan& plan, const EvaluateOptions& options) {
  Plan same = plan;  // what the grid varies, and what results do not depend on
  same.method.clear();
  same.method_options = {};
  same.requirement.k = same.requirement.l = 1;
  same.seed = 1;
  same.threads = 0;
  const std::string text =
      fmt::format("{}\n{}{}\n{} {} {} {} {}", input, PlanToToml(same), options.planned, kVersion,
                  ProtocolName(options.protocol), EncodingName(options.encoding), options.test_share, options.clusters);
  uint64_t digest = 0;
  for (const char c : text) digest = MixSeed(digest, static_cast<unsigned char>(c));
  return fmt::format("{:016x}", digest);
}

std::string ResultsHeader() {
  std::string line = "run,protocol,method,k,l,seed,learner,encoding";
  for (size_t m = 0; m < kNumMetrics; ++m) line += fmt::format(",{}", MetricName(static_cast<Metric>(m)));
  return line + ",ncp,discernibility,reached_k,reached_l,groups,release_seconds,learn_seconds,problem\n";
}

std::string ResultsLine(const std::string& run, const EvaluateOptions& options, const EvaluateRow& row) {
  std::string line = fmt::format("{},{},{},{},{},{},{},{}", run, ProtocolName(options.protocol), Quoted(row.method),
                                 row.k, row.l, row.seed, row.learner, EncodingName(options.encoding));
  for (const double value : row.metrics) line.append(1, ',').append(Number(value));
  return line + fmt::format(",{},{},{},{},{},{:.4f},{:.4f},{}\n", row.ncp, row.discernibility, row.reached_k,
                            row.reached_l, row.groups, row.release_seconds, row.learn_seconds, Quoted(row.problem));
}

Result<FoundResults> ReadResults(std::string_view csv, const std::string& run, const std::string& path) {
  const std::string header = ResultsHeader();
  if (!csv.starts_with(header)) {
    return DataError("Not results of tada evaluate, so nothing can be resumed: {}", path)
        .WithHint("Name another file with " TADA_OPTION("-o") ", or overwrite it with " TADA_OPTION("force") ".");
  }
  csv.remove_prefix(header.size());
  FoundResults found;
  for (size_t end = csv.find('\n'); end != std::string_view::npos; end = csv.find('\n')) {
    const std::string_view line = csv.substr(0, end + 1);
    const std::vector<std::string> fields = SplitLine(csv.substr(0, end));
    csv.remove_prefix(end + 1);
    if (fields.size() != kFixedBefore + kNumMetrics + kFixedAfter) continue;
    if (fields[0] == run) {
      found.rows.push_back(ReadRow(fields));
    } else {
      found.others += line;
    }
  }
  return found;
}

std::vector<GridUnit> UnitsLeft(const std::vector<GridUnit>& units, const EvaluateOptions& options, Task task,
                                const std::vector<EvaluateRow>& rows) {
  std::map<std::tuple<std::string, int64_t, int64_t, uint64_t>, std::vector<std::string>> done;
  for (const EvaluateRow& row : rows) done[{row.method, row.k, row.l, row.seed}].push_back(row.learner);
  std::vector<GridUnit> left;
  for (const GridUnit& unit : units) {
    const auto found = done.find({options.methods[unit.method].text, unit.k, unit.l, unit.seed});
    const auto is_done = [&](const std::string& judge) {
      return found != done.end() && std::find(found->second.begin(), found->second.end(), judge) != found->second.end();
    };
    const std::vector<std::string> judges = Judges(options, task);
    if (!std::all_of(judges.begin(), judges.end(), is_done)) left.push_back(unit);
  }
  return left;
}

std::vector<Summary> Summarize(const std::vector<EvaluateRow>& rows, const EvaluateOptions& options, Task task,
                               const std::string& baseline) {
  std::map<Key, BySeed> by_key;
  for (const EvaluateRow& row : rows) by_key[{row.learner, row.method, row.k, row.l}][row.seed] = &row;
  const Metric metric = MainMetric(task);
  const double test_ratio = TestRatio(options, task);
  std::vector<Summary> summaries;
  for (const std::string& judge : Judges(options, task)) {
    const BySeed* raw = Find(by_key, {judge, "raw", 0, 0});
    for (const GridMethod& method : options.methods) {
      const bool is_raw = method.name == "raw";
      for (const int64_t l : is_raw ? std::vector<int64_t>{0} : options.l) {
        for (const int64_t k : is_raw ? std::vector<int64_t>{0} : options.k) {
          const Key key{judge, method.text, k, l};
          const BySeed* own = Find(by_key, key);
          if (own == nullptr) continue;
          summaries.push_back(SummarizeOne(key, *own, raw, metric, test_ratio));
          if (!is_raw && method.text != baseline) {
            Compare(*own, Find(by_key, {judge, baseline, k, l}), metric, test_ratio, summaries.back());
          } else {
            summaries.back().difference = summaries.back().p = kNaN;
          }
        }
      }
    }
  }
  return summaries;
}

}  // namespace tada
