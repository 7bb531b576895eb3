# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Makes the table of the standard operators from onnx's schemas, as a source file of the core: operator_table_source.

if(generator_sources)
  add_executable(make_operator_table ${generator_sources})
  target_link_libraries(make_operator_table PRIVATE onnx_lower_options onnx_lower_dependencies)
  # It runs once.
  target_compile_options(make_operator_table PRIVATE -O0 -U_FORTIFY_SOURCE)
  set(operator_table_source ${generated_dir}/operator_table.cpp)
  add_custom_command(
    OUTPUT ${operator_table_source}
    COMMAND make_operator_table ${operator_table_source}
    DEPENDS make_operator_table
    COMMENT "Making the table of the standard operators"
    VERBATIM)
endif()
