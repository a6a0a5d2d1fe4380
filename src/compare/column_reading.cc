#include "compare/column_reading.h"

#include <cmath>
#include <limits>

#include "audit/classes/reading.h"
#include "decode/column_decoder.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double NumberOf(std::string_view text, Reading reading) {
  if (reading == Reading::kNames) return kNoNumber;
  const auto number = reading == Reading::kDates ? ParseDate(text) : ParseNumber(text);
  return number.value_or(kNoNumber);
}

double NumberOfCode(const Column& column, Code code) {
  return column.is_numeric() && !column.is_missing(code) ? column.number(code) : kNoNumber;
}

}  // namespace

uint32_t ColumnReading::AddValue(std::string text, double number) {
  values_.push_back({std::move(text), number, 0.0});
  return static_cast<uint32_t>(values_.size() - 1);
}

void ColumnReading::CountRows(const Column& column) {
  num_rows_ = column.num_rows();
  rows_.assign(column.num_codes(), 0);
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) ++rows_[code];
  });
}

ColumnReading ColumnReading::OfOriginal(const Column& column) {
  ColumnReading made;
  made.CountRows(column);
  for (Code code = 0; code < column.num_codes(); ++code) {
    if (code == 0 || !column.same_value(code - 1, code)) {
      made.AddValue(column.is_missing(code) ? "" : std::string(column.text(code)), NumberOfCode(column, code));
    }
    const auto value = static_cast<uint32_t>(made.values_.size() - 1);
    made.values_[value].weight += static_cast<double>(made.rows_[code]);
    made.cells_.push_back({value, value + 1, false});
  }
  return made;
}

void ColumnReading::ReadLabel(Code cell, const std::vector<Code>& codes, const Column& original) {
  const auto begin = static_cast<uint32_t>(lists_.size());
  for (const Code code : codes) {
    lists_.push_back(
        AddValue(original.is_missing(code) ? "" : std::string(original.text(code)), NumberOfCode(original, code)));
  }
  cells_[cell] = {begin, static_cast<uint32_t>(lists_.size()), true};
}

ColumnReading ColumnReading::OfRelease(const Column& released, const Column& original, const LabelCodes* labels,
                                       const std::vector<std::string>& missing) {
  ColumnReading made;
  made.CountRows(released);
  const ColumnDecoder decoder(released, nullptr, original.kind(), missing, Notation::kAny);
  const CellAtoms& atoms = decoder.cells();
  for (uint32_t atom = 0; atom < atoms.num_atoms(); ++atom) {
    const bool is_missing = atoms.has_missing && atom == 0;
    const bool is_number = !is_missing && std::isfinite(atoms.numbers[atom]);
    const uint32_t value =
        made.AddValue(is_missing ? "" : atoms.texts[atom], is_number ? atoms.numbers[atom] : kNoNumber);
    made.values_[value].weight = decoder.marginal()[atom];
  }
  made.lists_ = atoms.lists;
  for (Code cell = 0; cell < released.num_codes(); ++cell) {
    const CellAtoms::Choice& choice = atoms.choices[cell];
    made.cells_.push_back({choice.begin, choice.end, choice.is_list});
    const std::string text(released.text(cell));
    if (labels != nullptr && labels->contains(text)) {
      made.ReadLabel(cell, labels->at(text), original);
    } else if (choice.text != CellAtoms::kDrawn && !IsMissingText(text, missing)) {  // a value, as it is written
      const double number = NumberOf(text, atoms.reading);
      if (atoms.reading == Reading::kNames && choice.size() == 1) continue;
      const uint32_t value = made.AddValue(text, number);
      made.cells_[cell] = {value, value + 1, false};
      if (choice.size() == 0) made.unread_rows_ += made.rows_[cell];
    }
  }
  return made;
}

std::vector<double> ColumnReading::Expect(std::span<const double> of_value) const {
  std::vector<double> mass{0.0}, sum{0.0};  // of the values before each
  for (size_t i = 0; i < values_.size(); ++i) {
    mass.push_back(mass.back() + values_[i].weight);
    sum.push_back(sum.back() + values_[i].weight * of_value[i]);
  }
  std::vector<double> expected(cells_.size(), 0.0);
  for (size_t cell = 0; cell < cells_.size(); ++cell) {
    const Choice& choice = cells_[cell];
    if (choice.begin == choice.end) continue;
    const auto value = [&](uint32_t i) { return choice.is_list ? lists_[i] : i; };
    double weights = 0, weighted = 0, plain = 0;
    if (!choice.is_list && choice.end - choice.begin > 1) {
      weights = mass[choice.end] - mass[choice.begin];
      weighted = sum[choice.end] - sum[choice.begin];
    }
    if (weights <= 0) {
      for (uint32_t i = choice.begin; i < choice.end; ++i) {
        weights += values_[value(i)].weight;
        weighted += values_[value(i)].weight * of_value[value(i)];
        plain += of_value[value(i)];
      }
    }
    expected[cell] = weights > 0 ? weighted / weights : plain / (choice.end - choice.begin);
  }
  return expected;
}

double ColumnReading::MeanOverRows(std::span<const double> of_cell) const {
  double sum = 0;
  for (size_t cell = 0; cell < cells_.size(); ++cell) sum += static_cast<double>(rows_[cell]) * of_cell[cell];
  return num_rows_ == 0 ? 0.0 : sum / static_cast<double>(num_rows_);
}

}  // namespace tada
