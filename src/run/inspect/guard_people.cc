#include "run/inspect/guard_people.h"

#include <algorithm>

#include "base/option_mark.h"
#include "guard/name_parts.h"

namespace tada {
namespace {

constexpr std::string_view kPeople[] = {"patient",  "person",     "customer",  "client",   "member",   "subject",
                                        "employee", "student",    "user",      "insured",  "citizen",  "participant",
                                        "kunde",    "kunden",     "patienten", "paziente", "cliente",  "persona",
                                        "usuario",  "paciente",   "assure",    "adherent", "klient",   "pacjent",
                                        "osoba",    "respondent", "donor",     "tenant",   "borrower", "beneficiary"};
constexpr std::string_view kNumbers[] = {"id",     "ids",    "nr",   "no",   "num",  "number",     "nummer",
                                         "numero", "numero", "key",  "uid",  "ref",  "identifier", "hash",
                                         "token",  "code",   "uuid", "guid", "name", "codigo",     "codice"};
constexpr std::string_view kAlone[] = {"id", "uid", "ssn", "mrn", "nhs", "email", "pid", "userid", "cpf", "nif", "dni"};

bool Among(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// "patientid" is "patient" and "id" too.
bool IsCompound(std::string_view word) {
  return std::ranges::any_of(kPeople, [&](std::string_view people) {
    return word.starts_with(people) && Among(kNumbers, word.substr(people.size()));
  });
}

}  // namespace

bool NamesPeople(std::string_view name) {
  const std::vector<std::string> words = NameParts(name);
  if (words.size() == 1) return Among(kAlone, words[0]) || Among(kPeople, words[0]) || IsCompound(words[0]);
  const bool people = std::ranges::any_of(words, [](const auto& word) { return Among(kPeople, word); });
  const bool number = std::ranges::any_of(words, [](const auto& word) { return Among(kNumbers, word); });
  return (people && number) || std::ranges::any_of(words, [](const auto& word) {
           return word == "ssn" || word == "mrn" || IsCompound(word);
         });
}

bool RepeatsPeople(const Column& column) {
  constexpr uint64_t kMostRows = 100;  // of a person, on average: what repeats more is a kind of people
  std::vector<bool> seen(column.num_values());
  uint64_t rows = 0, values = 0;
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) {
      if (column.is_missing(code)) continue;
      ++rows;
      const Code value = column.value_id(code);
      values += seen[value] ? 0 : 1;
      seen[value] = true;
    }
  });
  return values > 2 && values < rows && values * kMostRows >= rows;
}

std::vector<std::string> ColumnsToGuard(const Plan& plan, const std::vector<std::string>& header) {
  std::vector<std::string> columns;
  if (plan.rows_are_people || !plan.person.empty()) return columns;
  for (const std::string& name : header) {
    if (name != plan.controller_column && NamesPeople(name)) columns.push_back(name);
  }
  return columns;
}

Status GuardPeople(const Table& table, const std::vector<std::string>& columns) {
  for (const std::string& name : columns) {
    const auto id = table.Find(name);
    if (id && !RepeatsPeople(table.column(*id))) continue;
    return InvalidArgument(
               "Column '{}' looks like an identifier of people and {}: k would count rows, and a class of k rows could "
               "be "
               "a single person",
               name, id ? "repeats" : "may repeat, which a stream that is read once does not tell")
        .WithHint(fmt::format(
            "If it names people, add " TADA_OPTION(
                "person={}") "; if every row is a person of its own, add " TADA_OPTION("rows-are-people") ".",
            name));
  }
  return Ok();
}

}  // namespace tada
