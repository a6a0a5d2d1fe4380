#pragma once

// Options in messages. Whoever finds something wrong knows an option by its name; whoever shows the message knows how it is written there:
// --range cut on the command line, range="cut" in Python, range on the page and in a plan. So a message holds a mark, and each front end
// spells it at its edge.
//   TADA_OPTION("safe")        an option by name, as a part of a text: TADA_OPTION("safe") " is below k={}"
//   TADA_OPTION("range=cut")   with a value
//   TADA_OPTION("-l")          by its letter, where the command line would say it so
// The mark is a character of Unicode's private use before it and one behind it, which no text of a table has by chance.

#include <string>
#include <string_view>

#define TADA_OPTION(name) "\xEE\x80\x80" name "\xEE\x80\x81"

namespace tada {

/// An option that a text names.
struct NamedOption {
  std::string_view name;   ///< "range", or its letter: "l"
  std::string_view value;  ///< "cut"; "" for none
  bool by_letter = false;
};

/// What a mark holds: "range", "range=cut", "-l".
inline NamedOption ReadOptionMark(std::string_view held) {
  const bool by_letter = held.starts_with('-');
  if (by_letter) held.remove_prefix(1);
  const size_t equal = held.find('=');
  if (equal == std::string_view::npos) return {held, {}, by_letter};
  return {held.substr(0, equal), held.substr(equal + 1), by_letter};
}

/// The text with every option spelled: `spell` gives the text for a NamedOption.
template <class Spell>
std::string SpellOptions(std::string_view text, const Spell& spell) {
  constexpr std::string_view kBegin = "\xEE\x80\x80", kEnd = "\xEE\x80\x81";
  std::string spelled;
  while (true) {
    const size_t begin = text.find(kBegin);
    const size_t end = begin == std::string_view::npos ? begin : text.find(kEnd, begin);
    if (end == std::string_view::npos) return spelled.append(text);
    spelled.append(text.substr(0, begin));
    spelled += spell(ReadOptionMark(text.substr(begin + kBegin.size(), end - begin - kBegin.size())));
    text.remove_prefix(end + kEnd.size());
  }
}

/// As the command line has them: --range cut, -l.
inline std::string OnCommandLine(std::string_view text) {
  return SpellOptions(text, [](const NamedOption& option) {
    std::string spelled = option.by_letter ? "-" : "--";
    spelled += option.name;
    if (!option.value.empty()) spelled.append(" ").append(option.value);
    return spelled;
  });
}

/// As plans and the page have them, by name: range, range = cut.
inline std::string AsKeys(std::string_view text) {
  return SpellOptions(text, [](const NamedOption& option) {
    std::string spelled(option.name == "o" ? "output" : option.name);
    if (!option.value.empty()) spelled.append(" = ").append(option.value);
    return spelled;
  });
}

}  // namespace tada
