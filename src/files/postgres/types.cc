#include "files/postgres/types.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/option_mark.h"
#include "table/number.h"

namespace tada {
namespace {

bool IsInteger(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether PostgreSQL prints the numeric that a text spells as the same text.
bool PrintsBack(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative ? text.substr(1) : text;
  const size_t point = digits.find('.');
  const std::string_view whole = digits.substr(0, point);
  if (!IsInteger(whole) || whole.starts_with('-') || (whole.size() > 1 && whole[0] == '0')) return false;
  const bool zero = digits.find_first_not_of("0.") == std::string_view::npos;
  if (negative && zero) return false;
  return point == std::string_view::npos || IsInteger(digits.substr(point + 1));
}

bool IsDay(std::string_view text) { return text.size() == 10 && IsDate(text); }

template <class Holds>
bool AllValues(const Column& column, const Holds& holds) {
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (!holds(column.text(code))) return false;
  }
  return column.num_codes() > column.num_missing();
}

// The range type for the bounds of a column of numbers or dates.
std::string RangeOf(const Column& shown, const PostgresType* stored) {
  if (shown.is_date()) {
    if (AllValues(shown, IsDay)) return "daterange";
    const auto zoned = [](std::string_view text) {
      return text.size() > 16 && text.find_first_of("Z+-", 16) != std::string_view::npos;
    };
    return AllValues(shown, zoned) ? "tstzrange" : "tsrange";
  }
  // An upper bound is moved up by one in ranges of integers, and has to fit still.
  const bool small = stored != nullptr && (stored->base == "smallint" || stored->base == "integer");
  const bool large = stored != nullptr && stored->base == "bigint";
  if ((!small && !large) || !AllValues(shown, IsInteger)) return "numrange";
  double highest = 0;
  for (Code code = shown.num_missing(); code < shown.num_codes(); ++code)
    highest = std::max(highest, shown.number(code));
  if (small && highest < std::numeric_limits<int32_t>::max()) return "int4range";
  return highest < 9e18 ? "int8range" : "numrange";
}

// The type of values that are released as they are and came from no database.
std::string UnchangedType(const Column& column) {
  const auto fits = [](std::string_view text) { return IsInteger(text) && PrintsBack(text) && text.size() <= 18; };
  if (AllValues(column, fits)) return "bigint";
  if (AllValues(column, PrintsBack)) return "numeric";
  return AllValues(column, IsDay) ? "date" : "text";
}

}  // namespace

Result<std::vector<PostgresType>> TypesOf(PostgresConnection& connection,
                                          const std::vector<PostgresConnection::ColumnType>& columns) {
  std::string values;
  for (size_t i = 0; i < columns.size(); ++i) {
    values += fmt::format("{}({}, {}::oid, {})", i == 0 ? "" : ", ", i, columns[i].oid, columns[i].modifier);
  }
  TADA_TRY(rows, connection.Rows(fmt::format("select format_type(t.oid, v.modifier), format_type(case t.typtype when "
                                             "'d' then t.typbasetype else t.oid end, null), "
                                             "t.typcategory from (values {}) v(place, oid, modifier) join "
                                             "pg_catalog.pg_type t on t.oid = v.oid order by v.place",
                                             values)));
  if (rows.size() != columns.size()) return connection.Fail("the types of its columns are not known");
  std::vector<PostgresType> types;
  for (const std::vector<std::string>& row : rows) types.push_back({row[0], row[1], row[2].empty() ? 'U' : row[2][0]});
  return types;
}

std::optional<Kind> CellKindOf(const PostgresType& type) {
  if (type.category == 'R' && !type.base.ends_with("multirange")) return Kind::kNumeric;
  if (type.base == "text[]" || type.base == "character varying[]") return Kind::kCategorical;
  return std::nullopt;
}

Result<ValueType> ValueTypeOf(const std::string& column, const PostgresType& type,
                              const PostgresConnection& connection) {
  static constexpr std::array<std::string_view, 12> kTexts = {"text",
                                                              "character varying",
                                                              "character",
                                                              "uuid",
                                                              "name",
                                                              "\"char\"",
                                                              "time without time zone",
                                                              "time with time zone",
                                                              "interval",
                                                              "inet",
                                                              "cidr",
                                                              "macaddr"};
  const std::string& base = type.base;
  if (base == "smallint" || base == "integer" || base == "bigint") return ValueType::kInteger;
  if (base == "real" || base == "double precision") return ValueType::kReal;
  if (base == "numeric") return ValueType::kDecimal;
  if (base == "date") return ValueType::kDate;
  if (base.starts_with("timestamp")) return ValueType::kTimestamp;
  if (base == "boolean") return ValueType::kBoolean;
  if (type.category == 'E' || CellKindOf(type)) return ValueType::kText;
  if (std::find(kTexts.begin(), kTexts.end(), base) != kTexts.end() || base == "citext") return ValueType::kText;
  Error error = connection.Fail(
      fmt::format("column '{}' is of type {}, which is no column of a table of people", column, type.name));
  error.hint = "Leave it out, or turn it into a text or a number: " TADA_OPTION("query") " \"select ...\".";
  return error;
}

ReleasedType ReleasedTypeOf(const Column& column, const ReleasedColumn& released, CellForm form,
                            const PostgresType* stored) {
  if (!released.recoded) return {stored != nullptr ? stored->name : UnchangedType(column)};
  const CellShape shape = ShapeOf(column, released);
  if (form == CellForm::kText || shape == CellShape::kTexts) return {"text"};
  if (shape == CellShape::kSets) return {"text[]", true};
  if (!column.writing().is_plain()) return {"text"};  // no range has such bounds
  return {RangeOf(released.shown(column), stored), true};
}

}  // namespace tada
