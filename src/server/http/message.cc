#include "server/http/message.h"

#include <algorithm>
#include <charconv>

#include "files/utf8.h"

namespace tada {

std::vector<std::string> HttpRequest::All(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : headers) {
    if (key == name) values.push_back(value);
  }
  return values;
}

std::string HttpRequest::Header(std::string_view name) const {
  std::vector<std::string> values = All(name);
  return values.size() == 1 ? values.front() : "";
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    unsigned byte = 0;
    const auto [end, code] = std::from_chars(text.data() + at + 1, text.data() + at + 3, byte, 16);
    if (code != std::errc() || end != text.data() + at + 3) return std::nullopt;
    decoded += static_cast<char>(byte);
    at += 2;
  }
  Utf8Check check;
  for (const char c : decoded) check.Take(static_cast<unsigned char>(c));
  if (!check.is_valid() || check.is_open() || decoded.find('\0') != std::string::npos) return std::nullopt;
  return decoded;
}

bool SplitTarget(std::string_view target, HttpRequest& request) {
  if (target.empty() || target.front() != '/') return false;
  const size_t mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  std::string_view rest = target.substr(std::min(mark + 1, target.size()));
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const size_t equals = std::min(pair.find('='), pair.size());
    auto key = PercentDecode(pair.substr(0, equals));
    auto value = PercentDecode(pair.substr(std::min(equals + 1, pair.size())));
    if (!key || !value) return false;
    request.query[*key] = *value;
    rest = rest.substr(std::min(end + 1, rest.size()));
  }
  return true;
}

}  // namespace tada
