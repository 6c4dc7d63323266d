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
install(FILES ${PROJECT_BINARY_DIR}/anachron-config.cmake ${PROJECT_BINARY_DIR}/anachron-config-version.cmake
  DESTINATION ${package_dir})
