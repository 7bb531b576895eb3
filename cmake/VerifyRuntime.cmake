# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# onnx-lower-verify: the program that loads ONNX Runtime for --verify. A program that is linked statically, as onnx-lower is, cannot load
# a library. Of ONNX Runtime it needs the C header, and the library when it runs.

include(OnnxruntimeHeaders)
# NumPy's .npz may be compressed. Linked into the program, so that it needs nothing but the C library.
set(ZLIB_USE_STATIC_LIBS ON)
find_package(ZLIB REQUIRED)

# All but main, for the tests, too. No precompiled header: it takes longer to make than these files.
set(older_glibc ${PROJECT_SOURCE_DIR}/src/verify_runtime/older_glibc.cpp)
list(REMOVE_ITEM verify_runtime_sources ${PROJECT_SOURCE_DIR}/src/verify_runtime/main.cpp ${older_glibc})
add_library(onnx_lower_verify_parts OBJECT ${verify_runtime_sources})
target_link_libraries(onnx_lower_verify_parts PUBLIC onnx_lower_options onnx_lower_fmt nlohmann_json::nlohmann_json ZLIB::ZLIB ${CMAKE_DL_LIBS})
target_include_directories(onnx_lower_verify_parts SYSTEM PUBLIC ${ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR})

add_executable(onnx-lower-verify src/verify_runtime/main.cpp src/half_precision.cpp src/model_file/wire.cpp)
target_link_libraries(onnx-lower-verify PRIVATE onnx_lower_verify_parts Threads::Threads)
if(NOT ONNX_LOWER_SANITIZE)
  target_link_options(onnx-lower-verify PRIVATE -static-libstdc++ -static-libgcc)
  # So that it runs with older glibc, too: it is in the wheel and in the archive, which are for most Linux systems.
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("
    #include <dlfcn.h>
    #if !defined __GLIBC__ || !(defined __x86_64__ || defined __aarch64__)
    #error another C library, or another processor
    #endif
    int main() { dl_find_object found; return sizeof found == 0; }" ONNX_LOWER_BINDS_OLDER_GLIBC)
  if(ONNX_LOWER_BINDS_OLDER_GLIBC)
    target_sources(onnx-lower-verify PRIVATE ${older_glibc})
    foreach(function dladdr dlerror dlopen dlsym pthread_create pthread_join pthread_once __pthread_key_create stat fstat fstat64 __libc_start_main)
      target_link_options(onnx-lower-verify PRIVATE -Wl,--wrap=${function})
    endforeach()
    # Which have these functions where glibc is older than 2.34.
    target_link_options(onnx-lower-verify PRIVATE -Wl,--push-state,--no-as-needed,-l:libpthread.so.0,-l:libdl.so.2,--pop-state)
  endif()
endif()
