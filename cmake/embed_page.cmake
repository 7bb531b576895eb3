# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes OUTPUT, the definition of src/report/embedded_page.h: PAGE_DIR/page.html, with the files of its folder and LAYOUT in the
# places of @…@, and divided at @data@.

file(READ ${PAGE_DIR}/page.html page)
file(READ ${PAGE_DIR}/page.css style)
file(GLOB scripts ${PAGE_DIR}/*.js)
list(SORT scripts)
set(script "")
foreach(file IN LISTS scripts)
  file(READ ${file} text)
  string(APPEND script "${text}")
endforeach()
file(READ ${LAYOUT} layout)
# Its map lies elsewhere, and a browser whose tools are open would look for it.
string(REGEX REPLACE "//# sourceMappingURL=[^\n]*\n?" "" layout "${layout}")
foreach(text IN ITEMS style script layout)
  if("${${text}}" MATCHES "</script|</style|<!--")
    message(FATAL_ERROR "The report's ${text} holds what ends an element of the page")
  endif()
  string(REPLACE "@${text}@" "${${text}}" page "${page}")
endforeach()
string(FIND "${page}" "@data@" middle)
string(SUBSTRING "${page}" 0 ${middle} before)
math(EXPR behind "${middle} + 6")
string(SUBSTRING "${page}" ${behind} -1 after)

file(WRITE ${OUTPUT}
  "// Generated from the files of src/report/page.\n"
  "#include \"report/embedded_page.h\"\n\n"
  "namespace onnx_lower {\n\n"
  "std::string_view page_before_data() { return R\"--page--(${before})--page--\"; }\n\n"
  "std::string_view page_after_data() { return R\"--page--(${after})--page--\"; }\n\n"
  "}  // namespace onnx_lower\n")
