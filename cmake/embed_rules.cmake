# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes OUTPUT, the definition of src/rules/embedded_rules.h, from the rule files that RULE_LIST names, which lie in RULES_DIR.

file(STRINGS ${RULE_LIST} files)

# Each text once, and a row for its operator and for each of the other names behind `# Also:`.
set(texts "")
set(keys "")
set(count 0)
foreach(file IN LISTS files)
  file(RELATIVE_PATH path ${RULES_DIR} ${file})
  if(NOT path MATCHES "^([^/ ]+)/([^/ ]+)\\.onnxtxt$")
    message(FATAL_ERROR "A rule file's path must be rules/<domain>/<Op>.onnxtxt, not rules/${path}")
  endif()
  set(names "${CMAKE_MATCH_1}::${CMAKE_MATCH_2}")
  file(STRINGS ${file} lines REGEX "^# Also: ")
  foreach(line IN LISTS lines)
    string(REGEX MATCHALL "[A-Za-z0-9_.-]+::[A-Za-z0-9_]+" others "${line}")
    list(APPEND names ${others})
  endforeach()
  foreach(name IN LISTS names)
    string(REPLACE "::" " " key "${name}")
    string(REGEX REPLACE "^ai\\.onnx " " " key "${key}")
    list(APPEND keys "${key} text_${count} ${path}")
  endforeach()
  file(READ ${file} text)
  string(APPEND texts "constexpr auto text_${count} = R\"--rule--(${text})--rule--\"sv;\n")
  math(EXPR count "${count} + 1")
endforeach()

# Sorted by domain and operator; a space sorts before every character of a name.
list(SORT keys)
set(entries "")
set(previous "")
foreach(key IN LISTS keys)
  string(REGEX MATCH "^([^ ]*) ([^ ]+) ([^ ]+) (.+)$" _ "${key}")
  if("${CMAKE_MATCH_1} ${CMAKE_MATCH_2}" STREQUAL previous)
    message(FATAL_ERROR "Two rule files are for ${CMAKE_MATCH_1}::${CMAKE_MATCH_2}; one is rules/${CMAKE_MATCH_4}")
  endif()
  set(previous "${CMAKE_MATCH_1} ${CMAKE_MATCH_2}")
  string(APPEND entries
    "    {\"${CMAKE_MATCH_1}\"sv, \"${CMAKE_MATCH_2}\"sv, \"rules/${CMAKE_MATCH_4}\"sv, ${CMAKE_MATCH_3}},\n")
endforeach()

if(entries)
  string(CONCAT body
    "${texts}\nconstexpr EmbeddedRule rules[] = {\n" "${entries}" "};\n\n}  // namespace\n\n"
    "std::span<const EmbeddedRule> embedded_rules() { return rules; }\n")
else()
  set(body "}  // namespace\n\nstd::span<const EmbeddedRule> embedded_rules() { return {}; }\n")
endif()

file(WRITE ${OUTPUT}
  "// Generated from the files of rules/.\n"
  "#include \"rules/embedded_rules.h\"\n\n"
  "namespace onnx_lower {\nnamespace {\n\nusing namespace std::string_view_literals;\n\n"
  "${body}"
  "\n}  // namespace onnx_lower\n")
