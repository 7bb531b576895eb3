// Why nodes could not be lowered, and what the user can do, for people.
#pragma once

#include <string>

#include "legalizer/legalize_result.h"
#include "report/terminal.h"

namespace onnx_lower {

// One paragraph for all nodes of an operator that have the same reasons; they are errors, or warnings if the user allows them.
std::string unlowered_message(const std::string& input, const LegalizeResult& result, bool allowed,
                              const Colors& colors);

// The same of a single node, without colours, without the model's name and without a newline at the end.
std::string unlowered_message(const UnloweredNode& node);

}  // namespace onnx_lower
