# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

# Answers a search for Protobuf's package configuration with what CMake's own module finds.
include(FindProtobuf)
