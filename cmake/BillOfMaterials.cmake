# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes onnx-lower.cdx.json: which versions of the components of third_party/components.json this build holds, as CycloneDX has it.
# It depends on nothing but these, so that equal builds have equal ones.

# The macro's value, as the compiler knows it after including the header.
function(macro_value header macro variable)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -E -dM -x c++ -include ${header} ${ARGN} /dev/null
    OUTPUT_VARIABLE macros ERROR_QUIET)
  string(REGEX MATCH "#define ${macro} +([^\n]+)" _ "${macros}")
  set(${variable} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

macro_value(cstddef _GLIBCXX_RELEASE libstdcxx)
macro_value(features.h __GLIBC__ glibc_major)
macro_value(features.h __GLIBC_MINOR__ glibc_minor)
macro_value(xxhash.h XXH_VERSION_MAJOR xxhash_major -I ${XXHASH_INCLUDE_DIR})
macro_value(xxhash.h XXH_VERSION_MINOR xxhash_minor -I ${XXHASH_INCLUDE_DIR})
macro_value(xxhash.h XXH_VERSION_RELEASE xxhash_release -I ${XXHASH_INCLUDE_DIR})

set(version_of_protobuf ${Protobuf_VERSION})
set(version_of_onnx ${onnx_version})
set(version_of_fmt ${fmt_VERSION})
set(version_of_CLI11 ${CLI11_VERSION})
set(version_of_nlohmann-json ${nlohmann_json_VERSION})
set(version_of_xxHash ${xxhash_major}.${xxhash_minor}.${xxhash_release})
file(STRINGS ${PROJECT_SOURCE_DIR}/third_party/dagre/VERSION version_of_dagre)
set(version_of_gcc ${libstdcxx})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(version_of_gcc ${CMAKE_CXX_COMPILER_VERSION})
endif()
if(glibc_major)
  set(version_of_glibc ${glibc_major}.${glibc_minor})
endif()
if(TARGET onnx-lower-verify)
  set(version_of_zlib ${ZLIB_VERSION})
endif()
if(TARGET onnx_lower_kernels OR TARGET onnx-lower-verify)
  macro_value(onnxruntime_c_api.h ORT_API_VERSION onnxruntime_api -I ${ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR})
  set(version_of_onnxruntime 1.${onnxruntime_api})
endif()

set(component_list ${PROJECT_SOURCE_DIR}/third_party/components.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${component_list})
file(READ ${component_list} listed)
string(JSON count LENGTH "${listed}")
math(EXPR last "${count} - 1")
set(components "")
set(separator "")
set(dependencies "")
foreach(index RANGE ${last})
  string(JSON name GET "${listed}" ${index} name)
  string(JSON license GET "${listed}" ${index} license)
  string(JSON package GET "${listed}" ${index} purl)
  string(JSON how GET "${listed}" ${index} how)
  if(NOT version_of_${name})
    continue()  # it is no part of this build
  endif()
  string(APPEND components
    "${separator}    {
      \"type\": \"library\",
      \"bom-ref\": \"${name}\",
      \"name\": \"${name}\",
      \"version\": \"${version_of_${name}}\",
      \"description\": \"${how}\",
      \"licenses\": [{ \"expression\": \"${license}\" }],
      \"purl\": \"${package}@${version_of_${name}}\"
    }")
  list(APPEND dependencies "\"${name}\"")
  set(separator ",\n")
endforeach()
list(JOIN dependencies ", " dependencies)
string(UUID serial_number NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 NAME "onnx-lower ${PROJECT_VERSION}\n${components}" TYPE SHA1)
set(bill_of_materials ${PROJECT_BINARY_DIR}/onnx-lower.cdx.json)
configure_file(cmake/bill_of_materials.json.in ${bill_of_materials} @ONLY)
