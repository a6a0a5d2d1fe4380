#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "plan/plan.h"

namespace tada {
namespace {

Error ErrorOf(std::string_view text) {
  const Result<PlanFile> file = ParsePlanFile(text, "tada.toml");
  if (file.ok()) return {ErrorCode::kIo, "no error", ""};
  EXPECT_EQ(file.error().code, ErrorCode::kInvalidArgument);
  return file.error();
}

TEST(PlanFile, TakesListsNumbersFlagsAndSections) {
  const Result<PlanFile> file = ParsePlanFile(R"(
quasi = ["age", "zip:categorical"]
sensitive = "disease"
k = 10
keep_order = true
[columns.grade]
order = ["low", "high"]
[columns."first seen"]
kind = "categorical"
order = "appearance"
[controllers.north]
l = 3
[methods.mondrian]
categorical = "balanced"
)",
                                              "tada.toml");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->values.List("quasi"), (std::vector<std::string>{"age", "zip:categorical"}));
  EXPECT_EQ(file->values.List("sensitive"), std::vector<std::string>{"disease"});
  EXPECT_EQ(file->values.Integer("k", 0), 10);
  EXPECT_TRUE(file->values.Flag("keep-order"));
  EXPECT_EQ(file->columns.at("grade").order, (std::vector<std::string>{"low", "high"}));
  EXPECT_TRUE(file->columns.at("first seen").order_of_appearance);
  EXPECT_EQ(file->columns.at("first seen").kind, Kind::kCategorical);
  EXPECT_EQ(file->controllers.at("north").Integer("l", 0), 3);
  EXPECT_EQ(file->methods.at("mondrian").Text("categorical"), "balanced");
}

TEST(PlanFile, AnUnknownKeyIsNamedWithItsLineAndTheNearestKnownOne) {
  const Error error = ErrorOf("k = 5\nquazi = ['age']\n");
  EXPECT_EQ(error.message, "tada.toml:2: unknown key: quazi");
  EXPECT_EQ(error.hint, "Did you mean quasi?");
  EXPECT_EQ(ErrorOf("[controllers.a]\nkk = 5\n").message, "tada.toml:2: unknown key in [controllers.a]: kk");
  EXPECT_EQ(ErrorOf("[columns.a]\nkid = 'x'\n").hint, "Did you mean kind?");
  EXPECT_EQ(ErrorOf("[methods.mondrian]\ncategoric = 'x'\n").hint, "Did you mean categorical?");
  EXPECT_EQ(ErrorOf("[methods.mondrain]\n").hint, "Did you mean [methods.mondrian]?");
  EXPECT_EQ(ErrorOf("categorical = 'balanced'\n").hint.substr(0, 53),
            "It is an option of a method: write it below [methods.");
  EXPECT_EQ(ErrorOf("output = 'a.csv'\n").message, "tada.toml:1: unknown key: output");
}

TEST(PlanFile, AValueOfTheWrongTypeIsNamedWithItsLine) {
  EXPECT_EQ(ErrorOf("\nk = 'many'\n").message, "tada.toml:2: k takes a whole number");
  EXPECT_EQ(ErrorOf("k = 0\n").message, "tada.toml:1: k must be at least 1, not 0");
  EXPECT_EQ(ErrorOf("quasi = [1]\n").message, "tada.toml:1: quasi is a list of texts in quotes");
  EXPECT_EQ(ErrorOf("quasi = 1\n").message, "tada.toml:1: quasi takes a list of texts: [\"a\", \"b\"]");
  EXPECT_EQ(ErrorOf("keep-order = 1\n").message, "tada.toml:1: keep-order takes true or false");
  EXPECT_EQ(ErrorOf("task = 'ranking'\n").message.substr(0, 26), "tada.toml:1: task takes on");
  EXPECT_EQ(ErrorOf("method = 1\n").message, "tada.toml:1: method takes a text in quotes");
  EXPECT_EQ(ErrorOf("[method.mondrian]\n").hint, "Options of a method belong in [methods.<name>].");
  EXPECT_EQ(ErrorOf("[columns.a]\nkind = 'number'\n").message,
            "tada.toml:2: kind is \"numeric\", \"categorical\", \"ordinal\" or \"date\"");
  EXPECT_EQ(ErrorOf("[columns.a]\norder = 1\n").message, "tada.toml:2: order is a list of texts, or \"appearance\"");
  EXPECT_EQ(ErrorOf("[columns]\na = 1\n").message, "tada.toml:2: [columns] holds sections, not values: a");
  EXPECT_EQ(ErrorOf("keep-order = true\nkeep_order = true\n").message.substr(11), ": keep-order is given twice");
}

TEST(PlanFile, WhatIsNotTomlIsNamedWithItsPlace) {
  EXPECT_EQ(ErrorOf("quasi = [\n").message.substr(0, 10), "tada.toml:");
  const Result<PlanFile> file = ReadPlanFile("no/such/plan.toml");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().message, "The plan cannot be read: no/such/plan.toml: No such file or directory");
}

TEST(PlanFile, SectionsThatContradictThePlanAreRefused) {
  const auto message = [](std::string_view text) {
    const Result<PlanFile> file = ParsePlanFile(text, "tada.toml");
    const Result<Plan> plan = PlanFromFile(*file, {});
    return plan.ok() ? std::string("no error") : plan.error().message;
  };
  EXPECT_EQ(message("quasi = 'a'\n[controllers.x]\nk = 2\n"), "[controllers.x] of the plan needs controller-column");
  EXPECT_EQ(message("quasi = 'a:numeric'\n[columns.a]\norder = ['x']\n"),
            "Column 'a' is numeric, so its order is that of its numbers: kind = \"numeric\", order");
  EXPECT_EQ(message("quasi = 'a'\n[columns.a]\norder = ['x']\n"), "no error");
}

std::string Name(std::string_view stem) {
  const auto tail = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab:2 \"\\,#=[]\n\t'.:")));
  const auto ending = *rc::gen::element<std::string>("", ":numeric", ":2", ":", ":ordinal::");
  return std::string(stem) + tail + ending;
}

PlannedColumn DrawColumn(std::string_view stem, bool is_label) {
  PlannedColumn column{.name = Name(stem)};
  column.kind =
      *rc::gen::element<std::optional<Kind>>(std::nullopt, Kind::kNumeric, Kind::kCategorical, Kind::kOrdinal);
  if (is_label) column.weight = *rc::gen::element(1.0, 2.0, 0.1, 1e-7);
  if (column.kind == Kind::kOrdinal && *rc::gen::arbitrary<bool>())
    column.order = {Name("v"), Name("w")};
  else if (column.kind == Kind::kCategorical && *rc::gen::arbitrary<bool>())
    column.order_of_appearance = true;
  return column;
}

Requirement DrawRequirement() {
  Requirement requirement;
  requirement.k = *rc::gen::inRange<int64_t>(1, 1000);
  requirement.l = *rc::gen::inRange<int64_t>(1, 9);
  requirement.diversity = *rc::gen::element(Diversity::kDistinct, Diversity::kEntropy, Diversity::kRecursive);
  if (requirement.diversity == Diversity::kRecursive) requirement.c = *rc::gen::element(0.1, 1.0, 3.0, 1e9);
  return requirement;
}

Plan DrawPlan() {
  Plan plan;
  plan.quasi = {DrawColumn("q", false), DrawColumn("r", false)};
  plan.sensitive = {DrawColumn("s", false)};
  if (*rc::gen::arbitrary<bool>()) plan.label = {DrawColumn("y", true)};
  if (*rc::gen::arbitrary<bool>()) plan.keep = {DrawColumn("k", false)};
  plan.task = *rc::gen::element<std::optional<Task>>(std::nullopt, Task::kNone);
  plan.method = "mondrian";
  plan.requirement = DrawRequirement();
  if (*rc::gen::arbitrary<bool>()) {
    plan.controller_column = Name("c");
    plan.controller_requirements[Name("")] = DrawRequirement();
  } else {
    plan.controllers = *rc::gen::inRange<int64_t>(1, 9);
  }
  plan.missing = *rc::gen::elementOf(std::vector<std::vector<std::string>>{{"", "?"}, {}, {"NA", "", "\"x\""}});
  plan.delimiter = *rc::gen::element<std::optional<char>>(std::nullopt, ',', '\t', '|', '\\');
  plan.seed = *rc::gen::inRange<uint64_t>(0, uint64_t{1} << 62);
  plan.threads = *rc::gen::inRange(0, 9);
  plan.keep_order = *rc::gen::arbitrary<bool>();
  plan.cells = *rc::gen::element<std::string>("typed", "text", "postgres");
  if (*rc::gen::arbitrary<bool>()) plan.method_options.Set("categorical", {"balanced"});
  return plan;
}

bool Same(const Requirement& a, const Requirement& b) {
  const bool same_c = a.diversity != Diversity::kRecursive || a.c == b.c;  // of no meaning elsewhere
  return a.k == b.k && a.l == b.l && a.diversity == b.diversity && same_c;
}

bool Same(const std::vector<PlannedColumn>& a, const std::vector<PlannedColumn>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlannedColumn& x, const PlannedColumn& y) {
    return x.name == y.name && x.kind == y.kind && x.weight == y.weight && x.order == y.order &&
           x.order_of_appearance == y.order_of_appearance;
  });
}

TEST(PlanToToml, IsReadBackAsTheSamePlan) {
  EXPECT_TRUE(rc::check([] {
    const Plan plan = DrawPlan();
    const std::string toml = PlanToToml(plan);
    const Result<PlanFile> file = ParsePlanFile(toml, "tada.toml");
    if (!file.ok()) RC_FAIL(file.error().message + "\n" + toml);
    const Result<Plan> read = PlanFromFile(*file, {});
    if (!read.ok()) RC_FAIL(read.error().message + "\n" + toml);
    RC_ASSERT(Same(plan.quasi, read->quasi));
    RC_ASSERT(Same(plan.sensitive, read->sensitive));
    RC_ASSERT(Same(plan.label, read->label));
    RC_ASSERT(Same(plan.keep, read->keep));
    RC_ASSERT(Same(plan.requirement, read->requirement));
    RC_ASSERT(plan.task == read->task);
    RC_ASSERT(plan.method == read->method);
    RC_ASSERT(plan.controllers == read->controllers);
    RC_ASSERT(plan.controller_column == read->controller_column);
    RC_ASSERT(plan.controller_requirements.size() == read->controller_requirements.size());
    for (const auto& [name, requirement] : plan.controller_requirements) {
      RC_ASSERT(Same(requirement, read->controller_requirements.at(name)));
    }
    RC_ASSERT(plan.missing == read->missing);
    RC_ASSERT(plan.delimiter == read->delimiter);
    RC_ASSERT(plan.seed == read->seed);
    RC_ASSERT(plan.threads == read->threads);
    RC_ASSERT(plan.keep_order == read->keep_order);
    RC_ASSERT(plan.cells == read->cells);
    RC_ASSERT(plan.method_options.all() == read->method_options.all());
  }));
}

TEST(PlanFile, ANameOfATableThatNeedsQuotesIsAWrongPlan) {
  for (const char* text : {"[?]", "[*]", "[é]"}) {
    const auto read = ParsePlanFile(text, "tada.toml");
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().message.find("tada.toml:1: not TOML"), std::string::npos) << read.error().message;
  }
}

}  // namespace
}  // namespace tada
