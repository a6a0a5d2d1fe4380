#pragma once

// PostgreSQL's binary format of COPY, for what a release holds most: the server takes a range or an array in it by less work than as text.
//   file    a signature, rows, an end.
//   row     the number of its fields, then each: its size and its bytes; a null has the size -1.

#include <optional>
#include <string>
#include <string_view>

namespace tada {

/// What goes before the first row and after the last.
std::string_view CopySignature();
std::string_view CopyEnd();

/// What goes before the fields of each row.
std::string CopyRowBegin(size_t fields);

/// A field of a column of that type (`character varying(10)`, `int4range`, `text[]`), from the text that PostgreSQL would take; no text is a null.
/// Nothing for a type that is not known here, and for a text that needs PostgreSQL's own reading: then the whole COPY goes as text.
std::optional<std::string> CopyField(std::string_view type, const std::optional<std::string>& text);

}  // namespace tada
