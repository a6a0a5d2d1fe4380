#pragma once

// What stages have to show, as HTML.

#include <string>
#include <vector>

#include "base/note_section.h"

namespace tada {

/// The blocks of a section, one below the other.
std::string BlocksHtml(const std::vector<NoteBlock>& blocks);

}  // namespace tada
