# What `cmake --install` puts in place: the tool, its man page, the shells' completions, and the kernel library if it is built.

include(GNUInstallDirs)
if(TARGET onnx-lower)
  configure_file(man/onnx-lower.1 ${PROJECT_BINARY_DIR}/man/onnx-lower.1 @ONLY)
  install(TARGETS onnx-lower)
  install(FILES ${PROJECT_BINARY_DIR}/man/onnx-lower.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES completions/onnx-lower.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME onnx-lower)
  install(FILES completions/_onnx-lower DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES completions/onnx-lower.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(TARGET onnx_lower_kernels)
  install(TARGETS onnx_lower_kernels LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
