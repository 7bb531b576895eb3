# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# onnx's C++ library as the target onnx_lower_onnx: an installed one, the one that another build folder of this project has
# built, or the source distribution that pip downloads by its name and hash.

set(ONNX_LOWER_DOWNLOAD_DIR ${PROJECT_BINARY_DIR}/download CACHE PATH "Where onnx's source archive is kept")
set(ONNX_LOWER_ONNX_BUILD_DIR "" CACHE PATH "A build folder of this project whose onnx libraries are to be used")
set(oldest_onnx 1.23)

# Gives the target the libraries and headers that the build folder in `directory` holds.
function(use_onnx_of_build_folder directory)
  add_library(onnx_lower_onnx INTERFACE)
  target_include_directories(onnx_lower_onnx SYSTEM INTERFACE
    ${directory}/_deps/onnx-src ${directory}/_deps/onnx-build)
  target_compile_definitions(onnx_lower_onnx INTERFACE ONNX_ML=1 ONNX_NAMESPACE=onnx)
  target_link_libraries(onnx_lower_onnx INTERFACE ${directory}/_deps/onnx-build/libonnx.a protobuf::libprotobuf)
  file(STRINGS ${directory}/_deps/onnx-src/VERSION_NUMBER version)
  set(onnx_version ${version} PARENT_SCOPE)
endfunction()

# Downloads the archive that onnx-requirements.txt pins, unless it is there, and sets `archive` and `sha256` in the caller.
function(download_onnx_source)
  set(requirements ${PROJECT_SOURCE_DIR}/cmake/onnx-requirements.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${requirements})
  file(READ ${requirements} text)
  string(REGEX MATCH "onnx==([0-9.]+)" _ "${text}")
  set(archive ${ONNX_LOWER_DOWNLOAD_DIR}/onnx-${CMAKE_MATCH_1}.tar.gz)
  string(REGEX MATCH "--hash=sha256:([0-9a-f]+)" _ "${text}")
  set(sha256 ${CMAKE_MATCH_1})
  if(NOT EXISTS ${archive})
    find_program(PYTHON3_PROGRAM python3 REQUIRED)
    message(STATUS "Downloading onnx's source with pip")
    execute_process(
      COMMAND ${PYTHON3_PROGRAM} -m pip download --quiet --no-deps --no-binary onnx --require-hashes
        -r ${requirements} -d ${ONNX_LOWER_DOWNLOAD_DIR}
      RESULT_VARIABLE status)
    if(NOT status EQUAL 0 OR NOT EXISTS ${archive})
      message(FATAL_ERROR "pip could not download onnx's source. Put it at ${archive}, or install onnx ${oldest_onnx}.")
    endif()
  endif()
  set(archive ${archive} PARENT_SCOPE)
  set(sha256 ${sha256} PARENT_SCOPE)
endfunction()

# onnx's package configuration wants Protobuf's, which Debian does not ship.
find_package(Protobuf CONFIG QUIET)
if(NOT Protobuf_DIR)
  set(Protobuf_DIR ${PROJECT_SOURCE_DIR}/cmake/protobuf_config)
endif()
find_package(ONNX ${oldest_onnx} CONFIG QUIET)

if(ONNX_FOUND)
  message(STATUS "onnx ${ONNX_VERSION}: installed in ${ONNX_DIR}")
  add_library(onnx_lower_onnx INTERFACE)
  target_link_libraries(onnx_lower_onnx INTERFACE ONNX::onnx)
  set(onnx_version ${ONNX_VERSION})
elseif(ONNX_LOWER_ONNX_BUILD_DIR AND EXISTS ${ONNX_LOWER_ONNX_BUILD_DIR}/_deps/onnx-build/libonnx.a)
  use_onnx_of_build_folder(${ONNX_LOWER_ONNX_BUILD_DIR})
  message(STATUS "onnx ${onnx_version}: of the build folder ${ONNX_LOWER_ONNX_BUILD_DIR}")
else()
  download_onnx_source()
  set(ONNX_INSTALL OFF)
  set(ONNX_BUILD_TESTS OFF)
  set(ONNX_BUILD_PYTHON OFF)
  set(ONNX_GEN_PB_TYPE_STUBS OFF)
  set(ONNX_USE_UNITY_BUILD ON)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  # onnx asks for a newer CMake than Debian 12 has, and does not need it.
  set(lower_minimum sed -i "s/cmake_minimum_required(VERSION 3.26)/cmake_minimum_required(VERSION 3.25)/" CMakeLists.txt)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.28)
    set(exclude_from_all EXCLUDE_FROM_ALL)
  endif()
  include(FetchContent)
  FetchContent_Declare(onnx
    URL ${archive} URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP OFF
    PATCH_COMMAND ${lower_minimum} ${exclude_from_all})
  FetchContent_MakeAvailable(onnx)
  # Its converter of versions is a sixth of what it takes to compile. Only a function that nothing here makes use of calls it, and the linker drops that, as it
  # drops whatever has a section of its own.
  get_target_property(onnx_sources onnx SOURCES)
  list(FILTER onnx_sources EXCLUDE REGEX "/onnx/version_converter/|/onnx/common/(interned_strings|ir_pb_converter)\\.")
  set_target_properties(onnx PROPERTIES SOURCES "${onnx_sources}")
  # It is no code of ours to debug: optimized in every build type, and never with sanitizers. The schemas are a large text that is read once, for which -O1 is
  # as good as -O2 and takes a quarter less time to compile.
  target_compile_options(onnx PRIVATE -O1 ${grouped_beginnings} -g0 -w -ffunction-sections -fdata-sections)
  target_compile_options(onnx_proto PRIVATE -O2 -g0 -w)
  use_onnx_of_build_folder(${PROJECT_BINARY_DIR})
  # Its generated headers have to be there before our first file is compiled.
  add_dependencies(onnx_lower_onnx onnx_proto)
  message(STATUS "onnx ${onnx_version}: built from ${archive}")
endif()
