# tada-faults: the program with faults seeded on purpose (src/base/fault.h), one at a time by the environment variable TADA_FAULT, to see that the audit finds
# them. The files that have one are compiled again, with the switch; the linker takes them instead of those in the libraries. `make faults` builds and runs it.
set(TADA_FAULTY src/partition/mondrian/median_rows.cc src/partition/mondrian/median_tables.cc)  # theirs is in median_view.h
file(GLOB_RECURSE TADA_SOURCES RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS src/*.cc)
foreach(source ${TADA_SOURCES})
  file(STRINGS ${source} faults REGEX "TADA_FAULT\\(")
  if(faults)
    list(APPEND TADA_FAULTY ${source})
  endif()
endforeach()
list(REMOVE_DUPLICATES TADA_FAULTY)
add_library(tada_faulty OBJECT EXCLUDE_FROM_ALL ${TADA_FAULTY})
target_compile_definitions(tada_faulty PRIVATE TADA_FAULTS)
target_link_libraries(tada_faulty PRIVATE tada_cli)
add_executable(tada-faults EXCLUDE_FROM_ALL src/cli/main.cc $<TARGET_OBJECTS:tada_faulty>)
target_link_libraries(tada-faults PRIVATE tada_cli tada_files_on_demand tada_files_stores tada_server)
add_dependencies(tada-faults tada_arrow)
set_target_properties(tada-faults PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} BUILD_RPATH ${CMAKE_BINARY_DIR})
