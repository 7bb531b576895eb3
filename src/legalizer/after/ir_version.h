// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Writes the IR version of the model: what a reader must know of the format itself. "Unsupported
// model IR version" is what runtimes say first.
#pragma once

#include <cstdint>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"

namespace onnx_lower {

// Gives the legalized model that IR version, or the lowest one above it that can say what the model
// holds: functions, initializers that are no inputs, element types. What an older one cannot say
// and runtimes do without goes, and is noted in the result: overloads, metadata and device
// configurations of nodes, initializers of newer types that nothing uses. Throws Error
// (not_lowered) when --ir-version asks for one that cannot hold the model.
void settle_ir_version(Model& model, int64_t wanted, const LegalizeOptions& options, LegalizeResult& result);

}  // namespace onnx_lower
