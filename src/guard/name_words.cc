#include "guard/name_words.h"

#include <algorithm>
#include <span>

#include "guard/name_parts.h"

namespace tada {
namespace {

using Words = std::span<const std::string_view>;
using enum Identity;

constexpr std::string_view kNames[] = {
    "firstname",  "lastname",  "surname",  "forename",     "fullname",  "givenname", "middlename",
    "maidenname", "vorname",   "nachname", "familienname", "rufname",   "prenom",    "nomfamille",
    "apellido",   "apellidos", "cognome",  "sobrenome",    "apelido",   "voornaam",  "achternaam",
    "naam",       "imie",      "nazwisko", "fornamn",      "efternamn", "имя",       "фамилия",
    "отчество",   "фио",       "姓名",     "名字",         "氏名",      "nickname"};
constexpr std::string_view kAddresses[] = {"address", "addr",  "street",     "strasse",   "anschrift", "adresse",
                                           "adres",   "rue",   "calle",      "direccion", "indirizzo", "endereco",
                                           "straat",  "ulica", "hausnummer", "latitude",  "longitude", "gps",
                                           "geocode", "адрес", "地址",       "住所"};
constexpr std::string_view kPlaces[] = {
    "zip",    "zipcode", "postcode", "postal",     "plz",      "postleitzahl", "city",   "town",   "village",
    "county", "wohnort", "ville",    "codepostal", "ciudad",   "citta",        "cidade", "cep",    "woonplaats",
    "miasto", "lat",     "lon",      "lng",        "geo",      "census",       "tract",  "parish", "municipality",
    "город",  "индекс",  "邮编",     "kommune",    "gemeinde", "precinct"};
constexpr std::string_view kBirth[] = {"birth",   "born",         "dob",        "birthday",      "birthdate",
                                       "geburt",  "geburtsdatum", "geburtstag", "naissance",     "nacimiento",
                                       "nascita", "nascimento",   "geboorte",   "geboortedatum", "urodzenia",
                                       "fodelse", "рождения",     "出生",       "生年月日",      "bday"};
constexpr std::string_view kDates[] = {"date",       "datum",    "fecha",      "data", "admission", "discharge",
                                       "death",      "admitted", "discharged", "died", "timestamp", "aufnahme",
                                       "entlassung", "todestag", "deces",      "дата", "日期"};
constexpr std::string_view kPhones[] = {"phone",    "telephone", "tel",     "mobile",  "cell",          "cellphone",
                                        "msisdn",   "telefon",   "handy",   "mobil",   "telefonnummer", "rufnummer",
                                        "portable", "telefono",  "movil",   "celular", "cellulare",     "telefone",
                                        "telefoon", "komorka",   "телефон", "电话",    "手机",          "電話"};
constexpr std::string_view kFaxes[] = {"fax", "telefax", "faxnummer", "factura fax", "传真"};
constexpr std::string_view kEmails[] = {"email", "mail",  "emailaddress", "courriel", "correo",
                                        "epost", "почта", "邮箱",         "メール"};
constexpr std::string_view kSocialSecurity[] = {
    "ssn", "socialsecurity", "nin", "nino", "insee", "nir", "sozialversicherungsnummer", "svnr", "ahv", "снилс", "sin"};
constexpr std::string_view kNationalIds[] = {
    "nationalid",   "dni",  "nie", "nif",     "cpf",      "codicefiscale",  "pesel",  "bsn",
    "personnummer", "hetu", "cpr", "aadhaar", "steuerid", "steuernummer",   "身份证", "taxid",
    "tin",          "curp", "rfc", "nhs",     "ausweis",  "personalausweis"};
constexpr std::string_view kPassports[] = {"passport",   "reisepass", "passeport", "pasaporte",
                                           "passaporto", "paszport",  "паспорт",   "护照"};
constexpr std::string_view kMedicalRecords[] = {
    "mrn",          "medicalrecord", "medrec",          "chartno",         "fallnummer",
    "aktenzeichen", "dossier",       "historiaclinica", "cartellaclinica", "病历号"};
constexpr std::string_view kHealthPlans[] = {"beneficiary",        "healthplan",  "policyno", "policynumber",
                                             "versichertennummer", "kvnr",        "hicn",     "mbi",
                                             "insurancenumber",    "insuranceid", "memberid"};
constexpr std::string_view kAccounts[] = {"iban",   "bic",         "account",     "accountnumber", "accountno",
                                          "acct",   "konto",       "kontonummer", "cardnumber",    "creditcard",
                                          "cardno", "kreditkarte", "pan",         "compte",        "cuenta",
                                          "conto",  "conta",       "rekening",    "rekeningnummer"};
constexpr std::string_view kLicences[] = {"licence", "license",  "certificate", "fuehrerschein", "fuhrerschein",
                                          "permis",  "licencia", "patente",     "carteira",      "rijbewijs"};
constexpr std::string_view kVehicles[] = {
    "vin",       "plate", "licenseplate", "numberplate", "kennzeichen", "fahrgestellnummer", "immatriculation",
    "matricula", "targa", "kenteken"};
constexpr std::string_view kDevices[] = {"imei",       "imsi",  "serialnumber", "serialno", "deviceid",
                                         "udid",       "idfa",  "gaid",         "adid",     "mac",
                                         "macaddress", "iccid", "seriennummer"};
constexpr std::string_view kUrls[] = {"url",        "uri",      "website",  "webpage", "homepage", "link",
                                      "profileurl", "linkedin", "facebook", "twitter", "instagram"};
constexpr std::string_view kNetworks[] = {"ip", "ipaddress", "ipv4", "ipv6", "ipaddr", "adresseip"};
constexpr std::string_view kBiometrics[] = {"fingerprint", "voiceprint", "iris",   "retina",
                                            "biometric",   "faceid",     "genome", "dna"};
constexpr std::string_view kPhotos[] = {"photo", "photograph", "picture", "selfie", "portrait",
                                        "bild",  "foto",       "image",   "avatar"};
constexpr std::string_view kOthers[] = {"id",
                                        "ids",
                                        "uid",
                                        "uuid",
                                        "guid",
                                        "identifier",
                                        "ident",
                                        "userid",
                                        "username",
                                        "login",
                                        "pid",
                                        "sid",
                                        "cid",
                                        "personid",
                                        "patientid",
                                        "customerid",
                                        "clientid",
                                        "subjectid",
                                        "participantid",
                                        "employeeid",
                                        "studentid",
                                        "caseid",
                                        "recordid",
                                        "subject",
                                        "subj",
                                        "participant",
                                        "respondent",
                                        "respond",
                                        "player",
                                        "kundennummer",
                                        "kundennr",
                                        "personalnummer",
                                        "patientennummer",
                                        "mitgliedsnummer",
                                        "matrikelnummer",
                                        "cookie",
                                        "session",
                                        "handle",
                                        "identifiant",
                                        "identificador",
                                        "kennung",
                                        "idnr",
                                        "persnum",
                                        "patno",
                                        "idnum",
                                        "patnum",
                                        "unitid",
                                        "rownames",
                                        "rowid",
                                        "rownum",
                                        "record"};
constexpr std::string_view kWeak[] = {
    "nr",     "no",          "num",     "case",    "obs",    "index",     "key",     "serial", "seq",
    "code",   "observation", "nummer",  "numero",  "number", "idno",      "patient", "person", "customer",
    "client", "employee",    "student", "user",    "member", "donor",     "child",   "family", "household",
    "hhid",   "intnum",      "tch",     "teacher", "doctor", "physician", "firm"};
// With one of these, "name" is a person's: patient_name, first name.
constexpr std::string_view kOfPeople[] = {
    "first",     "last",    "full",      "given",   "family", "middle",   "maiden",  "sur",     "fore",
    "patient",   "person",  "customer",  "client",  "user",   "employee", "student", "member",  "player",
    "passenger", "contact", "father",    "mother",  "child",  "doctor",   "of",      "the",     "fake",
    "legal",     "birth",   "preferred", "display", "holder", "owner",    "driver",  "teacher", "author"};
constexpr std::string_view kNameWords[] = {"name", "names", "nom", "nombre", "nome", "naam", "namn", "nazwa"};
// What numbers, and no people: country_id, test code.
constexpr std::string_view kThings[] = {
    "country", "state",    "region",   "district", "department", "dept",       "hospital",  "clinic",    "school",
    "store",   "shop",     "product",  "item",     "drug",       "test",       "class",     "category",  "group",
    "type",    "area",     "zone",     "sector",   "industry",   "occupation", "job",       "center",    "centre",
    "site",    "ward",     "course",   "team",     "company",    "branch",     "status",    "plan",      "program",
    "room",    "unit",     "language", "currency", "color",      "dialing",    "diagnosis", "procedure", "icd",
    "major",   "detailed", "block",    "batch"};
constexpr std::string_view kMeasures[] = {
    "length",   "count", "counts",   "age",    "days",   "weeks",   "months",  "years",    "hours",   "minutes",
    "time",     "type",  "kind",     "status", "amount", "balance", "total",   "avg",      "average", "mean",
    "median",   "sum",   "rate",     "ratio",  "score",  "size",    "percent", "pct",      "share",   "level",
    "has",      "is",    "was",      "flag",   "optin",  "opt",     "ind",     "messages", "calls",   "visits",
    "plan",     "width", "height",   "weight", "volume", "price",   "cost",    "fee",      "limit",   "usage",
    "year",     "month", "duration", "change", "group",  "class",   "yes",     "any",      "ever",    "number_of",
    "numberof", "rank",  "grade",    "income", "salary", "delay",   "speed"};

bool Among(Words words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

// A name without the word for a number at its end: `handynummer`.
std::string_view WithoutNumber(std::string_view name) {
  for (const std::string_view number : {"nummer", "number", "numero", "num", "nr", "no"}) {
    if (name.ends_with(number)) return name.substr(0, name.size() - number.size());
  }
  return name;
}

// As parts, and long ones also inside: "plate" stands in "platelets".
std::string_view FindWord(Words words, const std::vector<std::string>& parts) {
  for (const std::string_view word : words) {
    const bool anywhere = word.size() >= 6 || word == "phone" || word == "email";
    if (anywhere ? NameHas(parts, word) : std::ranges::find(parts, word) != parts.end()) return word;
  }
  return "";
}

// Only as parts: short words stand inside many others.
std::string_view FindPart(Words words, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    const auto found = std::ranges::find(words, part);
    if (found != words.end()) return *found;
  }
  return "";
}

std::string Together(const std::vector<std::string>& parts) {
  std::string together;
  for (const std::string& part : parts) together += part;
  return together;
}

// "name" alone, or of somebody: `last name`, `patient_name`; not `country_name`.
bool NamesSomebody(const std::vector<std::string>& parts) {
  if (FindPart(kNameWords, parts).empty()) return false;
  return std::ranges::all_of(parts, [](const std::string& part) {
    return Among(kNameWords, part) || Among(kOfPeople, part) || part.size() == 1 ||
           part.find_first_not_of("0123456789") == std::string::npos;
  });
}

}  // namespace

bool NamesAMeasure(const std::vector<std::string>& parts) { return !FindPart(kMeasures, parts).empty(); }

std::optional<NameHint> IdentityOfName(const std::vector<std::string>& parts) {
  const std::pair<Identity, Words> direct[] = {{kNationalId, kNationalIds},
                                               {kNationalId, kSocialSecurity},
                                               {kNationalId, kPassports},
                                               {kMedicalRecord, kMedicalRecords},
                                               {kHealthPlan, kHealthPlans},
                                               {kFax, kFaxes},
                                               {kEmail, kEmails},
                                               {kPhone, kPhones},
                                               {kNetwork, kNetworks},
                                               {kUrl, kUrls},
                                               {kDevice, kDevices},
                                               {kVehicle, kVehicles},
                                               {kLicence, kLicences},
                                               {kAccount, kAccounts},
                                               {kBiometric, kBiometrics},
                                               {kPhoto, kPhotos},
                                               {kName, kNames}};
  const std::string together = Together(parts);
  if (const auto word = FindWord(kBirth, parts); !word.empty() && !NamesAMeasure(parts)) {
    const bool place = !FindPart(kThings, parts).empty() || NameHas(parts, "place");
    if (!place) return NameHint{.identity = kDate, .word = word, .birth = true};
  }
  for (const auto& [identity, words] : direct) {
    if (const auto word = FindWord(words, parts); !word.empty()) return NameHint{.identity = identity, .word = word};
    if (const auto whole = std::ranges::find(words, WithoutNumber(together)); whole != words.end()) {
      return NameHint{.identity = identity, .word = *whole};
    }
  }
  if (NamesSomebody(parts)) return NameHint{.identity = kName, .word = FindPart(kNameWords, parts)};
  if (const auto word = FindWord(kAddresses, parts); !word.empty()) {
    return NameHint{.identity = kPlace, .word = word, .exact = true};
  }
  if (const auto word = FindWord(kPlaces, parts); !word.empty()) return NameHint{.identity = kPlace, .word = word};
  const bool thing = !FindPart(kThings, parts).empty();
  if (auto word = FindPart(kOthers, parts); !word.empty()) return NameHint{.word = word, .weak = thing, .thing = thing};
  if (const auto whole = std::ranges::find(kOthers, together); whole != std::end(kOthers))
    return NameHint{.word = *whole};
  for (const std::string_view people : kOfPeople) {  // `patientid`, `patient_no`
    if (people.size() < 4 || !together.starts_with(people)) continue;
    const std::string_view rest = std::string_view(together).substr(people.size());
    for (const std::string_view number : {"id", "nr", "no", "num", "number", "key", "code", "uid", "ref", "hash"}) {
      if (rest == number) return NameHint{.word = people};
    }
  }
  if (const auto word = FindPart(kDates, parts); !word.empty()) return NameHint{.identity = kDate, .word = word};
  if (parts.size() == 1) {
    if (const auto word = FindPart(kWeak, parts); !word.empty()) return NameHint{.word = word, .weak = true};
  }
  return std::nullopt;
}

}  // namespace tada
