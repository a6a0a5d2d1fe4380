// Two ways to say which texts are one sensitive value: the checker's, by utf8proc, and the audit's, by tables of its own. They
// must agree on every text; here on every character, and on random texts of awkward ones.

#include "audit/checks/folding.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <utf8proc.h>

#include <map>

#include "privacy/canonical_value.h"

namespace tada {
namespace {

std::string Utf8(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  return std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

// Whether both put the same texts together: forms of one way and of the other correspond one to one.
class Correspondence {
 public:
  bool Add(const std::string& text) {
    const std::string checker = CanonicalValue(text), audit = FoldedText(text);
    return audit_of_.try_emplace(checker, audit).first->second == audit &&
           checker_of_.try_emplace(audit, checker).first->second == checker;
  }

 private:
  std::map<std::string, std::string> audit_of_, checker_of_;
};

TEST(Folding, IsTheSameInCheckerAndAuditForEveryCharacter) {
  if (std::string(utf8proc_unicode_version()) != "15.0.0") GTEST_SKIP() << "utf8proc has another version of Unicode";
  Correspondence alone, behind_a_letter;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    ASSERT_TRUE(alone.Add(Utf8(c))) << std::hex << static_cast<uint32_t>(c);
    ASSERT_TRUE(behind_a_letter.Add("a" + Utf8(c))) << std::hex << static_cast<uint32_t>(c);
  }
}

TEST(Folding, IsTheSameInCheckerAndAuditForAwkwardTexts) {
  const std::vector<char32_t> awkward = {'a',    'A',    'e',    'E',    '+',    '-',     '.',    '0',    '7',
                                         ' ',    '\t',   0xA0,   0xAD,   0xC4,   0xDF,    0x130,  0x131,  0x300,
                                         0x301,  0x308,  0x323,  0x327,  0x345,  0x3A3,   0x3C2,  0x1100, 0x1161,
                                         0x11A8, 0x1E9E, 0x1FB3, 0x200B, 0x200D, 0x2028,  0x212B, 0x2160, 0x3000,
                                         0xAC00, 0xAC01, 0xFB01, 0xFF17, 0xFF21, 0x1D400, 0xE0001};
  Correspondence all;
  EXPECT_TRUE(rc::check("one to one", [&] {
    const auto places = *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, awkward.size()));
    std::string text;
    for (const size_t place : places) text += Utf8(awkward[place]);
    RC_LOG() << text;
    RC_ASSERT(all.Add(text));
  }));
}

}  // namespace
}  // namespace tada
