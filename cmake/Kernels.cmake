# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# The kernel library for ONNX Runtime: onnx_lower_kernels, when ONNX_LOWER_KERNELS asks for it. It needs the runtime's C++ headers
# and nothing else of ours: no onnx, no protobuf.

include(OnnxruntimeHeaders)

set(cuda_kernel_sources "")
if(ONNX_LOWER_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "ONNX_LOWER_CUDA is ON, and there is no CUDA compiler: "
      "install the CUDA toolkit, name its nvcc with -DCMAKE_CUDA_COMPILER=PATH, or do without: -DONNX_LOWER_CUDA=OFF")
  endif()
  enable_language(CUDA)
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # Before 3.26, CMake does not know that nvcc has it.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
  endif()
  file(GLOB cuda_kernel_sources CONFIGURE_DEPENDS kernels/*/*.cu)
endif()

configure_file(cmake/kernel_names.cpp.in ${generated_dir}/kernel_names.cpp @ONLY)
file(GLOB kernel_library_sources CONFIGURE_DEPENDS kernels/library/*.cpp)
add_library(onnx_lower_kernels MODULE ${kernel_sources} ${cuda_kernel_sources} ${kernel_library_sources} ${generated_dir}/kernel_names.cpp)
# By this a file registers its operator under the names that the table has for the file.
foreach(source IN LISTS kernel_sources cuda_kernel_sources)
  string(REGEX MATCH "([^/]+/[^/]+)\\.(cpp|cu)$" _ ${source})
  set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS ONNX_LOWER_KERNEL="${CMAKE_MATCH_1}")
endforeach()
target_include_directories(onnx_lower_kernels PRIVATE kernels)
target_include_directories(onnx_lower_kernels SYSTEM PRIVATE ${ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR})
set_target_properties(onnx_lower_kernels PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_libraries(onnx_lower_kernels PRIVATE onnx_lower_sanitizers)
# Loops over elements are what it consists of. No contraction: a fused product has other digits than the operators' definitions.
target_compile_options(onnx_lower_kernels PRIVATE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -ffp-contract=off $<$<CONFIG:Release,RelWithDebInfo>:-O3>>
  $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false>)
if(ONNX_LOWER_CUDA)
  set_target_properties(onnx_lower_kernels PROPERTIES
    CUDA_VISIBILITY_PRESET hidden CUDA_RUNTIME_LIBRARY Static)
endif()
target_link_options(onnx_lower_kernels PRIVATE -Wl,--no-undefined)
