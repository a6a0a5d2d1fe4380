#include "audit/checks/value_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "audit/checks/earth_mover.h"
#include "audit/checks/gains.h"
#include "audit/checks/spread.h"
#include "base/decimal.h"
#include "base/option_mark.h"

namespace tada {
namespace {

constexpr uint32_t kLeastPlaces = 4;
constexpr uint64_t kInfinite = UINT64_MAX;

// What a requirement is called, and on which side of the limit it stands.
struct Naming {
  std::string_view name;  // "t"
  std::string kind;       // "ordered"; "" if there are none
  bool at_most = true;    // of what is reached
};

// What classes reach of one requirement, in units of 10^-places, beside what is asked. A limit has no more places than that,
// so that comparing what was rounded to the careful side is comparing what was not.
class BoundCheck final : public ClassCheck {
 public:
  BoundCheck(Naming naming, const Demand& demand, const ValueContext& context,
             const std::function<uint64_t(const ClassShares&, uint32_t places)>& reached)
      : naming_(std::move(naming)),
        column_(context.values->column().name()),
        limit_(*ParseDecimal(demand.limit)),
        asked_(context.asked) {
    places_ = std::max(kLeastPlaces, limit_.places);
    asked_units_ = limit_.digits * (Decimal{.places = places_}.scale() / limit_.scale());
    for (size_t index = 0; index < context.values->num_classes(); ++index) {
      reached_.push_back(reached(context.values->shares(index), places_));
    }
  }

  std::string Breaks(size_t index) const override {
    if (!asked_ || Holds(reached_[index])) return "";
    return fmt::format("{}={} in {}, {} {} asked", naming_.name, Text(reached_[index]), column_,
                       naming_.at_most ? "at most" : "at least", Text(asked_units_));
  }

  ReachedDemand Reached() const override {
    const uint64_t worst = naming_.at_most ? *std::ranges::max_element(reached_) : *std::ranges::min_element(reached_);
    ReachedDemand demand{.name = std::string(naming_.name), .column = column_, .kind = naming_.kind};
    demand.asked = asked_ ? Text(asked_units_) : "";
    demand.reached = Text(worst);
    if (worst != kInfinite)
      demand.value = static_cast<double>(worst) / static_cast<double>(Decimal{.places = places_}.scale());
    demand.at_most = naming_.at_most;
    demand.holds = !asked_ || Holds(worst);
    return demand;
  }

 private:
  bool Holds(uint64_t reached) const { return naming_.at_most ? reached <= asked_units_ : reached >= asked_units_; }
  std::string Text(uint64_t units) const { return units == kInfinite ? "infinite" : DecimalText(units, places_); }

  Naming naming_;
  std::string column_;
  Decimal limit_;
  bool asked_;
  uint32_t places_ = 0;
  uint64_t asked_units_ = 0;
  std::vector<uint64_t> reached_;  // by class
};

using Measure = std::function<uint64_t(const ClassShares&, uint32_t places)>;

std::unique_ptr<ClassCheck> Bound(Naming naming, const Demand& demand, const ValueContext& context,
                                  const Measure& reached) {
  return std::make_unique<BoundCheck>(std::move(naming), demand, context, reached);
}

// Something that was asked and that nothing is known about.
class OpenCheck final : public ClassCheck {
 public:
  OpenCheck(const Naming& naming, const Demand& demand, std::string column, std::string why)
      : reached_{.name = std::string(naming.name), .column = std::move(column), .kind = naming.kind},
        why_(std::move(why)) {
    reached_.asked = demand.limit;
    reached_.reached = "not verified";
  }
  std::string Breaks(size_t /*index*/) const override { return ""; }
  ReachedDemand Reached() const override { return reached_; }
  std::string Unverified() const override { return why_; }

 private:
  ReachedDemand reached_;
  std::string why_;
};

// Numbers and ordinal columns are compared in their order unless something else is said.
std::string KindOf(const Demand& demand, const ValueContext& context) {
  if (!demand.kind.empty() || context.values == nullptr) return demand.kind;
  return context.values->column().kind() == Kind::kCategorical ? "equal" : "ordered";
}

std::unique_ptr<ClassCheck> Open(const Naming& naming, const Demand& demand, const std::string& column,
                                 std::string why) {
  return std::make_unique<OpenCheck>(naming, demand, column, std::move(why));
}

const ValueFacts* FactsOf(const ValueContext& context) {
  const auto& facts = context.options.value_facts;
  return context.column < facts.size() ? &facts[context.column] : nullptr;
}

// The values of the reference in their order; nothing if the order is not known.
std::optional<std::vector<Code>> OrderOf(const ValueContext& context) {
  const Column& column = context.values->column();
  const std::vector<uint64_t>& counts = context.values->reference().counts;
  std::vector<Code> order;
  std::vector<bool> placed(counts.size(), false);
  const auto place = [&](Code code) {
    const Code value = context.values->value_of(code);
    if (counts[value] > 0 && !placed[value]) order.push_back(value);
    placed[value] = true;
  };
  for (Code code = 0; code < column.num_missing(); ++code) place(code);  // "missing" stands before the smallest
  if (column.is_numeric()) {
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) place(code);
    return order;
  }
  const ValueFacts* facts = FactsOf(context);
  if (facts == nullptr || facts->order.empty()) return std::nullopt;
  std::unordered_map<std::string_view, Code> code_of;
  for (Code code = 0; code < column.num_codes(); ++code) code_of.emplace(column.text(code), code);
  for (const std::string& text : facts->order) {
    if (const auto found = code_of.find(text); found != code_of.end()) place(found->second);
  }
  for (Code value = 0; value < counts.size(); ++value) {
    if (counts[value] > 0 && !placed[value]) return std::nullopt;  // a value that the order does not name
  }
  return order;
}

// The nodes above each value; nothing if the hierarchy is not known.
std::optional<std::vector<std::vector<Code>>> PathsOf(const ValueContext& context) {
  const Column& column = context.values->column();
  const ValueFacts* facts = FactsOf(context);
  if (facts == nullptr || facts->paths.empty()) return std::nullopt;
  std::vector<std::vector<Code>> paths(context.values->folded().count);
  for (Code code = 0; code < column.num_codes(); ++code) {
    const auto found = facts->paths.find(std::string(column.text(code)));
    if (found != facts->paths.end()) paths[context.values->value_of(code)] = found->second;
  }
  const size_t height = facts->paths.begin()->second.size();
  for (Code value = 0; value < paths.size(); ++value) {
    if (paths[value].size() == height) continue;
    if (context.values->reference().counts[value] > 0) return std::nullopt;
    paths[value] = facts->paths.begin()->second;  // it never occurs
  }
  return paths;
}

}  // namespace

Result<std::unique_ptr<ClassCheck>> CheckCloseness(const Demand& demand, const ValueContext& context) {
  Naming naming{.name = "t", .kind = KindOf(demand, context)};
  const std::string column = context.column_name;
  if (context.values == nullptr) return Open(naming, demand, column, "");
  const ReferenceShares& reference = context.values->reference();
  if (naming.kind == "equal") {
    return Bound(naming, demand, context, [&](const ClassShares& shares, uint32_t places) {
      return EqualDistance(shares, reference).Up(places);
    });
  }
  if (naming.kind == "ordered") {
    const auto order = OrderOf(context);
    if (!order) {
      return Open(
          naming, demand, column,
          fmt::format("closeness: not verified. The order of the values of {0} is not known: read it as ordinal "
                      "(" TADA_OPTION("sensitive={0}:ordinal") "), or name the plan that has its order.",
                      column));
    }
    const OrderedDistance distance(*order, reference);
    return Bound(naming, demand, context,
                 [&](const ClassShares& shares, uint32_t places) { return distance.Of(shares).Up(places); });
  }
  auto paths = PathsOf(context);
  if (!paths) {
    return Open(naming, demand, column,
                fmt::format("closeness: not verified. The hierarchy of {0} is not known: name it with " TADA_OPTION(
                                "hierarchy={0}=<file>") ".",
                            column));
  }
  const TreeDistance distance(*std::move(paths), reference);
  return Bound(naming, demand, context,
               [&](const ClassShares& shares, uint32_t places) { return distance.Of(shares).Up(places); });
}

Result<std::unique_ptr<ClassCheck>> CheckLikeness(const Demand& demand, const ValueContext& context) {
  const bool enhanced = demand.kind != "basic";
  Naming naming{.name = "beta", .kind = enhanced ? "enhanced" : "basic"};
  if (context.values == nullptr) return Open(naming, demand, context.column_name, "");
  const ReferenceShares& reference = context.values->reference();
  return Bound(naming, demand, context, [&](const ClassShares& shares, uint32_t places) {
    const bool certain = enhanced && !GainsStayBelowLogarithm(shares, reference);
    return certain ? kInfinite : LargestGain(shares, reference, places);
  });
}

Result<std::unique_ptr<ClassCheck>> CheckDisclosure(const Demand& demand, const ValueContext& context) {
  Naming naming{.name = "delta"};
  if (context.values == nullptr) return Open(naming, demand, context.column_name, "");
  const ReferenceShares& reference = context.values->reference();
  return Bound(naming, demand, context, [&](const ClassShares& shares, uint32_t places) {
    return LargestLogRatio(shares, reference, places).value_or(kInfinite);
  });
}

Result<std::unique_ptr<ClassCheck>> CheckAlpha(const Demand& demand, const ValueContext& context) {
  Naming naming{.name = "alpha"};
  if (context.values == nullptr) return Open(naming, demand, context.column_name, "");
  const Column& column = context.values->column();
  std::vector<bool> counts(context.values->folded().count, demand.values.empty());
  for (const std::string& text : demand.values) {
    const std::string sought = FoldedText(text);
    for (Code code = 0; code < column.num_codes(); ++code) {
      if (column.text(code) == text || FoldedText(column.text(code)) == sought)
        counts[context.values->value_of(code)] = true;
    }
  }
  return Bound(naming, demand, context,
               [&](const ClassShares& shares, uint32_t places) { return LargestShare(shares, counts).Up(places); });
}

Result<std::unique_ptr<ClassCheck>> CheckSpread(const Demand& demand, const ValueContext& context) {
  Naming naming{.name = "spread", .kind = demand.kind == "variance" ? "variance" : "range", .at_most = false};
  if (context.values == nullptr) return Open(naming, demand, context.column_name, "");
  const Column& column = context.values->column();
  if (!column.is_numeric()) {
    return InvalidArgument(TADA_OPTION("spread") " needs numbers: {} is {}", column.name(), KindName(column.kind()))
        .WithHint("Name a numeric column: " TADA_OPTION("spread=salary=1000"));
  }
  std::vector<double> numbers(context.values->folded().count, std::nan(""));
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    numbers[context.values->value_of(code)] = column.number(code);
  }
  const NumberSpread spread(numbers);
  return Bound(naming, demand, context, [&](const ClassShares& shares, uint32_t places) {
    const auto reached = naming.kind == "variance" ? spread.Variance(shares, places) : spread.Range(shares, places);
    return reached.value_or(0);
  });
}

}  // namespace tada
