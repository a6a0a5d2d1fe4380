#include <algorithm>
#include <charconv>
#include <map>

#include "base/option_mark.h"
#include "files/rows/row_columns.h"
#include "files/rows/workbook_styles.h"
#include "files/rows/zip_parts.h"

namespace tada {
#ifdef TADA_HAS_WORKBOOKS
namespace {

constexpr size_t kMostColumns = 16384, kMostRows = 1048576;  // of a sheet

struct Sheet {
  std::string name, part;
};
struct Workbook {
  std::vector<Sheet> sheets;
  bool from_1904 = false;
  std::vector<std::string> texts;  // that cells share
  std::vector<bool> dates;         // by style
};

void IgnoreText(std::string_view) {}
void IgnoreEnd(std::string_view) {}

Result<Workbook> ReadWorkbook(const ZipParts& parts) {
  Workbook book;
  std::vector<std::string> ids;
  XmlEvents events{.start = nullptr, .end = &IgnoreEnd, .text = &IgnoreText};
  events.start = [&](std::string_view name, const XmlAttributes& attributes) {
    Sheet sheet;
    std::string id;
    for (const auto& [key, value] : attributes) {
      if (name == "workbookPr" && key == "date1904") book.from_1904 = value == "1" || value == "true";
      if (key == "name") sheet.name = value;
      if (key == "id") id = value;
    }
    if (name != "sheet") return;
    book.sheets.push_back(std::move(sheet));
    ids.push_back(std::move(id));
  };
  TADA_CHECK_OK(parts.Read("xl/workbook.xml", events));
  std::map<std::string, std::string> targets;
  events.start = [&](std::string_view name, const XmlAttributes& attributes) {
    std::string id, target;
    for (const auto& [key, value] : attributes) {
      if (key == "Id") id = value;
      if (key == "Target") target = value;
    }
    if (name == "Relationship") targets[id] = target.starts_with('/') ? target.substr(1) : "xl/" + target;
  };
  TADA_CHECK_OK(parts.Read("xl/_rels/workbook.xml.rels", events));
  for (size_t i = 0; i < ids.size(); ++i) book.sheets[i].part = targets[ids[i]];
  return book;
}

// Texts that several cells show; how they sound (rPh) is no part of them.
Status ReadSharedTexts(const ZipParts& parts, Workbook& book) {
  if (!parts.Has("xl/sharedStrings.xml")) return Ok();
  bool in_text = false;
  int sounds = 0;
  const XmlEvents events{.start =
                             [&](std::string_view name, const XmlAttributes&) {
                               if (name == "si") book.texts.emplace_back();
                               if (name == "rPh") ++sounds;
                               in_text = name == "t" && sounds == 0;
                             },
                         .end =
                             [&](std::string_view name) {
                               if (name == "rPh") --sounds;
                               in_text = false;
                             },
                         .text =
                             [&](std::string_view text) {
                               if (in_text && !book.texts.empty()) book.texts.back() += text;
                             }};
  return parts.Read("xl/sharedStrings.xml", events);
}

Result<std::string> FindSheet(const Workbook& book, const std::string& wanted, const std::string& path) {
  std::vector<std::string> names;
  for (const Sheet& sheet : book.sheets) {
    if (sheet.name == wanted) return sheet.part;
    names.push_back(sheet.name);
  }
  size_t number = wanted.empty() ? 1 : 0;
  if (!wanted.empty()) std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (number >= 1 && number <= book.sheets.size()) return book.sheets[number - 1].part;
  if (book.sheets.empty()) return DataError("Damaged workbook: {}: it has no sheet", path);
  return InvalidArgument(TADA_OPTION("sheet") " is not in the workbook: {}", wanted)
      .WithHint(fmt::format("Its sheets are: {}.", fmt::join(names, ", ")));
}

// Reads the cells of a sheet. The first row that holds anything names the columns.
class SheetReader {
 public:
  SheetReader(const Workbook& book, const std::string& path, RowColumns& columns)
      : book_(book), path_(path), columns_(columns) {}

  Status Read(const ZipParts& parts, const std::string& part) {
    const XmlEvents events{.start = [&](std::string_view name, const XmlAttributes& of) { Start(name, of); },
                           .end = [&](std::string_view name) { End(name); },
                           .text =
                               [&](std::string_view text) {
                                 if (in_value_) value_ += text;
                               },
                           .go_on = [&] { return failed_.ok(); }};
    TADA_CHECK_OK(parts.Read(part, events));
    return failed_;
  }

 private:
  void Start(std::string_view name, const XmlAttributes& attributes) {
    in_value_ = false;
    if (name == "row") {
      cells_.clear();
      ++row_;
      for (const auto& [key, value] : attributes) {
        if (key == "r") std::from_chars(value.data(), value.data() + value.size(), row_);
      }
    } else if (name == "c") {
      type_.clear();
      value_.clear();
      style_ = 0;
      ++column_;
      for (const auto& [key, value] : attributes) {
        if (key == "t") type_ = value;
        if (key == "s") std::from_chars(value.data(), value.data() + value.size(), style_);
        if (key == "r") column_ = ColumnOf(value);
      }
    } else if (name == "rPh") {
      ++sounds_;
    } else {
      in_value_ = (name == "v" || name == "t") && sounds_ == 0;
    }
  }

  void End(std::string_view name) {
    in_value_ = false;
    if (name == "rPh") --sounds_;
    if (name == "c" && failed_.ok()) AddCell();
    if (name != "row" || !failed_.ok()) return;
    EndRow();
    column_ = 0;
  }

  // B of B12 is 2.
  static size_t ColumnOf(std::string_view reference) {
    size_t column = 0;
    for (const char c : reference) {
      if (c < 'A' || c > 'Z' || column > kMostColumns) break;
      column = column * 26 + static_cast<size_t>(c - 'A' + 1);
    }
    return column;
  }

  void AddCell() {
    if (column_ == 0 || column_ > kMostColumns || row_ > kMostRows) return Fail("a cell is at no place of a sheet");
    std::string text;
    if (type_ == "s") {
      size_t index = book_.texts.size();
      std::from_chars(value_.data(), value_.data() + value_.size(), index);
      if (index >= book_.texts.size()) return Fail("a cell has a text that the workbook lacks");
      text = book_.texts[index];
    } else if (type_ == "b") {
      text = value_ == "1" ? "true" : "false";
    } else if (type_ == "str" || type_ == "inlineStr") {
      text = value_;
    } else if (type_ == "d") {  // a date as ISO 8601 has it
      text = value_;
    } else if (type_ != "e") {
      text = Number();
    }
    if (text.empty()) return;
    if (cells_.size() < column_) cells_.resize(column_);
    cells_[column_ - 1] = std::move(text);
  }

  std::string Number() const {
    double serial = 0;
    const bool date = style_ < book_.dates.size() && book_.dates[style_] &&
                      std::from_chars(value_.data(), value_.data() + value_.size(), serial).ec == std::errc();
    std::string day = date ? DayText(serial, book_.from_1904) : "";
    return day.empty() ? StoredNumber(value_) : day;
  }

  void EndRow() {
    if (std::all_of(cells_.begin(), cells_.end(), [](const std::string& cell) { return cell.empty(); })) return;
    if (!has_header_) {
      has_header_ = true;
      while (cells_.back().empty()) cells_.pop_back();
      for (size_t i = 0; i < cells_.size(); ++i) {
        if (columns_.Find(cells_[i]) == i) continue;
        failed_ = DataError("{}, row {}, column {}: two columns have the name '{}'", path_, row_, i + 1, cells_[i])
                      .WithHint("Rename one of them in the header.");
      }
      return;
    }
    for (size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i].empty()) continue;
      if (i >= columns_.names().size())
        return Fail(fmt::format("row {}: there is a cell behind the last column that has a name", row_));
      columns_.Set(i, cells_[i]);
    }
    columns_.EndRow();
  }

  void Fail(std::string_view why) {
    failed_ =
        DataError("{}: {}", path_, why)
            .WithHint("The first row of the sheet names the columns; " TADA_OPTION("sheet") " takes another sheet.");
  }

  const Workbook& book_;
  const std::string& path_;
  RowColumns& columns_;
  Status failed_;
  bool has_header_ = false, in_value_ = false;
  int sounds_ = 0;
  size_t row_ = 0, column_ = 0, style_ = 0;
  std::string type_, value_;
  std::vector<std::string> cells_;
};

}  // namespace
#endif

Status ReadWorkbookRows(const std::string& path, [[maybe_unused]] const ReadOptions& options,
                        [[maybe_unused]] RowColumns& columns, [[maybe_unused]] TableFile& file) {
#ifdef TADA_HAS_WORKBOOKS
  TADA_TRY(parts, ZipParts::Open(path));
  TADA_TRY(book, ReadWorkbook(parts));
  TADA_TRY(sheet, FindSheet(book, options.sheet, path));
  TADA_TRY(dates, ReadDateStyles(parts));
  book.dates = std::move(dates);
  TADA_CHECK_OK(ReadSharedTexts(parts, book));
  file.bytes = parts.stored_bytes();
  return SheetReader(book, path, columns).Read(parts, sheet);
#else
  return InvalidArgument("This build cannot read workbooks: {}", path)
      .WithHint("Save the sheet as CSV (UTF-8), or build tada where libzip and expat are installed.");
#endif
}

}  // namespace tada
