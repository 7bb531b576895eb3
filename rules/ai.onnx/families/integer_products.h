// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Sums of products of integers of 8 bits, by products of floats, for runtimes that have none of
// int32. A sum of integers is exact in float as long as it stays below 2^24. A difference of bytes
// has 8 digits and a sign, so that the sum of a few hundred products is. Where there are more, the
// numbers of one factor are split into halves of four digits, and the other's too where that does
// not suffice; the sums of the halves' products are put together as int32.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rules/body.h"

namespace onnx_lower {

// The rule declines where so many products cannot be added up exactly.
void expect_exact_sums(int64_t products);

// An integer of 8 bits, less its zero point if that is not empty, as float. `zero_shape` is what
// the zero point is reshaped to before; without dimensions it is one number.
std::string steps_from_zero(Body& body, const std::string& value, const std::string& zero, const Ints& zero_shape);

// Two values of steps_from_zero(), of which `multiply` makes the node of float that adds up so many
// products for each element of its result: gives the sums as int32.
std::string sums_of_products(Body& body, const std::string& image, const std::string& filter, int64_t products,
                             const std::function<std::string(const std::string&, const std::string&)>& multiply);

}  // namespace onnx_lower
