#include "partition/mondrian/workload.h"

#include <gtest/gtest.h>

#include "partition/mondrian/workload_mondrian.h"
#include "testing/problems.h"
#include "testing/tables.h"

namespace tada {
namespace {

using Sets = std::set<std::set<int>>;

std::vector<Query> Parse(std::string_view text) {
  auto queries = ParseWorkload(text, "q.toml");
  EXPECT_TRUE(queries.ok()) << queries.error().message;
  return std::move(queries).value();
}

Groups Refine(const Problem& problem, const std::vector<Query>& queries, bool with_labels = false) {
  return std::move(
             MakeWorkloadStage(queries, with_labels, {})->Refine(problem, Groups::Whole(problem.table.num_rows())))
      .value();
}

const char* kTwelve =
    "a b:categorical y\n1 u 1\n2 u 1\n3 u 1\n4 v 2\n5 v 2\n6 v 2\n7 w 3\n8 w 3\n9 w 3\n10 x 4\n11 x 4\n12 x 4\n";

TEST(Workload, CutsAtTheEndsOfARangeThatIsAskedFor) {
  // The median would be 1..6 | 7..12. Rows 1..3 asked alone: a cut after 3 leaves no foreign row in the group it touches.
  const Table table = testing::MakeTable(kTwelve);
  const auto parts = testing::MakeProblem(table, {"a"}, {}, {}, {3, 1});
  const Groups groups = Refine(parts.problem, Parse("[[query]]\nwhere.a = {max = 3}\n"));
  const Sets sets = testing::RowSets(groups, 1);
  EXPECT_TRUE(sets.contains({1, 2, 3})) << "the query's own rows stand alone";
}

TEST(Workload, SeparatesASetOfNamesThatIsAskedFor) {
  const Table table = testing::MakeTable(kTwelve);
  const auto parts = testing::MakeProblem(table, {"b"}, {}, {}, {6, 1});
  EXPECT_EQ(testing::RowSets(Refine(parts.problem, Parse("[[query]]\nwhere.b = [\"u\", \"w\"]\n")), 1),
            (Sets{{1, 2, 3, 7, 8, 9}, {4, 5, 6, 10, 11, 12}}));
}

TEST(Workload, AQueryGainsNothingFromAColumnThatItDoesNotSee) {
  const Table table = testing::MakeTable(kTwelve);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {}, {6, 1});
  // a is not seen, so the median of the widest column decides: 1..6 | 7..12.
  const Groups groups = Refine(parts.problem, Parse("[[query]]\nwhere.a = {min = 7}\ncolumns = [\"b\"]\n"
                                                    "[[query]]\nwhere.b = [\"u\", \"v\"]\nweight = 0.1\n"));
  EXPECT_EQ(testing::RowSets(groups, 1), (Sets{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}));
}

TEST(Workload, ATargetCountsAmongTheRowsThatAQuerySelects) {
  // Over all rows a tells y best (n n n p p p p p); among b = 1 alone only c does.
  const Table table = testing::MakeTable(
      "a b c y:categorical\n1 1 1 n\n2 1 2 p\n3 1 1 n\n4 1 2 p\n1 2 1 n\n2 2 1 n\n3 2 2 p\n4 2 2 p\n");
  const auto parts = testing::MakeProblem(table, {"a", "b", "c"}, {}, {"y"}, {4, 1});
  EXPECT_EQ(testing::RowSets(Refine(parts.problem, Parse("[[query]]\nwhere.b = {max = 1}\ntarget = \"y\"\n"))),
            (Sets{{0, 2, 4, 5}, {1, 3, 6, 7}}));
}

TEST(Workload, SpreadsTheRowsOfAGroupEvenlyOverItsCell) {
  const Table table = testing::MakeTable(kTwelve);
  auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {"y"}, {1, 1});
  parts.problem.task = Task::kRegression;
  const auto queries = BindQueries(parts.problem, Parse("[[query]]\nwhere.a = {min = 2, max = 4}\n"
                                                        "[[query]]\nwhere.b = [\"u\"]\n"
                                                        "[[query]]\nwhere.a = {max = 3}\ntarget = \"y\"\n"));
  ASSERT_TRUE(queries.ok());
  const Groups groups = Groups::FromLists({{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}});
  const auto answers = AnswerQueries(parts.problem, groups, *queries);
  EXPECT_DOUBLE_EQ(answers[0].raw, 3);
  EXPECT_DOUBLE_EQ(answers[0].released, 3);  // 3 of the 6 whole numbers in [1,6], 6 rows
  EXPECT_DOUBLE_EQ(answers[1].released, 3);  // 1 of 2 names, 6 rows
  EXPECT_DOUBLE_EQ(answers[2].raw, 1);
  EXPECT_DOUBLE_EQ(answers[2].released, 1.5);  // the mean of 1 1 1 2 2 2
  EXPECT_DOUBLE_EQ(answers[2].error, 0.5);
}

TEST(Workload, ReportsWhatPlainMondrianWouldHaveGiven) {
  const Table table = testing::MakeTable(kTwelve);
  const auto parts = testing::MakeProblem(table, {"a"}, {}, {}, {3, 1});
  Refine(parts.problem, Parse("[[query]]\nname = \"first\"\nwhere.a = {max = 4}\n"));
  const NoteSection& section = parts.notes.sections.at(0);
  EXPECT_TRUE(section.raw) << "answers on raw rows are not for publication";
  EXPECT_NE(std::get<Fact::List>(section.facts.value()).at(0).Find("plain_error"), nullptr);
  EXPECT_NE(section.text.find("first: rows 4, released 4, error 0.00%"), std::string::npos) << section.text;
}

TEST(Workload, ErrorsNameLineAndWhatWouldBeRight) {
  const auto message = [](std::string_view text) { return ParseWorkload(text, "q.toml").error().message; };
  EXPECT_NE(message("[[query]]\nwhere.a = {least = 3}\n").find("q.toml:2"), std::string::npos);
  EXPECT_NE(message("[[query]]\nweight = 0\n").find("above 0"), std::string::npos);
  EXPECT_NE(message("").find("no [[query]]"), std::string::npos);
  EXPECT_NE(message("[[query]\n").find("not TOML"), std::string::npos);
  const Table table = testing::MakeTable(kTwelve);
  const auto parts = testing::MakeProblem(table, {"a", "b"}, {}, {}, {3, 1});
  const auto bind = [&](std::string_view text) { return BindQueries(parts.problem, Parse(text)).error(); };
  EXPECT_NE(bind("[[query]]\nwhere.c = [1]\n").message.find("c is no quasi-identifier"), std::string::npos);
  EXPECT_NE(bind("[[query]]\nwhere.b = {min = 1}\n").message.find("needs a numeric column"), std::string::npos);
  EXPECT_NE(bind("[[query]]\nwhere.a = {min = 4, max = 2}\n").message.find("min 4 is above max 2"), std::string::npos);
  EXPECT_NE(bind("[[query]]\nwhere.b = [\"q\"]\n").message.find("no value 'q'"), std::string::npos);
  EXPECT_NE(bind("[[query]]\ntarget = \"z\"\n").message.find("z is no label"), std::string::npos);
}

}  // namespace
}  // namespace tada
