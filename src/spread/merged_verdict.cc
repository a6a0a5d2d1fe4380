#include "spread/merged_verdict.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/status.h"

namespace tada {
namespace {

using Json = nlohmann::json;

void AddNew(const std::vector<std::string>& words, std::vector<std::string>& to) {
  for (const std::string& word : words) {
    if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
  }
}

// By everybody's class size: what an attacker who knows the quasi-identifiers can expect.
AuditRisk RiskOf(const Verdict& verdict) {
  AuditRisk risk;
  uint64_t at_risk = 0;
  for (const auto& [size, classes] : verdict.class_sizes) {
    if (size < static_cast<uint64_t>(verdict.requirement.k)) at_risk += size * classes;
  }
  if (verdict.rows == 0) return risk;
  risk.highest = 1.0 / static_cast<double>(verdict.smallest_class);
  risk.average = static_cast<double>(verdict.classes) / static_cast<double>(verdict.rows);
  risk.share_at_risk = static_cast<double>(at_risk) / static_cast<double>(verdict.rows);
  return risk;
}

// What two parts reach together: the worse of them. Without a number it is infinite, or not verified.
const ReachedDemand& Worse(const ReachedDemand& a, const ReachedDemand& b) {
  if (!a.value || !b.value) return a.value ? b : a;
  return (*a.value < *b.value) == a.at_most ? b : a;
}

}  // namespace

std::string PackVerdict(const Verdict& verdict) {
  Json cover = Json::array();
  for (const ColumnCover& column : verdict.cover) {
    cover.push_back({column.column, column.quasi, column.covered, column.uncovered_rows, column.unchecked_rows});
  }
  Json folded = Json::array();
  for (const FoldedSpelling& one : verdict.folded) folded.push_back({one.column, one.text, one.value});
  Json further = Json::array();
  for (const ReachedDemand& one : verdict.further) {
    further.push_back({one.name, one.column, one.kind, one.asked, one.reached, one.value ? Json(*one.value) : Json(),
                       one.at_most, one.holds});
  }
  const Json json = {{"rows", verdict.rows},
                     {"classes", verdict.classes},
                     {"k", verdict.k},
                     {"smallest", verdict.smallest_class},
                     {"l", verdict.l},
                     {"l_of_column", verdict.l_of_column},
                     {"breaking_classes", verdict.breaking_classes},
                     {"breaking_rows", verdict.breaking_rows},
                     {"masked", verdict.masked_rows},
                     {"largest", verdict.largest_class},
                     {"sizes", verdict.class_sizes},
                     {"cover", cover},
                     {"folded", folded},
                     {"further", further},
                     {"rows_match", verdict.rows_match},
                     {"problems", verdict.problems.size()},
                     {"unverified", verdict.unverified.size()}};
  return json.dump();
}

Verdict UnpackVerdict(std::string_view packed) {
  const Json json = Json::parse(packed);
  Verdict verdict;
  verdict.rows = json.at("rows");
  verdict.classes = json.at("classes");
  verdict.k = json.at("k");
  verdict.smallest_class = json.at("smallest");
  verdict.l = json.at("l");
  verdict.l_of_column = json.at("l_of_column").get<std::vector<uint64_t>>();
  verdict.breaking_classes = json.at("breaking_classes");
  verdict.breaking_rows = json.at("breaking_rows");
  verdict.masked_rows = json.at("masked");
  verdict.largest_class = json.at("largest");
  verdict.class_sizes = json.at("sizes").get<std::vector<std::pair<uint64_t, uint64_t>>>();
  verdict.rows_match = json.at("rows_match");
  for (const Json& one : json.at("folded")) verdict.folded.push_back({one.at(0), one.at(1), one.at(2)});
  for (const Json& one : json.at("further")) {
    ReachedDemand& demand = verdict.further.emplace_back();
    demand = {one.at(0), one.at(1), one.at(2), one.at(3), one.at(4)};
    if (!one.at(5).is_null()) demand.value = one.at(5).get<double>();
    demand.at_most = one.at(6);
    demand.holds = one.at(7);
  }
  for (const Json& column : json.at("cover")) {
    ColumnCover& cover = verdict.cover.emplace_back();
    cover.column = column.at(0);
    cover.quasi = column.at(1);
    cover.covered = column.at(2);
    cover.uncovered_rows = column.at(3);
    cover.unchecked_rows = column.at(4);
  }
  // What failed is said again in words of the whole; a part's own words may hold cells.
  if (json.at("problems").get<size_t>() > 0)
    verdict.problems.emplace_back("Some classes or cells break what is asked.");
  if (json.at("unverified").get<size_t>() > 0) verdict.unverified.emplace_back("Some cells could not be checked.");
  verdict.passed = verdict.problems.empty();
  return verdict;
}

Verdict MergeVerdicts(const std::vector<Verdict>& parts) {
  Verdict whole;
  whole.k = whole.smallest_class = whole.l = UINT64_MAX;
  std::map<uint64_t, uint64_t> sizes;
  std::map<std::pair<std::string, std::string>, std::string> folded;
  for (const Verdict& part : parts) {
    if (part.rows == 0) continue;
    whole.rows += part.rows;
    whole.classes += part.classes;
    whole.k = std::min(whole.k, part.k);
    whole.smallest_class = std::min(whole.smallest_class, part.smallest_class);
    whole.l = std::min(whole.l, part.l);
    whole.l_of_column.resize(part.l_of_column.size(), UINT64_MAX);
    for (size_t i = 0; i < part.l_of_column.size(); ++i)
      whole.l_of_column[i] = std::min(whole.l_of_column[i], part.l_of_column[i]);
    whole.breaking_classes += part.breaking_classes;
    whole.breaking_rows += part.breaking_rows;
    whole.masked_rows += part.masked_rows;
    whole.largest_class = std::max(whole.largest_class, part.largest_class);
    for (const auto& [size, classes] : part.class_sizes) sizes[size] += classes;
    whole.rows_match &= part.rows_match;
    if (whole.cover.empty()) {
      whole.cover = part.cover;
    } else {
      for (size_t i = 0; i < part.cover.size(); ++i) {
        whole.cover[i].covered &= part.cover[i].covered;
        whole.cover[i].uncovered_rows += part.cover[i].uncovered_rows;
        whole.cover[i].unchecked_rows += part.cover[i].unchecked_rows;
      }
    }
    if (whole.further.empty()) {
      whole.further = part.further;
    } else {
      for (size_t i = 0; i < part.further.size(); ++i) whole.further[i] = Worse(whole.further[i], part.further[i]);
    }
    for (const FoldedSpelling& one : part.folded) folded.try_emplace({one.column, one.text}, one.value);
    AddNew(part.problems, whole.problems);
    AddNew(part.unverified, whole.unverified);
  }
  if (whole.rows == 0) whole.k = whole.smallest_class = whole.l = 0;
  for (const auto& [what, value] : folded) whole.folded.push_back({what.first, what.second, value});
  whole.class_sizes.assign(sizes.begin(), sizes.end());
  whole.passed = whole.problems.empty();
  return whole;
}

void AddRisks(Verdict& whole) {
  whole.prosecutor = whole.journalist = RiskOf(whole);
  const double average = whole.prosecutor.average;
  whole.marketer = {average, average, average > 1.0 / static_cast<double>(whole.requirement.k) ? 1.0 : 0.0};
}

}  // namespace tada
