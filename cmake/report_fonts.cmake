# The font of reports, which are one file each: web/src/page_fonts.css with the font in it, embedded as a text by .incbin.
find_program(ESBUILD esbuild REQUIRED)
set(page_fonts_css ${CMAKE_BINARY_DIR}/generated/page_fonts.css)
add_custom_command(OUTPUT ${page_fonts_css}
  COMMAND ${ESBUILD} ${CMAKE_SOURCE_DIR}/web/src/page_fonts.css --bundle --minify --loader:.woff2=dataurl --log-level=warning
    --outfile=${page_fonts_css}
  DEPENDS ${CMAKE_SOURCE_DIR}/web/src/page_fonts.css ${CMAKE_SOURCE_DIR}/web/fonts/geist-latin-wght-normal.woff2 VERBATIM)
set(page_fonts_cc ${CMAKE_BINARY_DIR}/generated/page_fonts.cc)
file(CONFIGURE OUTPUT ${page_fonts_cc} CONTENT [=[
// The font of reports, embedded. Made by cmake/report_fonts.cmake. ccache:disable, for it doesn't see what .incbin takes in.
#include "report/draw/page_fonts.h"

asm(".section .rodata\n.global tada_page_fonts\n.hidden tada_page_fonts\ntada_page_fonts:\n.incbin \"@page_fonts_css@\"\n"
    ".global tada_page_fonts_end\n.hidden tada_page_fonts_end\ntada_page_fonts_end:\n.byte 0\n.previous\n");
extern "C" const char tada_page_fonts[], tada_page_fonts_end[];

namespace tada {

std::string_view PageFonts() { return {tada_page_fonts, static_cast<size_t>(tada_page_fonts_end - tada_page_fonts)}; }

}  // namespace tada
]=] @ONLY)
target_sources(tada_report_draw PRIVATE ${page_fonts_cc})
# Declared, or ninja would serve an old one.
set_source_files_properties(${page_fonts_cc} PROPERTIES OBJECT_DEPENDS ${page_fonts_css})
