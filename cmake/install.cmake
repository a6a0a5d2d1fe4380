# `cmake --install build --prefix PREFIX`: the program, libtada with its headers, CMake package and pkg-config file, and the libraries
# that both need, in lib/tada, so that nothing refers to the clone. Man page and completions: scripts/install.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(needs ${CMAKE_INSTALL_LIBDIR}/tada)
# With DT_RPATH, which unlike DT_RUNPATH also counts for what the libraries need themselves.
target_link_options(tada PRIVATE -Wl,--disable-new-dtags)
target_link_options(libtada PRIVATE -Wl,--disable-new-dtags)
target_link_options(tada_arrow PRIVATE -Wl,--disable-new-dtags)
file(RELATIVE_PATH from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/tada)
set_target_properties(tada PROPERTIES INSTALL_RPATH "$ORIGIN/${from_bin}")
set_target_properties(libtada PROPERTIES INSTALL_RPATH "$ORIGIN/tada" EXPORT_NAME tada)

set_target_properties(tada_arrow PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS tada_arrow RUNTIME_DEPENDENCY_SET tada_needs LIBRARY DESTINATION ${needs})
install(TARGETS tada RUNTIME_DEPENDENCY_SET tada_needs RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libtada EXPORT tadaTargets RUNTIME_DEPENDENCY_SET tada_needs
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tada)
get_target_property(arrow_library arrow::arrow IMPORTED_LOCATION)
get_filename_component(arrow_folder "${arrow_library}" DIRECTORY)
# The C and C++ libraries are everywhere, and have to be the system's.
install(RUNTIME_DEPENDENCY_SET tada_needs
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s|resolv)\\.so" "^ld-linux"
  DIRECTORIES ${arrow_folder}
  LIBRARY DESTINATION ${needs})

install(EXPORT tadaTargets NAMESPACE tada:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tada FILE tadaTargets.cmake)
file(WRITE ${CMAKE_BINARY_DIR}/generated/tadaConfig.cmake "include(\"\${CMAKE_CURRENT_LIST_DIR}/tadaTargets.cmake\")\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/tadaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/tadaConfig.cmake ${CMAKE_BINARY_DIR}/generated/tadaConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tada)
file(RELATIVE_PATH to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/tada.pc.in ${CMAKE_BINARY_DIR}/generated/tada.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/tada.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
