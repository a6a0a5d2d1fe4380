#include "learn/learners.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "learn/features/number_bins.h"
#include "learn/features/sparse_features.h"
#include "learn/features/standard.h"
#include "learn/metrics.h"

namespace tada {
namespace {

// Label 1 where x + (2 if the name is 1) > 5, with the numbers widened to intervals of `width` and some names to sets.
CellTable MakeCells(size_t rows, double width, uint64_t seed, bool numbers = false) {
  Random random(seed);
  CellTable table{{{true, 0, {}, {}, {}}, {false, 3, {}, {}, {}}}, {}, 2, {}, rows};
  for (uint32_t row = 0; row < rows; ++row) {
    const double x = 10 * random.Unit();
    const auto name = static_cast<uint32_t>(random.Below(3));
    table.columns[0].cells.push_back({x - width * random.Unit(), x + width * random.Unit(), 0, 0});
    table.columns[0].of_row.push_back(row);
    CellColumn& names = table.columns[1];
    const auto begin = static_cast<uint32_t>(names.names.size());
    if (width > 0 && random.Below(4) == 0) {
      names.names.insert(names.names.end(), {0, 1, 2});
    } else {
      names.names.push_back(name);
    }
    names.cells.push_back({0, 0, begin, static_cast<uint32_t>(names.names.size())});
    names.of_row.push_back(row);
    const double y = x + (name == 1 ? 2 : 0);
    table.labels.push_back(y > 5 ? 1 : 0);
    if (numbers) table.targets.push_back(y);
  }
  return table;
}

TEST(Learners, EachLearnsFromRawValuesAndFromWidenedOnes) {
  const CellTable raw = MakeCells(600, 0, 1), wide = MakeCells(600, 2, 2), test = MakeCells(400, 0, 3);
  for (const Learner learner : {Learner::kTree, Learner::kBayes, Learner::kLogistic, Learner::kSvm, Learner::kSvmRbf}) {
    for (const Encoding encoding : {Encoding::kDirect, Encoding::kMultiHot}) {
      for (const CellTable* train : {&raw, &wide}) {
        const Predictions made = LearnAndPredict(learner, encoding, *train, test, Workers(1));
        ASSERT_EQ(made.labels.size(), test.num_rows);
        EXPECT_GT(Accuracy(test.labels, made.labels), 0.85) << LearnerName(learner) << " " << EncodingName(encoding);
        if (made.probabilities.empty()) continue;
        EXPECT_GT(Auc(test.labels, made.probabilities, 2), 0.9) << LearnerName(learner);
      }
    }
  }
}

TEST(Learners, RidgeFindsALinearTarget) {
  const CellTable train = MakeCells(500, 0, 1, true), test = MakeCells(200, 0, 2, true);
  EXPECT_GT(R2(test.targets, LearnAndPredict(Learner::kRidge, Encoding::kDirect, train, test, Workers(1)).numbers),
            0.99);
}

TEST(Learners, ATreeLearnsNumbersFromRawValuesAndFromWidenedOnes) {
  const CellTable test = MakeCells(400, 0, 3, true);
  for (const Encoding encoding : {Encoding::kDirect, Encoding::kMultiHot}) {
    for (const double width : {0.0, 2.0}) {
      const CellTable train = MakeCells(600, width, 4, true);
      const Predictions made = LearnAndPredict(Learner::kTree, encoding, train, test, Workers(1));
      ASSERT_EQ(made.numbers.size(), test.num_rows);
      EXPECT_GT(R2(test.targets, made.numbers), 0.8) << width << EncodingName(encoding);
    }
  }
}

TEST(Learners, BayesAddsUpWhatACellCovers) {
  // One column of two names; label 1 always has name 1. A set of both says nothing: the prior is left.
  const CellColumn names{false, 2, {{0, 0, 0, 1}, {0, 0, 1, 2}, {0, 0, 2, 4}}, {0, 1, 0, 1}, {0, 0, 0, 1, 1, 1}};
  const CellTable train{{names}, {0, 0, 0, 1, 1, 1}, 2, {}, 6};
  CellTable test = train;
  test.columns[0].of_row = {0, 1, 2};
  test.labels = {0, 1, 0};
  test.num_rows = 3;
  const auto shares = LearnAndPredict(Learner::kBayes, Encoding::kDirect, train, test, Workers(1)).probabilities;
  EXPECT_NEAR(shares[0], 3.5 / 4, 1e-12);  // (3 + 1/2) / (3 + 1) against (0 + 1/2) / (3 + 1), equal priors
  EXPECT_NEAR(shares[4], 0.5, 1e-12);
}

TEST(Learners, ARequestToStopIsHeardInsideTheSolvers) {
  const CellTable train = MakeCells(600, 2, 2), test = MakeCells(4, 0, 3);
  Cancel cancel;
  cancel.Request();
  for (const Learner learner : {Learner::kLogistic, Learner::kSvm, Learner::kSvmRbf}) {
    EXPECT_THROW(LearnAndPredict(learner, Encoding::kDirect, train, test, Workers(1, &cancel)), Interrupted)
        << LearnerName(learner);
  }
}

TEST(Learners, ARequestToStopIsHeardByTreesBayesAndRidge) {
  const CellTable train = MakeCells(60, 2, 2), test = MakeCells(4, 0, 3), numbers = MakeCells(60, 2, 2, true);
  Cancel cancel;
  cancel.Request();
  const Workers stopped(1, &cancel);
  EXPECT_THROW(LearnAndPredict(Learner::kTree, Encoding::kDirect, train, test, stopped), Interrupted);
  EXPECT_THROW(LearnAndPredict(Learner::kBayes, Encoding::kDirect, train, test, stopped), Interrupted);
  EXPECT_THROW(LearnAndPredict(Learner::kTree, Encoding::kDirect, numbers, test, stopped), Interrupted);
  EXPECT_THROW(LearnAndPredict(Learner::kRidge, Encoding::kDirect, numbers, test, stopped), Interrupted);
}

// A row far outside of what was learned: every label of three is impossible to LIBLINEAR, which divides 0 by 0.
TEST(Learners, ProbabilitiesOfRowsFarOutAreNumbers) {
  const CellTable train{{NumberColumn({0, 1, 2}, {0, 1, 2, 0, 1, 2}, false)}, {0, 1, 2, 0, 1, 2}, 3, {}, 6};
  for (const double far : {1e9, -1e9}) {
    const CellTable test{{NumberColumn({far}, {0, 0, 0}, false)}, {0, 1, 2}, 3, {}, 3};
    for (const double share :
         LearnAndPredict(Learner::kLogistic, Encoding::kDirect, train, test, Workers(1)).probabilities) {
      EXPECT_TRUE(share >= 0 && share <= 1) << far << " " << share;
    }
  }
}

TEST(NumberBins, MassesOfCellsWiderThanANumberHoldsAreShares) {
  const CellTable ends{{NumberColumn({-1.7e308, 0, 1.7e308}, {0, 1, 2}, false)}, {}, 0, {}, 3};
  const NumberBins bins(ends.columns[0], 10);
  EXPECT_DOUBLE_EQ(bins.MassUpTo({-1.7e308, 1.7e308, 0, 0}, 1), 0.5);
}

TEST(NumberBins, CutsAreQuantilesOfTheEndsOfRows) {
  Random random(1);
  CellColumn column = NumberColumn({5, 1, 3, 3, 8, 2}, {}, false);
  column.cells[4] = {2, 9, 0, 0};  // an interval: both of its ends count
  std::vector<double> ends{1, 2, 3, 5};
  for (int row = 0; row < 500; ++row) {
    column.of_row.push_back(static_cast<uint32_t>(random.Below(6)));
    ends.push_back(column.cell(column.of_row.size() - 1).low);
    if (column.of_row.back() == 4) ends.push_back(9);
  }
  ends.push_back(3);  // a number counts once more for each of the two cells that have it
  std::sort(ends.begin(), ends.end());
  const NumberBins all(column, 5), two(column, 2);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all.cut(0), 1);
  EXPECT_EQ(all.cut(3), 5);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two.cut(0), ends[ends.size() / 2]);
}

// The mean of numbers that are alike is off by its rounding; divided by that, another number would be huge.
TEST(Standard, NumbersThatAreAlikeHaveNoScale) {
  for (const double number : {0.1, 18262.1, 1.7e9 + 0.1}) {
    for (size_t count = 1; count < 100; ++count) {
      EXPECT_EQ(StandardOf(count, [&](size_t) { return number; }).scale, 0) << number << " " << count;
    }
  }
}

// Scaled by rows that nearly all have a share, raw rows, which have 0 or 1, would lie far off.
TEST(FeatureMaker, TakesSharesAsTheyAre) {
  CellTable table{{}, {}, 0, {}, 3};
  table.columns = {NumberColumn({1.0, 0.5}, {0, 0, 1}, true), NumberColumn({1.0, 4.0}, {0, 0, 1}, false)};
  const SparseRows rows = FeatureMaker(table, false).Make(table);
  ASSERT_EQ(rows.entries.size(), 6u);
  EXPECT_EQ(rows.entries[0].value, 1);
  EXPECT_EQ(rows.entries[4].value, 0.5);
  EXPECT_NEAR(rows.entries[1].value + rows.entries[3].value + rows.entries[5].value, 0, 1e-12);
}

TEST(Learners, AnUnknownNameIsRefused) { EXPECT_FALSE(FindLearner("forest").ok()); }

}  // namespace
}  // namespace tada
