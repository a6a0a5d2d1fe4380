#include "hierarchy/rule_builders.h"

#include <algorithm>
#include <cmath>

#include "base/characters.h"
#include "base/option_mark.h"
#include "table/column_doubt.h"
#include "table/number.h"
#include "table/value_text.h"
#include "writing/writing.h"

namespace tada {
namespace {

constexpr size_t kDoublings = 6;  // widths of width:5: 5 to 160

// A rule taken apart: what numbers stand behind its name.
struct Rule {
  enum class Of { kWidth, kRange, kDates, kPrefix, kSplit, kZip3, kIcd10 } of;
  std::vector<double> steps;       // widths, or how much of a code is kept
  double from = 0, to = INFINITY;  // of a range; `from` of a width
  std::string sign;                // of split
};

Error Unclear(std::string_view text, std::string_view hint) {
  return InvalidArgument("Hierarchy rule is not clear: {}", text).WithHint(std::string(hint));
}

// `5/10/20`.
std::optional<std::vector<double>> Steps(std::string_view text) {
  std::vector<double> steps;
  while (!text.empty()) {
    const size_t end = std::min(text.find('/'), text.size());
    const auto number = ParseNumber(text.substr(0, end));
    if (!number || !(*number > 0)) return std::nullopt;
    steps.push_back(*number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return steps;
}

// Every interval must lie inside one of the next level.
bool AreNested(const std::vector<double>& widths) {
  for (size_t i = 1; i < widths.size(); ++i) {
    const double times = widths[i] / widths[i - 1];
    if (!(times > 1) || times != std::floor(times)) return false;
  }
  return !widths.empty();
}

bool AreLengths(const std::vector<double>& kept) {
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != std::floor(kept[i]) || kept[i] > 1000 || (i > 0 && kept[i] >= kept[i - 1])) return false;
  }
  return !kept.empty();
}

Result<Rule> ParseWidth(std::string_view text) {
  constexpr std::string_view kHint =
      "For example: width:5, width:5:15 to start at 15, or width:5/10/50, each a multiple of the one before.";
  std::string_view rest = text.substr(std::min<size_t>(6, text.size()));
  Rule rule{.of = Rule::Of::kWidth};
  const size_t colon = std::min(rest.find(':'), rest.size());
  const auto steps = Steps(rest.substr(0, colon));
  if (!steps || steps->empty())
    return InvalidArgument("width takes a number above 0: {}", text).WithHint(std::string(kHint));
  rule.steps = *steps;
  if (colon < rest.size()) {
    const auto from = ParseNumber(rest.substr(colon + 1));
    if (!from) return Unclear(text, kHint);
    rule.from = *from;
  }
  if (rule.steps.size() == 1) {
    while (rule.steps.size() < kDoublings) rule.steps.push_back(rule.steps.back() * 2);
    return rule;
  }
  if (!AreNested(rule.steps)) return Unclear(text, kHint);
  return rule;
}

// `0-120/5/10/20`; bounds may be negative.
std::optional<Rule> ParseRange(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view bounds = text.substr(0, slash);
  for (size_t dash = bounds.find('-', 1); dash != std::string_view::npos; dash = bounds.find('-', dash + 1)) {
    const auto from = ParseNumber(bounds.substr(0, dash)), to = ParseNumber(bounds.substr(dash + 1));
    const auto steps = Steps(text.substr(slash + 1));
    if (from && to && steps) return Rule{.of = Rule::Of::kRange, .steps = *steps, .from = *from, .to = *to};
  }
  return std::nullopt;
}

Result<Rule> ParseRule(std::string_view text) {
  if (text == "dates") return Rule{.of = Rule::Of::kDates};
  if (text == "zip3") return Rule{.of = Rule::Of::kZip3};
  if (text == "icd10") return Rule{.of = Rule::Of::kIcd10};
  if (text.starts_with("width")) return ParseWidth(text);
  if (text.starts_with("prefix:")) {
    const auto kept = Steps(text.substr(7));
    if (!kept || !AreLengths(*kept))
      return Unclear(text, "For example: prefix:5/3/1 keeps 5, then 3, then 1 characters.");
    return Rule{.of = Rule::Of::kPrefix, .steps = *kept};
  }
  if (text.starts_with("split:") && text.size() > 6) {
    const size_t slash = std::min(text.find('/', 7), text.size());
    Rule rule{.of = Rule::Of::kSplit, .sign = std::string(text.substr(6, slash - 6))};
    const auto kept = slash == text.size() ? std::optional(std::vector<double>{1}) : Steps(text.substr(slash + 1));
    if (!kept || !AreLengths(*kept))
      return Unclear(text,
                     "For example: split:. keeps what is before the first point; split:./2/1 two parts, then one.");
    rule.steps = *kept;
    return rule;
  }
  if (auto range = ParseRange(text)) {
    const double last = range->steps.empty() ? 0 : range->steps.back();
    const double times = last > 0 ? (range->to - range->from) / last : 0;
    if (AreNested(range->steps) && times >= 1 && times == std::floor(times)) return *std::move(range);
    return Unclear(
        text, "For example: 0-120/5/10/20: every width a multiple of the one before, and the range one of the last.");
  }
  return Unclear(text, "Rules are width:5, 0-120/5/10/20, dates, prefix:5/3/1, split:., zip3 and icd10.");
}

// A number without the noise of binary fractions: 0.30000000000000004 is 0.3. Pre: it is finite.
std::string PlainNumberText(double number) {
  return fmt::format("{}", ParseNumber(fmt::format("{:.12g}", number)).value_or(number));
}

// A bound as the column writes numbers.
std::string Bound(const Column& column, double number) {
  const std::string plain = PlainNumberText(number);
  return column.writing().is_plain() ? plain : column.writing().Write(plain);
}

// The label of a number at a width; nothing if a bound is beyond the doubles.
std::optional<std::string> NumberLabel(const Column& column, const Rule& rule, double width, double number) {
  if (number < rule.from && rule.of == Rule::Of::kRange) return fmt::format("<{}", Bound(column, rule.from));
  if (number >= rule.to) return fmt::format(">={}", Bound(column, rule.to));
  const double index = std::floor((number - rule.from) / width);
  const double low = rule.from + index * width, high = rule.from + (index + 1) * width;
  if (!std::isfinite(low) || !std::isfinite(high)) return std::nullopt;
  return IntervalCell(Bound(column, low), Bound(column, high), column.writing(), true);
}

Result<LabelLevels> NumberLevels(const Rule& rule, const Column& column) {
  LabelLevels levels;
  for (const double width : rule.steps) {
    std::vector<std::string> labels(column.num_codes());
    bool fits = true;
    for (Code code = column.num_missing(); code < column.num_codes() && fits; ++code) {
      auto label = NumberLabel(column, rule, width, column.number(code));
      fits = label.has_value();
      if (fits) labels[code] = *std::move(label);
    }
    if (fits) levels.push_back(std::move(labels));
  }
  return levels;
}

// The day of a time stamp as the interval that it is: the day alone would be read as its first moment.
std::string DayLabel(const std::string& day) {
  return fmt::format("[{},{})", day, DateText(static_cast<int64_t>(*ParseDate(day)) + 1));
}

// Of time stamps the day first; days of days are the values themselves.
LabelLevels DateLevels(const Column& column) {
  LabelLevels levels(5, std::vector<std::string>(column.num_codes()));
  bool stamps = false;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    const std::string plain = column.plain(code);  // YYYY-MM-DD and perhaps more
    const std::string year = plain.substr(0, 4);
    const int month = (plain[5] - '0') * 10 + (plain[6] - '0');
    stamps = stamps || plain.size() > 10;
    levels[0][code] = DayLabel(plain.substr(0, 10));
    levels[1][code] = fmt::format("{}-{:02}", year, month);
    levels[2][code] = fmt::format("{}-Q{}", year, (month + 2) / 3);
    levels[3][code] = year;
    levels[4][code] = year.substr(0, 3) + "0s";
  }
  if (!stamps) levels.erase(levels.begin());
  return levels;
}

std::string Beginning(std::string_view text, size_t characters) {
  size_t bytes = 0;
  for (size_t i = 0; i < characters && bytes < text.size(); ++i)
    bytes += std::max<size_t>(1, Utf8Length(text.substr(bytes)));
  return std::string(text.substr(0, bytes)) + "...";
}

std::string FirstParts(std::string_view text, const std::string& sign, size_t parts) {
  size_t end = 0;
  for (size_t i = 0; i < parts && end != std::string_view::npos; ++i)
    end = text.find(sign, i == 0 ? 0 : end + sign.size());
  return std::string(text.substr(0, end)) + "...";
}

// What stands above a value, from level 1 on; nothing for a value that the rule is not for.
std::optional<std::vector<std::string>> PathOf(const Rule& rule, const Column& column, Code code) {
  const std::string_view text = column.text(code);
  std::vector<std::string> path;
  switch (rule.of) {
    case Rule::Of::kPrefix:
      for (const double kept : rule.steps) path.push_back(Beginning(text, static_cast<size_t>(kept)));
      return path;
    case Rule::Of::kSplit:
      for (const double kept : rule.steps) path.push_back(FirstParts(text, rule.sign, static_cast<size_t>(kept)));
      return path;
    case Rule::Of::kZip3:
      if (text.size() != 5 || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
      return std::vector<std::string>{std::string(text.substr(0, 3)) + "**"};
    case Rule::Of::kIcd10:
      return Icd10Path(text);
    case Rule::Of::kDates:
    case Rule::Of::kWidth:
    case Rule::Of::kRange:
      break;
  }
  return path;
}

std::string_view KindOf(const Rule& rule) {
  switch (rule.of) {
    case Rule::Of::kWidth:
    case Rule::Of::kRange:
      return "numbers";
    case Rule::Of::kDates:
      return "dates";
    case Rule::Of::kZip3:
      return "postcodes of five digits";
    case Rule::Of::kIcd10:
      return "codes of ICD-10";
    default:
      return "codes";
  }
}

}  // namespace

bool IsRule(std::string_view text) {
  const std::string_view name = text.substr(0, std::min(text.find(':'), text.size()));
  if (name == "width" || text == "dates" || text == "zip3" || text == "icd10") return true;
  return text.starts_with("prefix:") || text.starts_with("split:") || ParseRange(text).has_value();
}

Result<LabelLevels> RuleLevels(std::string_view text, const Column& column) {
  TADA_TRY(rule, ParseRule(text));
  const bool numbers = rule.of == Rule::Of::kWidth || rule.of == Rule::Of::kRange;
  if ((numbers && (!column.is_numeric() || column.is_date())) || (rule.of == Rule::Of::kDates && !column.is_date())) {
    return InvalidArgument("Builder {} needs a column of {}: {} is {}", text.substr(0, text.find(':')), KindOf(rule),
                           column.name(), column.is_date() ? "dates" : KindName(column.kind()));
  }
  if (numbers) return NumberLevels(rule, column);
  if (rule.of == Rule::Of::kDates) return DateLevels(column);
  LabelLevels levels;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    auto path = PathOf(rule, column, code);
    if (!path) {
      return InvalidArgument("Rule {} is for {}, and column {} has another value: see {}", text, KindOf(rule),
                             column.name(), FirstPlace(column, code))
          .WithHint("Correct the value, name it in " TADA_OPTION(
              "missing") " if it means that there is none, or give the column a file.");
    }
    if (levels.size() < path->size()) levels.resize(path->size(), std::vector<std::string>(column.num_codes()));
    for (size_t level = 0; level < path->size(); ++level) levels[level][code] = std::move((*path)[level]);
  }
  return levels;
}

Result<std::vector<std::string>> RuleWords(std::string_view text) {
  TADA_TRY(rule, ParseRule(text));
  std::vector<std::string> words;
  switch (rule.of) {
    case Rule::Of::kDates:
      return std::vector<std::string>{"month (time stamps: the day, then the month)", "quarter", "year", "decade"};
    case Rule::Of::kZip3:
      return std::vector<std::string>{"the first three digits"};
    case Rule::Of::kIcd10:
      return std::vector<std::string>{"category: E11.-", "block: E10-E14", "chapter: E00-E90"};
    case Rule::Of::kPrefix:
    case Rule::Of::kSplit:
      for (const double kept : rule.steps) {
        words.push_back(fmt::format(
            "the first {}{}", kept > 1 ? fmt::format("{} ", kept) : "",
            rule.of == Rule::Of::kPrefix ? (kept > 1 ? "characters" : "character") : (kept > 1 ? "parts" : "part")));
      }
      return words;
    case Rule::Of::kWidth:
    case Rule::Of::kRange:
      break;
  }
  for (const double width : rule.steps) {
    std::string one = fmt::format("intervals of {} from {}", PlainNumberText(width), PlainNumberText(rule.from));
    if (rule.of == Rule::Of::kRange)
      one += fmt::format(" to {}; beyond: <{} and >={}", PlainNumberText(rule.to), PlainNumberText(rule.from),
                         PlainNumberText(rule.to));
    words.push_back(std::move(one));
  }
  return words;
}

}  // namespace tada
