# The Python module tada._core: the engine behind Arrow C streams, and the commands of the program. Of files/ it has what needs no
# Arrow C++.
tada_folder(files/c_stream tada_files_csv nanoarrow)

find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)
nanobind_add_module(_core NB_STATIC NOMINSIZE python/src/tada/_core.cc)
set_target_properties(_core PROPERTIES TADA_FILES_BY_STREAM ON)
target_link_libraries(_core PRIVATE tada_cli)
target_compile_options(nanobind-static PRIVATE -w)  # not our sources; its headers are SYSTEM ones
get_target_property(headers nanobind-static INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(_core SYSTEM PRIVATE ${headers})
install(TARGETS _core LIBRARY DESTINATION tada)
