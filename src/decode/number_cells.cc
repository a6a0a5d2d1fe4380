// Cells of a column of numbers or dates: values, intervals, sets and masks.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/status.h"
#include "decode/atom_builder.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr double kLowest = std::numeric_limits<double>::lowest();
constexpr size_t kMostAtoms = 400;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Whether a text is a whole number so large that a double may stand for several: 2^53 and beyond.
bool IsBeyondDoubles(std::string_view text) {
  if (text.find_first_not_of("+-0123456789") != std::string_view::npos) return false;
  const auto number = ParseNumber(text);
  return number && std::abs(*number) >= 0x1p53;
}

bool IsWhole(double number) { return number == std::floor(number) && std::abs(number) < 1e15; }

class NumberCells : AtomBuilder {
 public:
  NumberCells(std::span<const std::string_view> cells, Reading reading, std::span<const std::string> missing,
              Notation notation)
      : AtomBuilder(cells, reading, missing, notation), reading_(reading) {}

  CellAtoms Read() && {
    for (const std::string_view text : cells_) LookWhetherWhole(text);
    for (const std::string_view text : cells_) CollectEnds(text);
    KeepAtoms();
    for (const std::string_view text : cells_) made_.choices.push_back(Read(text));
    return std::move(made_);
  }

 private:
  struct End {
    double number;
    std::string text;
    bool of_set;  // named by a set: always an atom, however many there are
  };
  struct Extent {
    double low = kLowest, high = kUnbounded;  // both ends included; an end that is left out is the next double
    bool holds() const { return low <= high; }
  };

  double Number(std::string_view text) const {
    return (reading_ == Reading::kDates ? ParseDate(text) : ParseNumber(text)).value();
  }
  std::string NumberText(double number) const {
    if (reading_ == Reading::kDates) return MomentText(number, made_.moments);
    return IsWhole(number) ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
  }

  void LookWhetherWhole(std::string_view text) {
    if (IsMissing(text)) return;
    const ParsedCell cell = Parse(text);
    const auto look = [&](std::string_view bound) {
      if (bound.empty() || !IsValue(bound, reading_)) return;
      whole_ = whole_ && IsWhole(Number(bound));
      if (reading_ == Reading::kDates) made_.moments.Follow(bound);
    };
    look(cell.low);
    look(cell.high);
    if (cell.form == ParsedCell::Form::kValue) look(Trim(text));
    for (const std::string& element : Elements(cell)) look(element);
  }

  Extent ExtentOf(const ParsedCell& cell) const {
    Extent extent;
    if (!cell.low.empty()) extent.low = Number(cell.low);
    if (!cell.high.empty()) extent.high = Number(cell.high);
    if (cell.low_open && !cell.low.empty()) extent.low = std::nextafter(extent.low, kUnbounded);
    if (cell.high_open && !cell.high.empty()) extent.high = std::nextafter(extent.high, -kUnbounded);
    return extent;
  }

  // What stands for an end of the interval: itself, or a neighbor if it is left out.
  void AddEnd(const ParsedCell& cell, const Extent& extent, bool is_low) {
    const std::string_view bound = is_low ? cell.low : cell.high;
    if (bound.empty()) return;
    if (!(is_low ? cell.low_open : cell.high_open)) {
      ends_.push_back({Number(bound), std::string(bound), false});
      return;
    }
    const bool alone = (is_low ? cell.high : cell.low).empty();
    const double next = Number(bound) + (is_low ? 1 : -1);
    if ((whole_ || alone) && next >= extent.low && next <= extent.high) {
      ends_.push_back({next, NumberText(next), false});
    } else if (const auto middle = Middle(cell, extent)) {
      ends_.push_back({*middle, NumberText(*middle), false});
    }
  }

  void CollectEnds(std::string_view text) {
    if (IsMissing(text)) return;
    const ParsedCell cell = Parse(text);
    text = Trim(text);
    if (cell.form == ParsedCell::Form::kInterval) {
      const Extent extent = ExtentOf(cell);
      if (!extent.holds()) return;
      AddEnd(cell, extent, true);
      AddEnd(cell, extent, false);
    } else if (cell.form == ParsedCell::Form::kValue && IsValue(text, reading_)) {
      ends_.push_back({Number(text), std::string(text), false});
    }
    for (const std::string& element : Elements(cell)) {
      if (!IsMissing(element) && IsValue(element, reading_)) ends_.push_back({Number(element), element, true});
    }
  }

  // The different ends, each in its first spelling; if they are many, every so-manieth of them.
  void KeepAtoms() {
    std::sort(ends_.begin(), ends_.end(),
              [](const End& a, const End& b) { return a.number != b.number ? a.number < b.number : a.text < b.text; });
    std::vector<End> distinct;
    for (End& end : ends_) {
      if (!distinct.empty() && distinct.back().number == end.number) {
        distinct.back().of_set = distinct.back().of_set || end.of_set;
      } else {
        distinct.push_back(std::move(end));
      }
    }
    ends_ = {};
    std::vector<bool> kept(distinct.size(), distinct.size() <= kMostAtoms);
    for (size_t i = 0; i < kMostAtoms && distinct.size() > kMostAtoms; ++i) {
      kept[(i * (distinct.size() - 1) + (kMostAtoms - 1) / 2) / (kMostAtoms - 1)] = true;
    }
    KeepMatches(distinct, kept);
    for (size_t i = 0; i < distinct.size(); ++i) {
      if (!kept[i] && !distinct[i].of_set) continue;
      made_.numbers.push_back(distinct[i].number);
      made_.texts.push_back(std::move(distinct[i].text));
    }
  }

  // A pattern that none of the kept ends matches has those that do.
  void KeepMatches(const std::vector<End>& distinct, std::vector<bool>& kept) const {
    for (const std::string_view text : cells_) {
      if (IsMissing(text) || Parse(text).form != ParsedCell::Form::kPattern) continue;
      std::vector<size_t> matches;
      bool any_kept = false;
      for (size_t i = 0; i < distinct.size() && !any_kept; ++i) {
        if (!MatchesPattern(text, distinct[i].text)) continue;
        matches.push_back(i);
        any_kept = kept[i] || distinct[i].of_set;
      }
      for (const size_t i : matches) kept[i] = kept[i] || !any_kept;
    }
  }

  // Which atom a number is; kNone if it is none.
  uint32_t Find(double number) const {
    const auto found = std::lower_bound(made_.numbers.begin(), made_.numbers.end(), number);
    if (found == made_.numbers.end() || *found != number) return kNone;
    return static_cast<uint32_t>(found - made_.numbers.begin());
  }

  // A value near the middle that is sure to lie inside: a whole one where all are whole. Nothing for one-sided intervals.
  std::optional<double> Middle(const ParsedCell& cell, const Extent& extent) const {
    if (cell.low.empty() || cell.high.empty()) return std::nullopt;
    const double middle = std::midpoint(Number(cell.low), Number(cell.high));
    if (reading_ == Reading::kDates) {
      const double rounded = made_.moments.RoundDown(middle);
      return rounded >= extent.low && rounded <= extent.high ? std::optional(rounded) : std::nullopt;
    }
    const double rounded = std::floor(middle);
    if (whole_ && rounded >= extent.low) return rounded;
    return middle >= extent.low && middle <= extent.high ? std::optional(middle) : std::nullopt;
  }

  Choice ReadInterval(const ParsedCell& cell, std::string_view text) {
    const Extent extent = ExtentOf(cell);
    if (!extent.holds()) return Unread(text);
    if (IsBeyondDoubles(cell.low) || IsBeyondDoubles(cell.high)) {
      made_.beyond_doubles = true;
      return OwnEnd(cell, text);
    }
    const auto begin = std::lower_bound(made_.numbers.begin(), made_.numbers.end(), extent.low);
    const auto end = std::upper_bound(begin, made_.numbers.end(), extent.high);
    if (begin != end) {
      return {CellAtoms::kDrawn, static_cast<uint32_t>(begin - made_.numbers.begin()),
              static_cast<uint32_t>(end - made_.numbers.begin()), false};
    }
    if (const auto middle = Middle(cell, extent)) return Fixed(NumberText(*middle));
    return OwnEnd(cell, text);
  }

  // An end of the interval as it is written: where no other value is sure to lie inside.
  Choice OwnEnd(const ParsedCell& cell, std::string_view text) {
    if (!cell.low.empty() && !cell.low_open) return Fixed(std::string(cell.low));
    if (!cell.high.empty() && !cell.high_open) return Fixed(std::string(cell.high));
    return Unread(text);
  }

  Choice ReadSet(const std::vector<std::string>& elements, std::string_view text) {
    if (std::any_of(elements.begin(), elements.end(), IsBeyondDoubles)) {
      made_.beyond_doubles = true;
      return Fixed(elements.front());
    }
    std::vector<uint32_t> atoms;
    for (const std::string& element : elements) {
      const bool missing = IsMissing(element);
      if (!missing && !IsValue(element, reading_)) return Unread(text);
      atoms.push_back(missing ? 0 : Find(Number(element)));
    }
    return Set(text, std::move(atoms));
  }

  Choice Read(std::string_view text) {
    if (IsMissing(text)) return Value(text, 0);
    const ParsedCell cell = Parse(text);
    switch (cell.form) {
      case ParsedCell::Form::kMask:
        return Everything(text);
      case ParsedCell::Form::kInterval:
        return ReadInterval(cell, text);
      case ParsedCell::Form::kPattern:
        return List(text, Matching(text));
      case ParsedCell::Form::kSet:
        return ReadSet(Elements(cell), text);
      case ParsedCell::Form::kValue:
        break;
    }
    if (IsValue(Trim(text), reading_)) return Value(text, Find(Number(Trim(text))));
    return IsForeign(text) ? Fixed(std::string(text)) : Unread(text);
  }

  Reading reading_;
  bool whole_ = true;  // all are whole numbers, or whole days
  std::vector<End> ends_;
};

}  // namespace

CellAtoms ReadNumberCells(std::span<const std::string_view> cells, Reading reading,
                          std::span<const std::string> missing, Notation notation) {
  return NumberCells(cells, reading, missing, notation).Read();
}

}  // namespace tada
