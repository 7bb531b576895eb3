# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Build type, compiler cache, reproducibility, hardening, warnings and sanitizers.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()
# -O3, CMake's own choice, compiles longer and makes this program no faster.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the checkout, so that another clone or build folder finds the same entries; the sloppiness is what
  # ccache asks for in order to cache with precompiled headers. Not include_file_mtime: a header that is edited while it is
  # compiled would leave a wrong entry behind.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros
    ${CCACHE_PROGRAM})
endif()

# For all that is built here, onnx too.
# Equal sources give equal bytes, in whatever folders they are built: no path of this machine gets into them, be it by onnx's macros or with debugging
# information. scripts/check_reproducible shows it.
set(unnamed_folders -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}/=)
# What stands in the way of an attacker who has found a hole, as far as it costs nothing on a model of 10,000 nodes. -fstack-protector-strong costs 2.6 % of all
# instructions there, for the strings and iterators in nearly every function; the buffers of characters on the stack are few, and all larger than what a string
# keeps in itself. No -fcf-protection: a processor looks only where all of a program is made for it, and Debian's C library is not.
set(hardening -fstack-protector --param=ssp-buffer-size=17 -fstack-clash-protection)
if(NOT ONNX_LOWER_SANITIZE)
  # It needs optimization, and the sanitizers see more.
  list(APPEND hardening $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=2>)
endif()
# GCC tidies its memory up while it compiles, again and again; not before it has a gigabyte, where it needs less: a tenth of the time.
set(tidying $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${unnamed_folders};${hardening};${tidying}>")
add_link_options(LINKER:-z,relro,-z,now,-z,noexecstack)

# What runs before main() lies side by side. With -O1, GCC would leave it with the rest of each file, and a run would map 64 KiB around each of these places: 2 MB. Of a debug build nobody measures this, and clang-tidy, which reads its commands, knows no such option.
set(grouped_beginnings $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<CONFIG:Release,RelWithDebInfo>>:-freorder-functions>)

add_library(onnx_lower_options INTERFACE)
target_include_directories(onnx_lower_options INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
# -fPIE, since all of it ends in executables: -fPIC forbids to inline what another library could replace.
# GCC needs -fpch-preprocess for ccache to see through a precompiled header.
target_compile_options(onnx_lower_options INTERFACE
  -fPIE -Wall -Wextra -ffunction-sections -fdata-sections $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
if(ONNX_LOWER_UNITY)
  # A class whose member is of a type in an anonymous namespace is a fault in a header; every file is one when several are compiled as one.
  target_compile_options(onnx_lower_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
target_link_options(onnx_lower_options INTERFACE -Wl,--gc-sections)

add_library(onnx_lower_sanitizers INTERFACE)
target_link_libraries(onnx_lower_options INTERFACE onnx_lower_sanitizers)
if(ONNX_LOWER_SANITIZE)
  target_compile_options(onnx_lower_sanitizers INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
    # Undefined behaviour ends the program by SIGILL, which AddressSanitizer tells the place of (ASAN_OPTIONS=handle_sigill=1). The texts of the places that
    # it could be told with are 30 MB, and with their million relocations it takes a run longer to begin than to lower a model: 66 ms of 70.
    # GCC takes std::function for uninitialized when it is instrumented.
    $<$<CXX_COMPILER_ID:GNU>:-fsanitize-undefined-trap-on-error -Wno-maybe-uninitialized>)
  target_link_options(onnx_lower_sanitizers INTERFACE -fsanitize=address,undefined -no-pie)
endif()
if(ONNX_LOWER_FUZZ)
  # Our code tells the fuzzer which of its branches an input takes.
  target_compile_options(onnx_lower_sanitizers INTERFACE -fsanitize=fuzzer-no-link)
endif()
