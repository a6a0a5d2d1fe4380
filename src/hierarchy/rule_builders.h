#pragma once

// Hierarchies by rule: what stands above a value follows from the value alone. So a level is the same on every table, whatever rows it has,
// and no value is unknown to a rule that covers its kind.
//   width:5, width:5:15, width:5/20/100   numbers: intervals from 0 (or from 15) of that width, doubled five times; or of the widths given
//   0-120/5/10/20                         numbers: intervals of these widths between two bounds; beyond them `<0` and `>=120`
//   dates                                 dates: month, quarter, year, decade; time stamps: the day first
//   prefix:5/3/1                          codes: their first 5, 3, 1 characters, `E11...`
//   split:., split:./2/1                  codes in parts: the first part, or the first 2, then 1: `E11...`
//   zip3                                  postcodes of five digits: the first three, `476**`
//   icd10                                 diagnoses: category, block, chapter: `E11.-`, `E10-E14`, `E00-E90`

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "table/column.h"

namespace tada {

/// Labels of a level by code, and the levels of a column below the root; labels of missing codes are not used.
using LabelLevels = std::vector<std::vector<std::string>>;

/// Whether a text is a rule, well written or not.
bool IsRule(std::string_view text);

/// The levels of a rule; kInvalidArgument if the rule is not well written, or a value is not of the kind that it is for.
Result<LabelLevels> RuleLevels(std::string_view rule, const Column& column);

/// What each level of a rule shows, in words, from level 1 on; the error if it is not well written.
Result<std::vector<std::string>> RuleWords(std::string_view rule);

/// Category, block and chapter of a code of ICD-10; nothing for what is none.
std::optional<std::vector<std::string>> Icd10Path(std::string_view code);

}  // namespace tada
