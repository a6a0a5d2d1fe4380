// What stages say about themselves in the report: every one has words, and they follow its options.

#include <gtest/gtest.h>

#include "hierarchy/hierarchy_builders.h"
#include "partition/registry.h"
#include "testing/problems.h"

namespace tada {
namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class About {
 public:
  About() : table_(testing::MakeTable("age job:categorical ill:categorical y:categorical n\n1 a x p 1\n2 b y q 2\n")) {}

  // The words of all stages of a method, one after the other.
  std::string Words(const std::string& method, Task task, const Options& options = {}, bool hierarchies = false) {
    OptionValues values;
    for (const auto& [name, value] : options) values.Set(name, {value});
    const std::string label = task == Task::kRegression ? "n" : "y";
    testing::ProblemParts parts(
        table_,
        {testing::Ids(table_, {"age", "job"}), testing::Ids(table_, {"ill"}), testing::Ids(table_, {label}), {}},
        {2, 2}, values);
    parts.problem.task = task;
    const Hierarchy count = BuildHierarchy("count:2", table_, 0).value(),
                    flat = BuildHierarchy("flat", table_, 1).value();
    if (hierarchies) parts.problem.hierarchies = {&count, &flat};
    std::string words;
    const auto stages = FindMethod(method)->make({task, values}).value();
    for (const auto& stage : stages) {
      const std::string about = stage->About(parts.problem);
      EXPECT_TRUE(about.size() > 40 && about.ends_with('.')) << method << " " << stage->name() << ": " << about;
      words += about;
    }
    return words;
  }

 private:
  Table table_;
};

TEST(About, EveryStageOfEveryMethodHasWords) {
  About about;
  for (const MethodEntry& method : Methods()) {
    if (method.name == "auto") continue;  // runs another method
    const std::vector<Task> tasks = method.tasks.empty() ? std::vector{Task::kNone} : method.tasks;
    for (const Task task : tasks) EXPECT_NE(about.Words(std::string(method.name), task), "") << method.name;
  }
}

TEST(About, ClustersMoveRowsUnlessTheyAreToMerge) {
  About about;
  EXPECT_TRUE(Has(about.Words("ta_da", Task::kClustering), "takes in single people"));
  EXPECT_FALSE(Has(about.Words("ta_da", Task::kClustering), "nearest mean"));
  EXPECT_TRUE(
      Has(about.Words("ta_da", Task::kClustering, {{"repair", "merge"}}), "joins the one with the nearest mean"));
  EXPECT_FALSE(Has(about.Words("ta_da", Task::kClustering, {{"polish", "0"}}), "people change groups"));
}

TEST(About, OutliersAreAttachedUnlessTheyAreToBeKeptOrMasked) {
  About about;
  EXPECT_FALSE(Has(about.Words("dop", Task::kNone), "aside"));
  EXPECT_TRUE(Has(about.Words("dop", Task::kNone), "join the cluster of the person nearest to them"));
  EXPECT_TRUE(Has(about.Words("dop", Task::kNone, {{"noise", "keep"}}), "set aside as one group"));
  EXPECT_TRUE(Has(about.Words("dop", Task::kNone, {{"noise", "mask"}}), "set aside and masked"));
  EXPECT_FALSE(Has(about.Words("dop", Task::kNone, {{"no-density", "true"}}), "density"));
  EXPECT_TRUE(Has(about.Words("dop", Task::kNone, {{"cost", "lil"}}), "local information loss"));
}

TEST(About, FollowsTheOtherOptionsToo) {
  About about;
  EXPECT_FALSE(Has(about.Words("mondrian", Task::kNone), "both sides"));
  EXPECT_TRUE(Has(about.Words("mondrian", Task::kNone, {{"relaxed", "true"}}), "dealt to both sides"));
  EXPECT_TRUE(Has(about.Words("mondrian", Task::kNone, {{"categorical", "balanced"}}), "commonest first"));
  EXPECT_TRUE(Has(about.Words("mondrian", Task::kNone, {}, true), "branches of the hierarchy"));
  EXPECT_TRUE(Has(about.Words("infogain", Task::kClassification), "least mixed"));
  EXPECT_TRUE(Has(about.Words("regression", Task::kRegression), "varies least"));
  EXPECT_TRUE(Has(about.Words("ta_da", Task::kClassification, {{"split", "multiway"}, {"prune", "0.25"}}),
                  "one branch per value. It was pruned with confidence 0.25."));
  EXPECT_TRUE(Has(about.Words("compact", Task::kNone), "effort 5 of 9"));
  EXPECT_FALSE(Has(about.Words("compact", Task::kNone, {{"effort", "0"}}), "effort"));
  EXPECT_TRUE(Has(about.Words("optimal", Task::kNone, {{"suppress", "5"}, {"minimize", "leaves"}}),
                  "at most 5% of the people masked"));
  EXPECT_TRUE(Has(about.Words("optimal", Task::kNone, {{"minimize", "leaves"}}), "the loss is NCP by leaves"));
}

}  // namespace
}  // namespace tada
