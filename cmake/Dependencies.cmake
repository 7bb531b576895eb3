# Protobuf, onnx, fmt, CLI11 and nlohmann-json, gathered in the target onnx_lower_dependencies.

set(Protobuf_USE_STATIC_LIBS ON)
find_package(Protobuf REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
include(Onnx)

add_library(onnx_lower_dependencies INTERFACE)
target_link_libraries(onnx_lower_dependencies INTERFACE
  onnx_lower_onnx protobuf::libprotobuf fmt::fmt-header-only CLI11::CLI11 nlohmann_json::nlohmann_json Threads::Threads)

# A shared-only protobuf or a C library without static-pie support leaves us with an ordinary link.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
set(CMAKE_REQUIRED_LIBRARIES protobuf::libprotobuf)
check_cxx_source_compiles(
  "#include <google/protobuf/stubs/common.h>\nint main() { GOOGLE_PROTOBUF_VERIFY_VERSION; }" ONNX_LOWER_STATIC_PIE_LINKS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
unset(CMAKE_REQUIRED_LIBRARIES)
