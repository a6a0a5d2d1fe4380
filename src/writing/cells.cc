// Cells of releases whose values are in a writing of their own.

#include <algorithm>
#include <array>

#include "writing/writing.h"

namespace tada {
namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

struct Bounds {
  std::string low, high;
};

// A bound plainly; nothing at all is no bound on this side.
std::optional<std::string> PlainBound(std::string_view text, const Writing& writing) {
  text = Trim(text);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  if (text.empty()) return std::string();
  return writing.Plain(text);
}

// The bounds of what stands in brackets, if there is one way to cut it.
std::optional<Bounds> CutBounds(std::string_view body, const Writing& writing) {
  std::optional<Bounds> found;
  bool quoted = false;
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '"') quoted = !quoted;
    if (quoted || (body[i] != ',' && body[i] != ';')) continue;
    auto low = PlainBound(body.substr(0, i), writing), high = PlainBound(body.substr(i + 1), writing);
    if (!low || !high || (low->empty() && high->empty())) continue;
    if (found) return std::nullopt;
    found = Bounds{*std::move(low), *std::move(high)};
  }
  return found;
}

bool IsBracket(char c, bool opens) { return c == '[' || c == ']' || c == (opens ? '(' : ')'); }

std::optional<std::string> PlainInterval(std::string_view cell, const Writing& writing) {
  if (cell.size() < 3 || !IsBracket(cell.front(), true) || !IsBracket(cell.back(), false)) return std::nullopt;
  const std::string_view body = cell.substr(1, cell.size() - 2);
  const auto bounds = CutBounds(body, writing);
  const auto value = body.find('"') == std::string_view::npos ? writing.Plain(Trim(body)) : std::nullopt;
  if (!bounds && !value) return std::nullopt;
  // `[5,10]` goes from 5 to 10 also where 5,10 is a number: nobody puts one into brackets.
  if (!bounds) return fmt::format("{}{}{}", cell.front(), *value, cell.back());
  return fmt::format("{}{},{}{}", cell.front(), bounds->low, bounds->high, cell.back());
}

// `>=31/12/1942`, `<1.000,5`, `1.000,5+`.
std::optional<std::string> PlainOneSided(std::string_view cell, const Writing& writing) {
  for (const std::string_view sign : {">=", "<=", "≥", "≤", ">", "<"}) {
    if (!cell.starts_with(sign)) continue;
    const auto bound = writing.Plain(Trim(cell.substr(sign.size())));
    return bound ? std::optional(std::string(sign) + *bound) : std::nullopt;
  }
  if (!cell.ends_with('+')) return std::nullopt;
  const auto bound = writing.Plain(cell.substr(0, cell.size() - 1));
  return bound ? std::optional(*bound + '+') : std::nullopt;
}

// Elements between braces, each as it is written; quotes and escapes stay.
std::optional<std::string> PlainSet(std::string_view cell, const Writing& writing) {
  if (cell.size() < 2 || cell.front() != '{' || cell.back() != '}') return std::nullopt;
  std::string plain = "{", element;
  bool quoted = false, was_quoted = false;
  const auto finish = [&] {
    const auto value = writing.Plain(was_quoted ? element : Trim(element));
    if (plain.size() > 1) plain += ',';
    if (value) {
      plain += *value;
    } else if (was_quoted) {
      plain += '"';
      for (const char c : element) plain += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      plain += '"';
    } else {
      plain += element;
    }
    element.clear();
    was_quoted = false;
  };
  for (size_t i = 1; i + 1 < cell.size(); ++i) {
    if (quoted && cell[i] == '\\' && i + 2 < cell.size()) {
      element += cell[++i];
    } else if (cell[i] == '"') {
      quoted = !quoted;
      was_quoted = true;
    } else if (cell[i] == ',' && !quoted) {
      finish();
    } else {
      element += cell[i];
    }
  }
  finish();
  return plain + '}';
}

// Between two values, as other tools and hierarchies write intervals: `1,5-2,5`, `01/02/1942 - 31/12/1950`.
std::optional<std::string> PlainRange(std::string_view cell, const Writing& writing) {
  for (const std::string_view sign : {"..", "~", " to ", "–", " - ", "-"}) {
    for (size_t at = cell.find(sign); at != std::string_view::npos; at = cell.find(sign, at + 1)) {
      const auto low = writing.Plain(Trim(cell.substr(0, at)));
      const auto high = low ? writing.Plain(Trim(cell.substr(at + sign.size()))) : std::nullopt;
      if (high) return fmt::format("[{},{}]", *low, *high);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string PlainCell(std::string_view cell, const Writing& writing) {
  if (writing.is_plain()) return std::string(cell);
  const std::string_view trimmed = Trim(cell);
  if (auto value = writing.Plain(trimmed)) return *std::move(value);
  for (const auto read : {&PlainInterval, &PlainOneSided, &PlainSet, &PlainRange}) {
    if (auto plain = read(trimmed, writing)) return *std::move(plain);
  }
  return std::string(cell);
}

void ForEachValue(std::string_view cell, const std::function<void(std::string_view)>& visit) {
  if (cell.size() < 3 || !IsBracket(cell.front(), true) || !IsBracket(cell.back(), false)) return visit(cell);
  const std::string_view body = cell.substr(1, cell.size() - 2);
  const size_t quoted = body.find("\",");
  const size_t sign = quoted != std::string_view::npos ? quoted + 1 : body.find_first_of(",;");
  const bool one = quoted != std::string_view::npos || sign == body.find_last_of(",;");
  if (sign == std::string_view::npos || !one) return visit(cell);
  for (std::string_view bound : {Trim(body.substr(0, sign)), Trim(body.substr(sign + 1))}) {
    if (bound.size() >= 2 && bound.front() == '"') bound = bound.substr(1, bound.size() - 2);
    if (!bound.empty()) visit(bound);
  }
}

std::string IntervalCell(std::string_view low, std::string_view high, const Writing& writing, bool high_open) {
  const auto bound = [&](std::string_view text) {
    const bool quote = writing.has_decimal_comma() || text.find_first_of(",;[]()\"") != std::string_view::npos;
    return quote ? fmt::format("\"{}\"", text) : std::string(text);
  };
  return fmt::format("[{},{}{}", bound(low), bound(high), high_open ? ')' : ']');
}

}  // namespace tada
