#include <nlohmann/json.hpp>

#include "files/charset_source.h"
#include "files/rows/row_columns.h"

namespace tada {
namespace {

using Json = nlohmann::json;

// Takes the values of rows as the parser comes to them. Numbers keep the text that they have in the file, but for the sign of a zero.
class RowTaker final : public nlohmann::json_sax<Json> {
 public:
  RowTaker(RowColumns& columns, bool in_list) : columns_(columns), depth_of_row_(in_list ? 1 : 0) {}
  const std::string& error() const { return error_; }

  bool null() override { return IsValue() && Took(columns_.SetNull(column_)); }
  bool boolean(bool value) override { return Text(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return Text(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return Text(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return Text(text); }
  bool string(string_t& text) override { return Text(text); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override {
    if (depth_++ != depth_of_row_) return Refuse("an object inside a row");
    return true;
  }
  bool key(string_t& name) override {
    column_ = columns_.Find(name);
    return true;
  }
  bool end_object() override {
    --depth_;
    columns_.EndRow();
    return true;
  }
  bool start_array(size_t) override {
    if (depth_of_row_ == 1 && depth_ == 0) {
      ++depth_;
      return true;
    }
    return Refuse("a list inside a row");
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override {
    return Refuse("not JSON");
  }

 private:
  bool IsValue() { return depth_ > depth_of_row_ || Refuse("not an object of names and values"); }
  bool Text(std::string_view text) { return IsValue() && Took(columns_.Set(column_, text)); }
  bool Took(bool taken) { return taken || Refuse("a name twice in one row"); }
  bool Refuse(std::string_view why) {
    if (error_.empty()) error_ = why;
    return false;
  }

  RowColumns& columns_;
  size_t depth_of_row_, depth_ = 0, column_ = 0;
  std::string error_;
};

Status Parse(std::string_view text, const std::string& where, bool in_list, RowColumns& columns) {
  RowTaker taker(columns, in_list);
  if (Json::sax_parse(text.begin(), text.end(), &taker)) return Ok();
  return DataError("{}: {}", in_list ? fmt::format("{}, row {}", where, columns.num_rows() + 1) : where,
                   taker.error().empty() ? "not JSON" : taker.error())
      .WithHint("Write a row per line, as {\"age\": 34, \"job\": \"nurse\"}, or a list of such rows, in UTF-8.");
}

}  // namespace

Status ReadJsonRows(const std::string& path, const ReadOptions& options, RowColumns& columns, TableFile& file) {
  TADA_TRY(source, OpenText(path, Packing::kNone, options.charset));
  std::string text;
  for (size_t used = 0;;) {
    text.resize(used + (1 << 20));
    TADA_TRY(got, source->Read(text.data() + used, text.size() - used));
    used += got;
    text.resize(used);
    if (got == 0) break;
  }
  TADA_CHECK_OK(source->CheckUnchanged());
  file.charset = source->charset();
  file.bytes = source->stored_size();
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  const std::string name = InputName(path);
  const size_t first = rest.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && rest[first] == '[') return Parse(rest, name, true, columns);
  for (uint64_t line = 1; !rest.empty(); ++line) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view row = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    TADA_CHECK_OK(Parse(row, fmt::format("{}, line {}", name, line), false, columns));
  }
  return Ok();
}

}  // namespace tada
