#pragma once

// The frame of an HTML report: head, styles, sections, foot. `evaluate` fills the same frame with sections of its own.

#include <string>
#include <vector>

#include "report/draw/report_section.h"

namespace tada {

struct ReportPage {
  std::string title;     ///< of the browser's tab and of the page
  std::string subtitle;  ///< under it: which file, when
  std::string notice;    ///< a banner over everything, e.g. "Confidential"; "" for none
  std::string hero;      ///< HTML between the title and the first section
  std::vector<ReportSection> sections;
  std::string script;  ///< JavaScript that the page runs; "": it may run none at all
};

/// The whole page.
std::string ToHtml(const ReportPage& page);

}  // namespace tada
