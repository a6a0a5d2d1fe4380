# Arrow C++: an installed one if CMake finds it, else the libraries inside the pinned pyarrow wheel of .venv.
find_package(Arrow QUIET CONFIG)
find_package(Parquet QUIET CONFIG)
if(Arrow_FOUND AND Parquet_FOUND AND NOT TADA_WHEEL_ARROW)
  add_library(arrow::arrow ALIAS Arrow::arrow_shared)
  add_library(arrow::parquet ALIAS Parquet::parquet_shared)
  message(STATUS "Arrow: installed, ${Arrow_VERSION}")
  return()
endif()
set(TADA_PYTHON ${CMAKE_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "Python whose pyarrow wheel holds Arrow C++")
execute_process(
  COMMAND ${TADA_PYTHON} -c "import pyarrow as p; print(p.get_include(), p.get_library_dirs()[0], p.cpp_build_info.so_version, p.__version__, sep=';')"
  OUTPUT_VARIABLE wheel OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
list(GET wheel 0 include)
list(GET wheel 1 folder)
list(GET wheel 2 so)
list(GET wheel 3 version)
message(STATUS "Arrow: pyarrow wheel ${version}")
foreach(name arrow parquet)
  add_library(arrow::${name} SHARED IMPORTED)
  set_target_properties(arrow::${name} PROPERTIES IMPORTED_LOCATION ${folder}/lib${name}.so.${so}
    INTERFACE_INCLUDE_DIRECTORIES ${include})
endforeach()
target_link_libraries(arrow::parquet INTERFACE arrow::arrow)
