// Advice as a page: one file, no network. What it draws is data in it; web/src/advice.tsx draws it, with the components of the page of `tada serve`.

#include <nlohmann/json.hpp>

#include "base/version.h"
#include "report/advice/advice_assets.h"
#include "report/advice/advice_report.h"
#include "report/draw/html_text.h"
#include "report/draw/page_fonts.h"

namespace tada {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kHead =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; font-src data:; style-src "
    "'nonce-page'; script-src "
    "'nonce-page'; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\"><title>";

// JSON inside a script element: nothing in it may close the element.
std::string ForScript(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), safe;
  for (const char c : text) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

}  // namespace

std::string AdviceHtml(const Advice& advice, const Joint& joint, const Plan& plan, const AdviseOptions& options,
                       const AdviceSource& source) {
  Json data = Json::parse(AdviceJson(advice, joint, plan, options, source));
  for (const char* part : {"plan", "rules", "baselines", "seconds"}) data.erase(part);
  data["file"] = source.file.empty() ? "advice.json" : source.file;
  std::string page(kHead);
  page += Escape(fmt::format("Advice for {}", source.input)) + "</title>\n<style nonce=\"page\">";
  page += PageFonts();
  page += AdviceStyle();
  page +=
      "</style></head>\n<body><div id=\"app\"></div><noscript>This page needs JavaScript, which is in it.</noscript>\n";
  page += "<script id=\"data\" type=\"application/json\">" + ForScript(data) + "</script>\n<script nonce=\"page\">";
  page += AdviceScript();
  return page + fmt::format("</script>\n<!-- tada {} --></body></html>\n", kVersion);
}

}  // namespace tada
