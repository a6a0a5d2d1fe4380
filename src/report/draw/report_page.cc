#include "report/draw/report_page.h"

#include "base/version.h"
#include "report/draw/html_text.h"
#include "report/draw/page_fonts.h"
#include "report/draw/svg_chart.h"

namespace tada {
namespace {

constexpr const char kStyle[] = R"css(
/* The tokens of web/src/app.css, so that reports and page are one. */
:root{color-scheme:light dark;--bg:#f5f5f1;--card:#fff;--ink:#191c1f;--soft:#474d53;--line:#e2e2db;--tint:#e8effb;
--good:#0f6b3a;--goodbg:#e3f3e8;--bad:#b3261e;--badbg:#fbe8e5;--warn:#8a5200;--warnbg:#fbf0dc;--accent:#1c55b5;
--sensitive:#a81e55;--sensitivebg:#fbe9f0;--label:#0c6b62;--labelbg:#e2f3f0}
@media screen and (prefers-color-scheme:dark){:root{--bg:#0f1214;--card:#171b1e;--ink:#eceff1;--soft:#b9c1c7;--line:#2a3035;
--tint:#182a45;--good:#66d193;--goodbg:#12321f;--bad:#ff8d80;--badbg:#401a17;--warn:#f0b45f;--warnbg:#382815;--accent:#84b4ff;
--sensitive:#ff94b8;--sensitivebg:#3d1a29;--label:#63d2c3;--labelbg:#103430}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 Geist,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-feature-settings:"tnum"}
main,header,footer{max-width:940px;margin:0 auto;padding:0 24px}
header{padding-top:40px;padding-bottom:20px;display:flex;gap:18px;align-items:center}
header svg{width:52px;height:52px;flex:none}
h1{font-size:24px;line-height:30px;font-weight:620;margin:0;letter-spacing:-.015em}
header p{margin:4px 0 0;color:var(--soft);overflow-wrap:anywhere}
section,.hero{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:24px 28px;margin:0 0 18px}
h2{font-size:17px;font-weight:620;margin:0 0 4px;letter-spacing:-.003em}
.lead{color:var(--soft);margin:0 0 16px}
h3{font-size:15px;margin:20px 0 6px}
p{margin:0 0 12px;overflow-wrap:anywhere}
.notice{background:var(--bad);color:var(--card);text-align:center;font-weight:700;padding:12px 24px;letter-spacing:.02em}
.verdict{display:flex;gap:22px;align-items:center;border-radius:12px;padding:22px 24px;margin-bottom:18px}
.verdict svg{width:72px;height:72px;flex:none}
.verdict b{display:block;font-size:34px;font-weight:620;line-height:1.1;letter-spacing:-.02em}
.verdict p{margin:8px 0 0;color:var(--ink)}
.pass{background:var(--goodbg)}.pass b,.pass svg{color:var(--good)}
.fail{background:var(--badbg)}.fail b,.fail svg{color:var(--bad)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px}
.tile{border:1px solid var(--line);border-radius:12px;padding:14px 16px}
.tile span{display:block;color:var(--soft);font-size:13px}
.tile b{display:block;font-size:26px;font-weight:620;line-height:1.25;letter-spacing:-.01em;font-variant-numeric:tabular-nums}
.warning{background:var(--warnbg);color:var(--warn);border-radius:10px;padding:10px 14px;margin:12px 0 0}
.scroll{overflow-x:auto;background:linear-gradient(to right,var(--card) 30%,transparent) left/40px 100% no-repeat local,linear-gradient(to left,var(--card) 30%,transparent) right/40px 100% no-repeat local,linear-gradient(to right,rgb(0 0 0/.2),transparent) left/10px 100% no-repeat scroll,linear-gradient(to left,rgb(0 0 0/.2),transparent) right/10px 100% no-repeat scroll}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:14.5px}
th{text-align:left;color:var(--soft);font-weight:600;font-size:13px;white-space:nowrap}
th[role=button]{min-width:28px}summary{padding:3px 0;cursor:pointer}
th,td{padding:8px 14px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.yes{color:var(--good);font-weight:600}.no{color:var(--bad);font-weight:600}
.sample td,.sample th{padding:7px 10px;white-space:nowrap;font-size:13px}
.sample td{font-variant-numeric:tabular-nums}
.sample .q{background:var(--tint)}
.role{display:inline-block;white-space:nowrap;border-radius:99px;padding:1px 10px;font-size:12.5px;border:1px solid var(--line)}
.role.quasi{background:var(--tint);border-color:transparent;color:var(--accent);font-weight:600}
.role.sensitive{background:var(--sensitivebg);border-color:transparent;color:var(--sensitive);font-weight:600}
.role.label{background:var(--labelbg);border-color:transparent;color:var(--label);font-weight:600}
ul{margin:0;padding-left:20px}li{margin:0 0 9px}li:last-child{margin:0}
pre{background:var(--bg);border:1px solid var(--line);border-radius:10px;padding:14px 16px;margin:0 0 14px;font-size:13px;
line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}.option{white-space:nowrap}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 22px;margin:0 0 16px;font-size:14.5px}
dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:13px;padding-top:6px;padding-bottom:48px}
.eachpage{display:none}
@media(max-width:640px){main,header,footer{padding-left:12px;padding-right:12px}section,.hero{padding:18px 16px}.verdict{flex-direction:column;align-items:flex-start}dl{grid-template-columns:1fr}
td:nth-child(2):not(.num){min-width:120px}}
@media print{@page{margin:16mm}body{background:#fff;font-size:11pt}header{padding-top:14px;padding-bottom:10px}main,header,footer{padding-left:0;padding-right:0}
section,.hero{border:0;border-top:1px solid var(--line);border-radius:0;padding:14px 0;margin:0;break-inside:auto}
h2,.lead{break-after:avoid}figure,svg,tr,.tile,.verdict,li,pre{break-inside:avoid}
.sample td{white-space:normal;overflow-wrap:anywhere}.scroll{overflow:visible}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.eachpage{display:block;position:fixed;bottom:0;right:0;color:#a81f28;font-weight:700;font-size:9pt}}
figure{margin:0}
)css";

// A crowd behind one shape: four heads, one body.
constexpr const char kMark[] =
    R"(<svg viewBox="0 0 52 52" aria-hidden="true"><rect width="52" height="52" rx="13" fill="#1c55b5"/>)"
    R"(<g fill="#fff"><circle cx="14" cy="19" r="4.6" opacity=".55"/><circle cx="38" cy="19" r="4.6" opacity=".55"/>)"
    R"(<circle cx="22" cy="16" r="5" opacity=".8"/><circle cx="30" cy="16" r="5"/>)"
    R"(<path d="M8 40c0-9 7-14 18-14s18 5 18 14z"/></g></svg>)";

}  // namespace

std::string ToHtml(const ReportPage& page) {
  std::string html =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      // The page must not fetch or run anything, whatever a column is called.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; font-src data:";
  if (!page.script.empty()) html += "; script-src 'nonce-page'";
  html += "\">\n<title>";
  html += Escape(page.title) + "</title>\n<style>" + std::string(PageFonts()) + kStyle + ChartStyle() +
          "</style></head>\n<body>\n";
  if (!page.notice.empty()) {
    html += "<aside class=\"notice\" aria-label=\"Notice\">" + Escape(page.notice) +
            "</aside>\n<div class=\"eachpage\">" + Escape(page.notice) + "</div>\n";
  }
  html += std::string("<header>") + kMark + "<div><h1>" + Escape(page.title) + "</h1><p>" + Escape(page.subtitle) +
          "</p></div></header>\n<main>\n";
  if (!page.hero.empty()) html += "<div class=\"hero\">" + page.hero + "</div>\n";
  for (const ReportSection& section : page.sections) {
    html += "<section><h2>" + Escape(section.title) + "</h2>";
    if (!section.lead.empty()) html += "<p class=\"lead\">" + Escape(section.lead) + "</p>";
    html += section.html + "</section>\n";
  }
  html += std::string("</main>\n<footer>Made by tada ") + kVersion +
          ". This page is complete in itself: it loads nothing and sends nothing.</footer>\n";
  if (!page.script.empty()) html += "<script nonce=\"page\">" + page.script + "</script>\n";
  return html + "</body></html>\n";
}

}  // namespace tada
