#include "learn/features/code_list.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

namespace tada {
namespace {

TEST(CodeList, GivesEachCodeOnceInOrderAndIsEmptyThen) {
  EXPECT_TRUE(rc::check([] {
    const auto domain = *rc::gen::element<Code>(1, 2, 63, 64, 65, 4096, 4097, 300000);
    CodeList list(domain);
    for (int turn = 0; turn < 2; ++turn) {
      const auto codes = *rc::gen::container<std::vector<Code>>(rc::gen::inRange<Code>(0, domain));
      for (const Code code : codes) list.Add(code);
      std::vector<Code> drained;
      list.Drain([&](Code code) { drained.push_back(code); });
      const std::set<Code> expected(codes.begin(), codes.end());
      RC_ASSERT(drained == std::vector<Code>(expected.begin(), expected.end()));
    }
  }));
}

}  // namespace
}  // namespace tada
