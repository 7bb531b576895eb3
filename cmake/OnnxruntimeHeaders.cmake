# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# The folder of ONNX Runtime's headers, ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR, for the kernel library and for onnx-lower-verify.

set(onnxruntime_headers ${PROJECT_BINARY_DIR}/onnxruntime-headers)
find_path(ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR onnxruntime_cxx_api.h
  HINTS ${onnxruntime_headers} PATH_SUFFIXES onnxruntime onnxruntime/core/session
  DOC "The folder of onnxruntime_cxx_api.h")
if(NOT ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR)
  message(STATUS "Downloading ONNX Runtime's headers")
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/fetch_onnxruntime_headers ${onnxruntime_headers} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The kernels and onnx-lower-verify need the C and C++ headers of ONNX Runtime, 1.17 or newer: name their folder with "
      "-DONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR=DIR, or do without both: -DONNX_LOWER_KERNELS=OFF -DONNX_LOWER_VERIFY=OFF")
  endif()
  set(ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR ${onnxruntime_headers} CACHE PATH "The folder of onnxruntime_cxx_api.h" FORCE)
endif()
