# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Writes OUTPUT, the definition of src/targets/embedded_targets.h, from the files that TARGET_LIST names.

file(STRINGS ${TARGET_LIST} files)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE "\\.target$" "" name "${name}")
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\"sv, R\"--target--(${text})--target--\"sv},\n")
endforeach()

file(WRITE ${OUTPUT}
  "// Generated from the files of targets/.\n"
  "#include \"targets/embedded_targets.h\"\n\n"
  "namespace onnx_lower {\nnamespace {\n\nusing namespace std::string_view_literals;\n\n"
  "constexpr EmbeddedTarget targets[] = {\n${entries}};\n\n}  // namespace\n\n"
  "std::span<const EmbeddedTarget> embedded_targets() { return targets; }\n\n"
  "}  // namespace onnx_lower\n")
