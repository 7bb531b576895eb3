// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Where a model that is lowered for no runtime in particular would have far fewer nodes if it were
// lowered for one.
#pragma once

#include <vector>

#include "lowering/lowered_model.h"
#include "report/fewer_nodes.h"

namespace onnx_lower {

// Lowers the model once more for each of the runtimes that the default is for, where something in
// it became many nodes. `lowered` was lowered with these options, which name no target.
std::vector<FewerNodes> fewer_for_targets(const LoweredModel& lowered, RuleLibrary& library,
                                          const LegalizeOptions& options);

}  // namespace onnx_lower
