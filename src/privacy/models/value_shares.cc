// Requirements that bound the share of each sensitive value: likeness, disclosure, alpha. Their bounds are linear in the counts,
// so two groups that keep them keep them together.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/option_mark.h"
#include "privacy/models/demand.h"
#include "privacy/models/value_entries.h"

namespace tada {
namespace {

constexpr uint32_t kLeastPlaces = 4;  // of what is named in messages
constexpr uint64_t kLargestTried = 10'000;
// Logarithms are no fractions, so a count never equals a bound that has one; what is too near to tell is taken as broken. The
// audit's own margin is smaller, so that it passes whatever passes here.
constexpr long double kMargin = 0x1p-56L;

// What the three share: a group's counts beside those of the reference.
class ValueShares : public PrivacyModel {
 public:
  ValueShares(const Demand& demand, const Binding& binding, size_t s)
      : column_(s),
        limit_(*ParseDecimal(demand.limit)),
        name_(binding.sensitive()[s].source->name()),
        reference_(binding, s) {}

  bool Holds(const Tally& tally) const override { return HoldsFor(tally.columns[column_], tally.rows); }
  bool KeptByMerging() const override { return true; }
  bool FailingIsInherited() const override { return false; }
  bool SmallerIsStricter() const override { return true; }
  // Values of which the group has too few.
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    if (column != column_ || Holds(tally)) return {};
    const uint64_t rows = tally.rows;
    return [this, rows](Code value, uint32_t count) {
      return reference_.members * count < rows * reference_.counts[value];
    };
  }

 protected:
  virtual bool HoldsFor(const ValueCounts& counts, uint64_t rows) const = 0;
  const ValueCounts& CountsOf(const Tally& tally) const { return tally.columns[column_]; }
  const ReferenceCounts& reference() const { return reference_; }
  const Decimal& limit() const { return limit_; }
  const std::string& name() const { return name_; }
  uint32_t places() const { return std::max(kLeastPlaces, limit_.places); }
  /// What numerator/denominator is, rounded up, as messages name it.
  std::string Up(Wide numerator, Wide denominator) const {
    const Wide scaled = numerator * Decimal{.places = places()}.scale() + denominator - 1;
    return DecimalText(static_cast<uint64_t>(scaled / denominator), places());
  }
  bool has_one_value_each() const { return reference_.total == reference_.members; }

 private:
  size_t column_;
  Decimal limit_;
  std::string name_;
  ReferenceCounts reference_;
};

// N c <= (1 + B) m C, and with the enhanced form also N c <= (1 - ln p) m C.
class Likeness final : public ValueShares {
 public:
  Likeness(const Demand& demand, const Binding& binding, size_t s, bool enhanced)
      : ValueShares(demand, binding, s), enhanced_(enhanced) {
    for (const uint64_t count : reference().counts) {
      const long double share = static_cast<long double>(count) / static_cast<long double>(reference().members);
      most_times_.push_back(count == 0 ? 1 : 1 - std::log(share));
    }
    if (!has_one_value_each()) return;
    const uint64_t last = std::min(reference().members, kLargestTried);
    while (smallest_ < last && MostRows(smallest_) < smallest_) ++smallest_;
  }
  uint64_t SmallestGroup() const override { return smallest_; }
  std::string Reaches(const Tally& tally) const override {
    Wide most = 0, of = 1;
    for (const Code value : CountsOf(tally).present()) {
      const uint64_t has = reference().members * CountsOf(tally).count(value);
      const uint64_t fair = tally.rows * reference().counts[value];
      if (!WithinLogarithm(value, has, fair)) return fmt::format("beta=infinite ({})", name());
      if (has > fair && Wide{has - fair} * of > most * fair) most = has - fair, of = fair;
    }
    return fmt::format("beta={} ({})", Up(most, of), name());
  }
  std::string Hint(const Tally& /*tally*/) const override {
    return "Ask for a likeness of at least the value named, or compare with " TADA_OPTION("reference=controller") ".";
  }

 private:
  bool HoldsFor(const ValueCounts& counts, uint64_t rows) const override {
    const uint64_t scale = limit().scale(), times = scale + limit().digits;
    return std::ranges::all_of(counts.present(), [&](Code value) {
      const uint64_t has = reference().members * counts.count(value), fair = rows * reference().counts[value];
      return Wide{has} * scale <= Wide{fair} * times && WithinLogarithm(value, has, fair);
    });
  }

  bool WithinLogarithm(Code value, uint64_t has, uint64_t fair) const {
    if (!enhanced_ || has <= fair) return true;
    return static_cast<long double>(has) <= most_times_[value] * static_cast<long double>(fair) * (1 - kMargin);
  }

  // How many rows of a group of m could have a value at all.
  uint64_t MostRows(uint64_t m) const {
    long double rows = 0;
    for (size_t value = 0; value < reference().counts.size(); ++value) {
      const long double times = 1 + static_cast<long double>(limit().value());
      const long double most = enhanced_ ? std::min(times, most_times_[value]) : times;
      const long double fair = static_cast<long double>(m) * static_cast<long double>(reference().counts[value]) /
                               static_cast<long double>(reference().members);
      rows += std::floor(fair * most * (1 + 1e-12L));
    }
    return static_cast<uint64_t>(rows);
  }

  bool enhanced_;
  std::vector<long double> most_times_;  // by value: 1 - ln p
  uint64_t smallest_ = 1;
};

// e^-D p < q < e^D p, for every value of the reference.
class Disclosure final : public ValueShares {
 public:
  Disclosure(const Demand& demand, const Binding& binding, size_t s)
      : ValueShares(demand, binding, s),
        most_times_(std::exp(static_cast<long double>(limit().digits) / static_cast<long double>(limit().scale()))) {
    uint64_t rarest = UINT64_MAX;
    for (const uint64_t count : reference().counts) {
      if (count == 0) continue;
      ++num_values_;
      rarest = std::min(rarest, count);
    }
    if (num_values_ < 2 || !has_one_value_each()) return;
    const long double above =
        static_cast<long double>(reference().members) / (most_times_ * static_cast<long double>(rarest)) * (1 - 1e-15L);
    smallest_ = std::min(reference().members, std::max(num_values_, static_cast<uint64_t>(above) + 1));
  }
  uint64_t SmallestGroup() const override { return smallest_; }
  std::string Reaches(const Tally& tally) const override {
    if (CountsOf(tally).present().size() < num_values_) return fmt::format("delta=infinite ({})", name());
    long double most = 0;
    for (const Code value : CountsOf(tally).present()) {
      const auto has = static_cast<long double>(reference().members * CountsOf(tally).count(value));
      const auto fair = static_cast<long double>(tally.rows * reference().counts[value]);
      most = std::max(most, std::abs(std::log(has / fair)));
    }
    // A little more than what is reached, which is not enough by itself.
    const auto units = static_cast<uint64_t>(most * (1 + 1e-12L) * Decimal{.places = places()}.scale()) + 1;
    return fmt::format("delta={} ({})", DecimalText(units, places()), name());
  }
  std::string Hint(const Tally& tally) const override {
    if (CountsOf(tally).present().size() < num_values_) {
      return "A value is missing among these rows, and every group needs every value: compare with " TADA_OPTION(
          "reference=controller") ", or leave " TADA_OPTION("disclosure") " out.";
    }
    return "Ask for a disclosure of at least the value named. Every group needs every value: rare ones force huge "
           "groups.";
  }

 private:
  bool HoldsFor(const ValueCounts& counts, uint64_t rows) const override {
    if (counts.present().size() < num_values_) return false;
    return std::ranges::all_of(counts.present(), [&](Code value) {
      const uint64_t has = reference().members * counts.count(value), fair = rows * reference().counts[value];
      const uint64_t larger = std::max(has, fair), smaller = std::min(has, fair);
      return larger == smaller ||
             static_cast<long double>(larger) < most_times_ * static_cast<long double>(smaller) * (1 - kMargin);
    });
  }

  long double most_times_;  // e^D
  uint64_t num_values_ = 0;
  uint64_t smallest_ = 1;
};

// c <= A m, for all values or for those that are named.
class Alpha final : public ValueShares {
 public:
  Alpha(const Demand& demand, const Binding& binding, size_t s) : ValueShares(demand, binding, s) {
    const CountedColumn& column = binding.sensitive()[s];
    bounded_.assign(column.num_values, demand.values.empty());
    for (const std::string& text : demand.values) {
      for (const Code value : FindValues(column, text)) bounded_[value] = true;
    }
    if (demand.values.empty()) smallest_ = (limit().scale() + limit().digits - 1) / limit().digits;
  }
  uint64_t SmallestGroup() const override { return smallest_; }
  std::string Reaches(const Tally& tally) const override {
    uint64_t most = 0;
    for (const Code value : CountsOf(tally).present()) {
      if (bounded_[value]) most = std::max<uint64_t>(most, CountsOf(tally).count(value));
    }
    return fmt::format("alpha={} ({})", Up(most, std::max<uint64_t>(1, tally.rows)), name());
  }
  std::string Hint(const Tally& /*tally*/) const override {
    return "Ask for a share of at least the value named: no partition can make a value rarer than it is among all "
           "rows.";
  }
  // Any value that is not too frequent itself.
  std::function<bool(Code, uint32_t)> Wanted(const Tally& tally, size_t column) const override {
    if (!ValueShares::Wanted(tally, column)) return {};
    const uint64_t rows = tally.rows;
    return
        [this, rows](Code value, uint32_t count) { return !bounded_[value] || limit().AtLeast(count + 1, rows + 1); };
  }

 private:
  bool HoldsFor(const ValueCounts& counts, uint64_t rows) const override {
    return std::ranges::all_of(
        counts.present(), [&](Code value) { return !bounded_[value] || limit().AtLeast(counts.count(value), rows); });
  }

  std::vector<bool> bounded_;  // by value
  uint64_t smallest_ = 1;
};

const DemandForm& LikenessForm() {
  static const DemandForm form{.option = "likeness",
                               .kinds = {"basic", "enhanced"},
                               .example = TADA_OPTION("likeness=1") ", or " TADA_OPTION("likeness=disease=2:basic")};
  return form;
}
const DemandForm& DisclosureForm() {
  static const DemandForm form{.option = "disclosure",
                               .example = TADA_OPTION("disclosure=1") ", or " TADA_OPTION("disclosure=disease=2")};
  return form;
}
const DemandForm& AlphaForm() {
  static const DemandForm form{.option = "alpha",
                               .takes_values = true,
                               .example = TADA_OPTION("alpha=0.5") ", or " TADA_OPTION("alpha=disease=0.2:hiv,aids")};
  return form;
}

// Compared with the rows of one's own controller, a requirement says nothing about the rows of all.
void WeakenCompared(const Requirement& other, std::string_view option, Requirement& weaker) {
  if (weaker.reference == ReferenceRows::kController) return DropDemands(option, weaker);
  WeakenDemands(other, option, true, weaker);
}

OptionSpec MakeOption(std::string_view name, std::string_view value_name, std::string_view help) {
  return {.name = name, .type = OptionType::kList, .value_name = value_name, .section = "Requirement", .help = help};
}

bool AsksForEverything(const Demand& demand) {
  const Decimal limit = *ParseDecimal(demand.limit);
  return limit.digits >= limit.scale();
}

std::string IdleAlpha(const Requirement& requirement) {
  for (const Demand& demand : DemandsOf(requirement, "alpha")) {
    if (AsksForEverything(demand))
      return fmt::format(TADA_OPTION("alpha={}") " asks for nothing: no share exceeds 1.", DemandText(demand));
  }
  return "";
}

Result<Demand> ResolveAlpha(const Demand& demand, const CountedColumn& column) {
  for (const std::string& text : demand.values) {
    if (!FindValues(column, text).empty()) continue;
    return InvalidArgument(TADA_OPTION("alpha") " names a value that {} does not have: {}", demand.column, text)
        .WithHint("Values are written as they stand in the table, and separated by commas.");
  }
  return demand;
}

Result<Demand> ResolveLikeness(const Demand& demand, const CountedColumn& /*column*/) {
  Demand resolved = demand;
  if (resolved.kind.empty()) resolved.kind = "enhanced";
  return resolved;
}

}  // namespace

RequirementEntry LikenessEntry() {
  return {.name = "likeness",
          .options = {MakeOption(
              "likeness", "[column=]b[:basic|enhanced]",
              "Set how much more frequent a sensitive value may be in a group than among all people, relative to how "
              "frequent it is there (beta-likeness): 1 allows twice the share. 'enhanced', the default, also keeps "
              "every value short of certainty.")},
          .meanings = {{"--likeness B",
                        "beta-likeness: no sensitive value is more than 1 + B times as frequent in a "
                        "group as among all people; enhanced: nor more than 1 - ln p times, for a "
                        "value with share p."}},
          .read = [](const OptionValues& values,
                     Requirement& requirement) { return ReadDemands(values, LikenessForm(), requirement); },
          .write = [](const Requirement& requirement, bool) { return WriteDemands(requirement, "likeness"); },
          .check = [](const Requirement& requirement,
                      bool has_sensitive) { return CheckDemands(requirement, "likeness", has_sensitive); },
          .words =
              [](const Requirement& requirement, const std::string& sensitive) {
                return DemandWords(requirement, "likeness", sensitive,
                                   [](const Demand& demand, const std::string& column) {
                                     return fmt::format(
                                         "no value of {} at more than 1 + {} times its share among all people "
                                         "(beta-likeness)",
                                         column, demand.limit);
                                   });
              },
          .plain =
              "No sensitive value becomes much more likely for somebody whose group is found than it is for anybody, "
              "and rare values are protected as well as common ones.",
          .weaken = [](const Requirement& other, Requirement& weaker) { WeakenCompared(other, "likeness", weaker); },
          .bind =
              [](const Requirement& requirement, const Binding& binding) {
                return BindDemands(requirement, "likeness", binding, [&](const Demand& demand, size_t s) {
                  return std::make_unique<Likeness>(demand, binding, s, demand.kind != "basic");
                });
              },
          .resolve = &ResolveLikeness};
}

RequirementEntry DisclosureEntry() {
  return {.name = "disclosure",
          .options = {MakeOption(
              "disclosure", "[column=]d",
              "Set how far the logarithm of a sensitive value's share in a group may be from that among all people "
              "(delta-disclosure). Every group then needs every value: rare values force huge groups.")},
          .meanings = {{"--disclosure D",
                        "delta-disclosure: the share of every sensitive value in every group is more than e^-D and "
                        "less than e^D times that among all people."}},
          .read = [](const OptionValues& values,
                     Requirement& requirement) { return ReadDemands(values, DisclosureForm(), requirement); },
          .write = [](const Requirement& requirement, bool) { return WriteDemands(requirement, "disclosure"); },
          .check = [](const Requirement& requirement,
                      bool has_sensitive) { return CheckLimits(requirement, "disclosure", has_sensitive); },
          .words =
              [](const Requirement& requirement, const std::string& sensitive) {
                return DemandWords(requirement, "disclosure", sensitive,
                                   [](const Demand& demand, const std::string& column) {
                                     return fmt::format(
                                         "all values of {}, each with less than e^{} times more or less than its share "
                                         "among all people (delta-disclosure)",
                                         column, demand.limit);
                                   });
              },
          .plain = "Every sensitive value stays possible for everybody, about as likely as it is for anybody.",
          .weaken = [](const Requirement& other, Requirement& weaker) { WeakenCompared(other, "disclosure", weaker); },
          .bind =
              [](const Requirement& requirement, const Binding& binding) {
                return BindDemands(requirement, "disclosure", binding, [&](const Demand& demand, size_t s) {
                  return std::make_unique<Disclosure>(demand, binding, s);
                });
              }};
}

RequirementEntry AlphaEntry() {
  return {
      .name = "alpha",
      .options = {MakeOption("alpha", "[column=]a[:values]",
                             "Set the largest share of a group that may have the same sensitive value, or the same "
                             "of the values named: --alpha 0.2:hiv,aids ((alpha,k)-anonymity).")},
      .meanings = {{"--alpha A[:values]",
                    "(alpha,k)-anonymity: no sensitive value, or none of those named, has more than the share A of "
                    "a group."}},
      .read = [](const OptionValues& values,
                 Requirement& requirement) { return ReadDemands(values, AlphaForm(), requirement); },
      .write = [](const Requirement& requirement, bool) { return WriteDemands(requirement, "alpha"); },
      .check = [](const Requirement& requirement,
                  bool has_sensitive) { return CheckLimits(requirement, "alpha", has_sensitive); },
      .words =
          [](const Requirement& requirement, const std::string& sensitive) {
            return DemandWords(requirement, "alpha", sensitive, [](const Demand& demand, const std::string& column) {
              return fmt::format("no {} of {} in more than the share {} of its people",
                                 demand.values.empty() ? "value" : "value that was named", column, demand.limit);
            });
          },
      .plain = "Whoever finds a person's group and guesses the sensitive value is right with at most the chance named.",
      .weaken = [](const Requirement& other, Requirement& weaker) { WeakenDemands(other, "alpha", true, weaker); },
      .bind =
          [](const Requirement& requirement, const Binding& binding) {
            return BindDemands(requirement, "alpha", binding,
                               [&](const Demand& demand, size_t s) -> std::unique_ptr<PrivacyModel> {
                                 if (AsksForEverything(demand)) return nullptr;
                                 return std::make_unique<Alpha>(demand, binding, s);
                               });
          },
      .resolve = &ResolveAlpha,
      .idle = &IdleAlpha};
}

}  // namespace tada
