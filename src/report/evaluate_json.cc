#include <cmath>
#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/evaluate_report.h"

namespace tada {

std::string EvaluateJson(const std::vector<Summary>& summaries, const std::vector<EvaluateRow>& rows, const Plan& plan,
                         const EvaluateOptions& options, Task task, const std::string& baseline) {
  using Json = nlohmann::ordered_json;
  const auto number = [](double value) { return std::isnan(value) ? Json(nullptr) : Json(value); };
  Json json;
  json["tada"] = kVersion;
  json["protocol"] = task == Task::kClustering ? "same-rows" : std::string(ProtocolName(options.protocol));
  json["task"] = TaskName(task);
  json["metric"] = MetricName(MainMetric(task));
  json["encoding"] = EncodingName(options.encoding);
  json["baseline"] = baseline;
  json["seeds"] = options.seeds;
  json["plan"] = PlanToToml(plan);
  json["summary"] = Json::array();
  for (const Summary& one : summaries) {
    json["summary"].push_back({{"learner", one.learner},
                               {"method", one.method},
                               {"k", one.k},
                               {"l", one.l},
                               {"seeds", one.seeds},
                               {"mean", number(one.value.mean)},
                               {"low", number(one.value.low)},
                               {"high", number(one.value.high)},
                               {"ratio_to_raw", number(one.ratio)},
                               {"accuracy", number(one.accuracy)},
                               {"ncp", number(one.ncp)},
                               {"reached_k", one.reached_k},
                               {"reached_l", one.reached_l},
                               {"release_seconds", number(one.release_seconds)},
                               {"difference", number(one.difference)},
                               {"p", number(one.p)},
                               {"against_baseline", one.against_baseline},
                               {"problem", one.problem}});
  }
  json["rows"] = Json::array();
  for (const EvaluateRow& row : rows) {
    Json metrics = Json::object();
    for (size_t m = 0; m < kNumMetrics; ++m) {
      if (!std::isnan(row.metrics[m])) metrics[std::string(MetricName(static_cast<Metric>(m)))] = row.metrics[m];
    }
    json["rows"].push_back({{"method", row.method},
                            {"k", row.k},
                            {"l", row.l},
                            {"seed", row.seed},
                            {"learner", row.learner},
                            {"metrics", metrics},
                            {"ncp", number(row.ncp)},
                            {"problem", row.problem}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace tada
