#include "files/stores/dataset.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "files/format.h"
#include "files/read_parts.h"
#include "keys/sha256_text.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMissingPartition = "__HIVE_DEFAULT_PARTITION__";

bool IsPattern(const std::string& path) {
  std::error_code none;
  return path.find_first_of("*?[") != std::string::npos && !fs::exists(path, none);
}

bool IsFolder(const std::string& path) {
  std::error_code none;
  return fs::is_directory(path, none);
}

bool IsHidden(const std::string& name) { return name.starts_with('.') || name.starts_with('_'); }

std::vector<std::string> Matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) paths.emplace_back(found.gl_pathv[i]);
  }
  ::globfree(&found);
  return paths;
}

// The files below a folder, by their names inside it.
Status ListFolder(const fs::path& folder, const std::string& inside,
                  const std::vector<std::pair<std::string, std::string>>& partition, std::vector<DatasetPart>& parts) {
  std::error_code failed;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    entries.push_back(*at);
  if (failed) return DataError("Cannot read folder {}: {}", folder.string(), failed.message());
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.path().filename() < b.path().filename(); });
  for (const fs::directory_entry& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (IsHidden(name)) continue;
    if (!entry.is_directory(failed)) {
      parts.push_back({entry.path().string(), inside + name, partition});
      continue;
    }
    auto below = partition;
    if (const size_t equals = name.find('='); equals != std::string::npos && equals > 0) {
      below.emplace_back(PartitionValue(name.substr(0, equals)), PartitionValue(name.substr(equals + 1)));
    }
    TADA_CHECK_OK(ListFolder(entry.path(), inside + name + "/", below, parts));
  }
  return Ok();
}

Status AddParts(const std::string& path, std::vector<DatasetPart>& parts) {
  if (IsFolder(path)) return ListFolder(path, "", {}, parts);
  if (!IsPattern(path)) {
    parts.push_back({path, fs::path(path).filename().string(), {}});
    return Ok();
  }
  const std::vector<std::string> found = Matching(path);
  if (found.empty()) return DataError("No file matches {}", path).WithHint("Check the pattern, and quote it.");
  for (const std::string& each : found) {
    if (!IsHidden(fs::path(each).filename().string())) TADA_CHECK_OK(AddParts(each, parts));
  }
  return Ok();
}

// Which part is odd, and how; what differs between two lists of names.
Error Odd(const DatasetPart& part, const DatasetPart& first, std::string_view what) {
  return DataError("{}: {}, unlike {}", part.path, what, first.path)
      .WithHint("All files of one table need the same columns and types: take it out, or convert it.");
}

Status CheckFormats(const std::vector<DatasetPart>& parts) {
  std::optional<Format> first;
  for (const DatasetPart& part : parts) {
    const auto format = FormatOf(part.path);
    if (!format.ok() || part.path == "-") {
      return DataError("{} is no table by its extension", part.path)
          .WithHint("Take it out of the folder, or name the files by a pattern: 'folder/*.csv'.");
    }
    if (!first) first = *format;
    const bool like = *first == *format || (IsCsv(*first) && IsCsv(*format));
    if (!like) return Odd(part, parts.front(), fmt::format("is {}", FormatName(*format)));
  }
  return Ok();
}

std::string Missing(const std::vector<std::string>& from, const std::vector<std::string>& in) {
  for (const std::string& name : from) {
    if (std::find(in.begin(), in.end(), name) == in.end()) return name;
  }
  return "";
}

Status CheckColumns(const DatasetPart& part, const std::vector<std::string>& columns, const DatasetPart& first,
                    const std::vector<std::string>& of_first) {
  if (const std::string lacks = Missing(of_first, columns); !lacks.empty())
    return Odd(part, first, fmt::format("has no column '{}'", lacks));
  if (const std::string more = Missing(columns, of_first); !more.empty())
    return Odd(part, first, fmt::format("has a column '{}'", more));
  return Ok();
}

Status CheckPartitions(const std::vector<DatasetPart>& parts) {
  const auto names = [](const DatasetPart& part) {
    std::vector<std::string> all;
    for (const auto& [name, text] : part.partition) all.push_back(name);
    return all;
  };
  for (const DatasetPart& part : parts) {
    if (names(part) != names(parts.front())) return Odd(part, parts.front(), "lies in other partition folders");
  }
  return Ok();
}

// An error of a part says which part.
Error InPart(Error error, const DatasetPart& part) {
  if (error.message.find(part.path) == std::string::npos) error.message = part.path + ": " + error.message;
  return error;
}

// The columns of all parts, as they come.
class Gatherer {
 public:
  explicit Gatherer(const ReadOptions& options) : options_(options) {}

  Status Add(const DatasetPart& part, const DatasetPart& first, const TableFile& file) {
    const size_t rows = file.table.num_rows();
    for (const Column& column : file.table.columns()) {
      if (!IsWanted(column.name())) continue;
      ColumnBuilder& builder = BuilderOf(column.name());
      auto [type, is_new] = types_.try_emplace(column.name(), column.type(), column.type_detail());
      if (is_new) {
        builder.SetType(column.type(), column.type_detail());
      } else if (type->second != std::pair(column.type(), column.type_detail())) {
        return Odd(part, first, fmt::format("has another type of column '{}'", column.name()));
      }
      Append(column, builder);
    }
    for (const auto& [name, text] : part.partition) {
      if (!IsWanted(name)) continue;
      ColumnBuilder& builder = BuilderOf(name);
      const uint32_t number = text.empty() ? builder.InternNull() : builder.Intern(text);
      std::ranges::fill(builder.Extend(rows), number);
    }
    return Ok();
  }

  /// The columns in the order of `names`.
  std::vector<ColumnBuilder> Take(const std::vector<std::string>& names) {
    std::vector<ColumnBuilder> taken;
    for (const std::string& name : names) {
      if (const auto found = builders_.find(name); found != builders_.end()) taken.push_back(std::move(found->second));
    }
    return taken;
  }
  bool IsWanted(const std::string& name) const {
    return !options_.columns || std::ranges::find(*options_.columns, name) != options_.columns->end();
  }

 private:
  ColumnBuilder& BuilderOf(const std::string& name) {
    const auto found = builders_.find(name);
    if (found != builders_.end()) return found->second;
    return builders_.emplace(name, ColumnBuilder(name, OptionsOf(name, options_))).first->second;
  }

  // Texts are numbered as they first appear, for columns that are ordered so.
  static void Append(const Column& column, ColumnBuilder& builder) {
    constexpr uint32_t kNew = UINT32_MAX;
    std::vector<uint32_t> number_of(column.num_codes(), kNew);
    const std::span<uint32_t> rows = builder.Extend(column.num_rows());
    column.codes().Visit([&](auto codes) {
      for (size_t i = 0; i < rows.size(); ++i) {
        uint32_t& number = number_of[codes[i]];
        if (number == kNew) {
          const std::string_view text = column.text(codes[i]);
          number = text.empty() && column.is_missing(codes[i]) ? builder.InternNull() : builder.Intern(text);
        }
        rows[i] = number;
      }
    });
  }

  const ReadOptions& options_;
  std::map<std::string, ColumnBuilder> builders_;
  std::map<std::string, std::pair<ValueType, std::string>> types_;
};

// What to ask of each part: the columns that its file has, and at least one, so that rows are counted.
ReadOptions OfFiles(const ReadOptions& options, const DatasetPart& first, const std::vector<std::string>& header) {
  ReadOptions asked = options;
  if (!asked.columns) return asked;
  std::erase_if(*asked.columns, [&](const std::string& name) {
    return std::ranges::find(first.partition, name, &std::pair<std::string, std::string>::first) !=
           first.partition.end();
  });
  if (asked.columns->empty() && !header.empty()) asked.columns->push_back(header.front());
  return asked;
}

Result<std::vector<std::string>> ColumnsOf(Files& files, const DatasetPart& first, const LayoutOptions& layout) {
  TADA_TRY(columns, files.Header(first.path, layout));
  for (const auto& [name, text] : first.partition) {
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) {
      return DataError("{}: column '{}' is in the file and names a folder too", first.path, name)
          .WithHint("Rename one of them.");
    }
    columns.push_back(name);
  }
  return columns;
}

// Of all columns those that are in the files, not in the names of folders.
std::vector<std::string> InFiles(const std::vector<std::string>& columns, const DatasetPart& first) {
  return {columns.begin(), columns.end() - static_cast<std::ptrdiff_t>(first.partition.size())};
}

}  // namespace

bool IsDataset(const std::string& path) {
  return path != "-" && SchemeOf(path).empty() && (ListOfPath(path).size() > 1 || IsFolder(path) || IsPattern(path));
}

Result<std::vector<DatasetPart>> PartsOf(const std::string& path) {
  std::vector<DatasetPart> parts;
  for (const std::string& each : ListOfPath(path)) TADA_CHECK_OK(AddParts(each, parts));
  if (parts.empty()) return DataError("There is no file in {}", ShownPath(path));
  TADA_CHECK_OK(CheckFormats(parts));
  TADA_CHECK_OK(CheckPartitions(parts));
  return parts;
}

Result<std::vector<std::string>> DatasetHeader(Files& files, const std::string& path, const LayoutOptions& layout) {
  TADA_TRY(parts, PartsOf(path));
  const DatasetPart& first = parts.front();
  TADA_TRY(columns, ColumnsOf(files, first, layout));
  // Whoever asks what a folder has would else hear about the first file alone, which may be the odd one.
  const std::vector<std::string> in_files = InFiles(columns, first);
  for (const DatasetPart& part : std::span(parts).subspan(1)) {
    TADA_TRY(header, files.Header(part.path, layout));
    TADA_CHECK_OK(CheckColumns(part, header, first, in_files));
  }
  return columns;
}

Result<TableFile> ReadDataset(Files& files, const std::string& path, const ReadOptions& options, const Workers& workers,
                              Progress& progress) {
  TADA_TRY(parts, PartsOf(path));
  const DatasetPart& first = parts.front();
  TADA_TRY(columns, ColumnsOf(files, first, options));
  const std::vector<std::string> in_files = InFiles(columns, first);
  const ReadOptions asked = OfFiles(options, first, in_files);
  Gatherer gatherer(options);
  TableFile whole;
  NoProgress silent;
  progress.Begin("read", parts.size());
  for (const DatasetPart& part : parts) {
    workers.Poll();
    if (&part != &first) {
      TADA_TRY(header, files.Header(part.path, options));
      TADA_CHECK_OK(CheckColumns(part, header, first, in_files));
    }
    auto read = files.Read(part.path, asked, workers, silent);
    if (!read.ok()) return InPart(std::move(read).error(), part);
    TADA_CHECK_OK(gatherer.Add(part, first, *read));
    whole.bytes += read->bytes;
    if (&part == &first) {
      whole.format = read->format;
      whole.delimiter = read->delimiter;
      whole.charset = read->charset;
      whole.typed_cells = read->typed_cells;
      whole.stored = read->stored;
    }
    progress.Advance(1);
  }
  TADA_TRY(table, FinishColumns(gatherer.Take(columns), workers));
  whole.table = std::move(table);
  whole.all_columns = std::move(columns);
  return whole;
}

Result<std::string> DatasetDigest(Files& files, const std::string& path) {
  TADA_TRY(parts, PartsOf(path));
  std::string lines;
  for (const DatasetPart& part : parts) {
    TADA_TRY(digest, files.Digest(part.path));
    lines += fmt::format("{}  {}\n", digest, part.name);
  }
  return Sha256OfText(lines);
}

Result<std::optional<std::vector<OutsideContent>>> DatasetOutside(Files& files, const std::string& path) {
  TADA_TRY(parts, PartsOf(path));
  std::vector<OutsideContent> all;
  for (const DatasetPart& part : parts) {
    TADA_TRY(found, files.Outside(part.path));
    if (!found) return std::optional<std::vector<OutsideContent>>();
    for (OutsideContent& content : *found) {
      content.where = part.name + ": " + content.where;
      all.push_back(std::move(content));
    }
  }
  return std::optional(std::move(all));
}

std::string PartitionText(std::string_view value) {
  if (value.empty()) return std::string(kMissingPartition);
  std::string text;
  for (const char c : value) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

std::string PartitionValue(std::string_view text) {
  if (text == kMissingPartition) return "";
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
  };
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
      value += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
      i += 2;
    } else {
      value += text[i];
    }
  }
  return value;
}

}  // namespace tada
