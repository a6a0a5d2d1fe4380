// Requirements beside k and l, of what is left of classes: the rows that remain possible are judged as an audit judges a class, against the
// distribution of their own release.

#include <algorithm>
#include <unordered_map>

#include "audit/checks/class_check.h"
#include "compose/composer.h"

namespace tada {
namespace {

constexpr size_t kBatch = 1 << 16;  // regions judged at once

// What is left of the classes of one release, each once.
struct Remainders {
  std::map<std::pair<uint32_t, std::vector<char>>, size_t> number_of;  // by class and combinations that are possible
  std::vector<const std::pair<const std::pair<uint32_t, std::vector<char>>, size_t>*> all;

  size_t Number(uint32_t index, std::vector<char> possible) {
    const auto [found, is_new] = number_of.try_emplace({index, std::move(possible)}, all.size());
    if (is_new) all.push_back(&*found);
    return found->second;
  }
};

// The demands that are about a column of these.
std::vector<Demand> DemandsAbout(const Requirement& requirement, const std::vector<std::string>& names) {
  std::vector<Demand> demands;
  std::ranges::copy_if(requirement.more, std::back_inserter(demands), [&](const Demand& demand) {
    return demand.column.empty() || std::ranges::find(names, demand.column) != names.end();
  });
  return demands;
}

ReferenceShares SharesOf(const ClassValues& values) {
  const Column& column = values.column();
  ReferenceShares shares{std::vector<uint64_t>(values.folded().count, 0), column.num_rows(), column.num_rows()};
  for (RowId row = 0; row < column.num_rows(); ++row) ++shares.counts[values.value_of(column.codes()[row])];
  return shares;
}

// The worse of two.
void TakeWorse(const ReachedDemand& one, std::vector<ReachedDemand>& all) {
  const auto same = [&](const ReachedDemand& other) { return other.name == one.name && other.column == one.column; };
  const auto found = std::ranges::find_if(all, same);
  if (found == all.end()) return all.push_back(one);
  const bool open = !one.value.has_value() || !found->value.has_value();  // infinite, or not known
  const bool worse = open          ? !one.value.has_value()
                     : one.at_most ? *one.value > *found->value
                                   : *one.value < *found->value;
  const bool holds = one.holds && found->holds;
  if (worse) *found = one;
  found->holds = holds;
}

}  // namespace

Result<std::vector<std::string>> Composer::BreakDemands(std::span<const std::vector<ClassId>> regions,
                                                        std::vector<ReachedDemand>& reached) {
  std::vector<Remainders> left(releases_.size());
  std::vector<std::vector<size_t>> number_of(regions.size());  // by region, one per class
  for (size_t i = 0; i < regions.size(); ++i) {
    Candidates::Left both = candidates_->Intersect(regions[i]);
    for (size_t c = 0; c < regions[i].size(); ++c) {
      number_of[i].push_back(left[regions[i][c].release].Number(regions[i][c].index, std::move(both.possible[c])));
    }
  }
  std::vector<std::string> broken(regions.size());
  for (uint32_t r = 0; r < releases_.size(); ++r) {
    if (left[r].all.empty() || !HasSensitive(r)) continue;
    AuditOptions options;
    std::vector<std::string> names;
    for (size_t s = 0; s < sensitive_[r].size(); ++s) {
      if (!sensitive_[r][s]) continue;
      options.sensitive.push_back(*sensitive_[r][s]);
      names.push_back(options_.sensitive[s]);
    }
    options.requirement = options_.requirement;
    options.requirement.more = DemandsAbout(options_.requirement, names);
    options.value_facts.resize(table(r).num_columns());
    for (size_t s = 0; s < options_.orders.size(); ++s) {
      if (sensitive_[r][s]) options.value_facts[*sensitive_[r][s]].order = options_.orders[s];
    }
    const auto values_of = [&](ColumnId id) -> std::shared_ptr<const ClassValues> {
      auto values = std::make_shared<ClassValues>(table(r).column(id), options_.requirement);
      const auto s = static_cast<size_t>(std::ranges::find(sensitive_[r], std::optional(id)) - sensitive_[r].begin());
      const std::vector<uint32_t> folded = candidates_->ToCodes(r, s, values->folded().value_of_code);
      for (const auto* one : left[r].all) {
        std::vector<Code> rows;
        candidates_->ForEachLeft({r, one->first.first}, one->first.second, s, [&](uint32_t value, uint32_t count) {
          rows.insert(rows.end(), count, folded[value]);
        });
        const size_t members = rows.size();
        values->Add(rows, members);
      }
      values->Compare(SharesOf(*values));
      return values;
    };
    TADA_TRY(checks, MakeClassChecks(table(r), options, values_of));
    for (const auto& check : checks) {
      if (const std::string open = check->Unverified();
          !open.empty() && std::ranges::find(result_.problems, open) == result_.problems.end())
        result_.problems.push_back(open);
      TakeWorse(check->Reached(), reached);
    }
    for (size_t i = 0; i < regions.size(); ++i) {
      for (size_t c = 0; c < regions[i].size(); ++c) {
        if (regions[i][c].release != r) continue;
        for (const auto& check : checks) {
          const std::string reason = check->Breaks(number_of[i][c]);
          if (!reason.empty())
            broken[i] += fmt::format("{}{}: {}", broken[i].empty() ? "" : "; ", releases_[r].name, reason);
        }
      }
    }
  }
  return broken;
}

Status Composer::Judge(Region region) {
  if (options_.requirement.more.empty()) {
    JudgeNow(std::move(region));
    return Ok();
  }
  pending_.push_back(std::move(region));
  return pending_.size() < kBatch ? Ok() : JudgePending();
}

Status Composer::JudgePending() {
  if (pending_.empty()) return Ok();
  std::vector<std::vector<ClassId>> classes;
  for (const Region& region : pending_) classes.push_back(region.classes);
  TADA_TRY(broken, BreakDemands(classes, result_.further));
  for (size_t i = 0; i < pending_.size(); ++i) {
    pending_[i].broken = std::move(broken[i]);
    JudgeNow(std::move(pending_[i]));
  }
  pending_.clear();
  return Ok();
}

Status Composer::JudgeAlone() {
  if (options_.requirement.more.empty()) return Ok();
  for (uint32_t r = 0; r < releases_.size(); ++r) {
    std::vector<std::vector<ClassId>> classes;
    for (uint32_t c = 0; c < classes_[r].count(); ++c) classes.push_back({ClassId{r, c}});
    TADA_TRY(broken, BreakDemands(classes, result_.releases[r].further));
    const auto breaking = std::ranges::count_if(broken, [](const std::string& reason) { return !reason.empty(); });
    if (breaking == 0) continue;
    const auto first = std::ranges::find_if(broken, [](const std::string& reason) { return !reason.empty(); });
    result_.problems.push_back(fmt::format("{} breaks the requirement by itself in {} of {} classes: {}.",
                                           releases_[r].name, breaking, classes.size(),
                                           first->substr(releases_[r].name.size() + 2)));
  }
  return Ok();
}

}  // namespace tada
