#include "compose/compose.h"

#include <algorithm>
#include <tuple>

#include "base/option.h"
#include "base/option_mark.h"
#include "compose/composer.h"

namespace tada {
namespace {

constexpr size_t kMostReleases = 16;  // people's releases are kept as bits, and every combination of them is looked at
constexpr size_t kWorstShown = 5, kValuesShown = 10;

}  // namespace

Result<Composition> Composer::Compose() {
  TADA_CHECK_OK(FindColumns());
  GroupRows();
  result_.requirement = options_.requirement;
  result_.by_key = !options_.key.empty();
  TADA_CHECK_OK(JudgeAlone());
  if (result_.by_key) {
    TADA_CHECK_OK(FindPeople());
    TADA_CHECK_OK(JudgePeople());
  } else {
    TADA_CHECK_OK(JudgePairs());
  }
  TADA_CHECK_OK(JudgePending());
  Conclude();
  return std::move(result_);
}

Status Composer::FindColumns() {
  if (releases_.size() < 2) {
    return InvalidArgument("Fewer than two releases: nothing to compose").WithHint("Name two files or more.");
  }
  if (releases_.size() > kMostReleases) {
    return InvalidArgument("Too many releases: {}, at most {}", releases_.size(), kMostReleases)
        .WithHint("Compose them in parts.");
  }
  if (options_.quasi.empty())
    return InvalidArgument(TADA_OPTION("quasi") " is missing: which columns could be known of a person?");
  TADA_CHECK_OK(CheckSomewhere(options_.quasi, "quasi"));
  TADA_CHECK_OK(CheckSomewhere(options_.sensitive, "sensitive"));
  for (size_t r = 0; r < releases_.size(); ++r) {
    if (table(r).num_rows() == 0) return DataError("A release has no rows: {}", releases_[r].name);
    quasi_.emplace_back();
    for (const std::string& name : options_.quasi) quasi_.back().push_back(table(r).Find(name));
    sensitive_.emplace_back();
    for (const std::string& name : options_.sensitive) sensitive_.back().push_back(table(r).Find(name));
    if (std::none_of(quasi_[r].begin(), quasi_[r].end(), [](const auto& id) { return id.has_value(); })) {
      return InvalidArgument("A release has none of the quasi-identifiers: {}", releases_[r].name)
          .WithHint(fmt::format("Asked for: {}", fmt::join(options_.quasi, ", ")));
    }
    if (!options_.key.empty() && !table(r).Find(options_.key)) {
      return InvalidArgument(TADA_OPTION("overlap-key") " names a column that a release does not have: {}, {}",
                             options_.key, releases_[r].name)
          .WithHint("Without " TADA_OPTION("overlap-key") " all overlapping classes are compared.");
    }
  }
  return Ok();
}

Status Composer::CheckSomewhere(const std::vector<std::string>& names, std::string_view option) const {
  for (const std::string& name : names) {
    const auto has = [&](const ComposedRelease& release) { return release.table->Find(name).has_value(); };
    if (std::any_of(releases_.begin(), releases_.end(), has)) continue;
    std::vector<std::string> known;
    for (const Column& column : table(0).columns()) known.push_back(column.name());
    const auto nearest = NearestName(name, known);
    return InvalidArgument(TADA_OPTION("{}") " names a column that no release has: {}", option, name)
        .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                          : fmt::format("Columns of {}: {}", releases_[0].name, fmt::join(known, ", ")));
  }
  return Ok();
}

void Composer::GroupRows() {
  std::vector<const Table*> tables;
  for (size_t r = 0; r < releases_.size(); ++r) {
    std::vector<ColumnId> quasi;
    for (const auto& id : quasi_[r]) {
      if (id) quasi.push_back(*id);
    }
    classes_.push_back(FindClasses(table(r), quasi, workers_));
    tables.push_back(&table(r));
    at_risk_.emplace_back(classes_[r].count(), false);
  }
  candidates_ = std::make_unique<Candidates>(tables, sensitive_, classes_, options_.requirement);
  for (uint32_t r = 0; r < releases_.size(); ++r) {
    Composition::Alone alone{releases_[r].name, table(r).num_rows(), classes_[r].count(), UINT64_MAX, UINT64_MAX, 0};
    for (uint32_t c = 0; c < classes_[r].count(); ++c) {
      alone.k = std::min<uint64_t>(alone.k, classes_[r].size(c));
      if (HasSensitive(r)) alone.l = std::min(alone.l, candidates_->Intersect(std::vector{ClassId{r, c}}).l());
    }
    if (!HasSensitive(r)) alone.l = 0;
    result_.releases.push_back(std::move(alone));
  }
}

void Composer::JudgeNow(Region region) {
  ++result_.regions;
  result_.k = result_.regions == 1 ? region.k : std::min(result_.k, region.k);
  if (region.l > 0) {
    ++by_l_[region.l];
    result_.l = result_.l == 0 ? region.l : std::min(result_.l, region.l);
  }
  if (BelowK(region) || BelowL(region) || !region.broken.empty()) {
    ++result_.regions_below;
    result_.people_below += region.people;
    for (const ClassId& id : region.classes) at_risk_[id.release][id.index] = true;
  }
  if (BelowK(region)) ++result_.regions_below_k;
  if (BelowL(region)) ++result_.regions_below_l;
  if (!region.broken.empty()) ++result_.regions_below_more;
  KeepIfWorst(std::move(region));
}

void Composer::KeepIfWorst(Region region) {
  const auto worse = [](const Region& a, const Region& b) {
    const uint64_t a_before = a.l - 1, b_before = b.l - 1;  // none, 0, comes last
    const bool a_holds = a.broken.empty(), b_holds = b.broken.empty();
    return std::tie(a_before, a.k, a_holds, a.classes) < std::tie(b_before, b.k, b_holds, b.classes);
  };
  if (worst_.size() == kWorstShown && !worse(region, worst_.back())) return;
  worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), region, worse), std::move(region));
  if (worst_.size() > kWorstShown) worst_.pop_back();
}

ComposedRegion Composer::Describe(const Region& region) const {
  ComposedRegion described;
  described.person = region.person;
  described.people = region.people;
  described.k = region.k;
  described.l = region.l;
  const Candidates::Left left = candidates_->Intersect(region.classes);
  for (size_t i = 0; i < region.classes.size(); ++i) {
    const ClassId& id = region.classes[i];
    ComposedRegion::Part part{releases_[id.release].name, {}, classes_[id.release].size(id.index), left.rows[i]};
    for (size_t q = 0; q < options_.quasi.size(); ++q) {
      if (!quasi_[id.release][q]) continue;
      const Column& column = table(id.release).column(*quasi_[id.release][q]);
      part.cells.emplace_back(column.name(),
                              column.text(column.codes()[classes_[id.release].members(id.index).front()]));
    }
    described.parts.push_back(std::move(part));
  }
  for (size_t s = 0; s < left.values.size(); ++s) {
    std::vector<std::string> values;
    for (size_t v = 0; v < std::min(kValuesShown, left.values[s].size()); ++v) {
      values.push_back(candidates_->text(s, left.values[s][v]));
    }
    described.values_left.emplace_back(options_.sensitive[s], std::move(values));
  }
  if (BelowK(region)) described.reason = fmt::format("effective k={}, k={} asked", region.k, options_.requirement.k);
  if (BelowL(region)) {
    described.reason += fmt::format("{}effective l={}, l={} asked", described.reason.empty() ? "" : "; ", region.l,
                                    options_.requirement.l);
  }
  if (!region.broken.empty()) described.reason += (described.reason.empty() ? "" : "; ") + region.broken;
  return described;
}

void Composer::Conclude() {
  for (const Region& region : worst_) result_.worst.push_back(Describe(region));
  result_.regions_by_l.assign(by_l_.begin(), by_l_.end());
  for (size_t r = 0; r < releases_.size(); ++r) {
    Composition::Alone& alone = result_.releases[r];
    for (size_t c = 0; c < at_risk_[r].size(); ++c) alone.rows_at_risk += at_risk_[r][c] ? classes_[r].size(c) : 0;
    if (alone.k < static_cast<uint64_t>(options_.requirement.k) ||
        (HasSensitive(r) && alone.l < static_cast<uint64_t>(options_.requirement.l))) {
      result_.problems.push_back(fmt::format("{} breaks the requirement by itself: k={}{}.", alone.name, alone.k,
                                             HasSensitive(r) ? fmt::format(", l={}", alone.l) : ""));
    }
    if (!options_.sensitive.empty() && !HasSensitive(r)) {
      result_.notes.push_back(fmt::format("{} has no sensitive column and so no l of its own.", alone.name));
    }
  }
  if (result_.regions_below > 0) {
    result_.problems.push_back(
        result_.by_key ? fmt::format("{} of {} people who are in more than one release fall below the requirement.",
                                     result_.people_below, result_.people)
                       : fmt::format("{} of {} pairs of classes that may share a person fall below the requirement.",
                                     result_.regions_below, result_.regions));
  }
  if (result_.people_changed > 0) {
    result_.notes.push_back(
        fmt::format("{} people have different sensitive values in different releases; whoever intersects the "
                    "classes is misled about them, so they are not judged.",
                    result_.people_changed));
  }
  if (!result_.by_key && result_.regions > 0 && options_.requirement.k > 1) {
    result_.notes.push_back("Without " TADA_OPTION(
        "overlap-key") " it can't be known how many people are in both classes of a pair: effective k counts the "
                       "rows "
                       "of a class, and whoever knows who is in both releases may be left with fewer.");
  }
  if (result_.regions == 0) {
    result_.notes.push_back(result_.by_key ? "Nobody is in more than one release."
                                           : "No two classes can share a person.");
  }
  result_.passed = result_.problems.empty();
}

Result<Composition> Compose(const std::vector<ComposedRelease>& releases, const ComposeOptions& options,
                            const Workers& workers) {
  return Composer(releases, options, workers).Compose();
}

}  // namespace tada
