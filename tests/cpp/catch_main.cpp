// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The test program's main function, which is Catch2's own.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
