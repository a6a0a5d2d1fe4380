#include "guard/identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "guard/checked_numbers.h"
#include "guard/name_parts.h"
#include "guard/name_words.h"
#include "guard/value_shapes.h"

namespace tada {
namespace {

constexpr size_t kMostValues = 1000;   // looked at
constexpr uint64_t kFewRows = 20;      // below this, values that are all different say nothing
constexpr double kNearlyUnique = 0.9;  // share of rows with a value of their own that makes a text as good as a name
constexpr double kMostAre = 0.8;       // share of the values with a shape that makes a column one of it
constexpr uint64_t kMostRows = 100;    // of a person, on average: what repeats more often is a kind of people

struct ClassWords {
  Identity identity;
  std::string_view name;
};
constexpr ClassWords kClasses[kIdentities] = {{Identity::kName, "names of people"},
                                              {Identity::kPlace, "places smaller than a state"},
                                              {Identity::kDate, "dates of a person finer than a year"},
                                              {Identity::kPhone, "telephone numbers"},
                                              {Identity::kFax, "fax numbers"},
                                              {Identity::kEmail, "e-mail addresses"},
                                              {Identity::kNationalId, "social security and other national numbers"},
                                              {Identity::kMedicalRecord, "medical record numbers"},
                                              {Identity::kHealthPlan, "health plan beneficiary numbers"},
                                              {Identity::kAccount, "account and card numbers"},
                                              {Identity::kLicence, "certificate and licence numbers"},
                                              {Identity::kVehicle, "vehicle identifiers and plates"},
                                              {Identity::kDevice, "device identifiers and serial numbers"},
                                              {Identity::kUrl, "web addresses"},
                                              {Identity::kNetwork, "network addresses"},
                                              {Identity::kBiometric, "biometric identifiers"},
                                              {Identity::kPhoto, "photographs"},
                                              {Identity::kOther, "other unique numbers, codes and texts"}};

// Values of a dictionary at equal distances, all of them if there are few.
std::vector<std::string_view> SampleValues(const Column& column) {
  const size_t first = column.num_missing(), count = column.num_codes() - first;
  const size_t taken = std::min(count, kMostValues);
  std::vector<std::string_view> values;
  values.reserve(taken);
  for (size_t i = 0; i < taken; ++i) values.push_back(column.text(static_cast<Code>(first + i * count / taken)));
  return values;
}

uint64_t Distinct(const Column& column) { return column.num_values() - (column.num_missing() > 0 ? 1 : 0); }

template <typename Is>
double ShareOf(const std::vector<std::string_view>& values, Is is) {
  if (values.empty()) return 0;
  return static_cast<double>(std::ranges::count_if(values, is)) / static_cast<double>(values.size());
}

std::string ShareWords(double share, std::string_view what) {
  return fmt::format("{:.0f}% of its values look like {}", share * 100, what);
}

// Shapes that say what a value is, whatever the column is called.
struct Shape {
  Identity identity;
  std::string_view what;
  bool (*is)(std::string_view);
  double confidence;
};

bool IsNational(std::string_view text) { return !NationalNumber(text).empty(); }

constexpr Shape kShapes[] = {{Identity::kEmail, "e-mail addresses", &IsEmail, 0.98},
                             {Identity::kUrl, "web addresses", &IsUrl, 0.95},
                             {Identity::kNetwork, "network addresses", &IsNetworkAddress, 0.95},
                             {Identity::kPhoto, "names of image files", &IsImageFile, 0.9},
                             {Identity::kOther, "random identifiers", &IsRandomId, 0.95},
                             {Identity::kAccount, "IBANs with a valid check", &IsIban, 0.99},
                             {Identity::kNationalId, "social security numbers", &IsUsSsn, 0.98},
                             {Identity::kVehicle, "vehicle identification numbers", &IsVin, 0.97}};
// Digits with a check digit, which one number in ten has by chance: enough of them must have it.
constexpr Shape kChecked[] = {{Identity::kAccount, "payment cards with a valid check digit", &IsPaymentCard, 0.95},
                              {Identity::kNationalId, "national numbers with a valid check", &IsNational, 0.9}};
constexpr size_t kEnoughChecked = 6;

std::optional<Finding> FindShape(const std::vector<std::string_view>& values, bool hinted) {
  for (const Shape& shape : kShapes) {
    const double share = ShareOf(values, shape.is);
    if (share >= 0.5)
      return Finding{shape.identity, shape.confidence * (share >= kMostAre ? 1 : 0.9), ShareWords(share, shape.what)};
  }
  for (const Shape& shape : kChecked) {
    const double share = ShareOf(values, shape.is);
    if (share >= kMostAre && (hinted || values.size() >= kEnoughChecked)) {
      return Finding{shape.identity, shape.confidence, ShareWords(share, shape.what)};
    }
  }
  if (const double share = ShareOf(values, &IsPhone); share >= kMostAre) {
    return Finding{Identity::kPhone, 0.9, ShareWords(share, "telephone numbers")};
  }
  return std::nullopt;
}

// How many of the words of values are rare, that is, in at most one value in fifty.
double RareWords(const std::vector<std::string_view>& values) {
  std::unordered_map<std::string_view, uint32_t> counts;
  uint64_t words = 0;
  const auto each = [&](auto see) {
    for (const std::string_view value : values) {
      for (size_t begin = 0; begin < value.size();) {
        const size_t end = std::min(value.find_first_of(" ,", begin), value.size());
        if (end > begin) see(value.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  };
  each([&](std::string_view word) { ++counts[word], ++words; });
  const uint64_t rare_from = std::max<uint64_t>(1, values.size() / 50);
  uint64_t rare = 0;
  each([&](std::string_view word) { rare += counts[word] <= rare_from ? 1 : 0; });
  return words == 0 ? 0 : static_cast<double>(rare) / static_cast<double>(words);
}

// Texts that many rows have for themselves: names of people, sentences.
std::optional<Finding> FindTexts(const Column& column, const std::vector<std::string_view>& values) {
  const uint64_t rows = column.num_rows(), distinct = Distinct(column);
  if (rows < kFewRows || distinct * 10 < rows * 3) return std::nullopt;
  if (const double share = ShareOf(values, &IsSentence); share >= 0.5) {
    return Finding{Identity::kOther, 0.85, ShareWords(share, "free text")};
  }
  const double capitals =
      ShareOf(values, [](auto text) { return IsCapitalized(text) && text.find(' ') != std::string_view::npos; });
  if (capitals >= kMostAre && RareWords(values) >= 0.4) {
    return Finding{Identity::kName, 0.75,
                   ShareWords(capitals, "names of people: several capitalized words, mostly rare ones")};
  }
  return std::nullopt;
}

// Whether the values can be what the name says: more than a few, and no more rows to each than a person has.
bool CouldName(const Column& column) {
  const uint64_t rows = column.num_rows(), distinct = Distinct(column);
  if (distinct < 2) return false;
  if (rows < kFewRows) return distinct * 2 > rows;
  return distinct >= 10 && distinct * kMostRows >= rows;
}

bool AllWhole(const Column& column) {
  if (!column.is_numeric() || column.is_date()) return true;
  for (Code code = column.num_missing(); code < column.num_codes(); ++code) {
    if (column.text(code).find('.') != std::string_view::npos) return false;
  }
  return true;
}

std::optional<Finding> FindByName(const Column& column, const std::vector<std::string_view>& values,
                                  const NameHint& hint, const std::vector<std::string>& parts) {
  Finding finding{hint.identity, 0.8, fmt::format("\"{}\" in its name", hint.word)};
  if (hint.identity == Identity::kDate) {
    const bool dates = column.is_date() || ShareOf(values, &IsDateLike) >= kMostAre;
    if (!dates) return std::nullopt;
    finding.confidence = 0.95;
    finding.direct = false;
    finding.evidence += hint.birth ? ", and its values are dates: somebody's birth" : ", and its values are dates";
    return finding;
  }
  if (NamesAMeasure(parts) || !CouldName(column)) return std::nullopt;
  finding.direct = hint.identity != Identity::kPlace || hint.exact;
  if (hint.identity == Identity::kPlace) return finding;
  if (!AllWhole(column)) return std::nullopt;
  if (hint.weak) {  // `nr`: many of them, and few rows each
    const bool many = Distinct(column) * (hint.thing ? 2 : 20) >= column.num_rows();
    if (!many) return std::nullopt;
    finding.confidence = 0.6;
  }
  const uint64_t rows = column.num_rows(), distinct = Distinct(column);
  finding.evidence += fmt::format(", and {} values for {} rows", distinct, rows);
  return finding;
}

}  // namespace

char IdentityLetter(Identity identity) { return static_cast<char>('A' + static_cast<int>(identity)); }
std::string_view IdentityName(Identity identity) { return kClasses[static_cast<int>(identity)].name; }

double Uniqueness(const Column& column) {
  std::vector<uint8_t> seen(column.num_values());  // 0, 1, more
  column.codes().Visit([&](auto codes) {
    for (const auto code : codes) {
      uint8_t& count = seen[column.value_id(static_cast<Code>(code))];
      count = static_cast<uint8_t>(std::min(count + 1, 2));
    }
  });
  if (column.num_missing() > 0 && !seen.empty()) seen[column.value_id(0)] = 2;
  const auto single = std::ranges::count(seen, 1);
  return column.num_rows() == 0 ? 0 : static_cast<double>(single) / static_cast<double>(column.num_rows());
}

std::string_view MedicalCode(const Column& column) {
  if (column.is_numeric() || column.num_codes() - column.num_missing() < 3) return "";
  const std::vector<std::string_view> values = SampleValues(column);
  if (ShareOf(values, &IsAtc) >= kMostAre) return "ATC codes";
  if (ShareOf(values, &IsLoinc) >= 0.9) return "LOINC codes";
  const bool dotted = std::ranges::any_of(values, [](auto text) { return text.size() > 4 && text[3] == '.'; });
  const bool named = NameHas(NameParts(column.name()), "icd") || NameHas(NameParts(column.name()), "diag");
  const bool long_enough = dotted || named || values.size() >= 5;
  return long_enough && ShareOf(values, &IsIcd10) >= 0.9 ? "ICD-10 codes" : "";
}

std::optional<Finding> FindIdentity(const Column& column) {
  if (column.num_codes() == column.num_missing()) return std::nullopt;
  const std::vector<std::string> parts = NameParts(column.name());
  const auto hint = IdentityOfName(parts);
  const bool ordinary = column.is_numeric() && !hint && (column.type() != ValueType::kText || Distinct(column) < 6);
  if (ordinary) return std::nullopt;
  const std::vector<std::string_view> values = SampleValues(column);
  const bool dates = column.is_date();
  auto shape = dates ? std::nullopt : FindShape(values, hint.has_value());
  if (shape && hint && hint->identity == shape->identity)
    shape->evidence += fmt::format(", and \"{}\" is in its name", hint->word);
  if (shape) return shape;
  if (hint) {
    if (auto named = FindByName(column, values, *hint, parts)) return named;
  }
  if (dates) return Finding{Identity::kDate, 0.7, "its values are dates", false};
  if (column.is_numeric() || !MedicalCode(column).empty()) return std::nullopt;
  if (auto texts = FindTexts(column, values)) return texts;
  const uint64_t rows = column.num_rows();
  const bool may_be_unique =
      rows >= kFewRows && static_cast<double>(Distinct(column)) >= kNearlyUnique * static_cast<double>(rows);
  if (may_be_unique && Uniqueness(column) >= kNearlyUnique) {
    return Finding{Identity::kOther, 0.8, "nearly every row has a value of its own", true, true};
  }
  return std::nullopt;
}

}  // namespace tada
