#pragma once

// What a single value looks like, by its characters alone.

#include <string_view>

namespace tada {

bool IsEmail(std::string_view text);
bool IsUrl(std::string_view text);             ///< http://..., www....
bool IsNetworkAddress(std::string_view text);  ///< IPv4, IPv6 or MAC
bool IsPhone(std::string_view text);           ///< with a sign of one: +49, (030), groups of digits
bool IsDateLike(std::string_view text);  ///< three groups of digits, or a month's name between two: not read, only told
bool IsRandomId(std::string_view text);  ///< a UUID, or 32 and more hexadecimal digits
bool IsImageFile(std::string_view text);  ///< ends in .jpg, .png, ...
bool IsSentence(std::string_view text);   ///< five words and more
bool IsIcd10(std::string_view text);      ///< E11.65, E11
bool IsAtc(std::string_view text);        ///< A10BA02

/// Whether a text could be the name of a person: one to five words of letters, each with a capital, "Smith, John", "Dr. Ng".
bool IsCapitalized(std::string_view text);

}  // namespace tada
