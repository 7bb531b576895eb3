# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Protobuf, onnx, fmt, CLI11, nlohmann-json and xxHash, gathered in the target onnx_lower_dependencies.

set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)  # its functions are compiled into our own files
include(Onnx)

# The definitions in fmt_definitions.cpp are those of fmt 9 and 10, which Debian 12 and 13 have.
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 11)
  add_library(onnx_lower_fmt STATIC cmake/fmt_definitions.cpp)
  target_include_directories(onnx_lower_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  add_library(onnx_lower_fmt ALIAS fmt::fmt-header-only)
endif()

add_library(onnx_lower_dependencies INTERFACE)
target_link_libraries(onnx_lower_dependencies INTERFACE
  onnx_lower_onnx protobuf::libprotobuf onnx_lower_fmt CLI11::CLI11 nlohmann_json::nlohmann_json Threads::Threads)

target_include_directories(onnx_lower_dependencies SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})

# A shared-only protobuf or a C library without static-pie support leaves us with an ordinary link.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
set(CMAKE_REQUIRED_LIBRARIES protobuf::libprotobuf)
check_cxx_source_compiles(
  "#include <google/protobuf/stubs/common.h>\nint main() { GOOGLE_PROTOBUF_VERIFY_VERSION; }" ONNX_LOWER_STATIC_PIE_LINKS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_LIBRARIES)
