#include "privacy/models/k_anonymity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/option_mark.h"

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

// No row stands in a group that is smaller than the k it asks for itself. Of two groups together the number of rows is the sum, and
// the largest k the larger one.
class OwnK final : public PrivacyModel {
 public:
  OwnK(const Binding& binding, size_t s, bool apart)
      : column_(s), apart_(apart), name_(binding.sensitive()[s].name), own_k_(binding.sensitive()[s].own_k) {
    for (const Code value : binding.Reference().columns[s].present()) {
      smallest_ = std::min(smallest_, own_k_[value]);
    }
  }
  bool Holds(const Tally& tally) const override { return Members(tally) >= Largest(tally); }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return false; }
  uint64_t SmallestGroup() const override { return smallest_ == UINT64_MAX ? 1 : std::max<uint64_t>(1, smallest_); }
  std::string Reaches(const Tally& tally) const override { return fmt::format("own k={}", Members(tally)); }
  std::string Hint(const Tally& tally) const override {
    return fmt::format("A row asks for more than the {} that there are ({}): leave it out.", Members(tally), name_);
  }

 private:
  uint64_t Members(const Tally& tally) const { return apart_ ? tally.columns[0].Distinct() : tally.rows; }
  uint64_t Largest(const Tally& tally) const {
    uint64_t largest = 0;
    for (const Code value : tally.columns[column_].present()) largest = std::max(largest, own_k_[value]);
    return largest;
  }

  size_t column_;
  bool apart_;  // people are counted in the first column
  std::string name_;
  std::vector<uint64_t> own_k_;  // by value
  uint64_t smallest_ = UINT64_MAX;
};

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& requirement, const Binding& binding) {
  const auto k = static_cast<uint64_t>(requirement.k);
  std::vector<std::unique_ptr<PrivacyModel>> models;
  if (requirement.persons == Persons::kApart) {
    models.push_back(std::make_unique<KPeople>(k));
  } else {
    models.push_back(std::make_unique<KAnonymity>(k, requirement.persons == Persons::kTogether));
  }
  for (size_t s = 0; s < binding.sensitive().size(); ++s) {
    if (binding.sensitive()[s].is_sensitive() || binding.sensitive()[s].name != requirement.k_column) continue;
    models.push_back(std::make_unique<OwnK>(binding, s, requirement.persons == Persons::kApart));
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
           .help = "Set the smallest number of rows that may share a group."},
          {.name = "risk",
           .type = OptionType::kText,
           .value_name = "chance",
           .section = "Requirement",
           .help = "Set k by the largest chance, above 0 and at most 1, of picking the right row for a person: k is "
                   "1/chance, rounded up, so that 0.09 asks for 12."},
          {.name = "k-column",
           .type = OptionType::kText,
           .value_name = "column",
           .section = "Requirement",
           .help = "Take a k of its own for each row from a column of whole numbers, where it is above -k. The column "
                   "is not released."}};
}

Status Read(const OptionValues& values, Requirement& requirement) {
  requirement.k = values.Integer("k", requirement.k);
  if (values.Has("k-column")) requirement.k_column = values.Text("k-column");
  if (!values.Has("risk")) return Ok();
  const auto risk = ParseDecimal(values.Text("risk"));
  if (!risk || risk->digits == 0 || risk->digits > risk->scale()) {
    return InvalidArgument(TADA_OPTION("risk") " takes a decimal above 0 and at most 1, not '{}'", values.Text("risk"))
        .WithHint("For example: " TADA_OPTION("risk=0.09") ", which asks for 12 rows");
  }
  const auto k = static_cast<int64_t>((risk->scale() + risk->digits - 1) / risk->digits);
  requirement.k = values.Has("k") ? std::max(requirement.k, k) : k;
  return Ok();
}

std::vector<WrittenOption> Write(const Requirement& requirement, bool /*has_sensitive*/) {
  std::vector<WrittenOption> options{{"k", {fmt::format("{}", requirement.k)}, true}};
  if (!requirement.k_column.empty()) options.push_back({"k-column", {requirement.k_column}, true});
  return options;
}

void Weaken(const Requirement& other, Requirement& weaker) {
  weaker.k = std::min(weaker.k, other.k);
  if (weaker.k_column != other.k_column) weaker.k_column.clear();
}

Status Check(const Requirement& requirement, bool /*has_sensitive*/) {
  if (requirement.k < 1) return InvalidArgument(TADA_OPTION("-k") " must be at least 1, not {}", requirement.k);
  return Ok();
}

}  // namespace

RequirementEntry KAnonymityEntry() {
  return {
      .name = "k",
      .options = Options(),
      .meanings = {{"-k N", "k-anonymity: every group has at least N rows."},
                   {"--risk R", "Sets k to 1/R, rounded up."},
                   {"--k-column C", "No row is in a group with fewer rows than its own number in the column C."}},
      .read = &Read,
      .write = &Write,
      .check = &Check,
      .words =
          [](const Requirement& requirement, const std::string&) {
            return fmt::format("at least {} {}", requirement.k,
                               requirement.persons == Persons::kRows ? "rows" : "people");
          },
      .plain = "Whoever knows a person's quasi-identifiers finds at least as many people as are named who fit them.",
      .weaken = &Weaken,
      .bind = &Bind};
}

}  // namespace tada
