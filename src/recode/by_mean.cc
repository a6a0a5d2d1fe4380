#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/fault.h"
#include "recode/cell_list.h"
#include "recode/recoder.h"
#include "table/column_builder.h"
#include "table/value_text.h"

namespace tada {
namespace {

constexpr int kMostMeanDecimals = 9;
constexpr int kFurtherDecimals = 2;  // that a mean has behind those of the values

// Digits behind the point of a plain number; nothing if it has an exponent.
std::optional<int> WrittenDecimals(std::string_view text) {
  if (text.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  const size_t point = text.find('.');
  return point == std::string_view::npos ? 0 : static_cast<int>(text.size() - point - 1);
}

// How the means of a column are written.
class MeanTexts {
 public:
  explicit MeanTexts(const Column& column) : column_(column) {
    for (Code code = column.num_missing(); code < column.num_codes() && !column.is_date(); ++code) {
      const auto decimals = WrittenDecimals(column.plain(code));
      plain_ = plain_ && decimals && std::abs(column.number(code)) < 1e15;
      decimals_ = std::max(decimals_, decimals.value_or(0));
    }
    decimals_ = std::min(decimals_, kMostMeanDecimals);
  }
  std::string Of(double mean) const {
    const std::string plain = column_.is_date() ? DateText(std::llround(mean)) : Number(mean);
    return column_.writing().is_plain() ? plain : column_.writing().Write(plain);
  }

 private:
  std::string Number(double mean) const {
    if (!plain_) return fmt::format("{}", mean);
    std::string text = fmt::format("{:.{}f}", mean, decimals_ + kFurtherDecimals);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
  }

  const Column& column_;
  bool plain_ = true;
  int decimals_ = 0;
};

// The most frequent value of a group; of equally frequent ones the first.
Code MostFrequent(const Column& column, std::span<const RowId> rows) {
  std::map<Code, std::pair<size_t, Code>> counts;  // by value: rows, its first spelling
  for (const RowId row : rows) {
    const Code code = column.codes()[row];
    auto& [count, spelling] = counts.try_emplace(column.value_id(code), 0, code).first->second;
    ++count;
    spelling = std::min(spelling, code);
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& value) { return value.second.first; });
  return most->second.second;
}

void RecodeNamesByMean(const Column& column, const Groups& groups, ReleasedColumn& out) {
  CellList cells(out);
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    out.cell_of_group[group] =
        groups.is_masked(group) ? cells.Mask() : cells.Value(MostFrequent(column, groups.rows(group)));
  }
}

// What a group shows of its numbers, as text; nothing if it is masked.
std::optional<std::string> MeanOf(const Column& column, const MeanTexts& texts, std::span<const RowId> rows) {
  std::vector<Code> codes;
  codes.reserve(rows.size());
  for (const RowId row : rows) codes.push_back(column.codes()[row]);
  std::ranges::sort(codes);  // the sum does not depend on the order of the rows
  if (column.same_value(codes.front(), codes.back())) return std::string(column.text(codes.front()));
  if (column.is_missing(codes.front())) return std::nullopt;
  long double sum = 0;  // that of the largest numbers is no double
  for (const Code code : codes) sum += column.number(code);
  return texts.Of(static_cast<double>(sum / static_cast<long double>(codes.size())));
}

void RecodeNumbersByMean(const Column& column, const Groups& groups, ReleasedColumn& out) {
  const MeanTexts texts(column);
  ColumnOptions options{.kind = Kind::kNumeric, .dates = column.is_date(), .writing = column.writing(), .missing = {}};
  for (Code code = 0; code < column.num_missing(); ++code) options.missing.emplace_back(column.text(code));
  ColumnBuilder builder(column.name(), options);
  builder.SetType(ValueType::kReal);  // a mean of whole numbers is none
  std::vector<bool> masked(groups.num_groups());
  for (GroupId group = 0; group < groups.num_groups(); ++group) {
    const auto mean = groups.is_masked(group) ? std::nullopt : MeanOf(column, texts, groups.rows(group));
    masked[group] = !mean;
    builder.AppendText(mean ? *mean : std::string(column.text(0)));
  }
  Result<Column> built = builder.Finish();
  TADA_ASSERT(built.ok());
  const auto means = std::make_shared<const Column>(std::move(built).value());
  CellList cells(out);
  for (GroupId group = 0; group < groups.num_groups(); ++group)
    out.cell_of_group[group] = masked[group] ? cells.Mask() : cells.Value(means->codes()[group]);
  if (TADA_FAULT("recode-mean") && groups.num_groups() > 1)
    std::swap(out.cell_of_group.front(), out.cell_of_group.back());
  out.bounds = means;
}

}  // namespace

ReleasedColumn RecodeByMean(const Table& table, ColumnId id, const Groups& groups) {
  const Column& column = table.column(id);
  ReleasedColumn out;
  out.source = id;
  out.recoded = true;
  out.cell_of_group.resize(groups.num_groups());
  if (column.is_numeric()) {
    RecodeNumbersByMean(column, groups, out);
  } else {
    RecodeNamesByMean(column, groups, out);
  }
  return out;
}

}  // namespace tada
