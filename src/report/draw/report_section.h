#pragma once

// A part of an HTML page: a table, a chart, a drawing. Compose `html` from svg_chart.h and html_text.h; it goes into
// the page as it is, so whatever comes from data must have passed through Escape.

#include <string>

namespace tada {

struct ReportSection {
  std::string title;  ///< plain text
  std::string lead;   ///< a sentence under the title, plain text; may be empty
  std::string html;   ///< the body, already escaped
};

}  // namespace tada
