#include "privacy/models/max_risk.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/decimal.h"
#include "base/option_mark.h"
#include "risk/individual_risk.h"

namespace tada {
namespace {

constexpr uint32_t kLeastPlaces = 4;  // of what is named in messages
// A risk is a logarithm unless every row is one person; what is too near to the limit to tell is taken as broken. The audit, which computes
// it in another way, is nearer to it than this.
constexpr long double kMargin = 1e-9L;

class MaxRisk : public PrivacyModel {
 public:
  explicit MaxRisk(const Demand& demand) : limit_(*ParseDecimal(demand.limit)) {}
  bool Holds(const Tally& tally) const override { return HoldsFor(tally.rows, People(tally)); }
  // More rows and more people both lower the risk, and two groups together have more of either.
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return true; }
  bool SmallerIsStricter() const override { return true; }
  std::string Reaches(const Tally& tally) const override {
    if (tally.rows == 0) return "max-risk=1";
    const uint32_t places = std::max(kLeastPlaces, limit_.places);
    const auto scale = static_cast<long double>(Decimal{.places = places}.scale());
    const long double people = People(tally);
    const bool exact = people <= static_cast<long double>(tally.rows);
    const long double risk = IndividualRisk(tally.rows, people) * scale * (exact ? 1 : 1 + 2 * kMargin);
    const uint64_t up =
        exact ? (static_cast<uint64_t>(scale) + tally.rows - 1) / tally.rows : static_cast<uint64_t>(std::ceil(risk));
    return fmt::format("max-risk={}", DecimalText(up, places));
  }
  std::string Hint(const Tally& /*tally*/) const override {
    return "Ask for no less than the risk named, or add rows.";
  }

 protected:
  virtual long double People(const Tally& tally) const = 0;
  bool HoldsFor(uint64_t rows, long double people) const {
    if (rows == 0) return false;
    if (limit_.AtLeast(1, rows)) return true;  // the risk is at most 1 / rows
    if (people <= static_cast<long double>(rows)) return false;
    const long double most = static_cast<long double>(limit_.digits) / static_cast<long double>(limit_.scale());
    if (people * most < 1) return false;  // and at least 1 / people
    return IndividualRisk(rows, people) * (1 + kMargin) <= most;
  }
  /// The fewest rows that can do if each stands for at most so many people.
  uint64_t LeastRows(long double people_per_row) const {
    uint64_t low = 0, high = (limit_.scale() + limit_.digits - 1) / limit_.digits;
    while (high - low > 1) {
      const uint64_t middle = low + (high - low) / 2;
      (HoldsFor(middle, people_per_row * static_cast<long double>(middle)) ? high : low) = middle;
    }
    return high;
  }

 private:
  Decimal limit_;
};

// Every row stands for as many people as any other: the number of rows decides.
class RiskByRows final : public MaxRisk {
 public:
  RiskByRows(const Demand& demand, long double people_per_row)
      : MaxRisk(demand), people_per_row_(people_per_row), least_(LeastRows(people_per_row)) {}
  DecidedBy decided_by() const override { return DecidedBy::kRows; }
  uint64_t SmallestGroup() const override { return least_; }

 private:
  long double People(const Tally& tally) const override {
    return people_per_row_ * static_cast<long double>(tally.rows);
  }

  long double people_per_row_;
  uint64_t least_;
};

class RiskByWeights final : public MaxRisk {
 public:
  RiskByWeights(const Demand& demand, const Binding& binding, size_t s)
      : MaxRisk(demand), column_(s), weights_(binding.sensitive()[s].own_k) {
    const uint64_t largest = weights_.empty() ? kWeightUnits : *std::ranges::max_element(weights_);
    least_ = LeastRows(static_cast<long double>(largest) / kWeightUnits);
  }
  uint64_t SmallestGroup() const override { return least_; }

 private:
  long double People(const Tally& tally) const override {
    Wide sum = 0;
    const ValueCounts& counts = tally.columns[column_];
    for (const Code value : counts.present()) sum += Wide{weights_[value]} * counts.count(value);
    return static_cast<long double>(sum) / kWeightUnits;
  }

  size_t column_;
  std::vector<uint64_t> weights_;  // by value
  uint64_t least_ = 1;
};

std::vector<std::unique_ptr<PrivacyModel>> Bind(const Requirement& requirement, const Binding& binding) {
  std::vector<std::unique_ptr<PrivacyModel>> models;
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr || demand->limit.empty()) return models;
  for (size_t s = 0; s < binding.sensitive().size() && !demand->column.empty(); ++s) {
    const CountedColumn& column = binding.sensitive()[s];
    if (column.is_sensitive() || column.name != demand->column) continue;
    models.push_back(std::make_unique<RiskByWeights>(*demand, binding, s));
    return models;
  }
  // Where nobody counts the weights, a row is one person: nothing holds so that would not hold with them.
  long double people_per_row = 1;
  if (demand->kind == "sampling") {
    const auto share = ParseDecimal(demand->values.front());
    people_per_row = static_cast<long double>(share->scale()) / static_cast<long double>(share->digits);
  } else if (demand->kind == "population") {
    people_per_row =
        std::stold(demand->values.front()) / static_cast<long double>(std::max<size_t>(1, binding.table().num_rows()));
  }
  models.push_back(std::make_unique<RiskByRows>(*demand, people_per_row));
  return models;
}

OptionSpecs Options() {
  return {{.name = "max-risk",
           .type = OptionType::kText,
           .value_name = "chance",
           .section = "Requirement",
           .help = "Set the largest estimated chance, above 0 and at most 1, of finding the person of a row in the "
                   "population that the table is a sample of. Without --weights, --sampling or --population every row "
                   "stands for one person, and the chance is 1 / rows of the group."},
          {.name = "weights",
           .type = OptionType::kText,
           .value_name = "column",
           .section = "Requirement",
           .help = "Take from a column how many people of the population each row stands for (a sample weight). It "
                   "is released only if --keep names it."},
          {.name = "sampling",
           .type = OptionType::kText,
           .value_name = "share",
           .section = "Requirement",
           .help = "Say which share of the population the table is a sample of, above 0 and at most 1."},
          {.name = "population",
           .type = OptionType::kText,
           .value_name = "people",
           .section = "Requirement",
           .help = "Say how many people the population has that the table is a sample of."}};
}

bool IsShare(std::string_view text) {
  const auto share = ParseDecimal(text);
  return share && share->digits > 0 && share->digits <= share->scale();
}

std::optional<uint64_t> WholeNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

Status Read(const OptionValues& values, Requirement& requirement) {
  if (!values.Has("max-risk") && !values.Has("weights") && !values.Has("sampling") && !values.Has("population")) {
    return Ok();
  }
  Demand demand{.name = std::string(kMaxRisk)};
  if (const Demand* before = RiskDemand(requirement)) demand = *before;
  if (values.Has("max-risk")) {
    if (!IsShare(values.Text("max-risk"))) {
      return InvalidArgument(TADA_OPTION("max-risk") " takes a decimal above 0 and at most 1, not '{}'",
                             values.Text("max-risk"))
          .WithHint("For example: " TADA_OPTION("max-risk=0.05"));
    }
    demand.limit = values.Text("max-risk");
  }
  if (values.Has("weights")) demand.column = values.Text("weights");
  if (values.Has("sampling") && values.Has("population")) {
    return InvalidArgument(TADA_OPTION("sampling") " and " TADA_OPTION(
        "population") " both say how large the population is: leave one out");
  }
  if (values.Has("sampling")) {
    if (!IsShare(values.Text("sampling"))) {
      return InvalidArgument(TADA_OPTION("sampling") " takes a decimal above 0 and at most 1, not '{}'",
                             values.Text("sampling"))
          .WithHint("For example: " TADA_OPTION("sampling=0.05") " for one person in twenty");
    }
    demand.kind = "sampling";
    demand.values = {values.Text("sampling")};
  }
  if (values.Has("population")) {
    if (!WholeNumber(values.Text("population"))) {
      return InvalidArgument(TADA_OPTION("population") " takes a whole number of people above 0, not '{}'",
                             values.Text("population"))
          .WithHint("For example: " TADA_OPTION("population=8900000"));
    }
    demand.kind = "population";
    demand.values = {values.Text("population")};
  }
  std::erase_if(requirement.more, [](const Demand& other) { return other.name == kMaxRisk; });
  requirement.more.push_back(std::move(demand));
  return Ok();
}

std::vector<WrittenOption> Write(const Requirement& requirement, bool /*has_sensitive*/) {
  std::vector<WrittenOption> options;
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr) return options;
  if (!demand->limit.empty()) options.push_back({"max-risk", {demand->limit}, true});
  if (!demand->column.empty()) options.push_back({"weights", {demand->column}, true});
  if (demand->kind == "sampling") options.push_back({"sampling", {demand->values.front()}, true});
  if (demand->kind == "population") options.push_back({"population", {demand->values.front()}, true});
  return options;
}

Status Check(const Requirement& requirement, bool /*has_sensitive*/) {
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr) return Ok();
  if (!demand->column.empty() && !demand->kind.empty()) {
    return InvalidArgument(
        TADA_OPTION("weights") " says how many people rows stand for, and so does " TADA_OPTION("{}") ": leave one out",
        demand->kind);
  }
  if (requirement.persons == Persons::kRows) return Ok();
  if (!demand->column.empty()) {
    return InvalidArgument(TADA_OPTION("weights") " does not go with " TADA_OPTION(
                               "person") ": a weight is of a row, and people have several")
        .WithHint("Say " TADA_OPTION("sampling") " instead.");
  }
  if (demand->limit.empty()) return Ok();
  if (requirement.persons == Persons::kApart) {
    return InvalidArgument(TADA_OPTION("max-risk") " does not go with " TADA_OPTION(
                               "person=<column>:apart") ": people stand in several groups")
        .WithHint("Keep their rows together: " TADA_OPTION("person=<column>") ".");
  }
  if (demand->kind == "population") {
    return InvalidArgument(TADA_OPTION("max-risk") " with " TADA_OPTION("person") " takes " TADA_OPTION(
                               "sampling") ", not " TADA_OPTION("population"))
        .WithHint("A release does not say how many people it has: say which share of the population they are.");
  }
  return Ok();
}

std::string Words(const Requirement& requirement, const std::string& /*sensitive*/) {
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr || demand->limit.empty()) return "";
  std::string by;
  if (!demand->column.empty()) by = fmt::format(", estimated with the weights {}", demand->column);
  if (demand->kind == "sampling")
    by = fmt::format(", estimated for a sample of {} of the population", demand->values.front());
  if (demand->kind == "population")
    by = fmt::format(", estimated for a population of {} people", demand->values.front());
  return fmt::format("a chance of at most {} of finding the person of a row (individual risk{})", demand->limit, by);
}

// Groups of both have at most the larger risk together, if both mean the same population.
void Weaken(const Requirement& other, Requirement& weaker) {
  const Demand* theirs = RiskDemand(other);
  for (Demand& demand : weaker.more) {
    if (demand.name != kMaxRisk || theirs == nullptr) continue;
    if (demand.column != theirs->column || demand.kind != theirs->kind || demand.values != theirs->values) {
      theirs = nullptr;
      continue;
    }
    const auto mine = ParseDecimal(demand.limit), their = ParseDecimal(theirs->limit);
    if (!mine || !their) {
      demand.limit.clear();
    } else if (their->value() > mine->value()) {
      demand.limit = theirs->limit;
    }
  }
  if (theirs != nullptr) return;
  std::erase_if(weaker.more, [](const Demand& demand) { return demand.name == kMaxRisk; });
}

std::string Idle(const Requirement& requirement) {
  const Demand* demand = RiskDemand(requirement);
  if (demand == nullptr || demand->limit.empty()) return "";
  const auto limit = ParseDecimal(demand->limit);
  return limit->digits == limit->scale() ? TADA_OPTION("max-risk=1") " asks for nothing: no risk is larger." : "";
}

}  // namespace

const Demand* RiskDemand(const Requirement& requirement) {
  const auto found = std::ranges::find(requirement.more, kMaxRisk, &Demand::name);
  return found == requirement.more.end() ? nullptr : &*found;
}

RequirementEntry MaxRiskEntry() {
  return {.name = kMaxRisk,
          .options = Options(),
          .meanings = {{"--max-risk R",
                        "The estimated chance of finding the person of a row in the population is at most R."},
                       {"--weights C", "How many people of the population each row stands for."},
                       {"--sampling F", "The share of the population that the table is a sample of."},
                       {"--population N", "How many people the population has."}},
          .read = &Read,
          .write = &Write,
          .check = &Check,
          .words = &Words,
          .plain =
              "The table is a sample: whoever finds a row that fits a person does not know which of the people who "
              "fit it that is. How many they are is estimated.",
          .weaken = &Weaken,
          .bind = &Bind,
          .idle = &Idle};
}

}  // namespace tada
