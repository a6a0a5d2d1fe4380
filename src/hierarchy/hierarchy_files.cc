#include "hierarchy/hierarchy_files.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/characters.h"
#include "base/disk/whole_file.h"
#include "base/option.h"
#include "base/option_mark.h"
#include "hierarchy/hierarchy_toml.h"

namespace tada {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

Result<std::string> ReadText(const std::string& path) {
  auto text = ReadWholeFile(path);
  if (text.ok()) return text;
  return InvalidArgument("The hierarchy cannot be read: {}: {}", path, text.error().message)
      .WithHint("'tada hierarchy build' makes one from the data.");
}

std::vector<std::string_view> LinesOfText(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The separator that cuts the first line into most fields; the order decides between equals, so that a decimal comma
// does not win over a #.
char SniffSeparator(std::string_view line) {
  char best = ';';
  ptrdiff_t most = 0;
  for (const char separator : {';', '#', '\t', ','}) {
    const ptrdiff_t count = std::count(line.begin(), line.end(), separator);
    if (count > 0 && most == 0) best = separator, most = count;
  }
  return best;
}

Result<std::vector<std::string>> SplitFields(std::string_view line, char separator, const std::string& where) {
  std::vector<std::string> fields;
  size_t at = 0;
  for (;;) {
    std::string field;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) return InvalidArgument("{}: a quote is not closed", where);
        if (line[at] != '"') {
          field += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
          field += line[at++];
        } else {
          break;
        }
      }
      ++at;
      if (at < line.size() && line[at] != separator) return InvalidArgument("{}: text follows a closing quote", where);
    } else {
      const size_t end = std::min(line.find(separator, at), line.size());
      field = line.substr(at, end - at);
      at = end;
    }
    fields.push_back(std::move(field));
    if (at >= line.size()) return fields;
    ++at;
  }
}

// Whether a quoted field is open at the end of a line, `open` being whether one was at its beginning.
bool LeavesQuoteOpen(std::string_view line, char separator, bool open) {
  bool begins = !open;
  for (size_t at = 0; at < line.size(); ++at) {
    if (open && line.substr(at, 2) == "\"\"") {
      ++at;
    } else if (line[at] == '"' && (open || begins)) {
      open = !open;
    }
    begins = !open && line[at] == separator;
  }
  return open;
}

Result<HierarchyLines> ParseLines(std::span<const std::string_view> texts, uint64_t first_number,
                                  const std::string& source) {
  HierarchyLines lines;
  lines.source = source;
  char separator = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    if (!HoldsUtf8(texts[i])) {
      return InvalidArgument("{}:{}: the line is not UTF-8", source, first_number + i)
          .WithHint("Convert the file, e.g. iconv -f latin1 -t utf-8: a release shows its labels, and is UTF-8.");
    }
    if (separator == 0) separator = SniffSeparator(texts[i]);
    size_t last = i;  // a value may hold line breaks
    for (bool open = LeavesQuoteOpen(texts[i], separator, false); open && last + 1 < texts.size();) {
      open = LeavesQuoteOpen(texts[++last], separator, true);
    }
    const auto length = static_cast<size_t>(texts[last].data() + texts[last].size() - texts[i].data());
    TADA_TRY(fields, SplitFields({texts[i].data(), length}, separator, fmt::format("{}:{}", source, first_number + i)));
    lines.lines.push_back(std::move(fields));
    lines.line_numbers.push_back(first_number + i);
    i = last;
  }
  return AlignLines(std::move(lines));
}

// A name without capitals and punctuation: `marital-status`, `MaritalStatus`.
std::string Bare(std::string_view name) {
  std::string bare;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return bare;
}

Result<std::vector<NamedHierarchy>> FromTaxFile(std::string_view text, const std::string& path, const Table& table,
                                                const std::vector<ColumnId>& columns) {
  TADA_TRY(sections, ParseTaxFile(text, path));
  const auto column_of = MatchSections(sections, table);
  std::vector<NamedHierarchy> found;
  for (size_t i = 0; i < sections.size(); ++i) {
    if (!column_of[i] || std::find(columns.begin(), columns.end(), *column_of[i]) == columns.end()) continue;
    found.push_back({table.column(*column_of[i]).name(), std::move(sections[i].lines)});
  }
  return found;
}

// The file of a folder that is meant for a column; "" if there is none.
Result<std::string> FileOf(const std::string& column, const std::vector<std::string>& files,
                           const std::string& folder) {
  std::vector<std::string> fits;
  for (const std::string& file : files) {
    for (const char* extension : {".csv", ".txt", ".toml"}) {
      if (file == column + extension || file.ends_with("_hierarchy_" + column + extension)) fits.push_back(file);
    }
  }
  if (fits.size() < 2) return fits.empty() ? std::string() : fits.front();
  return InvalidArgument("Two hierarchies for column {}: {} and {} in {}", column, fits[0], fits[1], folder)
      .WithHint(fmt::format("Remove one, or say which: " TADA_OPTION("hierarchy={}=<file>"), column));
}

}  // namespace

bool IsTaxFile(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text.starts_with("%\n") || text.starts_with("%\r\n");
}

Result<std::vector<TaxSection>> ParseTaxFile(std::string_view text, const std::string& path) {
  const std::vector<std::string_view> lines = LinesOfText(text);
  std::vector<TaxSection> sections;
  for (size_t at = 0; at < lines.size();) {
    if (lines[at].empty()) {
      ++at;
      continue;
    }
    if (lines[at] != "%") return InvalidArgument("{}:{}: a section begins with a line %", path, at + 1);
    if (at + 1 >= lines.size()) return InvalidArgument("{}:{}: a section without a name", path, at + 1);
    size_t end = at + 2;
    while (end < lines.size() && lines[end] != "%") ++end;
    TADA_TRY(parsed, ParseLines(std::span(lines).subspan(at + 2, end - at - 2), at + 3, path));
    sections.push_back({std::string(lines[at + 1]), std::move(parsed)});
    at = end;
  }
  return sections;
}

std::optional<size_t> FindSection(const std::vector<TaxSection>& sections, std::string_view name) {
  const auto place = [](const std::vector<std::string>& names, const std::string& wanted) -> std::optional<size_t> {
    const auto found = std::find(names.begin(), names.end(), wanted);
    return found == names.end() ? std::nullopt : std::optional(static_cast<size_t>(found - names.begin()));
  };
  std::vector<std::string> names, bare;
  for (const TaxSection& section : sections) {
    names.push_back(section.name);
    bare.push_back(Bare(section.name));
  }
  if (const auto same = place(names, std::string(name))) return same;
  if (const auto alike = place(bare, Bare(name))) return alike;
  const auto nearest = NearestName(Bare(name), bare);
  return nearest ? place(bare, *nearest) : std::nullopt;
}

std::vector<std::optional<ColumnId>> MatchSections(const std::vector<TaxSection>& sections, const Table& table) {
  std::vector<std::optional<ColumnId>> match(sections.size());
  std::set<ColumnId> taken;
  for (size_t i = 0; i < sections.size(); ++i) {
    for (ColumnId id = 0; id < table.num_columns() && !match[i]; ++id) {
      if (!taken.contains(id) && Bare(table.column(id).name()) == Bare(sections[i].name)) match[i] = id;
    }
    if (match[i]) taken.insert(*match[i]);
  }
  for (size_t i = 1; i < sections.size(); ++i) {  // the first is the label, whatever it is called
    if (match[i]) continue;
    std::vector<std::string> names;
    std::vector<ColumnId> ids;
    for (ColumnId id = 0; id < table.num_columns(); ++id) {
      if (taken.contains(id)) continue;
      names.push_back(Bare(table.column(id).name()));
      ids.push_back(id);
    }
    const auto nearest = NearestName(Bare(sections[i].name), names);
    if (!nearest) continue;
    match[i] = ids[static_cast<size_t>(std::find(names.begin(), names.end(), *nearest) - names.begin())];
    taken.insert(*match[i]);
  }
  return match;
}

Result<HierarchyLines> ParseHierarchy(std::string_view text, const std::string& path) {
  if (path.ends_with(".toml")) return ParseHierarchyToml(text, path);
  if (IsTaxFile(text)) {
    return InvalidArgument("{} has hierarchies of several columns", path)
        .WithHint("Give it with " TADA_OPTION(
            "hierarchies") " instead; 'tada hierarchy check' and 'show' take it with --column.");
  }
  return ParseLines(LinesOfText(text), 1, path);
}

Result<HierarchyLines> ReadHierarchyFile(const std::string& path) {
  TADA_TRY(text, ReadText(path));
  return ParseHierarchy(text, path);
}

Result<std::vector<TaxSection>> ReadSections(const std::string& path) {
  auto read = ReadText(path);
  if (!read.ok())
    return DataError("{}", read.error().message).WithHint(read.error().hint);  // here it is the input itself
  const std::string& text = *read;
  if (IsTaxFile(text)) return ParseTaxFile(text, path);
  TADA_TRY(lines, ParseHierarchy(text, path));
  std::vector<TaxSection> one;
  one.push_back({"", std::move(lines)});
  return one;
}

Result<std::vector<NamedHierarchy>> ReadHierarchies(const std::string& path, const Table& table,
                                                    const std::vector<ColumnId>& columns) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    TADA_TRY(text, ReadText(path));
    if (IsTaxFile(text)) return FromTaxFile(text, path, table, columns);
    return InvalidArgument(TADA_OPTION("hierarchies") " takes a folder, or a file with a section per column: {}", path)
        .WithHint("For one file per column: " TADA_OPTION("hierarchy=<column>=<file>"));
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, error))
    files.push_back(entry.path().filename().string());
  if (error) return InvalidArgument("The folder cannot be read: {}: {}", path, error.message());
  std::sort(files.begin(), files.end());
  std::vector<NamedHierarchy> found;
  for (const ColumnId id : columns) {
    const std::string& name = table.column(id).name();
    TADA_TRY(file, FileOf(name, files, path));
    if (file.empty()) continue;
    TADA_TRY(lines, ReadHierarchyFile((std::filesystem::path(path) / file).string()));
    found.push_back({name, std::move(lines)});
  }
  return found;
}

std::string HierarchyCsv(const HierarchyLines& lines) {
  std::string text;
  for (const auto& line : lines.lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      if (i > 0) text += ';';
      if (line[i].find_first_of(";\"#\t\r\n") == std::string::npos) {
        text += line[i];
        continue;
      }
      text += '"';
      for (const char c : line[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
      text += '"';
    }
    text += '\n';
  }
  return text;
}

HierarchyLines LinesOf(const Hierarchy& hierarchy, const Column& column) {
  HierarchyLines lines;
  lines.source = column.name();
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    std::vector<std::string>& line = lines.lines.emplace_back();
    line.emplace_back(column.text(code));
    for (uint32_t level = 1; level < hierarchy.num_levels(); ++level) {
      line.push_back(hierarchy.label(level, hierarchy.node(level, code)));
    }
  }
  return lines;
}

}  // namespace tada
