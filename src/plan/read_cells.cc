#include <algorithm>
#include <cmath>

#include "base/option_mark.h"
#include "plan/read_plan.h"
#include "table/number.h"

namespace tada {
namespace {

// `<column>=<lowest>..<highest>`; a column's name may hold equal signs.
std::optional<ColumnClip> ParseRange(const std::string& text) {
  const size_t equals = text.rfind('='), dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || dots == std::string::npos) return std::nullopt;
  return ColumnClip{text.substr(0, equals), text.substr(equals + 1, dots - equals - 1), text.substr(dots + 2)};
}

/// --domain <column>=<lowest>..<highest>.
Status ReadDomains(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("domain")) {
    const auto range = ParseRange(text);
    if (!range) {
      return InvalidArgument(TADA_OPTION("domain") " takes <column>=<lowest>..<highest>, not '{}'", text)
          .WithHint("For example: " TADA_OPTION("domain=age=0..120"));
    }
    if (std::ranges::find(plan.quasi, range->column, &PlannedColumn::name) == plan.quasi.end()) {
      return InvalidArgument(TADA_OPTION("domain") " is for a quasi-identifier: {}", range->column)
          .WithHint("Name a column of " TADA_OPTION("quasi") ", as in " TADA_OPTION("domain=age=0..120"));
    }
    if (!plan.domains.try_emplace(range->column, range->low, range->high).second) {
      return InvalidArgument(TADA_OPTION("domain") " names a column twice: {}", range->column);
    }
  }
  return Ok();
}

/// --clip <column>=<lowest>..<highest>, of which one end may be missing.
Status ReadClips(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("clip")) {
    auto clip = ParseRange(text);
    if (!clip) {
      return InvalidArgument(TADA_OPTION("clip") " takes <column>=<lowest>..<highest>, not '{}'", text)
          .WithHint("For example: " TADA_OPTION("clip=age=18..90") ", or " TADA_OPTION("clip=income=..200000"));
    }
    if (clip->low.empty() && clip->high.empty()) {
      return InvalidArgument(TADA_OPTION("clip") " says no end: {}", text)
          .WithHint("For example: " TADA_OPTION("clip=age=18..90"));
    }
    if (std::ranges::find(plan.clip, clip->column, &ColumnClip::column) != plan.clip.end()) {
      return InvalidArgument(TADA_OPTION("clip") " names a column twice: {}", clip->column);
    }
    plan.clip.push_back(*std::move(clip));
  }
  return Ok();
}

/// --importance <column>=<weight>.
Status ReadImportance(const OptionValues& values, Plan& plan) {
  for (const std::string& text : values.List("importance")) {
    const size_t equals = std::min(text.rfind('='), text.size());
    const auto weight = equals == text.size() ? std::nullopt : ParseNumber(text.substr(equals + 1));
    if (equals == 0 || !weight || !(*weight > 0 && *weight <= 1e6)) {
      return InvalidArgument(
                 TADA_OPTION(
                     "importance") " takes <column>=<weight>, with a weight above 0 and up to 1000000, not '{}'",
                 text)
          .WithHint("For example: " TADA_OPTION("importance=age=2,zip") "=0.5");
    }
    if (!plan.importance.try_emplace(text.substr(0, equals), *weight).second) {
      return InvalidArgument(TADA_OPTION("importance") " names a column twice: {}", text.substr(0, equals));
    }
  }
  return Ok();
}

}  // namespace

Status ReadCells(const OptionValues& values, Plan& plan) {
  plan.withhold = values.Real("withhold", 0);
  if (values.Has("recode")) plan.recode = values.Text("recode");
  TADA_CHECK_OK(ReadClips(values, plan));
  TADA_CHECK_OK(ReadImportance(values, plan));
  if (values.Has("cells")) plan.cells = values.Text("cells");
  plan.range_cut = values.Text("range") == "cut";
  plan.min_member = values.Integer("min-member", 0);
  return ReadDomains(values, plan);
}

}  // namespace tada
