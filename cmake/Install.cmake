# What `cmake --install` puts where, so that find_package(anachron) works there.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/anachron)
install(TARGETS anachron EXPORT anachron-targets)
if(ANACHRON_APPS)
  install(TARGETS ${ANACHRON_APPS})
endif()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.[hi]pp")
install(EXPORT anachron-targets NAMESPACE anachron:: DESTINATION ${package_dir})

configure_package_config_file(cmake/anachron-config.cmake.in anachron-config.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(anachron-config-version.cmake COMPATIBILITY SameMinorVersion)
if(Hwloc_FOUND)
  install(FILES cmake/FindHwloc.cmake DESTINATION ${package_dir})
endif()
if(Metis_FOUND)
  install(FILES cmake/FindMetis.cmake DESTINATION ${package_dir})
endif()
if(Zstd_FOUND)
  install(FILES cmake/FindZstd.cmake DESTINATION ${package_dir})
endif()

set(requires Requires)
if(BUILD_SHARED_LIBS)  # a static library does not bring what it is linked with
  set(requires Requires.private)
endif()
set(libraries "fmt, tomlplusplus")
if(Hwloc_FOUND)
  string(APPEND libraries ", hwloc")
endif()
list(JOIN MPI_C_LIBRARIES " " mpi_libraries)  # with their paths: there may be several MPIs
set(static_libraries "")
if(Metis_FOUND AND NOT BUILD_SHARED_LIBS)
  string(APPEND static_libraries " -lmetis")  # pkg-config does not know it
endif()
if(Zstd_FOUND AND NOT BUILD_SHARED_LIBS)
  string(APPEND static_libraries " -lzstd")
endif()
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/anachron.pc.in anachron.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/anachron.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(ANACHRON_NATIVE)
  install(CODE [[message(WARNING "This library is compiled for the processor of this machine (ANACHRON_NATIVE). "
    "For others, install from a build of the preset `package`.")]])
endif()
install(FILES ${PROJECT_BINARY_DIR}/anachron-config.cmake ${PROJECT_BINARY_DIR}/anachron-config-version.cmake
  DESTINATION ${package_dir})
