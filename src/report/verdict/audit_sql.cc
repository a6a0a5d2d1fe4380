#include "report/verdict/audit_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "audit/checks/folding.h"

namespace tada {
namespace {

// `text` between two `quote`s, with those inside doubled: a name or a string of SQL.
std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted += c;
    if (c == quote) quoted += c;
  }
  return quoted + quote;
}

std::string Name(std::string_view text) { return Quoted(text, '"'); }
std::string String(std::string_view text) { return Quoted(text, '\''); }

std::string TableName(std::string_view text) {
  std::string name;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('.', at), text.size());
    name += (at == 0 ? "" : ".") + Name(text.substr(at, end - at));
    at = end + 1;
  }
  return name;
}

// In a comment a line end would let the rest run as SQL.
std::string OneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

// A cell as text. Null, the empty text and a NaN are one value, as in `tada audit`.
std::string TextOf(const Column& column) {
  const std::string text = fmt::format("CAST({} AS text)", Name(column.name()));
  if (column.type() != ValueType::kReal) return fmt::format("coalesce({}, '')", text);
  return fmt::format("coalesce(nullif(lower({}), 'nan'), '')", text);
}

class Query {
 public:
  Query(const Table& release, const Plan& plan, const AuditSqlOptions& options)
      : release_(release), plan_(plan), options_(options) {
    for (const PlannedColumn& column : plan.sensitive) folds_.push_back(FoldPairs(ColumnOf(column), plan));
  }

  std::string Text() {
    AddHowTo();
    AddReleased();
    AddFolds();
    AddClasses();
    AddChecks();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  const Column& ColumnOf(const PlannedColumn& column) const {
    return release_.column(release_.Find(column.name).value());
  }

  void AddHowTo() {
    Line("-- Verifies a release: k={}, l={} (distinct). Every row of the answer must say that it passed.",
         plan_.requirement.k, plan_.requirement.l);
    if (options_.file == "-") return;
    const std::string table = TableName(options_.table), file = String(options_.file);
    const std::string delimiter = String(std::string(1, options_.delimiter));
    if (options_.format == "parquet") {
      Line("-- DuckDB: {}", OneLine(fmt::format("CREATE TABLE {} AS FROM read_parquet({});", table, file)));
    } else if (options_.format.starts_with("csv")) {
      Line("-- DuckDB: {}",
           OneLine(fmt::format("CREATE TABLE {} AS FROM read_csv({}, header = true, all_varchar = true, delim = {}, "
                               "quote = '\"', escape = '\"');",
                               table, file, delimiter)));
    }
    if (options_.format != "csv") return;
    std::string columns;
    for (const Column& column : release_.columns())
      columns += fmt::format("{}{} text", columns.empty() ? "" : ", ", Name(column.name()));
    Line("-- PostgreSQL: {}", OneLine(fmt::format("CREATE TABLE {} ({});", table, columns)));
    Line("--   {}",
         OneLine(fmt::format("\\copy {} FROM {} (FORMAT csv, HEADER, DELIMITER {})", table, file, delimiter)));
  }

  // The columns by number, q1 q2 ... s1 s2 ..., each cell once as it is compared.
  void AddReleased() {
    Line("WITH released AS (");
    text_ += "  SELECT ";
    for (size_t i = 0; i < plan_.quasi.size(); ++i) {
      const Column& column = ColumnOf(plan_.quasi[i]);
      const bool nested = std::ranges::find(options_.nested, column.name()) != options_.nested.end();
      text_ += fmt::format("{}{} AS q{}", i == 0 ? "" : ",\n         ", nested ? Name(column.name()) : TextOf(column),
                           i + 1);
    }
    for (size_t i = 0; i < plan_.sensitive.size(); ++i)
      text_ += fmt::format(",\n         {} AS s{}", TextOf(ColumnOf(plan_.sensitive[i])), i + 1);
    Line("\n  FROM {}", TableName(options_.table));
    text_ += ")";
  }

  // Texts of column i that are one value.
  void AddFolds() {
    for (size_t i = 0; i < folds_.size(); ++i) {
      if (folds_[i].empty()) continue;
      Line(", fold{}(written, counted) AS (", i + 1);
      text_ += "  VALUES ";
      const char* separator = "";
      for (const FoldPair& pair : folds_[i]) {
        text_ += fmt::format("{}({}, {})", separator, String(pair.text),
                             pair.value ? String(*pair.value) : "CAST(NULL AS text)");
        separator = ",\n         ";
      }
      text_ += "\n)";
    }
  }

  void AddClasses() {
    Line(", classes AS (");
    text_ += "  SELECT count(*) AS size";
    for (size_t i = 0; i < folds_.size(); ++i) {
      const std::string value =
          folds_[i].empty()
              ? fmt::format("s{}", i + 1)
              : fmt::format("CASE WHEN fold{0}.written IS NULL THEN s{0} ELSE fold{0}.counted END", i + 1);
      text_ += fmt::format(",\n         count(DISTINCT {}) AS l{}", value, i + 1);
    }
    Line("\n  FROM released");
    for (size_t i = 0; i < folds_.size(); ++i) {
      if (!folds_[i].empty()) Line("  LEFT JOIN fold{0} ON fold{0}.written = s{0}", i + 1);
    }
    text_ += "  GROUP BY ";
    for (size_t i = 0; i < plan_.quasi.size(); ++i) text_ += fmt::format("{}q{}", i == 0 ? "" : ", ", i + 1);
    Line("\n)");
  }

  void AddCheck(const std::string& name, const std::string& measure, int64_t asked) {
    Line(
        "SELECT {0} AS \"check\", coalesce(min({1}), 0) >= {2} AS passed, coalesce(min({1}), 0) AS found, {2} AS asked "
        "FROM classes",
        String(name), measure, asked);
  }

  void AddChecks() {
    AddCheck("k", "size", plan_.requirement.k);
    const int64_t l =
        plan_.requirement.l > 1 ? plan_.requirement.l : 0;  // l = 1 asks nothing, of classes without a value either
    for (size_t i = 0; i < folds_.size(); ++i) {
      Line("UNION ALL");
      AddCheck("l of " + plan_.sensitive[i].name, fmt::format("l{}", i + 1), l);
    }
    text_.back() = ';';
    text_ += '\n';
  }

  const Table& release_;
  const Plan& plan_;
  const AuditSqlOptions& options_;
  std::vector<std::vector<FoldPair>> folds_;  // by sensitive column
  std::string text_;
};

// What stands behind `table=` in the address of a database, without its codes (`%20`).
std::string TableOfAddress(std::string_view path) {
  const size_t at = std::min(path.find("?table="), path.find("&table="));
  if (at == path.npos) return "release";
  const std::string_view coded = path.substr(at + 7, path.find('&', at + 1) - at - 7);
  std::string name;
  for (size_t i = 0; i < coded.size(); ++i) {
    int byte = 0;
    const char* const code = coded.data() + i + 1;
    const bool is_code =
        coded[i] == '%' && i + 2 < coded.size() && std::from_chars(code, code + 2, byte, 16).ptr == code + 2;
    name += is_code ? static_cast<char>(byte) : coded[i];
    if (is_code) i += 2;
  }
  return name;
}

}  // namespace

std::vector<FoldPair> FoldPairs(const Column& column, const Plan& plan) {
  const FoldedColumn folded = FoldColumn(column, plan.requirement);
  // Where missing values count, all of them count as the empty text.
  const auto missing = plan.requirement.missing_counts ? std::optional<std::string>("") : std::nullopt;
  std::set<std::string> known;
  std::vector<FoldPair> pairs;
  const auto add = [&](const std::string& text, const std::optional<std::string>& value) {
    if (text != value && known.insert(text).second) pairs.push_back({text, value});
  };
  add("", missing);
  if (column.type() != ValueType::kText) return pairs;  // a typed value has one text
  // A table that was read keeps one spelling of "missing"; the file may have others.
  for (const std::string& word : plan.missing) add(word, missing);
  for (const auto& [text, value] : FoldedPairs(column, folded)) {
    add(text, value.empty() ? missing : std::optional(value));
  }
  return pairs;
}

std::string FoldsCsv(const Table& release, const Plan& plan) {
  const std::string missing = plan.missing.empty() ? "" : plan.missing.front();
  std::string csv = "column,value,canonical\n";
  for (const PlannedColumn& planned : plan.sensitive) {
    const Column& column = release.column(release.Find(planned.name).value());
    for (const FoldPair& pair : FoldPairs(column, plan)) {
      csv += fmt::format("{},{},{}\n", Name(planned.name), Name(pair.text),
                         Name(pair.value.value_or("").empty() ? missing : *pair.value));
    }
  }
  return csv;
}

std::string SqlTableName(const std::string& path) {
  if (path == "-") return "release";
  if (path.find("://") != std::string::npos && path.find('?') != std::string::npos) return TableOfAddress(path);
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const std::string stem = name.substr(0, name.find('.', 1));
  return stem.empty() ? "release" : stem;
}

Result<std::string> AuditSql(const Table& release, const Plan& plan, const AuditSqlOptions& options) {
  const Requirement& asked = plan.requirement;
  if (!plan.person.empty() || !asked.more.empty() || !asked.k_column.empty()) {
    return InvalidArgument("--sql verifies k and distinct l over rows only, not {}",
                           !plan.person.empty() ? "people (--person)"
                           : asked.more.empty() ? "--k-column"
                                                : "--" + asked.more.front().name)
        .WithHint("Run the audit without --sql.");
  }
  if (plan.requirement.diversity != Diversity::kDistinct && !plan.sensitive.empty()) {
    return InvalidArgument("--sql verifies distinct l only, not --diversity entropy or recursive")
        .WithHint("Leave --diversity out, or run the audit without --sql.");
  }
  if (!plan.controller_column.empty() && release.Find(plan.controller_column)) {
    return InvalidArgument("--sql verifies a release as a whole, and this one has a controller column: {}",
                           plan.controller_column)
        .WithHint("Leave --controller-column out, or run the audit without --sql.");
  }
  return Query(release, plan, options).Text();
}

}  // namespace tada
