#pragma once

// The work behind Compose(): one object, one composition. Split over four files by what they do: compose.cc finds columns and
// classes and draws the conclusion, compose_people.cc follows people by their keys, compose_pairs.cc looks for overlapping
// classes where there is no key, compose_demands.cc judges what is left by requirements beside k and l.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/classes/classes.h"
#include "compose/candidates.h"
#include "compose/cell_box.h"
#include "compose/compose.h"

namespace tada {

class Composer {
 public:
  Composer(const std::vector<ComposedRelease>& releases, const ComposeOptions& options, const Workers& workers)
      : releases_(releases), options_(options), workers_(workers) {}

  Result<Composition> Compose();

 private:
  struct Region {
    std::vector<ClassId> classes;
    uint64_t k = 0, l = 0, people = 0;  // l 0: no class has a sensitive column
    std::string person;
    std::string broken = {};  // which further requirements what is left breaks, in words
  };
  struct Person {
    std::string_view key;
    uint32_t releases = 0;           // a bit per release
    std::vector<uint32_t> class_of;  // by release
    std::vector<RowId> row_of;
  };
  using Boxes = std::vector<std::unique_ptr<CellBoxes>>;  // one per quasi-identifier

  const Table& table(size_t r) const { return *releases_[r].table; }
  // Whether a release has a sensitive column, so that it has an l.
  bool HasSensitive(size_t r) const {
    return std::any_of(sensitive_[r].begin(), sensitive_[r].end(), [](const auto& id) { return id.has_value(); });
  }

  // compose.cc
  Status FindColumns();
  Status CheckSomewhere(const std::vector<std::string>& names, std::string_view option) const;
  void GroupRows();
  bool BelowK(const Region& region) const { return region.k < static_cast<uint64_t>(options_.requirement.k); }
  bool BelowL(const Region& region) const {
    return region.l > 0 && region.l < static_cast<uint64_t>(options_.requirement.l);
  }
  void JudgeNow(Region region);
  void KeepIfWorst(Region region);
  ComposedRegion Describe(const Region& region) const;
  void Conclude();

  // compose_demands.cc
  // Takes a region and judges it, or keeps it until there are enough to judge together.
  Status Judge(Region region);
  Status JudgePending();
  Status JudgeAlone();
  // How what is left of each of these regions breaks further requirements, in words; `reached` takes the worst.
  Result<std::vector<std::string>> BreakDemands(std::span<const std::vector<ClassId>> regions,
                                                std::vector<ReachedDemand>& reached);

  // compose_people.cc
  Status FindPeople();
  Status JudgePeople();
  Region RegionOf(const Person& person, uint64_t together) const;
  bool SameValues(const Person& person) const;

  // compose_pairs.cc
  Status JudgePairs();
  void NoteDoubts(const std::string& column, const CellBoxes& boxes);
  uint64_t JoinReleases(const Boxes& boxes, uint32_t r, uint32_t other, uint64_t limit);

  const std::vector<ComposedRelease>& releases_;
  const ComposeOptions& options_;
  const Workers& workers_;
  std::vector<std::vector<std::optional<ColumnId>>> quasi_, sensitive_;  // by release, then as in the options
  std::vector<Classes> classes_;
  std::unique_ptr<Candidates> candidates_;
  std::vector<Person> people_;
  std::map<std::pair<size_t, uint32_t>, std::vector<RowId>> more_rows_;  // by release and person: rows after the first
  std::vector<std::vector<bool>> at_risk_;                               // by release, then by class
  std::map<uint64_t, uint64_t> by_l_;
  std::vector<Region> worst_, pending_;
  Status failure_ = Ok();  // of a region that could not be judged
  Composition result_;
};

}  // namespace tada
