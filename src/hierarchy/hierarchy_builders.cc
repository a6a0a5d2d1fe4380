#include "hierarchy/hierarchy_builders.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/characters.h"
#include "hierarchy/rule_builders.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr std::string_view kBuilders[] = {"count", "width", "round", "dates", "prefix",
                                          "split", "zip3",  "icd10", "means", "flat"};
constexpr std::string_view kRoot = "*";
constexpr size_t kMaxLevels = 64;        // more than any column of doubles needs
constexpr size_t kLongestSetLabel = 20;  // values that a label spells out

// A value may look like a label, `{a,b}` or `4**`: the label then says that it is one.
void KeepLabelsApart(const Column& column, LabelLevels& levels) {
  std::unordered_set<std::string_view> values;
  for (Code code = 0; code < column.num_codes(); ++code) values.insert(column.text(code));
  for (std::vector<std::string>& level : levels) {
    std::unordered_map<std::string, uint32_t> sizes;
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) ++sizes[level[code]];
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      if (level[code] == column.text(code) && sizes[level[code]] == 1) continue;
      if (!values.contains(level[code])) continue;
      std::replace(level[code].begin(), level[code].end(), '*', '.');  // a name now: stars would make it a pattern
      do level[code] += " (group)";
      while (values.contains(level[code]));
    }
  }
}

// Levels whose rarest label has no more rows than that of the level below say little of numbers and dates, and are dropped; of codes
// there is always a rare one.
Result<Hierarchy> FromLevels(const Column& column, LabelLevels levels, std::string_view builder, bool drop_idle) {
  HierarchyLines lines;
  lines.source = fmt::format("{} of {}", builder, column.name());
  KeepLabelsApart(column, levels);
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    std::vector<std::string>& line = lines.lines.emplace_back();
    line.emplace_back(column.text(code));
    for (const auto& level : levels) {
      line.push_back(level[code]);
    }
    line.emplace_back(kRoot);
  }
  if (lines.lines.empty()) lines.lines.push_back({"", std::string(kRoot)});  // every value is missing
  TADA_TRY(aligned, AlignLines(std::move(lines)));
  TADA_TRY(hierarchy, BindHierarchy(aligned, column));
  if (drop_idle) hierarchy.DropIdleLevels(column);
  return hierarchy;
}

size_t CountDifferent(const Column& column, const std::vector<std::string>& labels) {
  std::vector<std::string_view> seen(labels.begin() + column.num_missing(), labels.end());
  std::sort(seen.begin(), seen.end());
  return static_cast<size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

LabelLevels CountLevels(const Column& column, size_t group) {
  // Values in order, each by its first code: spellings of one number stand together.
  std::vector<Code> first_of_value;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (first_of_value.empty() || !column.same_value(first_of_value.back(), code)) first_of_value.push_back(code);
  }
  LabelLevels levels;
  for (size_t size = group; size < first_of_value.size(); size *= 2) {
    std::vector<std::string>& labels = levels.emplace_back(column.num_codes());
    for (size_t begin = 0; begin < first_of_value.size(); begin += size) {
      const size_t end = std::min(begin + size, first_of_value.size());
      const Code low = first_of_value[begin], last = first_of_value[end - 1];
      const Code behind = end < first_of_value.size() ? first_of_value[end] : column.num_codes();
      const Code high = last == low ? low : behind - 1;
      const std::string label = low == high ? std::string(column.text(low))
                                            : IntervalCell(column.text(low), column.text(high), column.writing());
      for (Code code = low; code < behind; ++code) labels[code] = label;
    }
  }
  return levels;
}

// A number without the noise of binary fractions: 0.30000000000000004 is 0.3. Pre: it is finite.
std::string Plain(double number) {
  return fmt::format("{}", ParseNumber(fmt::format("{:.12g}", number)).value_or(number));
}

std::string Written(const Column& column, double number) {
  return column.writing().is_plain() ? Plain(number) : column.writing().Write(Plain(number));
}

// The intervals of one width that hold the values; nothing if a bound is beyond the doubles, which is so of a width that is
// next to nothing beside the values.
std::optional<std::vector<std::string>> WidthLabels(const Column& column, double width, double from) {
  std::vector<std::string> labels(column.num_codes());
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const double index = std::floor((column.number(code) - from) / width);
    const double low = from + index * width, high = from + (index + 1) * width;
    if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
    labels[code] = IntervalCell(Written(column, low), Written(column, high), column.writing(), true);
  }
  return labels;
}

LabelLevels WidthLevels(const Column& column, double width, double from, double factor) {
  LabelLevels levels;
  size_t last = column.num_codes() + size_t{1};
  for (size_t i = 0; i < kMaxLevels; ++i, width *= factor) {
    std::optional<std::vector<std::string>> labels = WidthLabels(column, width, from);
    if (!labels) continue;
    const size_t different = CountDifferent(column, *labels);
    if (different < 2 || (different == 2 && last == 2))
      break;  // numbers on both sides of `from` never share an interval
    last = different;
    levels.push_back(*std::move(labels));
  }
  return levels;
}

double FinestPowerOfTen(const Column& column) {
  double least = INFINITY;
  for (Code code = column.num_missing() + 1; code < column.num_codes(); ++code) {
    if (!column.same_value(code - 1, code)) least = std::min(least, column.number(code) - column.number(code - 1));
  }
  return std::isfinite(least) ? std::pow(10.0, std::floor(std::log10(least)) + 1) : 1.0;
}

// The characters of a text; bytes that are none count one each.
std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    characters.push_back(text.substr(0, std::max<size_t>(1, Utf8Length(text))));
    text.remove_prefix(characters.back().size());
  }
  return characters;
}

// By code.
using CharacterRows = std::vector<std::vector<std::string_view>>;

CharacterRows CharactersOf(const Column& column) {
  CharacterRows characters(column.num_codes());
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    characters[code] = Characters(column.text(code));
  }
  return characters;
}

size_t Longest(const CharacterRows& characters) {
  size_t longest = 0;
  for (const auto& of_code : characters) longest = std::max(longest, of_code.size());
  return longest;
}

bool HaveOneLength(const Column& column, const CharacterRows& characters) {
  const size_t longest = Longest(characters);
  return std::all_of(characters.begin() + column.num_missing(), characters.end(),
                     [&](const auto& of_code) { return of_code.size() == longest; });
}

// Texts of unequal lengths (A01, A01.1, A01.15) that begin alike: "A01..." for all of them. A star for each character, as texts of
// one length have, would tell them apart by their lengths at every level but the last.
LabelLevels BeginningLevels(const Column& column, const CharacterRows& characters) {
  LabelLevels levels;
  size_t different = column.num_codes() - column.num_missing();
  for (size_t keep = Longest(characters); keep-- > 1;) {
    std::map<std::string, std::vector<Code>> beginnings;
    std::vector<std::string>& labels = levels.emplace_back(column.num_codes());
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      labels[code] = column.text(code);
      if (characters[code].size() < keep) continue;
      beginnings[fmt::format("{}...", fmt::join(std::span(characters[code]).first(keep), ""))].push_back(code);
    }
    for (const auto& [label, codes] : beginnings) {
      for (const Code code : codes) {
        if (codes.size() > 1) labels[code] = label;
      }
    }
    const size_t now = CountDifferent(column, labels);
    if (now == different) levels.pop_back();
    different = now;
  }
  return levels;
}

LabelLevels PrefixLevels(const Column& column, const CharacterRows& characters) {
  LabelLevels levels;
  for (size_t keep = Longest(characters); keep-- > 1;) {
    std::vector<std::string>& labels = levels.emplace_back(column.num_codes());
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      for (size_t i = 0; i < characters[code].size(); ++i) labels[code] += i < keep ? characters[code][i] : "*";
    }
  }
  return levels;
}

// A set of values as released cells write one; beyond a few values, their number.
std::string ClusterLabel(const Column& column, const std::vector<Code>& codes, const std::string& path) {
  if (codes.size() == 1) return std::string(column.text(codes[0]));
  if (codes.size() > kLongestSetLabel) return fmt::format("cluster {} ({} values)", path, codes.size());
  std::vector<std::string> texts;
  for (const Code code : codes) {
    const std::string text(column.text(code));
    const bool plain = text.find_first_of(",{}\"\\") == std::string::npos && !text.empty() &&
                       std::isspace(static_cast<unsigned char>(text.front())) == 0 &&
                       std::isspace(static_cast<unsigned char>(text.back())) == 0;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    texts.push_back(plain ? text : quoted + '"');
  }
  std::sort(texts.begin(), texts.end());
  return fmt::format("{{{}}}", fmt::join(texts, ","));
}

LabelLevels MeansLevels(const Table& table, ColumnId id, std::optional<ColumnId> label) {
  const Column& column = table.column(id);
  const std::vector<std::string> paths = TwoMeansPaths(table, id, label);
  size_t deepest = 0;
  for (const std::string& path : paths) deepest = std::max(deepest, path.size());
  LabelLevels levels;
  for (size_t depth = deepest; depth > 0; --depth) {
    std::map<std::string, std::vector<Code>> clusters;
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      clusters[paths[code].size() < depth ? paths[code] + "=" + std::to_string(code) : paths[code].substr(0, depth)]
          .push_back(code);
    }
    std::vector<std::string>& labels = levels.emplace_back(column.num_codes());
    for (const auto& [path, codes] : clusters) {
      const std::string text = ClusterLabel(column, codes, path);
      for (const Code code : codes) labels[code] = text;
    }
  }
  return levels;
}

struct Arguments {
  std::string name;
  std::vector<double> numbers;
};

Result<Arguments> ParseBuilder(std::string_view text) {
  Arguments arguments;
  const size_t colon = std::min(text.find(':'), text.size());
  arguments.name = text.substr(0, colon);
  for (size_t at = colon; at < text.size();) {
    const size_t end = std::min(text.find(':', at + 1), text.size());
    const auto number = ParseNumber(text.substr(at + 1, end - at - 1));
    if (!number)
      return InvalidArgument("A builder takes numbers behind its name: {}", text).WithHint("For example: count:5");
    arguments.numbers.push_back(*number);
    at = end;
  }
  const size_t allowed = arguments.name == "count" ? 1 : 0;
  if (arguments.numbers.size() > allowed) {
    return InvalidArgument("Builder {} takes {} numbers: {}", arguments.name, allowed == 0 ? "no" : "one", text);
  }
  return arguments;
}

}  // namespace

bool IsBuilder(std::string_view text) {
  if (IsRule(text)) return true;
  const std::string_view name = text.substr(0, std::min(text.find(':'), text.size()));
  return std::find(std::begin(kBuilders), std::end(kBuilders), name) != std::end(kBuilders);
}

std::string_view DefaultBuilder(const Column& column) {
  if (!column.is_numeric()) return column.num_values() > 2 ? "means" : "flat";
  return column.is_date() ? "dates" : "count:5";
}

Result<Hierarchy> BuildHierarchy(std::string_view builder, const Table& table, ColumnId id,
                                 std::optional<ColumnId> label) {
  const Column& column = table.column(id);
  if (IsRule(builder)) {
    TADA_TRY(by_rule, RuleLevels(builder, column));
    return FromLevels(column, std::move(by_rule), builder, false);
  }
  TADA_TRY(arguments, ParseBuilder(builder));
  const std::string& name = arguments.name;
  const auto needs = [&](bool holds, std::string_view what) -> Status {
    if (holds) return Ok();
    return InvalidArgument("Builder {} needs a column of {}: {} is {}", name, what, column.name(),
                           column.is_date() ? "dates" : KindName(column.kind()));
  };
  LabelLevels levels;
  bool drop_idle = true;
  if (name == "count") {
    TADA_CHECK_OK(needs(column.is_numeric(), "numbers"));
    const double group = arguments.numbers.empty() ? 5 : arguments.numbers[0];
    if (group < 2 || group != std::floor(group) || group > 1e9)
      return InvalidArgument("count takes a whole number of 2 or more: {}", builder);
    levels = CountLevels(column, static_cast<size_t>(group));
  } else if (name == "round") {
    TADA_CHECK_OK(needs(column.is_numeric() && !column.is_date(), "numbers"));
    levels = WidthLevels(column, FinestPowerOfTen(column), 0.0, 10);
  } else if (name == "prefix") {
    const CharacterRows characters = CharactersOf(column);
    drop_idle = HaveOneLength(column, characters);
    levels = drop_idle ? PrefixLevels(column, characters) : BeginningLevels(column, characters);
  } else if (name == "means") {
    levels = MeansLevels(table, id, label);
  } else if (name != "flat") {
    return InvalidArgument("Unknown builder: {}", builder)
        .WithHint(fmt::format("Builders are: {}.", fmt::join(kBuilders, ", ")));
  }
  return FromLevels(column, std::move(levels), builder, drop_idle);
}

}  // namespace tada
