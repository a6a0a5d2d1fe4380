#include "files/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/option_mark.h"

namespace tada {
namespace {

struct Extension {
  std::string_view text;
  Format format;
};

constexpr Extension kExtensions[] = {
    {".csv", Format::kCsv},         {".csv.gz", Format::kCsvGz},     {".csv.zst", Format::kCsvZst},
    {".csv.bz2", Format::kCsvBz2},  {".csv.lz4", Format::kCsvLz4},   {".json", Format::kJsonLines},
    {".jsonl", Format::kJsonLines}, {".ndjson", Format::kJsonLines}, {".xlsx", Format::kWorkbook},
    {".parquet", Format::kParquet}, {".pq", Format::kParquet},       {".parq", Format::kParquet},
    {".arrow", Format::kArrow},     {".feather", Format::kArrow},
};

constexpr char kBetweenPaths = '\x1e';  // a control character that no name of a file has
constexpr std::string_view kHidden = "***";

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

std::string Encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

Result<Format> FormatOf(std::string_view path) {
  if (path == "-") return Format::kCsv;
  if (const Extension* extension = Find(path)) return extension->format;
  return InvalidArgument("Unknown kind of file by its extension: {}", path)
      .WithHint(
          "Name it .csv, .csv.gz, .csv.zst, .csv.bz2, .csv.lz4, .parquet (.pq, .parq), .arrow or .feather; inputs may "
          "also "
          "be .json, .jsonl, .ndjson (a line per row) and .xlsx. - is CSV on standard input or output.");
}

Result<Format> OutputFormatOf(std::string_view path) {
  TADA_TRY(format, FormatOf(path));
  if (format != Format::kJsonLines && format != Format::kWorkbook) return format;
  return InvalidArgument("{} can be read, not written: {}", format == Format::kWorkbook ? ".xlsx" : "JSON", path)
      .WithHint("Write .csv, .csv.gz, .csv.zst, .parquet or .arrow.");
}

bool IsCsv(Format format) { return format == Format::kCsv || PackingOf(format) != Packing::kNone; }

Packing PackingOf(Format format) {
  switch (format) {
    case Format::kCsvGz:
      return Packing::kGzip;
    case Format::kCsvZst:
      return Packing::kZstd;
    case Format::kCsvBz2:
      return Packing::kBzip2;
    case Format::kCsvLz4:
      return Packing::kLz4;
    default:
      return Packing::kNone;
  }
}

std::string_view PackingName(Packing packing) {
  static constexpr std::string_view kNames[] = {"plain", "gzip", "zstd", "bzip2", "lz4"};
  return kNames[static_cast<size_t>(packing)];
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kCsv:
      return "csv";
    case Format::kCsvGz:
      return "csv.gz";
    case Format::kCsvZst:
      return "csv.zst";
    case Format::kCsvBz2:
      return "csv.bz2";
    case Format::kCsvLz4:
      return "csv.lz4";
    case Format::kJsonLines:
      return "json";
    case Format::kWorkbook:
      return "xlsx";
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

std::string PathOfList(const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) list += (list.empty() ? "" : std::string(1, kBetweenPaths)) + path;
  return list;
}

std::vector<std::string> ListOfPath(std::string_view path) {
  std::vector<std::string> paths;
  for (size_t at; (at = path.find(kBetweenPaths)) != std::string_view::npos; path.remove_prefix(at + 1)) {
    paths.emplace_back(path.substr(0, at));
  }
  paths.emplace_back(path);
  return paths;
}

std::string_view SchemeOf(std::string_view path) {
  const size_t end = path.find("://");
  return end == std::string_view::npos || path.find('/') < end ? std::string_view() : path.substr(0, end);
}

Result<std::string> PathWithQuery(const std::string& path, const std::string& query) {
  const std::string_view scheme = SchemeOf(path);
  if (scheme != "postgresql" && scheme != "postgres") {
    return InvalidArgument(TADA_OPTION("query") " is for databases: {}", ShownPath(path))
        .WithHint("Name one: postgresql://<user>@<host>/<database>.");
  }
  return path + (path.find('?') == std::string::npos ? "?" : "&") + "query=" + Encoded(query);
}

std::string_view QueryOf(std::string_view path) {
  static constexpr std::string_view kName = "query=";
  if (SchemeOf(path).empty()) return "";
  for (size_t at = std::min(path.find('?'), path.size()); (at = path.find(kName, at)) != path.npos;
       at += kName.size()) {
    if (path[at - 1] != '?' && path[at - 1] != '&') continue;
    const std::string_view query = path.substr(at + kName.size());
    return query.substr(0, query.find('&'));
  }
  return "";
}

std::string ShownPath(std::string_view path) {
  if (const std::vector<std::string> list = ListOfPath(path); list.size() > 1) {
    return fmt::format("{} and {} more", ShownPath(list.front()), list.size() - 1);
  }
  const std::string_view scheme = SchemeOf(path);
  std::string shown(path);
  if (scheme.empty()) return shown;
  const size_t host = scheme.size() + 3;
  const size_t question = std::min(shown.find('?'), shown.size());
  for (const std::string_view name : {"password=", "sslpassword=", "query="}) {
    for (size_t at = question; (at = shown.find(name, at)) != std::string::npos; at += name.size()) {
      if (at == 0 || (shown[at - 1] != '?' && shown[at - 1] != '&')) continue;
      const size_t begin = at + name.size();
      shown.replace(begin, std::min(shown.find('&', begin), shown.size()) - begin, kHidden);
    }
  }
  const size_t user_end = shown.substr(0, std::min(shown.find('/', host), question)).rfind('@');
  const size_t colon = shown.find(':', host);
  if (user_end != std::string::npos && colon < user_end) shown.replace(colon + 1, user_end - colon - 1, kHidden);
  return shown;
}

}  // namespace tada
