#include "decode/column_decoder.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <unordered_map>

#include "audit/classes/reading.h"
#include "base/status.h"
#include "decode/marginal.h"
#include "writing/find_writing.h"

namespace tada {
namespace {

Reading ReadingOf(std::span<const std::string_view> texts, std::optional<Kind> kind,
                  std::span<const std::string> missing) {
  if (kind && *kind != Kind::kNumeric) return Reading::kNames;
  const Reading decided = DecideReading(texts, missing);
  return kind && decided == Reading::kNames ? Reading::kNumbers : decided;
}

void CountRows(const Column& column, std::span<uint64_t> rows) {
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows[code];
  });
}

}  // namespace

ColumnDecoder::ColumnDecoder(const Column& column, const Column* learn_from, std::optional<Kind> kind,
                             std::span<const std::string> missing, Notation notation, const Writing& writing)
    : writing_(writing) {
  std::vector<std::string_view> texts;
  for (const Column* one : {&column, learn_from}) {
    for (Code code = 0; one != nullptr && code < one->num_codes(); ++code) texts.push_back(one->text(code));
  }
  const Reading reading = FindReading(texts, kind, missing);
  if (writing_.is_plain()) {
    cells_ = ReadCells(texts, reading, missing, notation);
  } else {
    ReadWritten(texts, reading, missing, notation);
  }
  std::vector<uint64_t> rows(texts.size(), 0);
  if (learn_from == nullptr) {
    CountRows(column, rows);
  } else {
    CountRows(*learn_from, std::span(rows).subspan(column.num_codes()));
  }
  marginal_ = EstimateMarginal(cells_, rows, cells_.reading == Reading::kNames ? kRoundsOfNames : kRoundsOfNumbers);
  std::erase_if(cells_.unread, [&](Code code) { return code >= column.num_codes(); });
  if (cells_.foreign && *cells_.foreign >= column.num_codes()) cells_.foreign.reset();
  for (Code code = 0; code < column.num_codes(); ++code) {
    const CellAtoms::Choice& choice = cells_.choices[code];
    changed_.push_back(choice.text == CellAtoms::kDrawn || cells_.texts[choice.text] != column.text(code));
  }
  SumUp();
}

Reading ColumnDecoder::FindReading(const std::vector<std::string_view>& texts, std::optional<Kind> kind,
                                   std::span<const std::string> missing) {
  const Reading plain = ReadingOf(texts, kind, missing);
  if (kind && *kind != Kind::kNumeric) {
    writing_ = {};
    return plain;
  }
  if (writing_.is_plain() && (HasQuotedBounds(texts) || DecideReading(texts, missing) == Reading::kNames)) {
    std::vector<std::string_view> values;
    std::copy_if(texts.begin(), texts.end(), std::back_inserter(values),
                 [&](std::string_view text) { return !IsMissingText(text, missing); });
    undecided_ = FindCellWritings(values);
    if (undecided_.size() == 1) writing_ = undecided_.front();
    if (undecided_.size() < 2) undecided_.clear();
  }
  if (writing_.is_plain()) return plain;
  return writing_.is_dates() ? Reading::kDates : Reading::kNumbers;
}

// Cells are read plainly; what is written for them is as the column writes it.
void ColumnDecoder::ReadWritten(const std::vector<std::string_view>& texts, Reading reading,
                                std::span<const std::string> missing, Notation notation) {
  std::vector<std::string> plain;
  for (const std::string_view text : texts) plain.push_back(PlainCell(text, writing_));
  cells_ = ReadCells(std::vector<std::string_view>(plain.begin(), plain.end()), reading, missing, notation);
  std::unordered_map<std::string, std::string> own;  // by the plain text: the spelling that comes first
  for (const std::string_view text : texts) {
    ForEachValue(text, [&](std::string_view value) {
      if (auto as = writing_.Plain(value)) own.try_emplace(*std::move(as), value);
    });
  }
  for (std::string& text : cells_.texts) {
    const auto found = own.find(text);
    if (found != own.end()) {
      text = found->second;
    } else if (IsValue(text, reading)) {
      text = writing_.Write(text);
    }
  }
  for (size_t i = 0; i < texts.size(); ++i) {  // values stay as they are, byte for byte
    CellAtoms::Choice& choice = cells_.choices[i];
    if (choice.text == CellAtoms::kDrawn || cells_.texts[choice.text] == texts[i] || !writing_.Plain(texts[i]))
      continue;
    choice.text = static_cast<uint32_t>(cells_.texts.size());
    cells_.texts.emplace_back(texts[i]);
  }
}

void ColumnDecoder::SumUp() {
  double sum = 0;
  for (const double share : marginal_) sums_.push_back(sum += share);
  list_sums_.resize(cells_.lists.size());
  for (const CellAtoms::Choice& choice : cells_.choices) {
    sum = 0;
    for (uint32_t i = choice.begin; choice.is_list && i < choice.end; ++i) {
      list_sums_[i] = sum += marginal_[cells_.lists[i]];
    }
  }
}

uint32_t ColumnDecoder::Draw(Code cell, double unit) const {
  const CellAtoms::Choice& choice = cells_.choices[cell];
  if (choice.text != CellAtoms::kDrawn) return choice.text;
  const std::vector<double>& sums = choice.is_list ? list_sums_ : sums_;
  const double before = choice.is_list || choice.begin == 0 ? 0.0 : sums[choice.begin - 1];
  const double mass = sums[choice.end - 1] - before;
  uint32_t place = 0;
  if (mass > 0) {
    const auto begin = sums.begin() + choice.begin, last = sums.begin() + choice.end - 1;
    place = static_cast<uint32_t>(std::upper_bound(begin, last, before + unit * mass) - begin);
  } else {  // nothing that was learned from says which: any
    place = std::min(static_cast<uint32_t>(unit * choice.size()), choice.size() - 1);
  }
  return cells_.atom(choice, place);
}

std::vector<double> ColumnDecoder::Probabilities(Code cell) const {
  const CellAtoms::Choice& choice = cells_.choices[cell];
  std::vector<double> probabilities(choice.size());
  double mass = 0;
  for (uint32_t i = 0; i < choice.size(); ++i) mass += probabilities[i] = marginal_[cells_.atom(choice, i)];
  for (double& probability : probabilities) probability = mass > 0 ? probability / mass : 1.0 / choice.size();
  return probabilities;
}

std::optional<double> ColumnDecoder::ExpectedNumber(Code cell) const {
  const CellAtoms::Choice& choice = cells_.choices[cell];
  const std::vector<double> probabilities = Probabilities(cell);
  double sum = 0, mass = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  for (uint32_t i = 0; i < choice.size(); ++i) {
    const uint32_t atom = cells_.atom(choice, i);
    if (cells_.has_missing && atom == 0) continue;
    sum += probabilities[i] * cells_.numbers[atom];
    mass += probabilities[i];
    least = std::min(least, cells_.numbers[atom]);
    most = std::max(most, cells_.numbers[atom]);
  }
  if (mass > 0) return std::clamp(sum / mass, least, most);  // rounding must not lead out of the cell
  return std::nullopt;
}

}  // namespace tada
