# The page (web/): bundled by esbuild, gzipped, and embedded by .incbin. Nothing built is in the repository, and no Node is needed.
find_program(ESBUILD esbuild REQUIRED)
find_program(GZIP_PROGRAM gzip REQUIRED)
set(web ${CMAKE_SOURCE_DIR}/web)
set(built ${CMAKE_BINARY_DIR}/web)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/* ${web}/vendor/*)
file(GLOB web_fonts CONFIGURE_DEPENDS ${web}/fonts/*.woff2)
file(MAKE_DIRECTORY ${built})

set(web_assets "")      # gzipped files
set(web_symbols "")     # lines of assembler that embed them
set(web_entries "")     # entries of the list of assets
set(web_externs "")
function(tada_asset file name type)
  string(MAKE_C_IDENTIFIER ${name} symbol)
  set(target ${built}/${name}.gz)
  add_custom_command(OUTPUT ${target} COMMAND ${GZIP_PROGRAM} -9 -n -c ${file} > ${target} DEPENDS ${file} VERBATIM)
  set(web_assets ${web_assets} ${target} PARENT_SCOPE)
  set(web_externs "${web_externs}TADA_ASSET(${symbol}, \"${target}\");\n" PARENT_SCOPE)
  set(web_entries "${web_entries}    {\"${name}\", \"${type}\", Bytes(tada_asset_${symbol}, tada_asset_${symbol}_end)},\n" PARENT_SCOPE)
endfunction()

add_custom_command(OUTPUT ${built}/app.js ${built}/app.css
  COMMAND ${ESBUILD} ${web}/src/app.tsx --bundle --minify --target=es2022 --format=esm --charset=utf8 --log-level=warning
    --jsx=automatic --jsx-import-source=preact --external:/assets/* --tsconfig=${web}/tsconfig.json
    --outdir=${built}
  DEPENDS ${web_sources} ${web}/tsconfig.json VERBATIM)
tada_asset(${web}/src/index.html index.html "text/html; charset=utf-8")
tada_asset(${built}/app.js app.js "text/javascript; charset=utf-8")
tada_asset(${built}/app.css app.css "text/css; charset=utf-8")
foreach(font ${web_fonts})
  get_filename_component(name ${font} NAME)
  tada_asset(${font} ${name} font/woff2)
endforeach()

set(assets_cc ${CMAKE_BINARY_DIR}/generated/assets.cc)
file(CONFIGURE OUTPUT ${assets_cc} CONTENT [=[
// The page, embedded. Made by cmake/web.cmake. ccache:disable, for it doesn't see what .incbin takes in.
#include "server/app.h"

#define TADA_ASSET(name, file)                                                                             \
  asm(".section .rodata\n.global tada_asset_" #name "\n.hidden tada_asset_" #name "\ntada_asset_" #name    \
      ":\n.incbin \"" file "\"\n.global tada_asset_" #name "_end\n.hidden tada_asset_" #name               \
      "_end\ntada_asset_" #name "_end:\n.byte 0\n.previous\n");                                            \
  extern "C" const char tada_asset_##name[], tada_asset_##name##_end[]

@web_externs@
namespace tada {
namespace {

std::string_view Bytes(const char* begin, const char* end) { return {begin, static_cast<size_t>(end - begin)}; }

}  // namespace

const Asset* FindAsset(std::string_view name) {
  static const Asset kAssets[] = {
@web_entries@  };
  for (const Asset& asset : kAssets) {
    if (asset.name == name) return &asset;
  }
  return nullptr;
}

}  // namespace tada
]=] @ONLY)
target_sources(tada_server PRIVATE ${assets_cc})
# Declared, or ninja would serve an old page.
set_source_files_properties(${assets_cc} PROPERTIES OBJECT_DEPENDS "${web_assets}")
# For size, which Beast's templates take much of: the network is not where time goes. Headers that were compiled for speed don't fit then.
foreach(target tada_server tada_server_http)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
endforeach()
