#include "cli/terminal/progress_bar.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace tada {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Terminal {
  std::vector<std::string> drawn;
  std::chrono::steady_clock::time_point now{seconds(100)};

  ProgressBar Bar(size_t width = 80) {
    return ProgressBar([this](std::string_view text) { drawn.emplace_back(text); }, [this] { return now; }, width);
  }
};

TEST(ProgressBar, ShowsStagePercentRateAndTimeLeft) {
  Terminal terminal;
  ProgressBar bar = terminal.Bar();
  bar.Begin("mondrian", 4000);
  terminal.now += seconds(2);
  bar.Advance(1000);
  EXPECT_EQ(terminal.drawn.back(), "\rmondrian   [#####---------------]  25%  500/s  6s left");
}

TEST(ProgressBar, ShowsACountWhenTheTotalIsUnknown) {
  Terminal terminal;
  ProgressBar bar = terminal.Bar();
  bar.Begin("read", 0);
  terminal.now += seconds(1);
  bar.Advance(2500000);
  EXPECT_EQ(terminal.drawn.back(), "\rread       2.5M  2.5M/s");
}

TEST(ProgressBar, DrawsAtMostTenTimesASecond) {
  Terminal terminal;
  ProgressBar bar = terminal.Bar();
  bar.Begin("read", 1000);
  for (int i = 0; i < 1000; ++i) {
    terminal.now += milliseconds(1);
    bar.Advance(1);
  }
  EXPECT_EQ(terminal.drawn.size(), 11u);
}

TEST(ProgressBar, ClearsWhatItDrewAndOnlyThat) {
  Terminal terminal;
  {
    ProgressBar bar = terminal.Bar();
    bar.Begin("audit", 0);
    const size_t length = terminal.drawn.back().size() - 1;
    bar.Clear();
    EXPECT_EQ(terminal.drawn.back(), fmt::format("\r{}\r", std::string(length, ' ')));
    EXPECT_EQ(terminal.drawn.size(), 2u);
  }
  EXPECT_EQ(terminal.drawn.size(), 2u);  // nothing was shown any more when it went away
}

TEST(ProgressBar, IsNeverWiderThanTheTerminal) {
  Terminal terminal;
  ProgressBar bar = terminal.Bar(20);
  bar.Begin("a stage with a long name", 10);
  EXPECT_EQ(terminal.drawn.back().size(), 20u);  // the return of the carriage, and one less than the width
}

TEST(ProgressBar, CountsWhatManyThreadsDo) {
  std::mutex mutex;
  std::string last;
  std::atomic<int64_t> ticks{0};
  ProgressBar bar(
      [&](std::string_view text) {
        std::lock_guard lock(mutex);
        last = text;
      },
      [&] { return std::chrono::steady_clock::time_point(milliseconds(ticks.fetch_add(1))); }, 80);
  bar.Begin("read", 4000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) bar.Advance(1);
    });
  for (std::thread& thread : threads) thread.join();
  ticks += 1000;
  bar.Advance(0);
  EXPECT_NE(last.find("100%"), std::string::npos) << last;
}

TEST(ProgressBar, IsForTerminalsUnlessAskedFor) {
  EXPECT_TRUE(WantsProgress(false, false, true));
  EXPECT_FALSE(WantsProgress(false, false, false));
  EXPECT_TRUE(WantsProgress(false, true, false));
  EXPECT_FALSE(WantsProgress(true, true, true));
}

}  // namespace
}  // namespace tada
