#include "audit/original/risk_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "base/decimal.h"
#include "base/option_mark.h"
#include "table/column_doubt.h"

namespace tada {
namespace {

constexpr std::string_view kName = "max-risk";
constexpr uint32_t kLeastPlaces = 4;

const Demand* Find(const std::vector<Demand>& demands) {
  const auto found = std::ranges::find(demands, kName, &Demand::name);
  return found == demands.end() ? nullptr : &*found;
}

// What is asked, else what is only measured.
const Demand* Asked(const AuditOptions& options) {
  const Demand* asked = Find(options.requirement.more);
  return asked != nullptr ? asked : Find(options.measured);
}

class RiskCheck final : public ClassCheck {
 public:
  RiskCheck(const Demand& demand, bool asked) {
    reached_ = {.name = "individual_risk", .column = "people"};
    if (!demand.column.empty()) reached_.kind = "weights " + demand.column;
    if (!demand.kind.empty()) reached_.kind = demand.kind + " " + demand.values.front();
    if (asked && !demand.limit.empty()) limit_ = ParseDecimal(demand.limit);
    places_ = std::max(kLeastPlaces, limit_ ? limit_->places : 0);
    if (limit_) asked_units_ = limit_->digits * (Decimal{.places = places_}.scale() / limit_->scale());
    if (limit_) reached_.asked = DecimalText(asked_units_, places_);
  }

  void Add(uint64_t members, long double people) {
    const uint64_t most = Units(members, 0);  // the risk is at most that of members who are one person each
    const bool matters = most > worst_ || (limit_ && most > asked_units_);
    const auto [found, is_new] = known_.try_emplace({members, people}, 0);
    if (is_new && matters) found->second = Units(members, people);
    units_.push_back(found->second);
    worst_ = std::max(worst_, units_.back());
  }
  void LeaveOpen(std::string why) {
    open_ = true;
    if (limit_) why_ = std::move(why);
  }

  std::string Breaks(size_t index) const override {
    if (open_ || !limit_ || units_[index] <= asked_units_) return "";
    return fmt::format("a risk of {}, at most {} asked", DecimalText(units_[index], places_), reached_.asked);
  }
  ReachedDemand Reached() const override {
    ReachedDemand reached = reached_;
    reached.reached = "not verified";
    if (open_) return reached;
    reached.reached = DecimalText(worst_, places_);
    reached.value = static_cast<double>(worst_) / static_cast<double>(Decimal{.places = places_}.scale());
    reached.holds = !limit_ || worst_ <= asked_units_;
    return reached;
  }
  std::string Unverified() const override { return why_; }

 private:
  // In units of 10^-places, rounded up; exactly where every member is one person.
  uint64_t Units(uint64_t members, long double people) const {
    const uint64_t scale = Decimal{.places = places_}.scale();
    if (people <= static_cast<long double>(members)) return (scale + members - 1) / members;
    return static_cast<uint64_t>(std::ceil(ChanceOfFinding(members, people) * static_cast<long double>(scale)));
  }

  ReachedDemand reached_;
  std::optional<Decimal> limit_;  // nothing: it is only measured
  uint32_t places_ = kLeastPlaces;
  uint64_t asked_units_ = 0;
  std::map<std::pair<uint64_t, long double>, uint64_t> known_;
  std::vector<uint64_t> units_;  // by class; 0 where it cannot be the worst, nor break anything
  uint64_t worst_ = 0;
  bool open_ = false;
  std::string why_;
};

Result<long double> WeightIn(const Column& column, RowId row) {
  const Code code = column.codes()[row];
  const std::string_view text = column.is_missing(code) ? "" : column.text(code);
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && weight > 0 && std::isfinite(weight)) return static_cast<long double>(weight);
  return DataError(TADA_OPTION("weights={}") ": {} does not hold a number above 0", column.name(),
                   PlaceOfRow(column, row));
}

// The weights of each class: released, or of the original rows behind it.
Result<std::vector<long double>> SumWeights(const Table& release, const AuditOptions& options, const Classes& classes,
                                            const ClassOfOriginal& classes_of, const std::string& name) {
  std::vector<long double> sums(classes.count(), 0);
  if (const auto released = release.Find(name)) {
    const std::vector<uint32_t> class_of_row = classes.OfRows();
    for (RowId row = 0; row < release.num_rows(); ++row) {
      TADA_TRY(weight, WeightIn(release.column(*released), row));
      sums[class_of_row[row]] += weight;
    }
    return sums;
  }
  const Column& column = options.original->column(options.original->Find(name).value());
  for (RowId row = 0; row < classes_of.of_row.size(); ++row) {
    if (classes_of.of_row[row] == ClassOfOriginal::kNone) continue;
    TADA_TRY(weight, WeightIn(column, row));
    sums[classes_of.of_row[row]] += weight;
  }
  return sums;
}

// How many people a member stands for, where all stand for as many. A population's second number is that of all rows, of which this
// release may be a part; where people have several rows, those of the release count.
long double PeoplePerMember(const Demand& demand, const Table& release, const PeopleOfClasses* people) {
  if (demand.kind == "sampling") {
    const auto share = ParseDecimal(demand.values.front());
    return static_cast<long double>(share->scale()) / static_cast<long double>(share->digits);
  }
  if (demand.kind != "population") return 1;
  const uint64_t members = people != nullptr ? people->total() : release.num_rows();
  return std::stold(demand.values.front()) /
         (demand.values.size() > 1 ? std::stold(demand.values[1]) : static_cast<long double>(members));
}

}  // namespace

long double ChanceOfFinding(uint64_t members, long double people) {
  const auto f = static_cast<long double>(members);
  if (people <= f) return 1 / f;
  const long double p = f / people;
  constexpr uint64_t kFew = 64;
  constexpr int kSteps = 100;  // to either side
  constexpr long double kStep = 4.4L / kSteps, kPi = std::numbers::pi_v<long double>;
  long double sum = 0;
  for (int i = -kSteps; i <= kSteps; ++i) {
    const long double t = kStep * i, q = kPi * std::sinh(t);
    if (members < kFew) {  // s = 1 / (1 + e^-q)
      const long double log_s = q > 0 ? -std::log1p(std::exp(-q)) : q - std::log1p(std::exp(q));
      sum += std::cosh(t) * std::exp(f * log_s) / (1 + std::exp(q)) / (p + (1 - p) * std::exp(log_s));
    } else {  // s = e^(-w/f), w = e^(q/2)
      const long double w = std::exp(q / 2);
      sum += std::cosh(t) * w * std::exp(-w) / (p + (1 - p) * std::exp(-w / f)) / (2 * f);
    }
  }
  return std::min(1 / f, p * kPi * kStep * sum);
}

std::optional<ColumnId> HiddenWeights(const Table& release, const AuditOptions& options) {
  const Demand* demand = Asked(options);
  if (demand == nullptr || demand->column.empty() || release.Find(demand->column)) return std::nullopt;
  return options.original == nullptr ? std::nullopt : options.original->Find(demand->column);
}

Result<std::unique_ptr<ClassCheck>> MakeRiskCheck(const Table& release, const AuditOptions& options,
                                                  const Classes& classes, const ClassOfOriginal& classes_of,
                                                  const PeopleOfClasses* people) {
  const Demand* demand = Asked(options);
  if (demand == nullptr) return std::unique_ptr<ClassCheck>();
  const bool counts_people = options.requirement.persons != Persons::kRows;
  auto check = std::make_unique<RiskCheck>(*demand, Find(options.requirement.more) != nullptr);
  const bool weights_known =
      demand->column.empty() || release.Find(demand->column) || (HiddenWeights(release, options) && classes_of.known);
  if (counts_people && people == nullptr) {
    check->LeaveOpen("max-risk: not verified. It counts people, and nobody knows whose rows these are.");
  } else if (!weights_known) {
    check->LeaveOpen(fmt::format(
        "max-risk: not verified. A release without the weights does not say how many people its rows stand for: give "
        "the table it was made from (" TADA_OPTION(
            "original") "), with the column {}. If its rows fit into more than one class, it "
                        "cannot be told.",
        demand->column));
  } else {
    std::vector<long double> sums;
    if (!demand->column.empty()) {
      TADA_TRY(found, SumWeights(release, options, classes, classes_of, demand->column));
      sums = std::move(found);
    }
    const long double each = PeoplePerMember(*demand, release, people);
    for (size_t index = 0; index < classes.count(); ++index) {
      const uint64_t members = people != nullptr ? people->count(index) : classes.size(index);
      check->Add(members, sums.empty() ? each * static_cast<long double>(members) : sums[index]);
    }
  }
  return std::unique_ptr<ClassCheck>(std::move(check));
}

}  // namespace tada
