# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Turns the files of targets/ into a source file of the core: embedded_targets_source.

set(embedded_targets_source ${generated_dir}/embedded_targets.cpp)
# The list is a file, so that a target that is deleted or renamed makes the source anew, too.
list(JOIN target_texts "\n" target_list)
file(CONFIGURE OUTPUT ${generated_dir}/target_files.txt CONTENT "${target_list}" @ONLY)
add_custom_command(
  OUTPUT ${embedded_targets_source}
  COMMAND ${CMAKE_COMMAND} -DTARGET_LIST=${generated_dir}/target_files.txt -DOUTPUT=${embedded_targets_source}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_targets.cmake
  DEPENDS ${target_texts} ${generated_dir}/target_files.txt ${PROJECT_SOURCE_DIR}/cmake/embed_targets.cmake
  COMMENT "Embedding the targets"
  VERBATIM)
