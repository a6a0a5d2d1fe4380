#pragma once

// What a stage of a method has to show besides its groups: plain data. report/ makes HTML, JSON and text of it.
//   fact      what machines read: a value, a list, or facts by name.
//   block     what people see, one below the other: a paragraph, a table, a chart or a tree.
//   section   the facts and blocks of one stage, under one title.

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tada {

class Fact {
 public:
  using List = std::vector<Fact>;
  using Map = std::vector<std::pair<std::string, Fact>>;  ///< in the order in which it is written
  using Value = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, List, Map>;

  Fact() = default;  ///< unknown
  // Whatever a stage has to tell is a fact: NOLINTBEGIN(google-explicit-constructor)
  template <class Number>
    requires std::is_arithmetic_v<Number>
  Fact(Number number) {
    if constexpr (std::is_same_v<Number, bool>) {
      value_ = number;
    } else if constexpr (std::is_floating_point_v<Number>) {
      value_ = static_cast<double>(number);
    } else if constexpr (std::is_signed_v<Number>) {
      value_ = static_cast<int64_t>(number);
    } else {
      value_ = static_cast<uint64_t>(number);
    }
  }
  Fact(std::string text) : value_(std::move(text)) {}
  Fact(const char* text) : value_(std::string(text)) {}
  Fact(List list) : value_(std::move(list)) {}
  Fact(Map map) : value_(std::move(map)) {}
  // NOLINTEND(google-explicit-constructor)

  const Value& value() const { return value_; }
  bool is_unknown() const { return std::holds_alternative<std::monostate>(value_); }
  /// The fact of a map by its name; null if there is none.
  const Fact* Find(const std::string& name) const;
  /// Pre: this is a list. Adds to it.
  void Append(Fact fact) { std::get<List>(value_).push_back(std::move(fact)); }

 private:
  Value value_;
};

/// Facts by name, one after the other. Not a list in braces: where memory ends inside one, g++ 12 destroys what was not made yet.
class FactMap {
 public:
  FactMap&& Add(const char* name, Fact fact) &&;
  operator Fact() &&;  // NOLINT(google-explicit-constructor): a map is a fact

 private:
  Fact::Map facts_;
};

template <class Values>
Fact::List FactList(const Values& values) {
  return {values.begin(), values.end()};
}

/// A number as a report has it: with this many significant digits, or decimals.
double RoundToDigits(double value, int digits);
double RoundToDecimals(double value, int decimals);

struct DataTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> right;  ///< columns of numbers, set right-aligned; may be shorter than the header
};

struct Bar {
  std::string label;
  double value = 0;
  std::string text;  ///< written behind the bar
};

struct Series {
  std::string name;
  std::vector<double> x, y;       ///< of equal length; a point with a NaN is left out
  std::vector<double> low, high;  ///< band; empty for none
  std::vector<std::string> tips;  ///< tooltip of each point; empty: its numbers
  bool dashed = false;            ///< a line to compare with: dashed, without marks, and the other lines are solid
};

/// Bars one below the other, or lines if there are no bars.
struct Chart {
  std::string title;  ///< read to those who cannot see the chart
  std::string x_label, y_label;
  std::vector<Bar> bars;
  std::vector<Series> lines;
};

/// A tree, or the top of it, from the roots down.
struct TreeDiagram {
  struct Node {
    std::string condition;  ///< under which its rows come here
    std::string words;      ///< about its rows
    uint32_t depth = 0;
    bool leaf = true;                ///< of the whole tree; a node without children here that is none goes on below
    std::vector<uint32_t> children;  ///< places in `nodes`
  };
  std::string title;
  std::vector<Node> nodes;
  std::vector<uint32_t> roots;
};

struct NoteBlock {
  std::variant<std::string, DataTable, Chart, TreeDiagram> content;
  std::string folded_under = {};  ///< a heading that shows it when clicked on; "": it is shown
};

struct NoteSection {
  std::string key = {};  ///< of the facts in the report's JSON
  std::string title = {};
  Fact facts = {};
  std::vector<NoteBlock> blocks = {};
  std::string text = {};  ///< plain text for `--explain`
  /// Shows raw data (rules and thresholds computed from it): left out of what is meant for publication.
  bool raw = false;
  std::string controller = {};  ///< whose rows it is about, if there are several controllers; the run fills it in
};

}  // namespace tada
