# The Python module tada._core: the engine behind Arrow C streams. Of io only what writes CSV is in it, which needs no Arrow C++.
include(cmake/nanoarrow.cmake)
tada_folder(stream tada_run nanoarrow)
add_library(tada_write_csv STATIC src/io/write_csv.cc src/io/pending_file.cc src/io/format.cc)
target_link_libraries(tada_write_csv PUBLIC tada_recode ZLIB::ZLIB)

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)
nanobind_add_module(_core NB_STATIC NOMINSIZE python/src/tada/_core.cc)
target_link_libraries(_core PRIVATE tada_stream tada_write_csv)
target_compile_options(_core PRIVATE -Wno-pedantic -Wno-shadow -Wno-conversion)  # nanobind's headers
install(TARGETS _core LIBRARY DESTINATION tada)
