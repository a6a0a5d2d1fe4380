# The Python module tada._core: the engine behind Arrow C streams, and the commands of the program. Files are read
# and written by files/c_stream, which needs no Arrow C++.
# A wheel that a Python from 3.12 on builds keeps to the stable interface, and so serves the later ones too.
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)
nanobind_add_module(_core STABLE_ABI NB_STATIC NOMINSIZE python/src/tada/_core.cc python/src/tada/_spread.cc)
target_compile_options(_core PRIVATE $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O1>)  # bindings: once per call
target_link_libraries(_core PRIVATE tada_cli tada_files_c_stream tada_files_stores tada_server tada_spread)
if(TARGET nanobind-static-abi3)
  set(nanobind nanobind-static-abi3)
else()
  set(nanobind nanobind-static)
endif()
target_compile_options(${nanobind} PRIVATE -w)  # not our sources; its headers are SYSTEM ones
set_target_properties(${nanobind} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)  # twelve files that share their headers: a third of the time
get_target_property(headers ${nanobind} INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(_core SYSTEM PRIVATE ${headers})
install(TARGETS _core LIBRARY DESTINATION tada)
# The signatures of the package's functions, for type checkers: they follow from the option table, so the module is asked for them.
if(NOT TADA_SANITIZE)
  set(stub ${CMAKE_BINARY_DIR}/generated/_functions.pyi)
  add_custom_command(TARGET _core POST_BUILD COMMAND ${Python_EXECUTABLE} ${CMAKE_SOURCE_DIR}/scripts/python_stubs $<TARGET_FILE:_core> ${stub})
  install(FILES ${stub} DESTINATION tada)
endif()
