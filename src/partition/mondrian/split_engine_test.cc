#include "partition/engine/split_engine.h"

#include <gtest/gtest.h>

#include "base/disk/spill.h"
#include "base/random.h"
#include "partition/mondrian/gain_mondrian.h"
#include "partition/mondrian/mondrian.h"
#include "testing/problems.h"

namespace tada {
namespace {

Table ManyRows() {
  Random random(3);
  std::string text = "a b c:categorical y:categorical\n";
  for (int i = 0; i < 6000; ++i) {
    const uint64_t a = random.Below(500);
    text += fmt::format("{} {} c{} {}\n", a, random.Below(40), random.Below(9), a % 7 < random.Below(9) ? "n" : "p");
  }
  return testing::MakeTable(text);
}

// What the bar was told.
struct Words final : Progress {
  void Begin(std::string_view, uint64_t total) override { rows = total; }
  void Advance(uint64_t units) override { done += units; }
  void Tell(std::string_view words) override { told.emplace_back(words); }
  uint64_t rows = 0;
  std::atomic<uint64_t> done{0};
  std::vector<std::string> told;
};

TEST(SplitEngine, LevelByLevelGivesTheSameGroupsAndTellsHowFarItIs) {
  const Table table = ManyRows();
  auto parts = testing::MakeProblem(table, {"a", "b", "c"}, {}, {"y"}, {5, 1});
  const Groups whole = Groups::Whole(table.num_rows());
  for (const bool by_label : {false, true}) {
    Words words;
    const Problem& p = parts.problem;
    const Problem problem{p.table, p.roles,   p.task, p.label_weights, p.checker, p.options,
                          p.seed,  p.workers, words,  p.notes,         p.domains, p.hierarchies};
    const auto split = [&] {
      NodeRows rows(problem, whole);
      if (by_label) return SplitAll(problem, whole, GainChooser(problem, rows, {}), "infogain", std::move(rows));
      return SplitAll(problem, whole, MedianChooser(problem, {}), "mondrian", std::move(rows));
    };
    const Groups in_memory = split();
    EXPECT_TRUE(words.told.empty());
    words.done = 0;
    const auto spill = Spill::Open(::testing::TempDir(), 1 << 16);
    ASSERT_TRUE(spill.ok());
    const Groups by_level = split();
    EXPECT_EQ(in_memory.order(), by_level.order());
    EXPECT_EQ(in_memory.num_groups(), by_level.num_groups());
    ASSERT_GE(words.told.size(), 3u);
    EXPECT_EQ(words.told[0], "level 1, 0 of 6000 rows");
    EXPECT_EQ(words.told[1].substr(0, 7), "level 2");
    EXPECT_EQ(words.done, words.rows);
  }
}

}  // namespace
}  // namespace tada
