#include "privacy/models/demand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_mark.h"
#include "privacy/canonical_value.h"

namespace tada {
namespace {

// Splits `LIMIT[:REST]`; nothing if it does not begin with a decimal.
std::optional<std::pair<std::string_view, std::optional<std::string_view>>> SplitLimit(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view limit = text.substr(0, colon);
  if (!ParseDecimal(limit)) return std::nullopt;
  if (colon == std::string_view::npos) return {{limit, std::nullopt}};
  return {{limit, text.substr(colon + 1)}};
}

Error NotADemand(const DemandForm& form, std::string_view item) {
  std::string takes = "a decimal such as 0.2 (at most 9 digits behind the point), or <column>=0.2";
  if (!form.kinds.empty()) takes += fmt::format(", with :{} behind it if you like", fmt::join(form.kinds, " or :"));
  if (form.takes_values) takes += ", with :<value> behind it for single values";
  return InvalidArgument(TADA_OPTION("{}") " takes {}, not '{}'", form.option, takes, item)
      .WithHint(fmt::format("For example: {}", form.example));
}

Result<Demand> ParseDemand(const DemandForm& form, const std::string& item) {
  Demand demand{.name = std::string(form.option)};
  auto split = SplitLimit(item);
  // A column's name may hold equal signs; what follows the right one is a limit.
  for (size_t at = item.find('='); !split && at != std::string::npos; at = item.find('=', at + 1)) {
    split = SplitLimit(std::string_view(item).substr(at + 1));
    demand.column = item.substr(0, at);
    if (split && demand.column.empty()) split.reset();
  }
  if (!split) return NotADemand(form, item);
  demand.limit = split->first;
  if (!split->second) return demand;
  if (form.takes_values) {
    demand.values.emplace_back(*split->second);
  } else if (std::ranges::find(form.kinds, *split->second) != form.kinds.end()) {
    demand.kind = *split->second;
  } else {
    return NotADemand(form, item);
  }
  return demand;
}

}  // namespace

Status ReadDemands(const OptionValues& values, const DemandForm& form, Requirement& requirement) {
  if (!values.Has(form.option)) return Ok();
  std::vector<Demand> demands;
  for (const std::string& item : values.List(form.option)) {
    const bool follows = form.takes_values && !demands.empty() && !demands.back().values.empty();
    Result<Demand> demand = ParseDemand(form, item);
    if (follows && (!demand.ok() || demand->column.empty())) {
      demands.back().values.push_back(item);
      continue;
    }
    if (!demand.ok()) return demand.error();
    demands.push_back(*std::move(demand));
  }
  DropDemands(form.option, requirement);
  std::ranges::move(demands, std::back_inserter(requirement.more));
  return Ok();
}

std::vector<WrittenOption> WriteDemands(const Requirement& requirement, std::string_view option) {
  WrittenOption written{.name = option, .values = {}, .in_command = true};
  for (const Demand& demand : DemandsOf(requirement, option)) {
    for (std::string& item : DemandItems(demand)) written.values.push_back(std::move(item));
  }
  if (written.values.empty()) return {};
  return {std::move(written)};
}

Status CheckDemands(const Requirement& requirement, std::string_view option, bool has_sensitive) {
  const std::vector<Demand> demands = DemandsOf(requirement, option);
  if (!demands.empty() && !has_sensitive) {
    return InvalidArgument(TADA_OPTION("{}") " needs " TADA_OPTION(
                               "sensitive") ": it is about sensitive values, and no column is sensitive",
                           option)
        .WithHint(fmt::format("Name the column to protect, as in " TADA_OPTION(
                                  "sensitive=disease") ", or leave " TADA_OPTION("{}") " out.",
                              option));
  }
  for (size_t i = 0; i < demands.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (demands[i].column != demands[j].column) continue;
      return InvalidArgument(TADA_OPTION("{}") " asks twice of {}", option,
                             demands[i].column.empty() ? "all sensitive columns" : demands[i].column)
          .WithHint("Write <column>=<limit> to ask something else of a column.");
    }
  }
  return Ok();
}

Status CheckLimits(const Requirement& requirement, std::string_view option, bool has_sensitive) {
  TADA_CHECK_OK(CheckDemands(requirement, option, has_sensitive));
  for (const Demand& demand : DemandsOf(requirement, option)) {
    if (ParseDecimal(demand.limit)->digits == 0) return InvalidArgument(TADA_OPTION("{}") " must be above 0", option);
  }
  return Ok();
}

std::vector<Demand> DemandsOf(const Requirement& requirement, std::string_view option) {
  std::vector<Demand> demands;
  std::ranges::copy_if(requirement.more, std::back_inserter(demands),
                       [&](const Demand& demand) { return demand.name == option; });
  return demands;
}

const Demand* DemandFor(const Requirement& requirement, std::string_view option, std::string_view column) {
  const Demand* of_all = nullptr;
  for (const Demand& demand : requirement.more) {
    if (demand.name != option) continue;
    if (demand.column == column) return &demand;
    if (demand.column.empty()) of_all = &demand;
  }
  return of_all;
}

std::string DemandKind(const Demand& demand, const Column& column) {
  if (!demand.kind.empty()) return demand.kind;
  return column.kind() == Kind::kCategorical ? "equal" : "ordered";
}

void WeakenDemands(const Requirement& other, std::string_view option, bool larger, Requirement& weaker) {
  std::vector<Demand> common;
  for (Demand demand : DemandsOf(weaker, option)) {
    for (const Demand& theirs : DemandsOf(other, option)) {
      if (theirs.column != demand.column || theirs.kind != demand.kind) continue;
      const bool is_larger = ParseDecimal(theirs.limit)->value() > ParseDecimal(demand.limit)->value();
      if (is_larger == larger) demand.limit = theirs.limit;
      if (!demand.values.empty() && !theirs.values.empty()) {
        std::erase_if(demand.values, [&](const std::string& value) {
          return std::ranges::find(theirs.values, value) == theirs.values.end();
        });
        if (demand.values.empty()) continue;  // they are about different values
      } else if (demand.values.empty()) {
        demand.values = theirs.values;
      }
      common.push_back(demand);
    }
  }
  DropDemands(option, weaker);
  std::ranges::move(common, std::back_inserter(weaker.more));
}

void DropDemands(std::string_view option, Requirement& requirement) {
  std::erase_if(requirement.more, [&](const Demand& demand) { return demand.name == option; });
}

std::string DemandWords(const Requirement& requirement, std::string_view option, const std::string& sensitive,
                        std::string (*words)(const Demand& demand, const std::string& column)) {
  std::string text;
  for (const Demand& demand : DemandsOf(requirement, option)) {
    text += (text.empty() ? "" : " and ") + words(demand, demand.column.empty() ? sensitive : demand.column);
  }
  return text;
}

ReferenceCounts::ReferenceCounts(const Binding& binding, size_t s) {
  const Tally& reference = binding.Reference();
  counts.assign(binding.sensitive()[s].num_values, 0);
  for (const Code value : reference.columns[s].present()) counts[value] = reference.columns[s].count(value);
  members = reference.rows;
  total = Total(reference.columns[s]);
}

std::vector<Code> FindValues(const CountedColumn& column, const std::string& text) {
  const std::string sought = CanonicalValue(text);
  std::vector<Code> values;
  for (Code code = 0; code < column.source->num_codes(); ++code) {
    const std::string_view other = column.source->text(code);
    if (other == text || CanonicalValue(other) == sought) values.push_back(column.value_of_code[code]);
  }
  return values;
}

uint64_t Total(const ValueCounts& counts) {
  uint64_t total = 0;
  for (const Code value : counts.present()) total += counts.count(value);
  return total;
}

}  // namespace tada
