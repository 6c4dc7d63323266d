# jemalloc and mimalloc for `--pool`, where they are installed: the object library anachron_allocators, for programs of
# this project. The library anachron does not bring them, because whoever used it would get them as well.
#
# Both also define malloc, and as distributions build them they would take it over. So they are linked behind the C and
# C++ libraries: what these define is found there first, in all of the program, and of the allocators only the functions
# that nobody else has are used. (They are not loaded at run time instead because jemalloc cannot be: its thread-local
# storage is too large.)
add_library(anachron_allocators INTERFACE)
set(behind "-Wl,--push-state,--no-as-needed,-lstdc++,-lm,-lc,--pop-state")
set(objects "")
set(libraries "")

# allocator(OPTION NAME HEADER LIBRARY PACKAGE)
function(allocator option name header library package)
  string(TOUPPER ${name} upper)
  if(NOT ${option})
    return()
  endif()
  find_path(${upper}_INCLUDE_DIR ${header})
  find_library(${upper}_LIBRARY ${library})
  mark_as_advanced(${upper}_INCLUDE_DIR ${upper}_LIBRARY)
  if(${upper}_INCLUDE_DIR AND ${upper}_LIBRARY MATCHES "\\.so[.0-9]*$")
    add_library(anachron_${name} OBJECT ${PROJECT_SOURCE_DIR}/src/mem/baselines/${name}.cpp)
    target_link_libraries(anachron_${name} PRIVATE anachron)
    target_include_directories(anachron_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(anachron_${name} SYSTEM PRIVATE ${${upper}_INCLUDE_DIR})
    set_target_properties(anachron_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    anachron_own(anachron_${name})
    set(objects ${objects} $<TARGET_OBJECTS:anachron_${name}> PARENT_SCOPE)
    set(libraries ${libraries} ${${upper}_LIBRARY} PARENT_SCOPE)
  elseif(NOT ${option} STREQUAL AUTO)
    message(FATAL_ERROR "${option}: no shared library ${library} with ${header}; install ${package} (Debian, Ubuntu)")
  endif()
endfunction()
# Neither goes with ThreadSanitizer. mimalloc passes blocks between threads by atomics alone, which it does not see because
# they were not compiled with it: each block that comes back on another thread would be a race. jemalloc locks all of its
# mutexes for a fork(), more than the 64 that the sanitizer lets a thread hold.
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND NOT ANACHRON_SANITIZE MATCHES thread)
  allocator(ANACHRON_JEMALLOC jemalloc jemalloc/jemalloc.h jemalloc libjemalloc-dev)
  allocator(ANACHRON_MIMALLOC mimalloc mimalloc.h mimalloc libmimalloc-dev)
endif()
if(objects)
  target_sources(anachron_allocators INTERFACE ${objects})
  target_link_libraries(anachron_allocators INTERFACE ${behind} ${libraries})
endif()
