# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# The fuzzers of tests/fuzz, and what replays their corpus without clang.

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
set(fuzzer_sources ${fuzz_sources})
list(FILTER fuzzer_sources EXCLUDE REGEX "/replay_main\\.cpp$")
set(replay_sources ${fuzz_sources})
list(FILTER replay_sources EXCLUDE REGEX "/fuzzer_main\\.cpp$")

function(add_fuzzed_executable name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE onnx_lower_core onnx_lower_rules)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${ONNX_LOWER_UNITY})
  if(unoptimized_headers)
    target_compile_options(${name} PRIVATE -O0)
    target_precompile_headers(${name} REUSE_FROM ${unoptimized_headers})
  else()
    target_precompile_headers(${name} REUSE_FROM onnx_lower_core)
  endif()
endfunction()

if(ONNX_LOWER_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "ONNX_LOWER_FUZZ is ON, and libFuzzer comes with clang: cmake --preset fuzz")
  endif()
  add_fuzzed_executable(onnx-lower-fuzz ${fuzzer_sources})
  target_link_options(onnx-lower-fuzz PRIVATE -fsanitize=fuzzer)
elseif(ONNX_LOWER_TESTS)
  # Only where every error is fatal it is of use; elsewhere it is but known, so that clang-tidy sees its files.
  add_fuzzed_executable(onnx-lower-replay ${replay_sources})
  if(ONNX_LOWER_SANITIZE)
    add_test(NAME onnx-lower-replay COMMAND onnx-lower-replay ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus)
  else()
    set_target_properties(onnx-lower-replay PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endif()
