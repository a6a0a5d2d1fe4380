// Runs tests/cases/audit_*.case: audits written as text.
//   audit   FILE  quasi=A,B  [sensitive=S,..]  [original=FILE]     reads a release, and the table it was made of
//   expect  k=N l=N [diversity=..] pass|fail  [FACT=VALUE ...]      audits it and compares the facts
// Files lie beside the case; their first line names the columns; a cell may be "quoted". `#` begins a comment.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "audit/audit.h"
#include "table/column_builder.h"

namespace tada {
namespace {

namespace fs = std::filesystem;

fs::path CasesFolder() { return fs::path(TADA_SOURCE_FOLDER) / "tests" / "cases"; }

// Splits at `separator` outside of quotes, which it takes away. Repeated blanks count as one.
std::vector<std::string> Split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      if (separator != ' ' || !parts.back().empty()) parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (separator == ' ' && parts.back().empty()) parts.pop_back();
  return parts;
}

Table ReadTable(const fs::path& path, bool released) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no such file: " + path.string());
  std::vector<ColumnBuilder> builders;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> cells = Split(line, ',');
    if (builders.empty()) {
      ColumnOptions options;
      if (released) options.kind = Kind::kCategorical;
      for (const std::string& name : cells) builders.emplace_back(name, options);
      continue;
    }
    if (cells.size() != builders.size()) throw std::runtime_error("not as many cells as columns: " + line);
    for (size_t i = 0; i < cells.size(); ++i) builders[i].AppendText(cells[i]);
  }
  std::vector<Column> columns;
  for (ColumnBuilder& builder : builders) columns.push_back(builder.Finish().value());
  return Table(std::move(columns));
}

std::vector<ColumnId> Columns(const Table& table, const std::string& names) {
  std::vector<ColumnId> ids;
  for (const std::string& name : Split(names, ',')) ids.push_back(table.Find(name).value());
  return ids;
}

// What a case may ask about a verdict, as text.
std::string Fact(const Verdict& verdict, const std::string& name) {
  if (name == "groups") return fmt::format("{}", verdict.classes);
  if (name == "rows") return fmt::format("{}", verdict.rows);
  if (name == "reached_k") return fmt::format("{}", verdict.k);
  if (name == "reached_l") return fmt::format("{}", verdict.l);
  if (name == "masked") return fmt::format("{}", verdict.masked_rows);
  if (name == "largest_group") return fmt::format("{}", verdict.largest_class);
  if (name == "breaking_groups") return fmt::format("{}", verdict.breaking_classes);
  if (name == "breaking_rows") return fmt::format("{}", verdict.breaking_rows);
  if (name == "withheld") return fmt::format("{}", verdict.withheld_rows);
  if (name == "highest") return fmt::format("{:.6g}", verdict.prosecutor.highest);
  if (name == "average") return fmt::format("{:.6g}", verdict.prosecutor.average);
  if (name == "at_risk") return fmt::format("{:.6g}", verdict.prosecutor.share_at_risk);
  if (name == "match") return std::string(RowMatchName(verdict.row_match));
  std::string text;
  if (name == "uncovered") {
    for (const ColumnCover& cover : verdict.cover) {
      if (!cover.covered) text += (text.empty() ? "" : "; ") + cover.column + ": " + cover.example;
    }
    return text;
  }
  if (name != "group" && name != "group_rows") throw std::runtime_error("unknown fact: " + name);
  if (!verdict.worst) return "none";
  for (size_t i = 0; name == "group" && i < verdict.quasi.size(); ++i) {
    text += (text.empty() ? "" : " ") + verdict.quasi[i] + "=" + verdict.worst->cells[i];
  }
  for (size_t i = 0; name == "group_rows" && i < verdict.worst->rows.size(); ++i) {
    text += fmt::format("{}{}", text.empty() ? "" : ",", verdict.worst->rows[i]);
  }
  return text;
}

class CaseRunner {
 public:
  void Run(const std::string& line) {
    const std::vector<std::string> words = Split(line, ' ');
    if (words.empty() || words[0][0] == '#') return;
    if (words[0] == "audit") {
      Load(words);
    } else if (words[0] == "expect") {
      Expect(words);
    } else {
      FAIL() << "neither audit nor expect: " << line;
    }
  }
  int expectations() const { return expectations_; }

 private:
  void Load(const std::vector<std::string>& words) {
    options_ = {};
    release_ = ReadTable(CasesFolder() / words.at(1), true);
    for (size_t i = 2; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      const std::string name = words[i].substr(0, equals), value = words[i].substr(equals + 1);
      if (name == "quasi") options_.quasi = Columns(release_, value);
      if (name == "sensitive") options_.sensitive = Columns(release_, value);
      if (name == "original") {
        original_ = ReadTable(CasesFolder() / value, false);
        options_.original = &original_;
        for (const Column& column : release_.columns())
          options_.original_column.push_back(original_.Find(column.name()));
      }
    }
  }

  void Expect(const std::vector<std::string>& words) {
    ++expectations_;
    std::optional<bool> pass;
    std::vector<std::pair<std::string, std::string>> facts;
    options_.requirement = {};
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t equals = words[i].find('=');
      const std::string name = words[i].substr(0, equals),
                        value = equals == std::string::npos ? "" : words[i].substr(equals + 1);
      if (name == "pass" || name == "fail") {
        pass = name == "pass";
      } else if (name == "k") {
        options_.requirement.k = std::stol(value);
      } else if (name == "l") {
        options_.requirement.l = std::stol(value);
      } else if (name == "diversity") {
        options_.requirement.diversity = value == "entropy" ? Diversity::kEntropy : Diversity::kRecursive;
        if (value != "entropy") options_.requirement.c = std::stod(value.substr(value.find(':') + 1));
      } else {
        facts.emplace_back(name, value);
      }
    }
    const auto verdict = Audit(release_, options_, Workers(2));
    ASSERT_TRUE(verdict.ok()) << verdict.error().message;
    ASSERT_TRUE(pass.has_value()) << "neither pass nor fail";
    EXPECT_EQ(verdict->passed, *pass) << fmt::format("{}", fmt::join(verdict->problems, "; "));
    for (const auto& [name, value] : facts) EXPECT_EQ(Fact(*verdict, name), value) << name;
  }

  Table release_, original_;
  AuditOptions options_;
  int expectations_ = 0;
};

TEST(Cases, AreAsExpected) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(CasesFolder())) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("audit_") || entry.path().extension() != ".case") continue;
    ++files;
    std::ifstream file(entry.path());
    CaseRunner runner;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      SCOPED_TRACE(fmt::format("{}:{}: {}", name, ++number, line));
      runner.Run(line);
    }
    EXPECT_GT(runner.expectations(), 0) << name;
  }
  EXPECT_GE(files, 3);
}

}  // namespace
}  // namespace tada
