#pragma once

// How the bounds of boxes are written (groups/box.h), so that no bound has to be a value of a person.
//   grid     what a column's numbers are written on: whole numbers, tenths, ..., days. Between neighbours of the grid is nothing, so
//            a box that ends below 35 shows 34 as its last number. A column that has no grid (more than 15 digits, exponents, times of
//            day) shows the cut itself on both sides.
//   round    a cut is written as the roundest number behind the last value on its left and up to the first on its right: with
//            the fewest digits, of several the one nearest to the middle. A date at the first of a year, of a month, of a day.
//   domain   where boxes that were never cut end: what the user says (--domain), else the column's extremes rounded outward to a
//            multiple of the largest power of ten that is at most half of their distance; dates to whole years, months or days.

#include <map>
#include <string>

#include "groups/box.h"
#include "table/column.h"
#include "table/domain_bounds.h"

namespace tada {

/// Checks that bounds are of the column's kind, in order, and around all of its values.
Status CheckDomain(const Column& column, const DomainBounds& domain);

class CutTexts {
 public:
  /// Pre: a numeric column with a value; `domain`, if there is one, passed CheckDomain. The column outlives this.
  CutTexts(const Column& column, const DomainBounds* domain);

  /// The smallest number of a box above a cut, and the largest of a box below it.
  std::string Lower(const Cut& cut);
  std::string Upper(const Cut& cut);

 private:
  struct Texts {
    std::string upper, lower;  // of the box below the cut, of the box above it
  };
  Texts Find(const Cut& cut) const;
  Texts OnGrid(const Cut& cut) const;
  Texts BetweenReals(const Cut& cut) const;
  Texts BetweenDates(const Cut& cut) const;
  Texts RoundDomain() const;
  Texts RoundDates(Code first, Code last) const;
  void FindGrid();
  int64_t OnGridOf(Code code) const;

  const Column& column_;
  bool on_grid_ = false;
  int decimals_ = 0;  // digits behind the point of the grid, or of the column's values
  double scale_ = 1;  // 10 ^ decimals_
  Texts domain_;      // upper: where the last box ends, lower: where the first begins
  std::map<Cut, Texts> known_;
};

}  // namespace tada
