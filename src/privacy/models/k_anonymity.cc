#include "privacy/models/k_anonymity.h"

#include <fmt/format.h>

#include <algorithm>

namespace tada {
namespace {

class KAnonymity final : public PrivacyModel {
 public:
  KAnonymity(uint64_t k, bool people) : k_(k), people_(people) {}
  bool Holds(const Tally& tally) const override { return tally.rows >= k_; }
  DecidedBy decided_by() const override { return DecidedBy::kRows; }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return true; }
  uint64_t SmallestGroup() const override { return k_; }
  std::string Reaches(const Tally& tally) const override { return fmt::format("k={}", tally.rows); }
  std::string Hint(const Tally& tally) const override {
    return fmt::format("Lower k to at most {}, or add {}.", tally.rows, people_ ? "people" : "rows");
  }

 private:
  uint64_t k_;
  bool people_;  // each row of the table stands for one
};

// People whose rows may stand in several groups: a group has rows of at least k different ones.
class KPeople final : public PrivacyModel {
 public:
  explicit KPeople(uint64_t k) : k_(k) {}
  bool Holds(const Tally& tally) const override { return tally.columns[0].Distinct() >= k_; }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return true; }
  uint64_t SmallestGroup() const override { return k_; }
  std::string Reaches(const Tally& tally) const override { return fmt::format("k={}", tally.columns[0].Distinct()); }
  std::string Hint(const Tally& tally) const override {
    return fmt::format("Lower k to at most {}, or add people.", tally.columns[0].Distinct());
  }

 private:
  uint64_t k_;
};

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& requirement, const Binding& /*binding*/) {
  const auto k = static_cast<uint64_t>(requirement.k);
  std::vector<std::unique_ptr<PrivacyModel>> models;
  if (requirement.persons == Persons::kApart) {
    models.push_back(std::make_unique<KPeople>(k));
  } else {
    models.push_back(std::make_unique<KAnonymity>(k, requirement.persons == Persons::kTogether));
  }
  return models;
}

OptionSpecs Options() {
  return {{.name = "k",
           .letter = 'k',
           .type = OptionType::kInteger,
           .value_name = "rows",
           .default_text = DefaultText(Requirement().k),
           .minimum = 1,
           .section = "Requirement",
           .help = "Set the smallest number of rows that may share a group."}};
}

Status Read(const OptionValues& values, Requirement& requirement) {
  requirement.k = values.Integer("k", requirement.k);
  return Ok();
}

Status Check(const Requirement& requirement, bool /*has_sensitive*/) {
  if (requirement.k < 1) return InvalidArgument("-k must be at least 1, not {}", requirement.k);
  return Ok();
}

}  // namespace

RequirementEntry KAnonymityEntry() {
  return {.name = "k",
          .options = Options(),
          .meanings = {{"-k N", "k-anonymity: every group has at least N rows."}},
          .read = &Read,
          .write = [](const Requirement& requirement, bool) -> std::vector<WrittenOption> {
            return {{"k", {fmt::format("{}", requirement.k)}, true}};
          },
          .check = &Check,
          .words =
              [](const Requirement& requirement, const std::string&) {
                return fmt::format("at least {} {}", requirement.k,
                                   requirement.persons == Persons::kRows ? "rows" : "people");
              },
          .weaken = [](const Requirement& other, Requirement& weaker) { weaker.k = std::min(weaker.k, other.k); },
          .bind = &Bind};
}

}  // namespace tada
