// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Parses values of options that are about parts of a model.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "legalizer/legalize_options.h"
#include "run_options.h"

namespace onnx_lower {

// The value of --set: DOMAIN::OP.ATTRIBUTE=VALUE or node:NAME.ATTRIBUTE=VALUE. VALUE is an integer,
// a float (1.5, 1e-3, inf, nan), a string (in quotes where it would read as something else), or a
// list of these with commas (1,1 or [1]). Throws UsageError.
AttributeSetting parse_attribute_setting(std::string_view text);

// The value of --keep, --attach or --without (`option`, for the message): DOMAIN, DOMAIN::OP, or
// an operator of ONNX. Throws UsageError.
OperatorPattern parse_operator_pattern(std::string_view option, std::string_view text);

// One operator, as --as and --new-rule (`option`, for the message) name it: DOMAIN::OP, or OP
// without a domain. Throws UsageError.
OperatorPattern parse_operator(std::string_view option, std::string_view text);

// The value of --as: OP=OP, each DOMAIN::OP or an operator without a domain. Throws UsageError.
OperatorReading parse_reading(std::string_view text);

// The value of --without: operators of ONNX (Einsum), operators of other domains (DOMAIN::OP) and
// whole domains, with commas between them. Throws UsageError.
std::vector<WithoutOperator> parse_without(std::string_view text);

// The value of --input-shape: NAME:1,3,224,224, with ? for a dimension that stays as it is; NAME:
// alone is a scalar. Throws UsageError.
InputShape parse_input_shape(std::string_view text);

// The value of --dim: NAME=N. Throws UsageError.
NamedDimension parse_named_dimension(std::string_view text);

// The value of --input-value: NAME=VALUE. VALUE is an element of a tensor (16000, 0.5, true, text
// that may stand in quotes) or a list of these with commas (1,1 or [1]). Throws UsageError.
InputValue parse_input_value(std::string_view text);

// What the report is written as, by the ending of its name. A name without an ending is that of a
// pipe or a device, mostly. Nothing for other endings.
std::optional<ReportFormat> report_format(const std::string& path);
// Throws UsageError where that is nothing. To be called when it is known that the report would not
// stand in the place of another file of the run, as that is the worse mistake.
void check_report_name(const std::string& path);

// Throws UsageError where the name of an output ends as those of another format do, and says what
// makes a file of that format from the written model.
void refuse_other_formats(const std::string& output);

}  // namespace onnx_lower
