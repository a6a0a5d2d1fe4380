# nanoarrow: the Arrow C data interface in one C file, as its own bundler writes it (docs/decisions/nanoarrow-in-tree.md).
enable_language(C)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()
add_library(nanoarrow STATIC third_party/nanoarrow/src/nanoarrow.c)
target_include_directories(nanoarrow SYSTEM PUBLIC third_party/nanoarrow/include)
target_compile_options(nanoarrow PRIVATE -w)
set_target_properties(nanoarrow PROPERTIES C_VISIBILITY_PRESET hidden)
