# Options, and how the project's own targets are compiled. Nothing here reaches a user of anachron::anachron.

option(ANACHRON_NATIVE "Compile for the processor of this machine (-march=native)" OFF)
set(ANACHRON_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined or thread")
set(ANACHRON_WERROR AUTO CACHE STRING "Warnings are errors: ON, OFF, or AUTO: with GCC 12 and Clang 19, which CI uses")
set(ANACHRON_TESTS AUTO CACHE STRING "Build the tests: AUTO (when GoogleTest and the like are found), ON, OFF")
option(ANACHRON_TEST_PARTS "The tests have those of single parts; OFF where builds with sanitizers have them" ON)
set(ANACHRON_BENCH AUTO CACHE STRING "Build the benchmarks: AUTO (when Google Benchmark is found), ON, OFF")
set(ANACHRON_HWLOC AUTO CACHE STRING "Bind workers to cores with hwloc: AUTO (when it is found), ON, OFF")
set(ANACHRON_MPI AUTO CACHE STRING "Run on several machines with MPI 3.1: AUTO (when it is found), ON, OFF")
set(ANACHRON_METIS AUTO CACHE STRING "Partitions by METIS: AUTO (when it is found), ON, OFF")
set(ANACHRON_ZSTD AUTO CACHE STRING "Checkpoints are compressed by zstd: AUTO (when it is found), ON, OFF")
set(ANACHRON_ZSTD_SOURCES "" CACHE PATH "A folder with zstd.c and zstd.h, which become part of the library, for wheels")
set(ANACHRON_LIVE AUTO CACHE STRING "Programs have --live: AUTO (when cpp-httplib is found or can be downloaded), ON, OFF")
set(ANACHRON_HTTPLIB_FOLDER "" CACHE PATH "A folder with the httplib.h of cpp-httplib, instead of a download")
set(ANACHRON_JEMALLOC AUTO CACHE STRING "Programs have --pool jemalloc: AUTO (when it is found), ON, OFF")
set(ANACHRON_MIMALLOC AUTO CACHE STRING "Programs have --pool mimalloc: AUTO (when it is found), ON, OFF")
set(ANACHRON_TOGETHER 0 CACHE STRING "Compile source files together, up to so many bytes at a time; 0: each alone")
set(ANACHRON_PYTHON AUTO CACHE STRING "Build what the Python package loads: AUTO (without sanitizers), ON, OFF")
option(ANACHRON_WHEEL "Everything that the Python package loads is in it: no library but those of C" OFF)
foreach(option IN ITEMS ANACHRON_PYTHON ANACHRON_WERROR ANACHRON_TESTS ANACHRON_BENCH ANACHRON_HWLOC ANACHRON_MPI ANACHRON_METIS
    ANACHRON_ZSTD ANACHRON_LIVE ANACHRON_JEMALLOC ANACHRON_MIMALLOC)
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
endforeach()

set(ANACHRON_X86_64 x86-64-)  # how the compiler spells the levels of processors
if(ANACHRON_ZIG)
  set(ANACHRON_X86_64 x86_64_)
endif()

set(ANACHRON_DATA "" CACHE PATH "Road networks and other real data (default: ../shared/data if there is one)")
cmake_path(GET PROJECT_SOURCE_DIR PARENT_PATH parent)
if(NOT ANACHRON_DATA AND IS_DIRECTORY ${parent}/shared/data)
  set(ANACHRON_DATA ${parent}/shared/data)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
    set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)  # ccache keeps nothing that was compiled with them
  endif()
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold ANACHRON_MOLD)
  if(ANACHRON_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()

  if(ANACHRON_PYTHON STREQUAL "AUTO" AND ANACHRON_SANITIZE)
    set(ANACHRON_PYTHON OFF)
  endif()
  if(ANACHRON_SANITIZE)
    add_compile_options(-fsanitize=${ANACHRON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${ANACHRON_SANITIZE})
    if(ANACHRON_SANITIZE MATCHES address)
      add_compile_definitions(_GLIBCXX_ASSERTIONS)
    endif()
  endif()
endif()

# Compiles `target` the project's way: our warnings, our optimisation.
function(anachron_own target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)  # as with GCC; and what std::stable_sort of GCC 12 uses is no fault of ours
    target_compile_options(${target} PRIVATE -Wno-sign-conversion -Wno-deprecated-declarations)
    # Clang 19 does not like what its own -march=native finds on processors with AVX10; others do not know that.
    target_compile_options(${target} PRIVATE -Wno-unknown-warning-option -Wno-invalid-feature-combination)
  endif()
  if(ANACHRON_WERROR STREQUAL AUTO)
    # Another compiler knows other warnings; they must not keep anyone from building.
    if("${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 19)\\.")
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  elseif(ANACHRON_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # Guesses of the optimiser, which differ with processor and sanitizer: shown, but no errors. Those about
    # overlapping copies in std::string are wrong in GCC 12 (its bug 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict
      -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
      -Wno-error=stringop-overread -Wno-error=dangling-pointer)
  endif()
  if(ANACHRON_PYTHON AND target MATCHES "^anachron(_models|_python)?$")
    # They go into one that is loaded; nothing in it is replaced from outside.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  if(ANACHRON_WHEEL AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${target} PRIVATE -march=${ANACHRON_X86_64}v2)  # every processor since about 2009
  endif()
  if(ANACHRON_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()
endfunction()
