// Words in column names that tell a role, in English, German, French, Spanish, Italian and Portuguese. A name is cut into
// its parts (`birthDate`, `birth_date`, `birth-date`: birth, date); a word matches a part, and a word of five letters or
// more also matches inside the name written together (`zipcode`, `geburtsdatum`).

#include <algorithm>
#include <cctype>

#include "run/inspect/inspect.h"

namespace tada {
namespace {

constexpr std::string_view kIdentifierWords[] = {
    "id",       "ids",       "uid",       "uuid",  "guid",    "ssn",          "email",        "mail",
    "phone",    "mobile",    "telephone", "tel",   "fax",     "name",         "firstname",    "lastname",
    "surname",  "forename",  "passport",  "iban",  "account", "licence",      "license",      "plate",
    "ip",       "url",       "username",  "login", "address", "street",       "vorname",      "nachname",
    "strasse",  "anschrift", "telefon",   "handy", "ausweis", "steuernummer", "kundennummer", "nom",
    "prenom",   "courriel",  "adresse",   "rue",   "nombre",  "apellido",     "apellidos",    "correo",
    "telefono", "direccion", "calle",     "dni",   "cognome", "nome",         "indirizzo",    "codicefiscale",
    "endereco", "cpf",       "sobrenome",
};
constexpr std::string_view kQuasiWords[] = {
    "age",        "birth",       "born",       "dob",        "zip",        "zipcode",   "postcode",     "postal",
    "plz",        "gender",      "sex",        "race",       "ethnic",     "ethnicity", "job",          "occupation",
    "profession", "education",   "degree",     "school",     "marital",    "married",   "family",       "children",
    "country",    "city",        "state",      "county",     "region",     "town",      "district",     "nationality",
    "native",     "citizenship", "language",   "workclass",  "employment", "employer",  "relationship", "housing",
    "height",     "weight",      "alter",      "geburt",     "geschlecht", "beruf",     "bildung",      "familienstand",
    "land",       "stadt",       "wohnort",    "bundesland", "naissance",  "sexe",      "metier",       "ville",
    "pays",       "edad",        "nacimiento", "sexo",       "genero",     "profesion", "ocupacion",    "ciudad",
    "pais",       "provincia",   "eta",        "nascita",    "sesso",      "genere",    "cap",          "professione",
    "citta",      "paese",       "idade",      "nascimento", "cidade",     "profissao",
};
constexpr std::string_view kSensitiveWords[] = {
    "disease",    "diagnosis",   "illness",   "disorder",   "symptom",     "medication", "treatment",  "therapy",
    "drug",       "income",      "salary",    "wage",       "earnings",    "debt",       "default",    "religion",
    "religious",  "hiv",         "cancer",    "crime",      "criminal",    "conviction", "disability", "pregnant",
    "pregnancy",  "orientation", "political", "party",      "union",       "genetic",    "krankheit",  "diagnose",
    "gehalt",     "einkommen",   "lohn",      "konfession", "behinderung", "maladie",    "revenu",     "salaire",
    "enfermedad", "diagnostico", "ingresos",  "salario",    "sueldo",      "malattia",   "diagnosi",   "reddito",
    "stipendio",  "religione",   "doenca",    "renda",      "religiao",
};
constexpr std::string_view kLabelWords[] = {"label", "class", "target", "outcome", "y"};

template <size_t N>
std::string_view FindWord(const std::string_view (&words)[N], const std::vector<std::string>& parts) {
  std::string together;
  for (const std::string& part : parts) together += part;
  for (const std::string_view word : words) {
    const bool is_part = std::find(parts.begin(), parts.end(), word) != parts.end();
    if (is_part || (word.size() >= 5 && together.find(word) != std::string::npos)) return word;
  }
  return "";
}

}  // namespace

std::vector<std::string> NameParts(std::string_view name) {
  std::vector<std::string> parts(1);
  char before = ' ';
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(byte) != 0 || byte >= 0x80;
    const bool hump = std::isupper(byte) != 0 && std::islower(static_cast<unsigned char>(before)) != 0;
    if ((!letter || hump) && !parts.back().empty()) parts.emplace_back();
    if (letter) parts.back() += static_cast<char>(std::tolower(byte));
    before = c;
  }
  return parts;
}

std::optional<ColumnRole> RoleFromName(std::string_view name, std::string* reason) {
  const std::vector<std::string> parts = NameParts(name);
  const std::string_view quasi = FindWord(kQuasiWords, parts), identifier = FindWord(kIdentifierWords, parts);
  const auto say = [&](std::string_view word, std::string_view what) {
    *reason = fmt::format("\"{}\" in its name: {}", word, what);
  };
  // `country_name` names a country; `country_id` of a person would too, and its values decide.
  const bool names_something_else = identifier == "name" && !quasi.empty();
  if (!identifier.empty() && !names_something_else) {
    say(identifier, "tells who somebody is");
    return ColumnRole::kDrop;
  }
  if (const auto word = FindWord(kSensitiveWords, parts); !word.empty()) {
    say(word, "what people would not want known");
    return ColumnRole::kSensitive;
  }
  if (!quasi.empty()) {
    say(quasi, "others may know it of a person");
    return ColumnRole::kQuasi;
  }
  if (std::any_of(std::begin(kLabelWords), std::end(kLabelWords),
                  [&](auto word) { return parts.size() <= 2 && parts.back() == word; })) {
    say(parts.back(), "what a model would predict");
    return ColumnRole::kLabel;
  }
  return std::nullopt;
}

}  // namespace tada
