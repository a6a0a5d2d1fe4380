#include "plan/plan.h"

#include <gtest/gtest.h>

#include "base/option_mark.h"
#include "plan/methods.h"

namespace tada {
namespace {

using Given = std::vector<std::pair<std::string, std::vector<std::string>>>;

OptionValues Values(const Given& given) {
  OptionValues values;
  for (const auto& [name, items] : given) values.Set(name, items);
  return values;
}

std::string ErrorOf(const Given& given) {
  const Result<Plan> plan = PlanFromValues(Values(given));
  if (plan.ok()) return "no error";
  EXPECT_EQ(plan.error().code, ErrorCode::kInvalidArgument);
  return OnCommandLine(plan.error().message);
}

TEST(PlannedColumn, OnlyAKnownSuffixCounts) {
  EXPECT_EQ(ParsePlannedColumn("zip:categorical", false).name, "zip");
  EXPECT_EQ(ParsePlannedColumn("zip:categorical", false).kind, Kind::kCategorical);
  EXPECT_EQ(ParsePlannedColumn("time:of:day", false).name, "time:of:day");
  EXPECT_EQ(ParsePlannedColumn("zip:categorial", false).name, "zip:categorial");
  EXPECT_EQ(ParsePlannedColumn(":numeric", false).name, ":numeric");
  EXPECT_EQ(ParsePlannedColumn("y:2", false).name, "y:2");
}

TEST(PlannedColumn, ALabelMayHaveAWeightAndAKind) {
  EXPECT_EQ(ParsePlannedColumn("y:2", true).weight, 2.0);
  const PlannedColumn both = ParsePlannedColumn("y:numeric:0.5", true);
  EXPECT_EQ(both.name, "y");
  EXPECT_EQ(both.kind, Kind::kNumeric);
  EXPECT_EQ(both.weight, 0.5);
  EXPECT_EQ(ParsePlannedColumn("y:0", true).name, "y:0");
  EXPECT_EQ(ParsePlannedColumn("y:-1", true).name, "y:-1");
}

TEST(PlannedColumn, AColonOfItsOwnKeepsANameThatEndsLikeASuffix) {
  EXPECT_EQ(ParsePlannedColumn("a:numeric:", false).name, "a:numeric");
  EXPECT_FALSE(ParsePlannedColumn("a:numeric:", false).kind.has_value());
  EXPECT_EQ(PlannedColumnText({.name = "a:numeric"}, false), "a:numeric:");
  EXPECT_EQ(PlannedColumnText({.name = "a:2", .kind = Kind::kNumeric}, true), "a:2::numeric");
}

TEST(Plan, HasTheDocumentedDefaults) {
  const Result<Plan> plan = PlanFromValues(Values({{"quasi", {"age"}}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->requirement.k, 5);
  EXPECT_EQ(plan->requirement.l, 1);
  EXPECT_EQ(plan->requirement.diversity, Diversity::kDistinct);
  EXPECT_EQ(plan->seed, 1u);
  EXPECT_EQ(plan->missing, (std::vector<std::string>{"", "?"}));
  EXPECT_FALSE(plan->keep_order);
  EXPECT_EQ(ChosenMethod(*plan), "mondrian");
}

TEST(Plan, TakesEveryValue) {
  const Result<Plan> plan = PlanFromValues(Values({{"quasi", {"age", "zip:categorical"}},
                                                   {"sensitive", {"disease"}},
                                                   {"label", {"y:2"}},
                                                   {"keep", {"note"}},
                                                   {"k", {"10"}},
                                                   {"l", {"3"}},
                                                   {"diversity", {"recursive:2.5"}},
                                                   {"task", {"classification"}},
                                                   {"method", {"mondrian"}},
                                                   {"controller-column", {"hospital"}},
                                                   {"missing", {"NA"}},
                                                   {"delimiter", {"tab"}},
                                                   {"seed", {"9"}},
                                                   {"threads", {"2"}},
                                                   {"keep-order", {"true"}},
                                                   {"cells", {"text"}},
                                                   {"output", {"out.csv"}}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->quasi[1].kind, Kind::kCategorical);
  EXPECT_EQ(plan->label[0].weight, 2.0);
  EXPECT_EQ(plan->requirement.diversity, Diversity::kRecursive);
  EXPECT_EQ(plan->requirement.c, 2.5);
  EXPECT_EQ(plan->controller_column, "hospital");
  EXPECT_EQ(plan->delimiter, '\t');
  EXPECT_EQ(plan->cells, "text");
  EXPECT_TRUE(plan->method_options.all().empty());
}

TEST(Plan, NamesAColumnWithTwoRoles) {
  EXPECT_EQ(ErrorOf({{"quasi", {"age", "job"}}, {"keep", {"job"}}}), "Column 'job' has two roles: --quasi and --keep");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"sensitive", {"d"}}, {"label", {"d"}}}),
            "Column 'd' has two roles: --sensitive and --label");
  EXPECT_EQ(ErrorOf({{"quasi", {"age", "age:numeric"}}}), "--quasi names a column twice: age");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"controller-column", {"age"}}}),
            "Column 'age' has two roles: --controller-column and --quasi");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"keep", {"site"}}, {"controller-column", {"site"}}}), "no error");
}

TEST(Plan, NamesWhatIsMissing) {
  EXPECT_EQ(ErrorOf({}),
            "No quasi-identifier is given: --quasi names the columns that somebody could look a person up by");
  EXPECT_EQ(ErrorOf({{"quasi", {"age", ""}}}), "--quasi has a column without a name");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"l", {"2"}}}),
            "-l needs --sensitive: l=2 asks for different sensitive values, and no column is sensitive");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"task", {"regression"}}}),
            "--task regression needs --label, the column to predict");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"method", {""}}}), "--method has no name");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"controller-column", {""}}}),
            "--controller-column has a column without a name");
}

TEST(Plan, NamesWhatIsOutOfRange) {
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"k", {"0"}}}), "--k must be at least 1, not 0");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"l", {"0"}}}), "--l must be at least 1, not 0");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"diversity", {"entropic"}}}),
            "--diversity takes distinct, entropy or recursive:C, not 'entropic'");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"diversity", {"recursive"}}}),
            "--diversity takes distinct, entropy or recursive:C, not 'recursive'");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"diversity", {"recursive:0"}}}),
            "--diversity recursive:C takes a number C above 0, not '0'");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"delimiter", {"ab"}}}),
            "--delimiter takes one character, no quote and no line end, not 'ab'");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"controllers", {"2"}}, {"controller-column", {"c"}}}),
            "--controllers and --controller-column cannot go together");
}

TEST(Plan, NamesAnUnknownMethodAndOptionsOfOthers) {
  const Result<Plan> plan = PlanFromValues(Values({{"quasi", {"age"}}, {"method", {"mondrain"}}}));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(OnCommandLine(plan.error().message), "--method names a method that does not exist: mondrain");
  EXPECT_EQ(plan.error().hint, "Did you mean mondrian? 'tada methods' lists them.");
  EXPECT_EQ(ErrorOf({{"quasi", {"age"}}, {"categorical", {"sideways"}}}),
            "--categorical takes one of ordered, frequency, balanced, not 'sideways'");
}

TEST(Plan, KeepsTheOptionsOfItsMethod) {
  const Result<Plan> plan = PlanFromValues(Values({{"quasi", {"age"}}, {"categorical", {"balanced"}}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->method_options.Text("categorical"), "balanced");
}

TEST(Plan, TheCommandLineOverridesTheFile) {
  const Result<PlanFile> file =
      ParsePlanFile("quasi = ['age']\nk = 10\ncontroller-column = 'site'\n[controllers.north]\nk = 20\n", "tada.toml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Result<Plan> plan = PlanFromFile(*file, Values({{"k", {"3"}}}));
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->requirement.k, 3);
  EXPECT_EQ(plan->controller_requirements.at("north").k, 20);
  const Result<Plan> split = PlanFromFile(*file, Values({{"controllers", {"4"}}}));
  ASSERT_TRUE(split.ok()) << split.error().message;
  EXPECT_EQ(split->controllers, 4);
  EXPECT_EQ(split->controller_column, "");
  EXPECT_TRUE(split->controller_requirements.empty());
}

}  // namespace
}  // namespace tada
