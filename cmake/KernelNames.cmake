# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Lists the names under which the kernels serve: that of each file kernels/<domain>/<Op>.cpp, and those behind `// Also:` in it.
# Sets kernel_sources, and kernel_names: "domain operator file" each, where file is <domain>/<Op>.

file(GLOB kernel_sources CONFIGURE_DEPENDS kernels/*/*.cpp)
list(FILTER kernel_sources EXCLUDE REGEX "/kernels/library/")
set(kernel_names "")
foreach(source IN LISTS kernel_sources)
  # The names stand in the file's head.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  string(REGEX MATCH "([^/]+)/([^/]+)\\.cpp$" _ ${source})
  set(file "${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
  list(APPEND kernel_names "${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${file}")
  file(STRINGS ${source} lines REGEX "^// Also: ")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_.-]+::[A-Za-z0-9_]+" others "${line}")
    foreach(other IN LISTS others)
      string(REPLACE "::" " " other "${other}")
      list(APPEND kernel_names "${other} ${file}")
    endforeach()
  endforeach()
endforeach()
list(SORT kernel_names)

# The tool's and the library's table of them, each with its own row format.
set(tool_kernel_names "")
set(library_kernel_names "")
foreach(name IN LISTS kernel_names)
  string(REPLACE " " ";" parts "${name}")
  list(GET parts 0 domain)
  list(GET parts 1 operator)
  list(GET parts 2 file)
  string(APPEND library_kernel_names "    {\"${domain}\", \"${operator}\", \"${file}\"},\n")
  if(domain STREQUAL "ai.onnx")
    set(domain "")
  endif()
  string(APPEND tool_kernel_names "    {\"${domain}\"sv, \"${operator}\"sv},\n")
endforeach()
configure_file(cmake/native_kernels.cpp.in ${generated_dir}/native_kernels.cpp @ONLY)
