#pragma once

// Cuts that last: what a release was cut by, so that other rows can be released by the same cuts ('tada apply', docs/apply.md).
//   node      a box of the tree of cuts. Its cells are what rows show that are released with it. Leaves are the classes of the release
//             that the cuts are of; a node above encloses them.
//   split     how rows of a node go to the nodes below it.
//   boxes     cuts of mondrian, infogain, regression and trees: rows go down the splits.
//   means     clusters: rows go to the leaf with the nearest mean among those whose cells cover them.
//   levels    whole columns by their hierarchies: no nodes, but level vectors, each of which encloses the one before.
// Holds no row. With --range cut no number is a person's: bounds are round numbers between those of people. Names are those that
// the release names too. Without --range cut, bounds are values of people, as in the release.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/note_section.h"
#include "base/status.h"
#include "table/column.h"

namespace tada {

/// How often each value of a sensitive column is in a release, by column: what classes of a later one are compared with.
using FrozenValues = std::map<std::string, std::map<std::string, uint64_t>>;

struct CutCell {
  enum class Form : uint8_t { kValue, kInterval, kSet, kLabel, kMask };
  Form form = Form::kMask;
  std::string low, high;            ///< of an interval; of a value or a label `low` is all
  std::vector<std::string> values;  ///< of a set; "" is "missing"
  friend auto operator<=>(const CutCell&, const CutCell&) = default;
};

struct CutColumn {
  std::string name;
  Kind kind = Kind::kCategorical;
  bool dates = false;
  std::string writing;         ///< of the cells' numbers or dates (writing/writing.h)
  std::vector<CutCell> cells;  ///< the different ones
  /// Its hierarchy, if it has one: a rule (hierarchy/rule_builders.h), which knows every value, or lines of those that it knows.
  std::string rule;
  std::vector<std::vector<std::string>> lines;  ///< value, level 1, ..., root
  /// Of means: a number is (x - center) / scale; of names x is the place in `order`, from 0.
  double center = 0, scale = 1;
  std::vector<std::string> order;
};

/// What goes to one child of a node.
struct CutPart {
  bool numbers = false;             ///< those from `from` on, up to the next part's; else `values`
  std::string from;                 ///< the least number; "": there is none
  bool missing = false;             ///< of numbers: people whose number is missing too
  bool only_missing = false;        ///< of numbers: these people alone
  std::vector<std::string> values;  ///< "" is "missing"
  /// Of a column with a hierarchy, in place of values: what is below these nodes, by level and label.
  std::vector<std::pair<uint32_t, std::string>> below;
};

struct CutNode {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t parent = kNone;
  std::vector<uint32_t> cells;     ///< by column, a place in its cells
  uint32_t column = kNone;         ///< that splits it; kNone: no split
  std::vector<CutPart> parts;      ///< of the split, one per child, in the order of the children
  std::vector<double> mean;        ///< of a leaf, where the cuts are means: by column
  std::vector<uint32_t> children;  ///< follows from the parents
};

struct Cuts {
  enum class By : uint8_t { kBoxes, kMeans, kLevels };
  static constexpr int kVersion = 1;

  By by = By::kBoxes;
  std::string tada;            ///< the version that wrote them
  std::string plan;            ///< TOML: roles, requirement, method, with the kinds of columns as they were found
  std::string release_sha256;  ///< of the release that they are of; "" if it was no file
  bool range_cut = false;
  std::vector<CutColumn> columns;            ///< the quasi-identifiers, in the order of the plan
  std::vector<CutNode> nodes;                ///< the root first, each after its parent
  std::vector<std::vector<uint8_t>> levels;  ///< level vectors, from that of the release to the top
  FrozenValues reference;                    ///< where the requirement compares distributions
};

/// As a JSON text, which ends with a digest of all that stands before it.
std::string CutsJson(const Cuts& cuts);
/// Reads it back; kData names `path` and the place if the text is damaged, or written by a later version.
Result<Cuts> ReadCutsText(std::string_view text, const std::string& path);
Result<Cuts> ReadCuts(const std::string& path);

/// A cell as a release shows it.
std::string CutCellText(const CutColumn& column, const CutCell& cell);

/// The tree, or the top of it, for the report.
NoteSection DescribeCuts(const Cuts& cuts);

}  // namespace tada
