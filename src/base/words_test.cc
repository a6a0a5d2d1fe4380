#include "base/words.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(Words, FollowTheirNumber) {
  EXPECT_EQ(Plural(0, "row"), "0 rows");
  EXPECT_EQ(Plural(1, "row"), "1 row");
  EXPECT_EQ(Plural(2, "class", "classes"), "2 classes");
  EXPECT_EQ(Plural(1, "class", "classes"), "1 class");
  EXPECT_EQ(PluralWord(3, "leaf", "leaves"), "leaves");
}

}  // namespace
}  // namespace tada
