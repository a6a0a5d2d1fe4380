# The page that `tada advise` writes (web/src/advice.tsx): the same components as the page of `tada serve`, bundled by esbuild and embedded as
# texts by .incbin.
find_program(ESBUILD esbuild REQUIRED)
set(advice_web ${CMAKE_SOURCE_DIR}/web)
set(advice_built ${CMAKE_BINARY_DIR}/web_advice)
file(GLOB_RECURSE advice_sources CONFIGURE_DEPENDS ${advice_web}/src/* ${advice_web}/vendor/*)
file(MAKE_DIRECTORY ${advice_built})
add_custom_command(OUTPUT ${advice_built}/advice.js ${advice_built}/advice.css
  COMMAND ${ESBUILD} ${advice_web}/src/advice.tsx --bundle --minify --target=es2022 --format=iife --charset=ascii --log-level=warning
    --jsx=automatic --jsx-import-source=preact --tsconfig=${advice_web}/tsconfig.json --outdir=${advice_built}
  DEPENDS ${advice_sources} ${advice_web}/tsconfig.json VERBATIM)
set(advice_cc ${CMAKE_BINARY_DIR}/generated/advice_assets.cc)
file(CONFIGURE OUTPUT ${advice_cc} CONTENT [=[
// Script and style of the page of advice, embedded. Made by cmake/advice_page.cmake. ccache:disable, for it doesn't see what .incbin takes in.
#include "report/advice/advice_assets.h"

#define TADA_ADVICE_TEXT(name, file)                                                                        \
  asm(".section .rodata\n.global tada_advice_" #name "\n.hidden tada_advice_" #name "\ntada_advice_" #name  \
      ":\n.incbin \"" file "\"\n.global tada_advice_" #name "_end\n.hidden tada_advice_" #name                \
      "_end\ntada_advice_" #name "_end:\n.byte 0\n.previous\n");                                            \
  extern "C" const char tada_advice_##name[], tada_advice_##name##_end[]

TADA_ADVICE_TEXT(script, "@advice_built@/advice.js");
TADA_ADVICE_TEXT(style, "@advice_built@/advice.css");

namespace tada {

std::string_view AdviceScript() {
  return {tada_advice_script, static_cast<size_t>(tada_advice_script_end - tada_advice_script)};
}
std::string_view AdviceStyle() {
  return {tada_advice_style, static_cast<size_t>(tada_advice_style_end - tada_advice_style)};
}

}  // namespace tada
]=] @ONLY)
target_sources(tada_report_advice PRIVATE ${advice_cc})
# Declared, or ninja would serve an old page.
set_source_files_properties(${advice_cc} PROPERTIES OBJECT_DEPENDS "${advice_built}/advice.js;${advice_built}/advice.css")
