#include "plan/option_table.h"

#include <gtest/gtest.h>

#include <set>

#include "plan/methods.h"

namespace tada {
namespace {

TEST(OptionTable, EveryOptionIsDescribedOnceAndSaysWhatItTakes) {
  std::set<std::pair<std::string_view, std::string_view>> names;  // evaluate has lists where anonymize has one number
  for (const OptionEntry& entry : OptionTable()) {
    for (const std::string_view command : entry.commands) {
      EXPECT_TRUE(names.insert({command, entry.spec.name}).second) << command << " --" << entry.spec.name;
    }
    EXPECT_FALSE(entry.spec.help.empty()) << entry.spec.name;
    EXPECT_FALSE(entry.spec.section.empty()) << entry.spec.name;
    EXPECT_FALSE(entry.commands.empty()) << entry.spec.name;
    EXPECT_EQ(entry.spec.type != OptionType::kFlag, !entry.spec.value_name.empty()) << entry.spec.name;
    EXPECT_EQ(entry.spec.type == OptionType::kChoice, !entry.spec.choices.empty()) << entry.spec.name;
  }
}

TEST(OptionTable, ACommandsLettersAreDifferent) {
  for (const char* command : {"anonymize", "audit", "inspect", "methods"}) {
    std::set<char> letters;
    for (const OptionSpec& spec : OptionsOfCommand(command, true)) {
      if (spec.letter == 0) continue;
      EXPECT_TRUE(letters.insert(spec.letter).second) << command << " -" << spec.letter;
    }
  }
}

TEST(OptionTable, DefaultsAreValuesThatTheOptionsTake) {
  for (const OptionEntry& entry : OptionTable()) {
    if (entry.spec.default_text.empty()) continue;
    EXPECT_TRUE(ValidateOption(entry.spec, entry.spec.default_text).ok()) << entry.spec.name;
  }
}

TEST(OptionTable, AnonymizeTakesTheOptionsOfEveryMethodAndNoneCollides) {
  const auto specs = OptionsOfCommand("anonymize", false);
  for (const std::string& method : MethodNames()) {
    for (const OptionSpec& option : MethodOptions(method)) {
      EXPECT_EQ(FindOption("anonymize", option.name), nullptr) << method << " " << option.name;
      const auto same =
          std::count_if(specs.begin(), specs.end(), [&](const auto& spec) { return spec.name == option.name; });
      EXPECT_EQ(same, 1) << method << " " << option.name;
    }
  }
}

TEST(OptionTable, ToleratedOptionsAreTakenButNotListed) {
  const auto has = [](bool tolerated) {
    const auto specs = OptionsOfCommand("audit", tolerated);
    return std::any_of(specs.begin(), specs.end(), [](const auto& spec) { return spec.name == "method"; });
  };
  EXPECT_TRUE(has(true));
  EXPECT_FALSE(has(false));
}

TEST(OptionTable, ACommandsOptionMayHaveTheNameOfAMethods) {
  ASSERT_NE(FindOption("evaluate", "encoding"), nullptr);
  EXPECT_EQ(FindOption("anonymize", "encoding"), nullptr);
  EXPECT_EQ(CommandsTaking("encoding"), (std::vector<std::string>{"anonymize", "evaluate"}));
  OptionValues values;
  values.Set("encoding", {"one-hot"});  // of the clustering
  EXPECT_TRUE(ValidateValues(values).ok());
  values.Set("encoding", {"draw"});  // of evaluate, which takes it out of what its plan is made of
  EXPECT_FALSE(ValidateValues(values).ok());
}

TEST(OptionTable, SuggestsTheNameThatAWordBeginsOrTheNearest) {
  const std::vector<std::string> known = {"quasi", "sensitive", "keep-order"};
  EXPECT_EQ(SuggestName("sens", known), "sensitive");
  EXPECT_EQ(SuggestName("qasi", known), "quasi");
  EXPECT_EQ(SuggestName("zzzzz", known), std::nullopt);
}

TEST(OptionTable, ValuesAreCheckedByName) {
  OptionValues values;
  values.Set("kay", {"5"});
  EXPECT_EQ(ValidateValues(values).error().message, "Unknown option: kay");
  values = {};
  values.Set("k", {"five"});
  EXPECT_EQ(ValidateValues(values).error().message, "--k takes a whole number, not 'five'");
  values.Set("k", {"5", "6"});
  EXPECT_EQ(ValidateValues(values).error().message, "--k takes one value, not 2");
  values.Set("k", {"5"});
  EXPECT_TRUE(ValidateValues(values).ok());
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
