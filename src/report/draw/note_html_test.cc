#include "report/draw/note_html.h"

#include <gtest/gtest.h>

#include "report/draw/html_text.h"

namespace tada {
namespace {

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(NoteHtml, EscapesWhateverComesFromData) {
  const std::string evil = "<script>&\"'";
  const TreeDiagram tree{.title = evil, .nodes = {{.condition = evil, .words = evil}}, .roots = {0}};
  const Chart bars{.title = evil, .x_label = evil, .bars = {{evil, 1, evil}}};
  const Chart lines{.title = evil, .x_label = evil, .y_label = evil, .lines = {{.name = evil, .x = {1}, .y = {2}}}};
  const std::string html = BlocksHtml({{evil}, {DataTable{{evil}, {{evil}}, {}}, evil}, {bars}, {lines}, {tree}});
  EXPECT_FALSE(Has(html, "<script"));
  EXPECT_TRUE(Has(html, "<p>&lt;script&gt;&amp;&quot;&#39;</p>"));
}

TEST(HtmlText, KeepsAnOptionInOnePiece) {
  EXPECT_EQ(EscapeWords("name it in --keep-order, or <--x>"),
            "name it in <span class=\"option\">--keep-order</span>, or &lt;<span class=\"option\">--x</span>&gt;");
  EXPECT_EQ(EscapeWords("a --"), "a <span class=\"option\">--</span>");
  EXPECT_EQ(EscapeWords(""), "");
}

TEST(NoteHtml, FoldsABlockUnderItsHeading) {
  EXPECT_EQ(BlocksHtml({{"shown"}, {"hidden", "More"}}),
            "<p>shown</p><details><summary>More</summary><p>hidden</p></details>");
}

TEST(NoteHtml, DrawsATreeWithABoxPerNodeAndSaysWhereItGoesOn) {
  const TreeDiagram tree{.title = "Tree",
                         .nodes = {{.condition = "all rows", .words = "5 rows", .leaf = false, .children = {1, 2}},
                                   {.condition = "age <= 3", .words = "2 rows", .depth = 1},
                                   {.condition = "age > 3", .words = "3 rows", .depth = 1, .leaf = false}},
                         .roots = {0}};
  const std::string html = BlocksHtml({{tree}});
  EXPECT_TRUE(Has(html, "age &lt;= 3"));
  EXPECT_TRUE(Has(html, ">... 3 rows<"));
  EXPECT_FALSE(Has(html, ">... 2 rows<"));
  size_t boxes = 0;
  for (size_t at = html.find("<rect"); at != std::string::npos; at = html.find("<rect", at + 1)) ++boxes;
  EXPECT_EQ(boxes, 3U);
}

}  // namespace
}  // namespace tada
