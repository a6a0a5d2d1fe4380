#include "table/column_doubt.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <span>

#include "base/option_mark.h"
#include "base/words.h"
#include "table/column_builder.h"
#include "table/number.h"
#include "writing/find_writing.h"

namespace tada {
namespace {

constexpr std::string_view kRowBegin = "\xEE\x80\x82", kRowEnd = "\xEE\x80\x83";  // of Unicode's private use

constexpr size_t kShown = 5;      // rows and words that a message names
constexpr size_t kOneIn = 20;     // words in no more rows than this: 5%
constexpr size_t kLookedAt = 50;  // values among which one is looked for that shows a writing

std::string Suffix(const Writing& writing) {
  return writing.is_dates() ? "date:" + writing.text() : "numeric:" + writing.text();
}

}  // namespace

Error UndecidedWriting(std::string_view column, const std::vector<Writing>& writings) {
  std::vector<std::string> words, ways;
  for (const Writing& writing : writings) {
    words.push_back(WritingWords(writing));
    const std::string way = fmt::format("{}:{}", column, Suffix(writing));
    ways.push_back(way.find(',') == std::string::npos ? way : fmt::format("\"{}\"", way));
  }
  const bool dates = writings.front().is_dates();
  return InvalidArgument("Column can be read in {} ways: {}: {}", writings.size(), column,
                         fmt::format("{} as {}", dates ? "dates" : "numbers", fmt::join(words, ", or ")))
      .WithHint(fmt::format("Say which is right: {}; or {}:categorical.", fmt::join(ways, " or "), column));
}

std::string PlacesOfRows(const std::vector<uint64_t>& rows, const RowLines* lines) {
  std::vector<uint64_t> numbers = lines == nullptr ? std::vector<uint64_t>() : lines->Of(rows);
  const bool known = numbers.size() == rows.size();
  if (!known) {
    numbers = rows;
    for (uint64_t& number : numbers) ++number;
  }
  return fmt::format("{}{} {}", known ? "line" : "row", rows.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

RowId FirstRow(const Column& column, Code code) {
  return column.codes().Visit(
      [&](auto codes) { return static_cast<RowId>(std::find(codes.begin(), codes.end(), code) - codes.begin()); });
}

std::string PlaceOfRow(const Column& column, RowId row) { return PlacesOfRows({row}, column.lines()); }

std::string FirstPlace(const Column& column, Code code) { return PlaceOfRow(column, FirstRow(column, code)); }

std::string RowMark(uint64_t row) { return fmt::format("{}{}{}", kRowBegin, row, kRowEnd); }

std::string WithPlaces(std::string_view text, const RowLines* lines) {
  const size_t begin = text.find(kRowBegin), end = text.find(kRowEnd);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::string(text);
  const std::string_view number = text.substr(begin + kRowBegin.size(), end - begin - kRowBegin.size());
  uint64_t row = 0;
  std::from_chars(number.data(), number.data() + number.size(), row);
  return fmt::format("{}{}{}", text.substr(0, begin), PlacesOfRows({row}, lines),
                     WithPlaces(text.substr(end + kRowEnd.size()), lines));
}

std::string DoubtWords(const Column& column, bool show_values) {
  const ColumnDoubt* doubt = column.doubt();
  if (doubt == nullptr) return "";
  if (!doubt->undecided.empty()) {
    const Error error = UndecidedWriting(column.name(), doubt->undecided);
    return fmt::format("{}. It is taken for names. {}", error.message, error.hint);
  }
  const std::string more = doubt->word_rows > doubt->first_rows.size() ? ", ..." : "";
  const std::string shown = show_values ? fmt::format(": '{}'", fmt::join(doubt->words, "', '")) : "";
  const std::string word = show_values && !doubt->words.empty() ? doubt->words.front() : "<word>";
  return fmt::format(
      "Column {} is taken for names: all but {} of its rows hold {} ({}{}{}). If what stands there means that there "
      "is no value, write " TADA_OPTION("missing='',?,{}") "; if they are names, {}:categorical",
      column.name(), doubt->word_rows, doubt->mostly, PlacesOfRows(doubt->first_rows, column.lines()), more, shown,
      word, column.name());
}

// A word takes up at least a row: once there are more of them than rows allow, the column is none of these.
std::shared_ptr<const ColumnDoubt> ColumnBuilder::FindWords(const std::vector<uint32_t>& values) const {
  const size_t most = std::min(rows_.size() / kOneIn, values.size() / 2);
  using IsOne = std::function<bool(std::string_view)>;
  std::vector<std::pair<std::string, IsOne>> candidates = {
      {"numbers", [](std::string_view text) { return ParseNumber(text).has_value(); }},
      {"dates", [](std::string_view text) { return IsDate(text); }}};
  for (size_t i = 0; i < std::min(values.size(), kLookedAt); ++i) {
    const std::vector<Writing> writings = WritingsOf(Text(values[i]));
    for (const Writing& writing : writings) {
      candidates.emplace_back(writing.is_dates() ? "dates" : "numbers",
                              [writing](std::string_view text) { return writing.Plain(text).has_value(); });
    }
    if (!writings.empty()) break;
  }
  const std::span<const uint32_t> first = std::span(values).first(std::min(values.size(), kLookedAt));
  for (const auto& [what, is_one] : candidates) {
    const auto is_word = [&](uint32_t value) { return !is_one(Text(value)); };
    if (static_cast<size_t>(std::count_if(first.begin(), first.end(), is_word)) * 2 > first.size())
      continue;  // most columns of names
    std::vector<bool> words(offsets_.size() - 1, false);
    size_t num_words = 0;
    for (size_t i = 0; i < values.size() && num_words <= most; ++i) {
      if (!is_word(values[i])) continue;
      words[values[i]] = true;
      ++num_words;
    }
    if (num_words > most) continue;
    ColumnDoubt doubt{.mostly = what};
    for (size_t row = 0; row < rows_.size(); ++row) {
      if (!words[rows_[row]]) continue;
      if (doubt.word_rows++ >= kShown) continue;
      doubt.first_rows.push_back(row);
      doubt.words.emplace_back(Text(rows_[row]));
    }
    if (doubt.word_rows == 0 || doubt.word_rows * kOneIn > rows_.size()) continue;
    std::sort(doubt.words.begin(), doubt.words.end());
    doubt.words.erase(std::unique(doubt.words.begin(), doubt.words.end()), doubt.words.end());
    return std::make_shared<const ColumnDoubt>(std::move(doubt));
  }
  return nullptr;
}

}  // namespace tada
