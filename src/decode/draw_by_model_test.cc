#include "decode/draw_by_model.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "decode/decode.h"
#include "table/column_builder.h"

namespace tada {
namespace {

Column MakeColumn(std::string name, const std::vector<std::string>& texts) {
  ColumnBuilder builder(std::move(name), {.kind = Kind::kCategorical, .missing = {}});
  for (const std::string& text : texts) builder.AppendText(text);
  return builder.Finish().value();
}

// People with two traits, one of which is hidden from most; the label is a rule over both, numbers or names, or a coin.
struct Hidden {
  Table release;
  std::vector<std::string> left, right;  // what the cells hide
};
enum class Rule { kSum, kNumber, kCoin };

Hidden MakeRelease(size_t rows, Rule rule) {
  Random random(5);
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  Hidden made;
  std::vector<std::string> left, right, label;
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t x = random.Below(4), y = random.Below(4);
    made.left.push_back(names[x]);
    made.right.push_back(names[y]);
    const uint64_t hide = random.Below(5);  // one of them shows both
    left.push_back(hide < 2 ? "{a,b,c,d}" : names[x]);
    right.push_back(hide == 2 || hide == 3 ? "{a,b,c,d}" : names[y]);
    label.push_back(rule == Rule::kNumber ? fmt::format("{}.{}", 10 * x + y, random.Below(10))
                    : rule == Rule::kCoin ? (random.Below(2) == 0 ? "yes" : "no")
                    : x + y >= 3          ? "yes"
                                          : "no");
  }
  made.release = Table({MakeColumn("left", left), MakeColumn("right", right), MakeColumn("label", label)});
  return made;
}

Decoded DecodeByModel(const Table& release, uint32_t copies = 1, int threads = 1) {
  DecodeOptions options;
  options.model_label = "label";
  options.copies = copies;
  return Decode(release, options, Workers(threads)).value();
}

// Of the hidden values, how many were drawn as they were.
double ShareFound(const Hidden& hidden, const Table& decoded) {
  size_t found = 0;
  for (size_t row = 0; row < hidden.left.size(); ++row) {
    const auto text = [&](ColumnId id) { return decoded.column(id).text(decoded.column(id).codes()[row]); };
    found += text(0) == hidden.left[row] && text(1) == hidden.right[row] ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(hidden.left.size());
}

TEST(DrawByModel, FindsValuesThatExplainTheLabel) {
  const Hidden hidden = MakeRelease(1500, Rule::kSum);
  const Decoded decoded = DecodeByModel(hidden.release);
  ASSERT_TRUE(decoded.model && decoded.model->used);
  EXPECT_FALSE(decoded.model->regression);
  EXPECT_GT(decoded.model->gain(), 0.03);
  // One in five shows both, and of the others a quarter is right by chance: .4. Half of the hidden values fit the label: at most .6.
  EXPECT_GT(ShareFound(hidden, decoded.table), 0.5);
  EXPECT_LT(ShareFound(hidden, Decode(hidden.release, {.copies = 1}, Workers(1)).value().table), 0.45);
}

TEST(DrawByModel, FindsValuesThatExplainANumber) {
  const Hidden hidden = MakeRelease(1500, Rule::kNumber);
  const Decoded decoded = DecodeByModel(hidden.release);
  ASSERT_TRUE(decoded.model && decoded.model->used);
  EXPECT_TRUE(decoded.model->regression);
  EXPECT_GT(ShareFound(hidden, decoded.table), 0.7);
}

TEST(DrawByModel, StaysAwayWhereThereIsNothingToLearn) {
  const Hidden hidden = MakeRelease(1500, Rule::kCoin);
  const Decoded decoded = DecodeByModel(hidden.release);
  ASSERT_TRUE(decoded.model);
  EXPECT_FALSE(decoded.model->used);
  const Decoded plain = Decode(hidden.release, {.copies = 1}, Workers(1)).value();
  for (ColumnId id = 0; id < 3; ++id) {
    for (size_t row = 0; row < 1500; ++row) {
      const auto text = [&](const Table& table) { return table.column(id).text(table.column(id).codes()[row]); };
      ASSERT_EQ(text(decoded.table), text(plain.table));
    }
  }
}

TEST(DrawByModel, ThreadsPlayNoPartAndCopiesDiffer) {
  const Hidden hidden = MakeRelease(600, Rule::kSum);
  const Decoded one = DecodeByModel(hidden.release, 3, 1), three = DecodeByModel(hidden.release, 3, 3);
  bool differ = false;
  for (size_t row = 0; row < 1800; ++row) {
    const auto text = [&](const Table& table, size_t r) { return table.column(0).text(table.column(0).codes()[r]); };
    ASSERT_EQ(text(one.table, row), text(three.table, row));
    differ = differ || text(one.table, row) != text(one.table, row % 600);
  }
  EXPECT_TRUE(differ);
}

TEST(DrawByModel, RefusesLabelsThatNothingCanBeLearnedOf) {
  const Workers workers(1);
  const Column cells = MakeColumn("x", {"{a,b}", "a", "b"});
  const auto decode = [&](const std::vector<std::string>& label, const std::string& name) {
    DecodeOptions options;
    options.model_label = name;
    return Decode(Table({cells, MakeColumn("label", label)}), options, workers).error().message;
  };
  EXPECT_EQ(decode({"y", "y", "y"}, "label"), "The label label has a single value: there is nothing to learn");
  EXPECT_EQ(decode({"y", "n", "y"}, "other"), "The release has no column of that name: other");
  EXPECT_EQ(decode({"y", "n", "y"}, "x"),
            "The label x has widened cells: a model learns from labels that are released as they are");
}

TEST(DrawByModel, FewRowsAreDrawnWithout) {
  const Decoded decoded = DecodeByModel(MakeRelease(60, Rule::kSum).release);
  ASSERT_TRUE(decoded.model);
  EXPECT_FALSE(decoded.model->used);
  EXPECT_EQ(decoded.model->learned_rows, 60u);
}

}  // namespace
}  // namespace tada
