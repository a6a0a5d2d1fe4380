#include "report/draw/html_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tada {

std::string Escape(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
        control ? html += "\xEF\xBF\xBD" : html += c;
      }
    }
  }
  return html;
}

std::string EscapeWords(std::string_view text) {
  const auto of_option = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  std::string html;
  while (!text.empty()) {
    const size_t dashes = text.find("--"), end = std::min(dashes, text.size());
    html += Escape(text.substr(0, end));
    text.remove_prefix(end);
    const size_t length =
        std::min(static_cast<size_t>(std::ranges::find_if_not(text, of_option) - text.begin()), text.size());
    if (length > 0) html += fmt::format("<span class=\"option\">{}</span>", text.substr(0, length));
    text.remove_prefix(length);
  }
  return html;
}

std::string ToHtml(const DataTable& table, CellsAre cells) {
  const auto attribute = [&](size_t i) { return i < table.right.size() && table.right[i] ? " class=\"num\"" : ""; };
  std::string html = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>";
  if (!table.header.empty()) {
    html += "<thead><tr>";
    for (size_t i = 0; i < table.header.size(); ++i) {
      const char* tag = table.header[i].empty() ? "td" : "th";  // a heading without words would be read out as one
      html += fmt::format("<{0}{1}>{2}</{0}>", tag, attribute(i), Escape(table.header[i]));
    }
    html += "</tr></thead>";
  }
  html += "<tbody>";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      html += std::string("<td") + attribute(i) + ">" + (cells == CellsAre::kHtml ? row[i] : Escape(row[i])) + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

}  // namespace tada
