# zstd, which compresses checkpoints: Zstd_FOUND, Zstd_VERSION, target zstd::zstd.
# Installed with the package: a static library of Anachron is linked with it.
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
mark_as_advanced(ZSTD_INCLUDE_DIR ZSTD_LIBRARY)

if(EXISTS "${ZSTD_INCLUDE_DIR}/zstd.h")
  file(STRINGS ${ZSTD_INCLUDE_DIR}/zstd.h lines REGEX "define ZSTD_VERSION_(MAJOR|MINOR|RELEASE)")
  if(lines MATCHES "MAJOR[ \t]+([0-9]+).*MINOR[ \t]+([0-9]+).*RELEASE[ \t]+([0-9]+)")
    set(Zstd_VERSION ${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zstd
  REQUIRED_VARS ZSTD_LIBRARY ZSTD_INCLUDE_DIR Zstd_VERSION VERSION_VAR Zstd_VERSION)
if(Zstd_FOUND AND NOT TARGET zstd::zstd)
  add_library(zstd::zstd UNKNOWN IMPORTED)
  set_target_properties(zstd::zstd PROPERTIES
    IMPORTED_LOCATION ${ZSTD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${ZSTD_INCLUDE_DIR})
endif()
