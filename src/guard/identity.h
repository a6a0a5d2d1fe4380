#pragma once

// What in a column tells who somebody is. Found in the name of the column (words of several languages) and in its values: their
// shapes, check digits, and how many are different. Only dictionaries are looked at, at most a thousand values of each, so that a
// table without such columns costs nothing.
//   identity     one of the eighteen classes of the Safe Harbor rule (45 CFR 164.514(b)(2)(i), A to R), which cover what other
//                rules name too: a national number is a social security number, an IBAN an account.
//   direct       it names a person by itself. Places and dates do so together with others: those may be quasi-identifiers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/column.h"

namespace tada {

enum class Identity {
  kName,           // A
  kPlace,          // B
  kDate,           // C
  kPhone,          // D
  kFax,            // E
  kEmail,          // F
  kNationalId,     // G
  kMedicalRecord,  // H
  kHealthPlan,     // I
  kAccount,        // J
  kLicence,        // K
  kVehicle,        // L
  kDevice,         // M
  kUrl,            // N
  kNetwork,        // O
  kBiometric,      // P
  kPhoto,          // Q
  kOther,          // R
};
constexpr int kIdentities = 18;

/// 'A' to 'R', as the rule counts them.
char IdentityLetter(Identity identity);
/// What the class is called: "e-mail addresses".
std::string_view IdentityName(Identity identity);

/// What was found in a column.
struct Finding {
  Identity identity = Identity::kOther;
  double confidence = 0;     ///< between 0 and 1: .5 and more is taken to be true
  std::string evidence;      ///< in words, without a value of the data
  bool direct = true;        ///< it names a person by itself
  bool near_unique = false;  ///< all that was found: nearly every row has a value of its own
};

/// How many rows have a value that no other row has, as a share of all rows.
double Uniqueness(const Column& column);

/// What identifies in a column; nothing if nothing was found. Numbers are not called identifying for being different.
std::optional<Finding> FindIdentity(const Column& column);

/// Whether the values are codes that say what somebody suffers from or takes (ICD-10, ATC, LOINC): in words, "" if not.
std::string_view MedicalCode(const Column& column);

}  // namespace tada
