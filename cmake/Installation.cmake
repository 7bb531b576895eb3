# What `cmake --install` puts in place: the tool, its man page and the shells' completions.

include(GNUInstallDirs)
if(TARGET onnx-lower)
  install(TARGETS onnx-lower)
endif()
