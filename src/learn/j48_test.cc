#include "learn/j48.h"

#include <gtest/gtest.h>

#include "learn/linear_svm.h"

namespace tada {
namespace {

// Quinlan's weather: outlook, humidity (high, normal), windy; play.
TreeSamples Weather() {
  TreeSamples s;
  s.num_labels = 2;
  //                   s s o r r r o s s r s o o r
  s.columns = {{{0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2}, 3, false},
               {{0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0}, 2, false},
               {{0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1}, 2, false}};
  s.labels = {0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0};
  return s;
}

TEST(J48, GrowsTheTreeOfTheTextbook) {
  const TreeSamples s = Weather();
  const std::vector<double> weights(s.size(), 1.0);
  const J48Tree tree(s, weights);
  EXPECT_EQ(tree.num_leaves(), 5u);  // outlook, then humidity if sunny and windy if rainy
  for (size_t i = 0; i < s.size(); ++i) EXPECT_EQ(tree.Predict(s, i), s.labels[i]);
}

TEST(J48, CountsAWeightAsSoManyRows) {
  TreeSamples s = Weather(), twice = s;
  for (size_t i = 0; i < s.size(); ++i) {
    for (size_t c = 0; c < 3; ++c) twice.columns[c].codes.push_back(s.columns[c].codes[i]);
    twice.labels.push_back(s.labels[i]);
  }
  const J48Tree weighted(s, std::vector<double>(s.size(), 2.0)),
      repeated(twice, std::vector<double>(twice.size(), 1.0));
  EXPECT_EQ(weighted.num_leaves(), repeated.num_leaves());
}

TEST(J48, PrunesWhatIsNoise) {
  TreeSamples s;  // the label has nothing to do with the column
  s.num_labels = 2;
  s.columns = {{{}, 10, false}};
  for (uint32_t i = 0; i < 200; ++i) {
    s.columns[0].codes.push_back(i % 10);
    s.labels.push_back(i % 7 == 0 ? 1 : 0);
  }
  EXPECT_EQ(J48Tree(s, std::vector<double>(200, 1.0)).num_leaves(), 1u);
}

TEST(J48, FindsAThreshold) {
  TreeSamples s;
  s.num_labels = 2;
  s.columns = {{{}, 100, true}};
  for (uint32_t i = 0; i < 100; ++i) {
    s.columns[0].codes.push_back(i);
    s.labels.push_back(i > 41 ? 1 : 0);
  }
  const J48Tree tree(s, std::vector<double>(100, 1.0));
  EXPECT_EQ(tree.num_leaves(), 2u);
  EXPECT_EQ(tree.Predict(s, 41), 0u);
  EXPECT_EQ(tree.Predict(s, 42), 1u);
}

TEST(CrossValidation, HoldsOutWhatItPredicts) {
  // Each value of the column has one label, in all folds: a tree and a machine that learn it are always right. Where a value
  // is in one fold only, nothing can be learned about it.
  TreeSamples s;
  s.num_labels = 2;
  s.columns = {{{0, 1, 2, 3}, 4, false}};
  s.labels = {0, 1, 0, 1};
  const std::vector<uint32_t> everywhere(4 * 2, 30);
  EXPECT_EQ(CrossValidateTree(s, everywhere, 2), 1.0);
  EXPECT_EQ(CrossValidateLinearSvm(s, everywhere, 2), 1.0);
  const std::vector<uint32_t> apart = {60, 0, 0, 10, 60, 0, 0, 10};  // fold 0 has label 0 only, fold 1 label 1 only
  EXPECT_EQ(CrossValidateTree(s, apart, 2), 0.0);
}

}  // namespace
}  // namespace tada
