#include "partition/mondrian/workload.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/disk/toml_file.h"
#include "base/disk/whole_file.h"
#include "base/option.h"
#include "base/option_mark.h"
#include "table/number.h"

namespace tada {
namespace {

constexpr const char* kShape =
    "A workload is a list of [[query]] with name, where.COLUMN = {min = 1, max = 9} or where.COLUMN = [\"a\", \"b\"], "
    "target, columns and weight.";

// One workload file while it is read.
class WorkloadReader {
 public:
  explicit WorkloadReader(const std::string& path) : path_(path) {}

  Result<std::vector<Query>> Read(const toml::table& root) {
    for (auto&& [key, node] : root) {
      if (key.str() != "query") return At(node, fmt::format("'{}' is no part of a workload", key.str()));
    }
    const toml::array* list = root["query"].as_array();
    if (list == nullptr || list->empty()) return InvalidArgument("{}: no [[query]] in it", path_).WithHint(kShape);
    std::vector<Query> queries;
    for (const toml::node& node : *list) {
      const toml::table* table = node.as_table();
      if (table == nullptr) return At(node, "a query is a table");
      TADA_TRY(query, ReadQuery(*table));
      if (query.name.empty()) query.name = fmt::format("query {}", queries.size() + 1);
      queries.push_back(std::move(query));
    }
    return queries;
  }

 private:
  Result<Query> ReadQuery(const toml::table& table) {
    Query query;
    for (auto&& [key, node] : table) {
      if (key.str() == "name" && node.is_string()) {
        query.name = node.as_string()->get();
      } else if (key.str() == "target" && node.is_string()) {
        query.target = node.as_string()->get();
      } else if (key.str() == "weight" && node.is_number()) {
        query.weight = node.value<double>().value_or(0);
        if (!(query.weight > 0)) return At(node, "a weight is above 0");
      } else if (key.str() == "columns" && node.is_array()) {
        TADA_TRY(columns, ReadTexts(*node.as_array()));
        query.columns = std::move(columns);
      } else if (key.str() == "where" && node.is_table()) {
        TADA_TRY(where, ReadWhere(*node.as_table()));
        query.where = std::move(where);
      } else {
        return At(node, fmt::format("'{}' is no part of a query, or has the wrong type", key.str()));
      }
    }
    return query;
  }

  Result<std::vector<QueryCondition>> ReadWhere(const toml::table& table) {
    std::vector<QueryCondition> where;
    for (auto&& [key, node] : table) {
      QueryCondition condition;
      condition.column = key.str();
      if (const toml::array* values = node.as_array()) {
        TADA_TRY(texts, ReadTexts(*values));
        if (texts.empty()) return At(node, "a set of values is not empty");
        condition.values = std::move(texts);
      } else if (const toml::table* range = node.as_table()) {
        for (auto&& [end, value] : *range) {
          if (end.str() != "min" && end.str() != "max") return At(value, "a range has min and max");
          TADA_TRY(text, ReadText(value));
          (end.str() == "min" ? condition.min : condition.max) = std::move(text);
        }
        if (!condition.min && !condition.max) return At(node, "a range has min, max or both");
      } else {
        TADA_TRY(text, ReadText(node));
        condition.values = {std::move(text)};
      }
      where.push_back(std::move(condition));
    }
    return where;
  }

  Result<std::vector<std::string>> ReadTexts(const toml::array& array) {
    std::vector<std::string> texts;
    for (const toml::node& node : array) {
      TADA_TRY(text, ReadText(node));
      texts.push_back(std::move(text));
    }
    return texts;
  }

  Result<std::string> ReadText(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
    if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
    return At(node, "a value is a text or a number");
  }

  Error At(const toml::node& node, const std::string& message) const {
    return InvalidArgument("{}:{}: {}", path_, node.source().begin.line, message).WithHint(kShape);
  }

  const std::string path_;
};

// Which of the names stands for `name`; an error that proposes the nearest.
Result<size_t> FindName(const std::vector<std::string>& names, const std::string& name, const std::string& query,
                        std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  const auto nearest = NearestName(name, names);
  return InvalidArgument("Workload, {}: {} is no {}", query, name, what)
      .WithHint(nearest ? fmt::format("Did you mean '{}'?", *nearest)
                        : fmt::format("There are: {}", fmt::join(names, ", ")));
}

// The number that an end of a range stands for.
Result<double> EndOf(const Column& column, const std::string& text, const std::string& query) {
  const std::string plain = column.writing().Plain(text).value_or(text);
  const auto number = column.is_date() ? ParseDate(plain) : ParseNumber(plain);
  if (number) return *number;
  return InvalidArgument("Workload, {}: '{}' is not a {}: column {}", query, text, column.is_date() ? "date" : "number",
                         column.name());
}

Result<BoundCondition> Bind(const Column& column, uint32_t index, const QueryCondition& condition,
                            const std::string& query) {
  BoundCondition bound;
  bound.column = index;
  bound.inside.assign(column.num_codes(), 0);
  if (condition.values.empty()) {
    if (!column.is_numeric()) {
      return InvalidArgument("Workload, {}: a range needs a numeric column: {} is {}", query, column.name(),
                             KindName(column.kind()))
          .WithHint(fmt::format("Name the values: where.{} = [\"...\", \"...\"]", column.name()));
    }
    bound.is_range = true;
    bound.low = -std::numeric_limits<double>::infinity();
    bound.high = std::numeric_limits<double>::infinity();
    if (condition.min) {
      TADA_TRY(low, EndOf(column, *condition.min, query));
      bound.low = low;
    }
    if (condition.max) {
      TADA_TRY(high, EndOf(column, *condition.max, query));
      bound.high = high;
    }
    if (bound.low > bound.high) {
      return InvalidArgument("Workload, {}: the range of column {} is empty: min {} is above max {}", query,
                             column.name(), *condition.min, *condition.max);
    }
    for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
      bound.inside[code] = column.number(code) >= bound.low && column.number(code) <= bound.high;
    }
  }
  for (const std::string& value : condition.values) {
    bool found = false;
    for (Code code = 0; code < column.num_codes(); ++code) {
      const auto number = column.is_numeric() && !column.is_date() ? ParseNumber(value) : std::nullopt;
      const bool same =
          column.text(code) == value || (number && !column.is_missing(code) && column.number(code) == *number);
      if (!same) continue;
      bound.inside[code] = 1;
      found = true;
    }
    if (!found) return InvalidArgument("Workload, {}: column {} has no value '{}'", query, column.name(), value);
  }
  bound.below.assign(1, 0);
  for (const uint8_t inside : bound.inside) bound.below.push_back(bound.below.back() + inside);
  return bound;
}

}  // namespace

Result<std::vector<Query>> ParseWorkload(std::string_view text, const std::string& path) {
  TADA_TRY(parsed, ParseToml(text, path));
  return WorkloadReader(path).Read(parsed);
}

Result<std::vector<Query>> ReadWorkload(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return InvalidArgument(TADA_OPTION("workload") " cannot be read: {}: {}", path, text.error().message);
  return ParseWorkload(*text, path);
}

Result<std::vector<BoundQuery>> BindQueries(const Problem& problem, const std::vector<Query>& queries) {
  std::vector<std::string> quasi, labels;
  for (size_t i = 0; i < problem.num_quasi(); ++i) quasi.push_back(problem.quasi(i).name());
  for (const ColumnId id : problem.roles.label) labels.push_back(problem.table.column(id).name());
  std::vector<BoundQuery> all;
  for (const Query& query : queries) {
    BoundQuery bound;
    bound.name = query.name;
    bound.weight = query.weight;
    bound.sees.assign(quasi.size(), query.columns.empty());
    for (const std::string& name : query.columns) {
      TADA_TRY(index, FindName(quasi, name, query.name, "quasi-identifier"));
      bound.sees[index] = true;
    }
    for (const QueryCondition& condition : query.where) {
      TADA_TRY(index, FindName(quasi, condition.column, query.name, "quasi-identifier"));
      TADA_TRY(made, Bind(problem.quasi(index), static_cast<uint32_t>(index), condition, query.name));
      bound.where.push_back(std::move(made));
    }
    if (!query.target.empty()) {
      TADA_TRY(index, FindName(labels, query.target, query.name, "label (see " TADA_OPTION("label") ")"));
      bound.target = index;
    }
    all.push_back(std::move(bound));
  }
  return all;
}

}  // namespace tada
