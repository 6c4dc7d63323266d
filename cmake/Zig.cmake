# A toolchain file for wheels. Zig is Clang with the headers of every glibc and with a libc++ that becomes part of what it
# links, so a wheel runs on older systems than the one that builds it, and for another processor.
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/Zig.cmake -DANACHRON_ZIG=/path/of/zig -DANACHRON_ZIG_TARGET=aarch64-linux-gnu.2.28
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ANACHRON_ZIG ANACHRON_ZIG_TARGET)
if(NOT EXISTS "${ANACHRON_ZIG}")
  message(FATAL_ERROR "ANACHRON_ZIG is '${ANACHRON_ZIG}', where there is no file: it is the path of the program zig")
endif()
if(NOT ANACHRON_ZIG_TARGET MATCHES "^(x86_64|aarch64)-linux-gnu\\.[0-9.]+$")
  message(FATAL_ERROR "ANACHRON_ZIG_TARGET is '${ANACHRON_ZIG_TARGET}'; valid are x86_64 and aarch64 with -linux-gnu.VERSION")
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(CMAKE_C_COMPILER ${ANACHRON_ZIG} cc -target ${ANACHRON_ZIG_TARGET})
set(CMAKE_CXX_COMPILER ${ANACHRON_ZIG} c++ -target ${ANACHRON_ZIG_TARGET})
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${ANACHRON_ZIG}\" ar qc <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "\"${ANACHRON_ZIG}\" ar q <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "\"${ANACHRON_ZIG}\" ranlib <TARGET>")
endforeach()
set(CCACHE FALSE)         # zig keeps what it has compiled itself
set(ANACHRON_MOLD FALSE)  # and links itself
