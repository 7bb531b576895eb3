# Answers a search for Protobuf's package configuration with what CMake's own module finds.
include(FindProtobuf)
