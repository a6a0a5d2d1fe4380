// Advice as a page: one file, no network. What the page draws is data in it; advice_page.inc holds style and script.

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/advice/advice_report.h"
#include "report/draw/html_text.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPage =
#include "report/advice/advice_page.inc"
    ;

// JSON inside a script element: nothing in it may close the element.
std::string ForScript(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

void ReplaceAll(std::string& text, const std::string& mark, const std::string& with) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

}  // namespace

std::string AdviceHtml(const Advice& advice, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source) {
  Json data = Json::parse(AdviceJson(advice, plan, options, source));
  data.erase("plan");
  for (size_t c = 0; c < advice.columns.size(); ++c) data["columns"][c]["samples"] = advice.columns[c].samples;
  data["sample_labels"] = advice.sample_labels;
  data["file"] = source.file.empty() ? "advice.json" : source.file;
  std::string page = kPage;
  ReplaceAll(page, "@TITLE@", Escape(fmt::format("Advice for {}", source.input)));
  ReplaceAll(page, "@VERSION@", Escape(std::string(kVersion)));
  const std::string mark = "@DATA@";
  page.replace(page.find(mark), mark.size(), ForScript(data));  // last, and once: data may hold anything
  return page;
}

}  // namespace tada
