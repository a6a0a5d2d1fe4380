#include "run/apply/released_people.h"

#include <nlohmann/json.hpp>

#include "base/disk/whole_file.h"
#include "base/option_mark.h"
#include "base/words.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPurpose = "released-people";

}  // namespace

std::string PersonText(const Table& table, const std::vector<ColumnId>& person, RowId row) {
  std::string text;
  bool named = false;
  for (const ColumnId id : person) {
    const Column& column = table.column(id);
    const Code code = column.codes()[row];
    named |= !column.is_missing(code);
    const std::string value(column.is_missing(code) ? "" : column.text(code));
    text += fmt::format("{}:{}", value.size(), value);
  }
  return named ? text : "";
}

std::string ReleasedPeople::CodeOf(const Table& table, const std::vector<ColumnId>& person, RowId row) const {
  const std::string text = PersonText(table, person, row);
  if (text.empty()) return "";
  const SecretKey::Bytes code = key_.Code(kPurpose, text);
  return HexOf(code.data(), 16);
}

Status ReleasedPeople::Read(const std::string& path) {
  const auto text = ReadWholeFile(path);
  if (!text.ok()) return DataError("Cannot read the released people: {}: {}", path, text.error().message);
  try {
    const Json json = Json::parse(*text);
    if (json.at("released-people") != 1) return DataError("The released people are of another form: {}", path);
    if (json.at("key") != key_.PublicKey()) {
      return InvalidArgument("The released people were written with another key: {}", path)
          .WithHint("Name the key of " TADA_OPTION("save-people") " with " TADA_OPTION("key") ".");
    }
    for (const Json& code : json.at("codes")) codes_.insert(code.get<std::string>());
  } catch (const Json::parse_error& error) {
    return DataError("The released people are damaged: {}, byte {}: this is no JSON", path, error.byte)
        .WithHint("Use the file that " TADA_OPTION("save-people") " wrote, as it was written.");
  } catch (const Json::exception&) {
    return DataError("The released people are damaged: {}: something is missing", path)
        .WithHint("Use the file that " TADA_OPTION("save-people") " wrote, as it was written.");
  }
  return Ok();
}

Status ReleasedPeople::CheckNew(const Table& table, const std::vector<ColumnId>& person) const {
  std::set<std::string> again;
  for (RowId row = 0; row < table.num_rows(); ++row) {
    const std::string code = CodeOf(table, person, row);
    if (codes_.contains(code)) again.insert(code);
  }
  if (again.empty()) return Ok();
  return Infeasible("{} of the input were released before: two classes of a person together may tell who it is",
                    Plural(again.size(), "person", "people"))
      .WithHint("Take them out of the input, or release the whole table anew.");
}

void ReleasedPeople::Add(const Table& table, const std::vector<ColumnId>& person, const std::vector<RowId>& rows) {
  for (const RowId row : rows) {
    if (std::string code = CodeOf(table, person, row); !code.empty()) codes_.insert(std::move(code));
  }
}

std::string ReleasedPeople::FileText() const {
  const Json json = {{"released-people", 1}, {"key", key_.PublicKey()}, {"codes", codes_}};
  return json.dump(0) + '\n';
}

}  // namespace tada
