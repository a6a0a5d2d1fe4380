#include "base/option.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(Options, SuggestsTheNameThatAWordBeginsOrTheNearest) {
  const std::vector<std::string> known = {"quasi", "sensitive", "keep-order"};
  EXPECT_EQ(SuggestName("sens", known), "sensitive");
  EXPECT_EQ(SuggestName("qasi", known), "quasi");
  EXPECT_EQ(SuggestName("zzzzz", known), std::nullopt);
}

TEST(SplitList, CutsAtCommasAndDropsOuterBlanks) {
  EXPECT_EQ(*SplitList("age, zip ,job"), (std::vector<std::string>{"age", "zip", "job"}));
  EXPECT_EQ(*SplitList(""), std::vector<std::string>{""});
  EXPECT_EQ(*SplitList("'',?,NA"), (std::vector<std::string>{"", "?", "NA"}));
  EXPECT_EQ(*SplitList(",?"), (std::vector<std::string>{"", "?"}));
}

TEST(SplitList, QuotesHoldCommasBlanksAndQuotes) {
  EXPECT_EQ(*SplitList(R"("a,b", " c " ,"d""e","")"), (std::vector<std::string>{"a,b", " c ", "d\"e", ""}));
  EXPECT_EQ(*SplitList(R"(it"s,b)"), (std::vector<std::string>{"it\"s", "b"}));
}

TEST(SplitList, RefusesAQuoteThatIsNotClosedOrNotFollowedByAComma) {
  EXPECT_EQ(SplitList("a,\"b").error().message, "A quote is not closed: a,\"b");
  EXPECT_EQ(SplitList("\"a\"b").error().message, "A comma must follow the closing quote: \"a\"b");
}

TEST(SplitList, TakesBackWhatJoinListWrites) {
  const std::vector<std::string> items = {
      "age", "", "a,b", " x ", "it's", "say \"no\"", "''", "tab\t", "zip:categorical"};
  EXPECT_EQ(SplitList(JoinList(items)).value(), items);
  EXPECT_EQ(JoinList({"age", "zip"}), "age,zip");
}

}  // namespace
}  // namespace tada
