// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Parses values of options that are about parts of a model.
#pragma once

#include <string_view>

#include "legalizer/legalize_options.h"

namespace onnx_lower {

// The value of --set: DOMAIN::OP.ATTRIBUTE=VALUE or node:NAME.ATTRIBUTE=VALUE. VALUE is an integer,
// a float (1.5, 1e-3, inf, nan), a string (in quotes where it would read as something else), or a
// list of these with commas (1,1 or [1]). Throws UsageError.
AttributeSetting parse_attribute_setting(std::string_view text);

// The value of --keep or --attach (`option`, for the message): DOMAIN
// or DOMAIN::OP. Throws UsageError.
OperatorPattern parse_operator_pattern(std::string_view option, std::string_view text);

// The value of --input-shape: NAME:1,3,224,224, with ? for a dimension that stays as it is; NAME:
// alone is a scalar. Throws UsageError.
InputShape parse_input_shape(std::string_view text);

// The value of --dim: NAME=N. Throws UsageError.
NamedDimension parse_named_dimension(std::string_view text);

// The value of --input-value: NAME=VALUE. VALUE is an element of a tensor (16000, 0.5, true, text
// that may stand in quotes) or a list of these with commas (1,1 or [1]). Throws UsageError.
InputValue parse_input_value(std::string_view text);

}  // namespace onnx_lower
