// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The IR version of the written model: what a reader must know of the format itself. "Unsupported
// model IR version" is what runtimes say first.
#pragma once

#include <cstdint>

#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "model_file/model.h"

namespace onnx_lower {

// The IR versions with which something came. Before free initializers, each initializer had to be
// an input of its graph as well.
namespace first_ir_version {
constexpr int64_t with_free_initializers = 4;
constexpr int64_t with_functions = 8;
constexpr int64_t with_default_attributes = 9;
constexpr int64_t with_overloads = 10;
constexpr int64_t with_node_metadata = 10;
}  // namespace first_ir_version

// One of onnx's releases.
struct OnnxRelease {
  int64_t ir_version;
  int64_t opset;     // of ai.onnx
  int64_t ml_opset;  // of ai.onnx.ml
};

// The newest release whose models have that IR version, or the one after where there is none.
const OnnxRelease& newest_release_of_ir(int64_t ir_version);

// What the options ask for: --ir-version, or else with --target-opset the IR version of the release
// that brought the opset, if that is lower than the model's.
int64_t wanted_ir_version(const Model& model, const LegalizeOptions& options);

// Gives the legalized model that IR version, or the lowest one above it that can say what the model
// holds: functions, initializers that are no inputs, element types. What an older one cannot say
// and runtimes do without goes, and is noted in the result: overloads, metadata and device
// configurations of nodes, initializers of newer types that nothing uses. Throws Error
// (not_lowered) when --ir-version asks for one that cannot hold the model.
void settle_ir_version(Model& model, int64_t wanted, const LegalizeOptions& options, LegalizeResult& result);

}  // namespace onnx_lower
