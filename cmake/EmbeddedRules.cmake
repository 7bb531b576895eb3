# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Turns the texts of the rules into a source file of the core: embedded_rules_source.

set(embedded_rules_source ${generated_dir}/embedded_rules.cpp)
# The list is a file, so that a rule that is deleted or renamed makes the source anew, too.
list(JOIN rule_texts "\n" rule_list)
file(CONFIGURE OUTPUT ${generated_dir}/rule_files.txt CONTENT "${rule_list}" @ONLY)
add_custom_command(
  OUTPUT ${embedded_rules_source}
  COMMAND ${CMAKE_COMMAND} -DRULES_DIR=${PROJECT_SOURCE_DIR}/rules -DRULE_LIST=${generated_dir}/rule_files.txt
    -DOUTPUT=${embedded_rules_source} -P ${PROJECT_SOURCE_DIR}/cmake/embed_rules.cmake
  DEPENDS ${rule_texts} ${generated_dir}/rule_files.txt ${PROJECT_SOURCE_DIR}/cmake/embed_rules.cmake
  COMMENT "Embedding the rules' texts"
  VERBATIM)
