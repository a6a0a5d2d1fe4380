#include "files/postgres/copy_text.h"

#include <algorithm>

namespace tada {
namespace {

char Unescaped(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

}  // namespace

void AppendCopyLine(std::string_view line, std::vector<ColumnBuilder>& builders, std::string& scratch) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  for (ColumnBuilder& builder : builders) {
    const size_t end = std::min(line.find('\t'), line.size());
    const std::string_view cell = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (cell.find('\\') == std::string_view::npos) {
      builder.AppendText(cell);
    } else if (cell == "\\N") {
      builder.Append(builder.InternNull());
    } else {
      scratch.clear();
      for (size_t i = 0; i < cell.size(); ++i) {
        const bool escape = cell[i] == '\\' && i + 1 < cell.size();
        scratch += escape ? Unescaped(cell[++i]) : cell[i];
      }
      builder.AppendText(scratch);
    }
  }
}

std::string CopyCell(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    switch (c) {
      case '\\':
        cell += "\\\\";
        break;
      case '\n':
        cell += "\\n";
        break;
      case '\r':
        cell += "\\r";
        break;
      case '\t':
        cell += "\\t";
        break;
      default:
        cell += c;
    }
  }
  return cell;
}

}  // namespace tada
