#include "commands/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/option_mark.h"
#include "plan/methods.h"
#include "plan/option_groups.h"

namespace tada {
namespace {

TEST(OptionTable, EveryOptionIsDescribedOnceAndSaysWhatItTakes) {
  for (const std::string_view command : CommandNames()) {
    std::set<std::string_view> names;
    for (const OptionSpec& spec : OptionsOfCommand(command)) {
      EXPECT_TRUE(names.insert(spec.name).second) << command << " --" << spec.name;
      EXPECT_FALSE(spec.help.empty()) << spec.name;
      EXPECT_FALSE(spec.section.empty()) << spec.name;
      EXPECT_EQ(spec.type != OptionType::kFlag, !spec.value_name.empty()) << spec.name;
      // A flag or a whole number with choices may have one of them for a value.
      const bool chooses =
          spec.type == OptionType::kChoice || spec.type == OptionType::kFlag || spec.type == OptionType::kInteger;
      EXPECT_TRUE(spec.choices.empty() ? spec.type != OptionType::kChoice : chooses) << spec.name;
    }
  }
}

TEST(OptionTable, ACommandsLettersAreDifferent) {
  for (const std::string_view command : CommandNames()) {
    std::set<char> letters;
    for (const OptionSpec& spec : OptionsOfCommand(command)) {
      if (spec.letter == 0) continue;
      EXPECT_TRUE(letters.insert(spec.letter).second) << command << " -" << spec.letter;
    }
  }
}

TEST(OptionTable, DefaultsAreValuesThatTheOptionsTake) {
  for (const std::string_view command : CommandNames()) {
    for (const OptionSpec& spec : OptionsOfCommand(command)) {
      if (spec.default_text.empty()) continue;
      EXPECT_TRUE(ValidateOption(spec, spec.default_text).ok()) << command << " --" << spec.name;
    }
  }
}

// One meaning for each name: the same type and kind of value in all commands, but for a list where others take one of its items.
TEST(OptionTable, ANameHasOneMeaning) {
  std::map<std::string_view, const OptionSpec*> first;
  for (const std::string_view command : CommandNames()) {
    for (const OptionSpec& spec : OptionsOfCommand(command)) {
      if (spec.of_method) continue;  // evaluate's `encoding` is another one than that of a clustering
      const OptionSpec& other = *first.try_emplace(spec.name, &spec).first->second;
      EXPECT_EQ(spec.letter, other.letter) << command << " --" << spec.name;
      EXPECT_EQ(spec.value_name, other.value_name) << command << " --" << spec.name;
      const bool list_of_it = spec.type == OptionType::kList && other.type == OptionType::kInteger;
      EXPECT_TRUE(spec.type == other.type || list_of_it) << command << " --" << spec.name;
    }
  }
}

TEST(OptionTable, AnonymizeTakesTheOptionsOfEveryMethodAndNoneCollides) {
  const OptionSpecs& specs = OptionsOfCommand("anonymize");
  for (const std::string& method : MethodNames()) {
    for (const OptionSpec& option : MethodOptions(method)) {
      EXPECT_EQ(std::ranges::count(specs, option.name, &OptionSpec::name), 1) << method << " " << option.name;
      EXPECT_TRUE(FindOption(specs, option.name)->of_method) << method << " " << option.name;
    }
  }
}

// Only the default may differ: a method need not use an option that another one always uses.
TEST(OptionTable, AnOptionOfSeveralMethodsHasOneMeaning) {
  std::map<std::string, OptionSpec, std::less<>> first;
  for (const std::string& method : MethodNames()) {
    for (const OptionSpec& spec : MethodOptions(method)) {
      const OptionSpec& other = first.try_emplace(std::string(spec.name), spec).first->second;
      EXPECT_EQ(spec.type, other.type) << method << " --" << spec.name;
      EXPECT_EQ(spec.value_name, other.value_name) << method << " --" << spec.name;
      EXPECT_EQ(spec.minimum, other.minimum) << method << " --" << spec.name;
      EXPECT_EQ(spec.maximum, other.maximum) << method << " --" << spec.name;
      EXPECT_EQ(spec.choices, other.choices) << method << " --" << spec.name;
      EXPECT_EQ(spec.help, other.help) << method << " --" << spec.name;
    }
  }
}

TEST(OptionTable, ToleratedOptionsAreTakenButNotListed) {
  const OptionSpec* method = FindOption(OptionsOfCommand("audit"), "method");
  ASSERT_NE(method, nullptr);
  EXPECT_FALSE(method->listed);
}

TEST(OptionTable, WhatMayStandInAPlanIsNamedOnce) {
  std::set<std::string_view> names;
  for (const OptionSpec& spec : PlanOptions()) EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
  EXPECT_TRUE(names.contains("k"));
  EXPECT_TRUE(names.contains("quasi"));
  EXPECT_FALSE(names.contains("output"));
}

TEST(OptionTable, ValuesAreCheckedByName) {
  const OptionSpecs& specs = OptionsOfCommand("anonymize");
  OptionValues values;
  values.Set("kay", {"5"});
  EXPECT_EQ(ValidateValues(specs, values).error().message, "Unknown option: kay");
  values = {};
  values.Set("k", {"five"});
  EXPECT_EQ(OnCommandLine(ValidateValues(specs, values).error().message), "--k takes a whole number, not 'five'");
  values.Set("k", {"5", "6"});
  EXPECT_EQ(OnCommandLine(ValidateValues(specs, values).error().message), "--k takes one value, not 2");
  values.Set("k", {"5"});
  EXPECT_TRUE(ValidateValues(specs, values).ok());
}

TEST(OptionTable, ACommandsOptionMayHaveTheNameOfAMethods) {
  OptionValues values;
  values.Set("encoding", {"one-hot"});  // of the clustering
  EXPECT_TRUE(ValidateValues(OptionsOfCommand("anonymize"), values).ok());
  EXPECT_FALSE(ValidateValues(OptionsOfCommand("evaluate"), values).ok());
}

}  // namespace
}  // namespace tada
