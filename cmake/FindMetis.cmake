# METIS, the graph partitioner of the field: Metis_FOUND, Metis_VERSION, target metis::metis.
# Installed with the package: a static library of Anachron is linked with it.
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

if(EXISTS "${METIS_INCLUDE_DIR}/metis.h")
  file(STRINGS ${METIS_INCLUDE_DIR}/metis.h lines REGEX "define METIS_VER_(MAJOR|MINOR|SUBMINOR)")
  if(lines MATCHES "MAJOR[ \t]+([0-9]+).*MINOR[ \t]+([0-9]+).*SUBMINOR[ \t]+([0-9]+)")
    set(Metis_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Metis
  REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR Metis_VERSION VERSION_VAR Metis_VERSION)
if(Metis_FOUND AND NOT TARGET metis::metis)
  add_library(metis::metis UNKNOWN IMPORTED)
  set_target_properties(metis::metis PROPERTIES
    IMPORTED_LOCATION ${METIS_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
endif()
