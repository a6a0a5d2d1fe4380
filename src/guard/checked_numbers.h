#pragma once

// Numbers that carry a digit, a letter or a rule to find mistakes by. A column of them is told from a column of other numbers,
// of which one in ten passes by chance, or fewer. Blanks, hyphens and dots inside are those that people write.

#include <string>
#include <string_view>

namespace tada {

/// The digits of a text that has nothing else but single blanks, hyphens, dots or slashes between them; "" otherwise.
std::string OnlyDigits(std::string_view text);

/// The check digit of cards and many national numbers. Pre: digits.
bool PassesLuhn(std::string_view digits);

bool IsIban(std::string_view text);         ///< ISO 13616: country, two check digits, modulo 97
bool IsPaymentCard(std::string_view text);  ///< 13 to 19 digits with an issuer's beginning and Luhn's check digit
bool IsUsSsn(std::string_view text);        ///< 123-45-6789; no area 000, 666 or above 899, no group 00, no serial 0000
bool IsVin(std::string_view text);          ///< a vehicle's 17 characters with their check digit

/// What country's number of a person a text is, "" if none: "DNI", "codice fiscale", "NIR", "CPF", "PESEL", ...
std::string_view NationalNumber(std::string_view text);

bool IsLoinc(std::string_view text);  ///< 2160-0: digits and Luhn's check digit

}  // namespace tada
