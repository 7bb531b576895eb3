// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where a model has far fewer nodes for its targets if a newer opset is written, whose operators it
// lacks.
#pragma once

#include <optional>

#include "lowering/lowered_model.h"

namespace onnx_lower {

// Lowers the model once more at newer opsets that its targets take, where weights stay in as few
// bits there as they are stored in; or where a node became many nodes that become a tenth there,
// and the model no larger. The oldest opset at which this is so is written. Nothing where none is
// better, and where the user says which opset to write. `before` was lowered with these options.
// The result's warnings tell of the opset.
std::optional<LoweredModel> at_newer_opset(const LoweredModel& before, RuleLibrary& library,
                                           const LegalizeOptions& options);

}  // namespace onnx_lower
