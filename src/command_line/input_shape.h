// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values of --input-shape and --dim.
#pragma once

#include <string_view>

#include "legalizer/legalize_options.h"

namespace onnx_lower {

// NAME:1,3,224,224, with ? for a dimension that stays as it is; NAME: alone is a scalar. Throws UsageError.
InputShape parse_input_shape(std::string_view text);

// NAME=N. Throws UsageError.
NamedDimension parse_named_dimension(std::string_view text);

}  // namespace onnx_lower
