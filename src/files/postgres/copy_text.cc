#include "files/postgres/copy_text.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <span>
#include <utility>

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

// A cell without its backslashes, put behind the lines, where its key finds it.
TextKey UnescapedKey(std::string& lines, size_t begin, size_t end) {
  const size_t at = lines.size();
  for (size_t i = begin; i < end; ++i) {
    const bool escape = lines[i] == '\\' && i + 1 < end;
    lines += escape ? Unescaped(lines[++i]) : lines[i];
  }
  const std::string_view text = std::string_view(lines).substr(at);
  return {TextWord(text), static_cast<uint32_t>(at), static_cast<uint32_t>(text.size())};
}

TextKey PlainKey(const std::string& lines, size_t begin, size_t end) {
  const char* const at = lines.data() + begin;
  const size_t size = end - begin;
  return {size <= kShortText ? ShortWord(at, size, lines.size() - begin) : LongWord(at, size),
          static_cast<uint32_t>(begin), static_cast<uint32_t>(size)};
}

}  // namespace

void AppendCopyLines(std::string& lines, std::vector<ColumnBuilder>& builders) {
  if (!lines.ends_with('\n')) lines += '\n';
  const size_t size = lines.size(), columns = builders.size();
  const auto rows = static_cast<size_t>(std::count(lines.begin(), lines.end(), '\n'));
  const auto find = [&lines](char c, size_t from, size_t to) {
    const void* const found = std::memchr(lines.data() + from, c, to - from);
    return found == nullptr ? to : static_cast<size_t>(static_cast<const char*>(found) - lines.data());
  };
  std::vector<TextKey> keys(rows * columns);
  std::vector<bool> nulls(columns);
  size_t begin = 0;
  for (size_t row = 0; row < rows; ++row) {
    const size_t end = find('\n', begin, size);
    const bool escapes = find('\\', begin, end) < end;
    for (size_t c = 0; c < columns; ++c) {
      const size_t stop = find('\t', begin, end);
      TextKey& key = keys[c * rows + row];
      if (!escapes || find('\\', begin, stop) == stop) {
        key = PlainKey(lines, begin, stop);
      } else if (std::string_view(lines).substr(begin, stop - begin) == "\\N") {
        key = PlainKey(lines, begin, begin);
        nulls[c] = true;
      } else {
        key = UnescapedKey(lines, begin, stop);
      }
      begin = std::min(stop + 1, end);
    }
    begin = end + 1;
  }
  for (size_t c = 0; c < columns; ++c) {
    builders[c].InternAll(lines, std::span(keys).subspan(c * rows, rows), builders[c].Extend(rows));
    if (nulls[c]) builders[c].InternNull();
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

Status CopyRows(PostgresConnection& connection, const std::string& what, std::vector<ColumnBuilder>& builders,
                const Workers& workers, Progress& progress) {
  constexpr size_t kBlock = 1 << 20;
  TADA_CHECK_OK(connection.BeginCopyOut(fmt::format("copy {} to stdout", what)));
  std::string lines, appended;
  std::future<void> appending;  // of the block before; waited for when it goes
  uint64_t rows = 0;
  for (bool more = true; more;) {
    TADA_TRY(line, connection.NextLine());
    more = !line.empty();
    lines += line;
    rows += more ? 1 : 0;
    if (more && lines.size() < kBlock) continue;
    workers.Poll();
    if (appending.valid()) appending.get();
    std::swap(lines, appended);
    lines.clear();
    const auto append = [&appended, &builders] { AppendCopyLines(appended, builders); };
    if (more && workers.threads() > 1) {
      appending = std::async(std::launch::async, append);
    } else if (!appended.empty()) {
      append();
    }
    progress.Advance(std::exchange(rows, 0));
  }
  return Ok();
}

}  // namespace tada
