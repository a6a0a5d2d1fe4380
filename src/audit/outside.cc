#include "audit/outside.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "base/option_mark.h"

namespace tada {
namespace {

constexpr size_t kShortest = 4;  // of a value that is looked for in running bytes
constexpr size_t kLongest = 256;
constexpr size_t kShown = 8;

using Values = std::unordered_set<std::string_view>;

// The values of the original that the release does not show.
class RawValues {
 public:
  RawValues(const Table& original, const Table& release) {
    Values shown;
    for (const Column& column : release.columns()) {
      shown.insert(column.name());
      for (Code code = 0; code < column.num_codes(); ++code) shown.insert(column.text(code));
    }
    for (const Column& column : original.columns()) shown.insert(column.name());
    for (const Column& column : original.columns()) {
      for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
        const std::string_view text = column.text(code);
        if (text.empty() || shown.contains(text)) continue;
        values_.insert(text);
        if (text.size() >= kShortest && text.size() <= kLongest) sizes_.insert(text.size());
      }
    }
  }

  /// Different raw values that stand there.
  std::set<std::string_view> In(const OutsideContent& content) const {
    std::set<std::string_view> found;
    const std::string_view bytes = content.bytes;
    if (const auto whole = values_.find(bytes); whole != values_.end()) found.insert(*whole);
    if (content.value) return found;
    for (const size_t size : sizes_) {
      for (size_t at = 0; at + size <= bytes.size(); ++at) {
        if (at > 0 && IsWord(bytes[at - 1]) && IsWord(bytes[at])) continue;
        if (at + size < bytes.size() && IsWord(bytes[at + size]) && IsWord(bytes[at + size - 1])) continue;
        if (const auto value = values_.find(bytes.substr(at, size)); value != values_.end()) found.insert(*value);
      }
    }
    return found;
  }

 private:
  static bool IsWord(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte >= 0x80;
  }

  Values values_;
  std::set<size_t> sizes_;
};

// "metadata 'pandas' (512 bytes), 3 times unused dictionary entry of column job".
std::string Words(const std::map<std::string, std::pair<size_t, size_t>>& places) {
  std::vector<std::string> words;
  for (const auto& [where, found] : places) {
    const auto& [times, bytes] = found;
    words.push_back(times > 1   ? fmt::format("{} times {}", times, where)
                    : bytes > 0 ? fmt::format("{} ({} bytes)", where, bytes)
                                : where);
    if (words.size() == kShown && places.size() > kShown) {
      words.push_back(fmt::format("and {} more", places.size() - kShown));
      break;
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void JudgeOutside(std::span<const OutsideContent> outside, const Table& release, const Table* original,
                  Verdict& verdict) {
  if (outside.empty()) return;
  std::map<std::string, std::pair<size_t, size_t>> places;
  for (const OutsideContent& content : outside) {
    auto& [times, bytes] = places[content.where];
    ++times;
    bytes += content.bytes.size();
  }
  verdict.notes.push_back(fmt::format(
      "Beside its cells the file holds: {}. Whoever gets the file can read it.{}", Words(places),
      original == nullptr ? " Whether raw values are among it is verified with " TADA_OPTION("original") "." : ""));
  if (original == nullptr) return;
  const RawValues raw(*original, release);
  for (const auto& [where, seen] : places) {
    std::set<std::string_view> found;
    for (const OutsideContent& content : outside) {
      if (content.where == where) found.merge(raw.In(content));
    }
    if (found.empty()) continue;
    verdict.problems.push_back(
        fmt::format("Raw values of the original stand outside of the cells: {} in {}, such as '{}'.", found.size(),
                    where, *found.begin()));
    verdict.passed = false;
  }
}

}  // namespace tada
