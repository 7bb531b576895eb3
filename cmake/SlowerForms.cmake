# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Turns slower_forms.tsv into a source file of the core: slower_forms_source.

set(slower_forms_source ${generated_dir}/slower_forms_table.cpp)
set(slower_forms_table ${PROJECT_SOURCE_DIR}/src/standard_operators/slower_forms.tsv)
add_custom_command(
  OUTPUT ${slower_forms_source}
  COMMAND ${CMAKE_COMMAND} -DTABLE=${slower_forms_table} -DOUTPUT=${slower_forms_source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_slower_forms.cmake
  DEPENDS ${slower_forms_table} ${PROJECT_SOURCE_DIR}/cmake/embed_slower_forms.cmake
  COMMENT "Embedding the table of slower forms"
  VERBATIM)
