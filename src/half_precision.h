// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the floating-point types that have 16 bits.
#pragma once

#include <cstdint>

namespace onnx_lower {

double from_float16(uint16_t bits);
double from_bfloat16(uint16_t bits);

// The nearest number that the type has, and of two that are equally near the one with an even
// fraction; an infinity beyond the largest number.
uint16_t to_float16(double number);
uint16_t to_bfloat16(double number);

}  // namespace onnx_lower
