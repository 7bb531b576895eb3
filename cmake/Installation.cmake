# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# What `cmake --install` puts in place: the tool, its man page, the shells' completions, the kernel library if it is built, and what says
# under which licences all that is. In a Python wheel (SKBUILD) the same files lie where Python's installers expect them.

include(GNUInstallDirs)
include(BillOfMaterials)
if(SKBUILD)
  set(program_dir ${SKBUILD_SCRIPTS_DIR})
  set(library_dir onnx_lower)
  set(data_dir ${SKBUILD_DATA_DIR}/share)
  set(man_dir ${data_dir}/man)
  # The licences are there already, by pyproject.toml.
  install(FILES ${bill_of_materials} DESTINATION ${SKBUILD_METADATA_DIR}/sboms)
else()
  set(program_dir ${CMAKE_INSTALL_BINDIR})
  set(library_dir ${CMAKE_INSTALL_LIBDIR}/onnx-lower/onnxruntime)  # for the runtime, which loads it by its path, and not for the linker
  set(data_dir ${CMAKE_INSTALL_DATADIR})
  set(man_dir ${CMAKE_INSTALL_MANDIR})
  install(FILES ${bill_of_materials} LICENSE THIRD_PARTY_NOTICES CHANGELOG.md DESTINATION ${data_dir}/doc/onnx-lower)
  install(FILES LICENSE DESTINATION ${data_dir}/doc/onnx-lower RENAME copyright)  # where Debian's users look for it
endif()

if(TARGET onnx-lower)
  configure_file(man/onnx-lower.1 ${PROJECT_BINARY_DIR}/man/onnx-lower.1 @ONLY)
  install(TARGETS onnx-lower RUNTIME DESTINATION ${program_dir})
  install(FILES ${PROJECT_BINARY_DIR}/man/onnx-lower.1 DESTINATION ${man_dir}/man1)
  install(FILES completions/onnx-lower.bash DESTINATION ${data_dir}/bash-completion/completions RENAME onnx-lower)
  install(FILES completions/_onnx-lower DESTINATION ${data_dir}/zsh/site-functions)
  install(FILES completions/onnx-lower.fish DESTINATION ${data_dir}/fish/vendor_completions.d)
  install(DIRECTORY schemas/ DESTINATION ${data_dir}/onnx-lower)
endif()
if(TARGET onnx-lower-verify)
  install(TARGETS onnx-lower-verify RUNTIME DESTINATION ${program_dir})  # onnx-lower looks for it beside itself
endif()
if(TARGET onnx_lower_kernels)
  install(TARGETS onnx_lower_kernels LIBRARY DESTINATION ${library_dir})
endif()
