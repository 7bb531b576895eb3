// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Settles the IR version of the model: what a reader must know of the format itself. It is the
// first thing that runtimes refuse ("Unsupported model IR version").
#pragma once

#include <cstdint>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"

namespace onnx_lower {

// Gives the legalized model the IR version `wanted`, or the lowest one above it that can hold the
// model: its functions, initializers that are no inputs, and element types. What that version
// cannot hold and runtimes do without is dropped, and noted in the result: overloads, metadata and
// device configurations of nodes, initializers of newer types that nothing uses. Throws Error
// (not_lowered) when --ir-version asks for a version that cannot hold the model.
void settle_ir_version(Model& model, int64_t wanted, const LegalizeOptions& options, LegalizeResult& result);

}  // namespace onnx_lower
