# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes OUTPUT, the definition of src/rules/embedded_rules.h, from the rule files that RULE_LIST names, which lie in RULES_DIR.

file(STRINGS ${RULE_LIST} files)

# Sorted by domain and operator; a space sorts before every character of a name.
set(keys "")
foreach(file IN LISTS files)
  file(RELATIVE_PATH path ${RULES_DIR} ${file})
  if(NOT path MATCHES "^([^/ ]+)/([^/ ]+)\\.onnxtxt$")
    message(FATAL_ERROR "A rule file's path must be rules/<domain>/<Op>.onnxtxt, not rules/${path}")
  endif()
  set(folder ${CMAKE_MATCH_1})
  set(operator ${CMAKE_MATCH_2})
  if(folder STREQUAL "ai.onnx")
    set(domain "")
  else()
    set(domain ${folder})
  endif()
  list(APPEND keys "${domain} ${operator} ${path}")
endforeach()
list(SORT keys)

set(entries "")
foreach(key IN LISTS keys)
  string(REGEX MATCH "^([^ ]*) ([^ ]+) (.+)$" _ "${key}")
  set(domain "${CMAKE_MATCH_1}")
  set(operator "${CMAKE_MATCH_2}")
  set(path "${CMAKE_MATCH_3}")
  file(READ ${RULES_DIR}/${path} text)
  string(APPEND entries
    "    {\"${domain}\"sv, \"${operator}\"sv, \"rules/${path}\"sv,\nR\"--rule--(${text})--rule--\"sv},\n")
endforeach()

if(entries)
  string(CONCAT body
    "constexpr EmbeddedRule rules[] = {\n" "${entries}" "};\n\n}  // namespace\n\n"
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
