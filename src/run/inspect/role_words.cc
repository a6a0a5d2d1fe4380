// Words in column names that tell a role, in English, German, French, Spanish, Italian, Portuguese and a few other languages. A
// word matches a part of the name, and a word of five letters or more also inside the name written together (`zipcode`,
// `geburtsdatum`). Words that tell who somebody is: guard/name_words.h.

#include <algorithm>

#include "guard/name_parts.h"
#include "guard/name_words.h"
#include "run/inspect/inspect.h"

namespace tada {
namespace {

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
    "disease",     "diagnosis", "diagnoses",   "illness",     "disorder",    "symptom",     "symptoms",
    "medication",  "medicine",  "treatment",   "therapy",     "drug",        "drugs",       "prescription",
    "allergy",     "injury",    "income",      "salary",      "salaries",    "wage",        "wages",
    "earnings",    "debt",      "default",     "bankruptcy",  "networth",    "mortgage",    "spending",
    "creditscore", "religion",  "religious",   "hiv",         "aids",        "cancer",      "tumor",
    "tumour",      "diabetes",  "depression",  "psychiatric", "suicide",     "abortion",    "addiction",
    "overdose",    "surgery",   "crime",       "criminal",    "conviction",  "arrest",      "disability",
    "pregnant",    "pregnancy", "orientation", "political",   "party",       "union",       "genetic",
    "genotype",    "icd",       "icd9",        "icd10",       "atc",         "loinc",       "snomed",
    "cpt",         "krankheit", "diagnose",    "befund",      "medikament",  "gehalt",      "einkommen",
    "lohn",        "schulden",  "konfession",  "behinderung", "maladie",     "diagnostic",  "medicament",
    "revenu",      "salaire",   "dette",       "enfermedad",  "diagnostico", "medicamento", "ingresos",
    "salario",     "sueldo",    "deuda",       "malattia",    "diagnosi",    "farmaco",     "reddito",
    "stipendio",   "debito",    "religione",   "doenca",      "renda",       "divida",      "religiao",
    "ziekte",      "inkomen",   "salaris",     "choroba",     "dochod",      "sjukdom",
};
constexpr std::string_view kMoneyWords[] = {"income",    "salary", "wage",     "wages",   "earnings",
                                            "einkommen", "revenu", "ingresos", "reddito", "renda"};
constexpr std::string_view kLikelyWords[] = {"occupation", "social", "work", "g3", "grade", "score", "status"};
constexpr std::string_view kMedicalWords[] = {
    "chol", "cholesterol", "trestbps",   "restecg", "thalach",   "thal",     "exang",
    "fbs",  "glucose",     "insulin",    "bmi",     "bp",        "pulse",    "bloodpressure",
    "ecg",  "ekg",         "creatinine", "albumin", "bilirubin", "platelet", "hemoglobin"};
constexpr std::string_view kLabelWords[] = {"label",        "class",   "target", "outcome", "y",
                                            "segmentation", "segment", "churn",  "survived"};

template <size_t N>
std::string_view FindWord(const std::string_view (&words)[N], const std::vector<std::string>& parts) {
  for (const std::string_view word : words) {
    if (NameHas(parts, word)) return word;
  }
  return "";
}

// Places and dates name people only together with others; an address does so alone.
bool IsDirect(const NameHint& hint) {
  if (hint.identity == Identity::kPlace) return hint.exact;
  return hint.identity != Identity::kDate;
}

}  // namespace

std::optional<ColumnRole> RoleFromName(std::string_view name, std::string* reason) {
  const std::vector<std::string> parts = NameParts(name);
  const std::string_view quasi = FindWord(kQuasiWords, parts);
  const auto say = [&](std::string_view word, std::string_view what) {
    *reason = fmt::format("\"{}\" in its name: {}", word, what);
  };
  if (const auto hint = IdentityOfName(parts); hint && !hint->weak && IsDirect(*hint)) {
    say(hint->word, "tells who somebody is");
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

bool NamesMoney(std::string_view name) { return !FindWord(kMoneyWords, NameParts(name)).empty(); }
bool NamesMedicine(std::string_view name) { return !FindWord(kMedicalWords, NameParts(name)).empty(); }

bool NamesLikelySecret(std::string_view name) {
  const std::vector<std::string> parts = NameParts(name);
  if (std::ranges::find(parts, "marital") != parts.end()) return false;  // whose status everybody knows
  return std::ranges::any_of(kLikelyWords, [&](auto word) { return std::ranges::find(parts, word) != parts.end(); });
}

}  // namespace tada
