#include "files/format.h"

#include <algorithm>
#include <optional>

namespace tada {
namespace {

struct Extension {
  std::string_view text;
  Format format;
};

constexpr Extension kExtensions[] = {
    {".csv", Format::kCsv},     {".csv.gz", Format::kCsvGz},  {".parquet", Format::kParquet},
    {".arrow", Format::kArrow}, {".feather", Format::kArrow},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EndsWith(std::string_view path, std::string_view extension) {
  if (path.size() <= extension.size()) return false;
  const std::string_view end = path.substr(path.size() - extension.size());
  return std::equal(end.begin(), end.end(), extension.begin(), [](char a, char b) { return Lower(a) == b; });
}

const Extension* Find(std::string_view path) {
  const auto* found = std::find_if(std::begin(kExtensions), std::end(kExtensions),
                                   [&](const Extension& e) { return EndsWith(path, e.text); });
  return found == std::end(kExtensions) ? nullptr : found;
}

}  // namespace

Result<Format> FormatOf(std::string_view path) {
  if (path == "-") return Format::kCsv;
  if (const Extension* extension = Find(path)) return extension->format;
  return InvalidArgument("Unknown kind of file by its extension: {}", path)
      .WithHint("Name it .csv, .csv.gz, .parquet, .arrow or .feather; - is CSV on standard input or output.");
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kCsv:
      return "csv";
    case Format::kCsvGz:
      return "csv.gz";
    case Format::kParquet:
      return "parquet";
    case Format::kArrow:
      return "arrow";
  }
  return "";
}

std::string_view KnownExtension(std::string_view path) {
  const Extension* extension = Find(path);
  return extension == nullptr ? std::string_view() : path.substr(path.size() - extension->text.size());
}

std::string InputName(std::string_view path) { return path == "-" ? "standard input" : std::string(path); }

}  // namespace tada
