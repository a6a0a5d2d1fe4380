#include "base/disk/whole_file.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(WholeFile, OneWithoutAnEndIsGivenUp) {
  const auto read = ReadWholeFile("/dev/zero");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("no end"), std::string::npos) << read.error().message;
}

TEST(WholeFile, AnEmptyOneIsEmpty) { EXPECT_EQ(ReadWholeFile("/dev/null").value(), ""); }

}  // namespace
}  // namespace tada
