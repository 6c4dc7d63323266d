# hwloc, the library of the field for what a machine looks like: Hwloc_FOUND, Hwloc_VERSION, target hwloc::hwloc.
# Installed with the package: a static library of Anachron is linked with it.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_HWLOC QUIET hwloc)
endif()
find_path(HWLOC_INCLUDE_DIR hwloc.h HINTS ${PC_HWLOC_INCLUDE_DIRS})
find_library(HWLOC_LIBRARY hwloc HINTS ${PC_HWLOC_LIBRARY_DIRS})
mark_as_advanced(HWLOC_INCLUDE_DIR HWLOC_LIBRARY)

if(EXISTS "${HWLOC_INCLUDE_DIR}/hwloc.h")
  file(STRINGS ${HWLOC_INCLUDE_DIR}/hwloc.h line REGEX "define HWLOC_API_VERSION 0x")
  if(line MATCHES "0x[0-9a-fA-F]+")
    math(EXPR major "${CMAKE_MATCH_0} >> 16")
    math(EXPR minor "(${CMAKE_MATCH_0} >> 8) & 255")
    set(Hwloc_VERSION ${major}.${minor})  # of the interface
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Hwloc
  REQUIRED_VARS HWLOC_LIBRARY HWLOC_INCLUDE_DIR Hwloc_VERSION VERSION_VAR Hwloc_VERSION)
if(Hwloc_FOUND AND NOT TARGET hwloc::hwloc)
  add_library(hwloc::hwloc UNKNOWN IMPORTED)
  set_target_properties(hwloc::hwloc PROPERTIES
    IMPORTED_LOCATION ${HWLOC_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HWLOC_INCLUDE_DIR})
endif()
