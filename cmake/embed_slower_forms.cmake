# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes OUTPUT, which defines slower_forms() of src/standard_operators/slower_forms.h, from the lines of TABLE.

file(STRINGS ${TABLE} lines REGEX "^[A-Za-z]")
list(SORT lines)
set(entries "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([A-Za-z0-9]+)\t([^\t]+)\t([^\t]+)\t([0-9]+)\t([0-9.]+)\t([a-z]+)$")
    message(FATAL_ERROR "${TABLE}: six columns, with tabs between, are expected in the line: ${line}")
  endif()
  set(which "${CMAKE_MATCH_2}")
  set(told_by "${CMAKE_MATCH_3}")
  string(REGEX REPLACE "^-$" "" which "${which}")
  string(REGEX REPLACE "^-$" "" told_by "${told_by}")
  string(REGEX MATCH "^([A-Za-z0-9]+)\t[^\t]+\t[^\t]+\t([0-9]+)\t([0-9.]+)\t([a-z]+)$" _ "${line}")
  string(APPEND entries "    {\"${CMAKE_MATCH_1}\", \"${which}\", \"${told_by}\", ${CMAKE_MATCH_2}, ${CMAKE_MATCH_3}, \"${CMAKE_MATCH_4}\"},\n")
endforeach()

file(WRITE ${OUTPUT}
  "// Generated from src/standard_operators/slower_forms.tsv.\n"
  "#include \"standard_operators/slower_forms.h\"\n\n"
  "namespace onnx_lower {\nnamespace {\n\nconstexpr SlowerForm forms[] = {\n${entries}};\n\n}  // namespace\n\n"
  "std::span<const SlowerForm> slower_forms() { return forms; }\n\n"
  "}  // namespace onnx_lower\n")
