// Numbers of a group are spread out. "Missing" is left out, and a group without a number fails.
//   range      max - min >= E. More numbers never lower it.
//   variance   sum x^2 / m - (sum x / m)^2 >= E. Of two groups together it is the mean of the two and what lies between them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option_mark.h"
#include "privacy/models/demand.h"
#include "privacy/models/value_entries.h"

namespace tada {
namespace {

constexpr uint32_t kLeastPlaces = 4;  // of what is named in messages

// Numbers of a column as multiples of a unit, 10^-places, counted from the smallest: exact for decimals as people write them,
// and always fine enough for 2^31 steps over the range.
struct Steps {
  std::vector<int64_t> of_value;  // -1 for "missing"
  int places = 0;

  explicit Steps(const CountedColumn& column) : of_value(column.num_values, -1) {
    const Column& source = *column.source;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (Code code = source.num_missing(); code < source.num_codes(); ++code) {
      low = std::min(low, source.number(code));
      high = std::max(high, source.number(code));
    }
    const long double range = high < low ? 0 : static_cast<long double>(high) - low;  // doubles may not hold it
    const auto fits = [&](int p) { return range * std::pow(10.0L, p) < 0x1p31L; };
    const auto exact = [&](int p) {
      for (Code code = source.num_missing(); code < source.num_codes(); ++code) {
        const double scaled = std::round(source.number(code) * std::pow(10.0, p));
        if (scaled / std::pow(10.0, p) != source.number(code)) return false;
      }
      return true;
    };
    while (!fits(places)) --places;
    while (places >= 0 && places < 9 && fits(places + 1) && !exact(places)) ++places;
    const long double unit = std::pow(10.0L, places);
    for (Code code = source.num_missing(); code < source.num_codes(); ++code) {
      of_value[column.value_of_code[code]] = std::llround((static_cast<long double>(source.number(code)) - low) * unit);
    }
  }
};

class Spread : public PrivacyModel {
 public:
  Spread(const Demand& demand, const Binding& binding, size_t s)
      : column_(s),
        limit_(*ParseDecimal(demand.limit)),
        name_(binding.sensitive()[s].source->name()),
        steps_(binding.sensitive()[s]) {}
  bool Holds(const Tally& tally) const override { return HoldsFor(tally.columns[column_]); }
  bool KeptByMerging() const override { return true; }
  uint64_t SmallestGroup() const override { return limit_.digits > 0 ? 2 : 1; }
  std::string Hint(const Tally& tally) const override {
    if (Value(tally.columns[column_]) <= 0) {
      return "The numbers of the column do not differ: choose another sensitive column, or leave " TADA_OPTION(
          "spread") " out.";
    }
    return "Ask for a spread of at most the value named, or choose another sensitive column.";
  }
  std::string Reaches(const Tally& tally) const override {
    const uint32_t places = std::max(kLeastPlaces, limit_.places);
    const long double value = Value(tally.columns[column_]) * (1 - 0x1p-50L);
    if (value <= 0) return fmt::format("spread=0 ({})", name_);
    const auto units = static_cast<uint64_t>(std::min(value * Decimal{.places = places}.scale(), 0x1p63L));
    return fmt::format("spread={} ({})", DecimalText(units, places), name_);
  }

 protected:
  virtual bool HoldsFor(const ValueCounts& counts) const = 0;
  virtual long double Value(const ValueCounts& counts) const = 0;
  const Decimal& limit() const { return limit_; }
  /// Nothing for "missing".
  int64_t step(Code value) const { return steps_.of_value[value]; }
  /// The unit is 1/finer, or coarser.
  uint64_t finer() const { return Decimal{.places = static_cast<uint32_t>(std::max(0, steps_.places))}.scale(); }
  long double coarser() const { return std::pow(10.0L, std::max(0, -steps_.places)); }

 private:
  size_t column_;
  Decimal limit_;
  std::string name_;
  Steps steps_;
};

class RangeSpread final : public Spread {
 public:
  using Spread::Spread;
  bool FailingIsInherited() const override { return true; }

 private:
  // The largest difference in steps; below 0 without a number.
  int64_t Width(const ValueCounts& counts) const {
    int64_t low = INT64_MAX, high = -1;
    for (const Code value : counts.present()) {
      if (step(value) < 0) continue;
      low = std::min(low, step(value));
      high = std::max(high, step(value));
    }
    return high < 0 ? -1 : high - low;
  }
  bool HoldsFor(const ValueCounts& counts) const override {
    const int64_t width = Width(counts);
    if (width < 0) return false;
    if (coarser() > 1) return Value(counts) >= static_cast<long double>(limit().value());
    return Wide{static_cast<uint64_t>(width)} * limit().scale() >= Wide{limit().digits} * finer();
  }
  long double Value(const ValueCounts& counts) const override {
    return static_cast<long double>(Width(counts)) * coarser() / static_cast<long double>(finer());
  }
};

class VarianceSpread final : public Spread {
 public:
  using Spread::Spread;
  bool FailingIsInherited() const override { return false; }

 private:
  struct Moments {
    uint64_t rows = 0;
    Wide sum = 0, squares = 0;
    Wide Scaled() const { return squares * rows - sum * sum; }  // the variance, times rows^2
  };
  Moments Of(const ValueCounts& counts) const {
    Moments moments;
    for (const Code value : counts.present()) {
      if (step(value) < 0) continue;
      const Wide x = static_cast<uint64_t>(step(value));
      moments.rows += counts.count(value);
      moments.sum += x * counts.count(value);
      moments.squares += x * x * counts.count(value);
    }
    return moments;
  }
  bool HoldsFor(const ValueCounts& counts) const override {
    const Moments moments = Of(counts);
    if (moments.rows == 0) return false;
    Wide has = moments.Scaled(), asked = Wide{moments.rows} * moments.rows;
    const bool overflows = coarser() > 1 || __builtin_mul_overflow(has, Wide{limit().scale()}, &has) ||
                           __builtin_mul_overflow(asked, Wide{finer()}, &asked) ||
                           __builtin_mul_overflow(asked, Wide{finer()}, &asked) ||
                           __builtin_mul_overflow(asked, Wide{limit().digits}, &asked);
    if (!overflows) return has >= asked;
    return Value(counts) * (1 - 0x1p-50L) >= static_cast<long double>(limit().value());
  }
  long double Value(const ValueCounts& counts) const override {
    const Moments moments = Of(counts);
    if (moments.rows == 0) return -1;
    const long double unit = coarser() / static_cast<long double>(finer());
    return static_cast<long double>(moments.Scaled()) / static_cast<long double>(moments.rows) /
           static_cast<long double>(moments.rows) * unit * unit;
  }
};

const DemandForm& Form() {
  static const DemandForm form{.option = "spread",
                               .kinds = {"range", "variance"},
                               .example = TADA_OPTION("spread=1000") ", or " TADA_OPTION("spread=salary=1000:range")};
  return form;
}

Result<Demand> Resolve(const Demand& demand, const CountedColumn& column) {
  if (!column.source->is_numeric()) {
    return InvalidArgument(TADA_OPTION("spread") " needs numbers: {} is {}", demand.column,
                           KindName(column.source->kind()))
        .WithHint("Name a numeric column: " TADA_OPTION("spread=salary=1000"));
  }
  Demand resolved = demand;
  if (resolved.kind.empty()) resolved.kind = "range";
  return resolved;
}

std::string Words(const Requirement& requirement, const std::string& sensitive) {
  return DemandWords(requirement, "spread", sensitive, [](const Demand& demand, const std::string& column) {
    return demand.kind == "variance" ? fmt::format("numbers of {} with a variance of at least {}", column, demand.limit)
                                     : fmt::format("numbers of {} that are at least {} apart", column, demand.limit);
  });
}

OptionSpecs Options() {
  return {{.name = "spread",
           .type = OptionType::kList,
           .value_name = "[column=]e[:range|variance]",
           .section = "Requirement",
           .help = "Set how far apart the smallest and the largest number of a sensitive column must be in "
                   "every group, or their least variance. With -l this is (k,e)-anonymity."}};
}

}  // namespace

RequirementEntry SpreadEntry() {
  return {
      .name = "spread",
      .options = Options(),
      .meanings = {{"--spread E",
                    "The smallest and the largest sensitive number of a group are at least E apart; "
                    "with -l N this is (k,e)-anonymity."},
                   {"--spread E:variance", "The variance of the sensitive numbers of a group is at least E."}},
      .read = [](const OptionValues& values,
                 Requirement& requirement) { return ReadDemands(values, Form(), requirement); },
      .write = [](const Requirement& requirement, bool) { return WriteDemands(requirement, "spread"); },
      .check = [](const Requirement& requirement,
                  bool has_sensitive) { return CheckLimits(requirement, "spread", has_sensitive); },
      .words = &Words,
      .plain =
          "The sensitive numbers of a group lie so far apart that knowing the group does not tell about how large a "
          "person's is.",
      .weaken = [](const Requirement& other, Requirement& weaker) { WeakenDemands(other, "spread", false, weaker); },
      .bind =
          [](const Requirement& requirement, const Binding& binding) {
            return BindDemands(requirement, "spread", binding,
                               [&](const Demand& demand, size_t s) -> std::unique_ptr<PrivacyModel> {
                                 if (demand.kind == "variance")
                                   return std::make_unique<VarianceSpread>(demand, binding, s);
                                 return std::make_unique<RangeSpread>(demand, binding, s);
                               });
          },
      .resolve = &Resolve};
}

}  // namespace tada
