# What `cmake --install` puts in place: the tool, its man page and the shells' completions.

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
