#include "report/attack_report.h"

#include <gtest/gtest.h>

namespace tada {
namespace {

TEST(AttackReport, TextAndJsonHoldPeopleAndNotes) {
  AttackResult result;
  result.all.people = 3;
  result.notes = {"A sample of 3 of 6 people was attacked (--people)."};
  EXPECT_NE(AttackText(result).find(result.notes[0]), std::string::npos);
  EXPECT_NE(AttackJson(result).find("\"people\": 3"), std::string::npos);
}

}  // namespace
}  // namespace tada
