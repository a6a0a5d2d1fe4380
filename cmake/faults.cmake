# tada-faults: the program with faults seeded on purpose (src/base/fault.h), one at a time by the environment variable TADA_FAULT, to see that the audit finds
# them. The files below are compiled again, with the switch; the linker takes them instead of those in the libraries. `make faults` builds and runs it.
set(TADA_FAULTY
  src/files/csv/write_csv.cc
  src/partition/compact/compact.cc
  src/partition/compact/group_store.cc
  src/partition/compact/hilbert_start.cc
  src/partition/dop/dbscan_stage.cc
  src/partition/engine/equal_rows.cc
  src/partition/engine/sample_grow.cc
  src/partition/engine/splits/admissible.cc
  src/partition/engine/splits/split_sides.cc
  src/partition/engine/splits/split_window.cc
  src/partition/full_domain/full_domain.cc
  src/partition/full_domain/topdown.cc
  src/partition/mondrian/mondrian.cc
  src/partition/mondrian/ncp_split.cc
  src/partition/ta_da/cluster_set.cc
  src/partition/target_weighted/target_split.cc
  src/privacy/check/checker.cc
  src/recode/by_box.cc
  src/recode/by_hierarchy.cc
  src/recode/recoder.cc
  src/run/anonymize.cc
  src/run/inspect/people.cc)
add_library(tada_faulty OBJECT EXCLUDE_FROM_ALL ${TADA_FAULTY})
target_compile_definitions(tada_faulty PRIVATE TADA_FAULTS)
target_link_libraries(tada_faulty PRIVATE tada_cli)
add_executable(tada-faults EXCLUDE_FROM_ALL src/cli/main.cc $<TARGET_OBJECTS:tada_faulty>)
target_link_libraries(tada-faults PRIVATE tada_cli tada_files_arrow tada_files_stores tada_server)
set_target_properties(tada-faults PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
