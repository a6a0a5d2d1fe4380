#include "learn/trees/forest.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "table/column_builder.h"

namespace tada {
namespace {

struct Rows {
  std::vector<Column> columns;
  std::vector<RowId> ids;
  std::vector<uint16_t> classes;
};

// The class follows the first of three columns, in nine of ten rows.
Rows MakeRows(size_t count) {
  Rows rows;
  Random random(5);
  std::vector<ColumnBuilder> builders;
  for (const char* name : {"a", "b", "c"}) builders.emplace_back(name, ColumnOptions{});
  for (size_t i = 0; i < count; ++i) {
    const uint64_t value = random.Below(1000);
    builders[0].AppendText(std::to_string(value));
    builders[1].AppendText(std::to_string(random.Below(40)));
    builders[2].AppendText(std::to_string(random.Below(3)));
    const bool above = value >= 300;
    rows.classes.push_back(random.Below(10) == 0 ? !above : above);
    rows.ids.push_back(static_cast<RowId>(i));
  }
  for (ColumnBuilder& builder : builders) rows.columns.push_back(builder.Finish().value());
  return rows;
}

BinnedRows Bin(const Rows& rows) {
  std::vector<const Column*> columns;
  for (const Column& column : rows.columns) columns.push_back(&column);
  return BinRows(columns, rows.ids, Workers(2));
}

TEST(Forest, BinsKeepTheOrderOfValuesAndFillEvenly) {
  const Rows rows = MakeRows(20000);
  const BinnedRows binned = Bin(rows);
  std::vector<int> filled(256, 0);
  for (size_t i = 0; i < 20000; ++i) {
    ++filled[binned.row(i)[0]];
    EXPECT_EQ(binned.row(i)[2], rows.columns[2].codes()[i]);
    const size_t next = (i + 1) % 20000;
    if (rows.columns[0].codes()[i] <= rows.columns[0].codes()[next]) {
      ASSERT_LE(binned.row(i)[0], binned.row(next)[0]);
    }
  }
  EXPECT_LT(*std::max_element(filled.begin(), filled.end()), 3 * 20000 / 256);
}

TEST(Forest, OutOfBagProbabilitiesAreHonest) {
  const Rows rows = MakeRows(5000);
  const BinnedRows binned = Bin(rows);
  const Forest forest(binned, rows.classes, 2, {}, Workers(2));
  const std::vector<float> out = forest.OutOfBag(binned, Workers(2));
  double right = 0;
  for (size_t i = 0; i < 5000; ++i) {
    EXPECT_NEAR(out[2 * i] + out[2 * i + 1], 1.0, 1e-4);
    right += (out[2 * i + 1] > 0.5f) == (rows.classes[i] == 1);
  }
  EXPECT_NEAR(right / 5000, 0.9, 0.02);  // what can be known, no more: a forest that saw its rows would claim more
}

TEST(Forest, IsTheSameAtAnyNumberOfThreads) {
  const Rows rows = MakeRows(2000);
  const BinnedRows binned = Bin(rows);
  const Forest one(binned, rows.classes, 2, {}, Workers(1)), three(binned, rows.classes, 2, {}, Workers(3));
  EXPECT_EQ(one.OutOfBag(binned, Workers(1)), three.OutOfBag(binned, Workers(3)));
}

TEST(Forest, RowsThatEveryTreeSawHaveTheSharesOfTheClasses) {
  Rows rows = MakeRows(1);
  const BinnedRows binned = Bin(rows);
  const Forest forest(binned, rows.classes, 2, {}, Workers(1));
  EXPECT_EQ(forest.OutOfBag(binned, Workers(1))[rows.classes[0]], 1.0f);
}

}  // namespace
}  // namespace tada
