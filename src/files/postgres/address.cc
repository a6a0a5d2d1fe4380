#include "files/postgres/address.h"

#include <fmt/format.h>

#include "base/option_mark.h"
#include "files/format.h"
#include "files/postgres/postgres.h"

namespace tada {
namespace {

std::string Doubled(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  return out + quote;
}

std::string Decoded(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const int letter = (c | 0x20) - 'a';
    return letter >= 0 && letter < 6 ? letter + 10 : -1;
  };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    out += coded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return out;
}

// `visits`, `public.visits`, `"my.schema".visits`.
void SplitName(std::string_view text, PostgresAddress& address) {
  std::string* part = &address.table;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool twice = quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"';
    if (text[i] == '"' && !twice) {
      quoted = !quoted;
    } else if (text[i] == '.' && !quoted && address.schema.empty()) {
      address.schema = std::move(address.table);
      address.table.clear();
    } else {
      *part += text[i];
      i += twice ? 1 : 0;
    }
  }
}

}  // namespace

std::string QuotedName(std::string_view name) { return Doubled(name, '"'); }
std::string QuotedText(std::string_view text) {
  // E'' takes backslashes the same whatever the server's settings.
  std::string out = "E'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += c;
    out += c;
  }
  return out + "'";
}

bool IsPostgres(const std::string& path) {
  const std::string_view scheme = SchemeOf(path);
  return scheme == "postgresql" || scheme == "postgres";
}

Result<PostgresAddress> PostgresAddress::Parse(const std::string& path) {
  PostgresAddress address;
  address.shown = ShownPath(path);
  const size_t question = std::min(path.find('?'), path.size());
  std::string kept;
  for (std::string_view rest = std::string_view(path).substr(std::min(question + 1, path.size())); !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.starts_with("table=")) {
      SplitName(Decoded(part.substr(6)), address);
    } else if (part.starts_with("query=")) {
      address.query = Decoded(part.substr(6));
    } else {
      kept += (kept.empty() ? "?" : "&") + std::string(part);
    }
  }
  address.connection = path.substr(0, question) + kept;
  if (!address.table.empty() && !address.query.empty()) {
    return InvalidArgument("A table and a query are named, and one is needed: {}", address.shown)
        .WithHint("Leave ?table= or " TADA_OPTION("query") " out.");
  }
  if (address.table.empty() && address.query.empty()) {
    return InvalidArgument("No table is named: {}", address.shown)
        .WithHint("Add ?table=<name>, or " TADA_OPTION("query") " \"select ...\".");
  }
  while (!address.query.empty() && std::string_view("; \t\r\n").find(address.query.back()) != std::string_view::npos)
    address.query.pop_back();
  return address;
}

std::string PostgresAddress::Qualified() const {
  return (schema.empty() ? "" : QuotedName(schema) + ".") + QuotedName(table);
}

std::string PostgresAddress::Select() const { return query.empty() ? "select * from " + Qualified() : query; }

}  // namespace tada
