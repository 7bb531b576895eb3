# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Makes of the files of src/report/page, and of the layout library in third_party, a source file of the core: embedded_page_source.

set(embedded_page_source ${generated_dir}/embedded_page.cpp)
set(page_dir ${PROJECT_SOURCE_DIR}/src/report/page)
set(page_layout ${PROJECT_SOURCE_DIR}/third_party/dagre/dagre.min.js)
file(GLOB page_files CONFIGURE_DEPENDS ${page_dir}/*)
add_custom_command(
  OUTPUT ${embedded_page_source}
  COMMAND ${CMAKE_COMMAND} -DPAGE_DIR=${page_dir} -DLAYOUT=${page_layout} -DOUTPUT=${embedded_page_source}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_files} ${page_layout} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  COMMENT "Embedding the report's page"
  VERBATIM)
