#include "plan/plan_columns.h"

#include <gtest/gtest.h>

#include "base/option_mark.h"

namespace tada {
namespace {

Error ErrorOf(const Plan& plan) {
  const Status status = CheckPlannedColumns(plan, {"age", "zip", "job"}, "people.csv");
  return status.ok() ? Error{ErrorCode::kIo, "no error", ""} : status.error();
}

TEST(PlanColumns, ThatAreNotThereAreNamedWithTheNearest) {
  Plan plan;
  plan.quasi = {{.name = "age"}, {.name = "agee"}};
  EXPECT_EQ(OnCommandLine(ErrorOf(plan).message), "--quasi names a column that people.csv does not have: agee");
  EXPECT_EQ(ErrorOf(plan).hint, "Did you mean 'age'?");
  plan.quasi = {{.name = "zzzzzzzz"}};
  EXPECT_EQ(ErrorOf(plan).hint, "Its columns are: age, zip, job.");
  plan.quasi = {{.name = "age:number"}};
  EXPECT_EQ(ErrorOf(plan).hint,
            "There is a column 'age', but no kind 'number': kinds are numeric, categorical, ordinal and date.");
  plan.quasi = {{.name = "age"}};
  plan.controller_column = "site";
  EXPECT_EQ(OnCommandLine(ErrorOf(plan).message),
            "--controller-column names a column that people.csv does not have: site");
  plan.controller_column = "job";
  EXPECT_EQ(ErrorOf(plan).message, "no error");
}

TEST(PlanColumns, AreReadAsThePlanSays) {
  Plan plan;
  plan.quasi = {{.name = "zip", .kind = Kind::kCategorical}};
  plan.keep = {{.name = "job"}};
  plan.missing = {"NA"};
  const auto options = PlannedColumnOptions(plan);
  EXPECT_EQ(options.at("zip").kind, Kind::kCategorical);
  EXPECT_TRUE(options.at("zip").merge_missing);
  EXPECT_FALSE(options.at("job").merge_missing);
  EXPECT_EQ(options.at("job").missing, std::vector<std::string>{"NA"});
}

TEST(PlannedColumns, HaveTheControllersColumnAsNames) {
  Plan plan;
  plan.quasi.push_back({.name = "age", .kind = Kind::kNumeric});
  plan.controller_column = "site";
  EXPECT_EQ(PlannedColumnOptions(plan).at("site").kind, Kind::kCategorical);
  plan.controller_column = "age";
  EXPECT_EQ(PlannedColumnOptions(plan).at("age").kind, Kind::kNumeric);
}

}  // namespace
}  // namespace tada
