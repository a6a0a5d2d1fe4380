#pragma once

// Cells that a spreadsheet would run. A text that begins with =, +, -, @, a tab or a carriage return, and is no number, is a formula to
// it: `=HYPERLINK(...)` in a name that somebody typed into a web form sends the sheet away when it is opened. With --guard-formulas such
// cells are written with an apostrophe before them, which spreadsheets take off; whoever reads the file back takes it off too.

#include <string>
#include <string_view>

#include "table/table.h"

namespace tada {

/// Whether a cell is written with one apostrophe more than it has.
bool IsGuarded(std::string_view text);

/// The table with the apostrophes taken off again.
Table WithoutGuards(Table table);

}  // namespace tada
