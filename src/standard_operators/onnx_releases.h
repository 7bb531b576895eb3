// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which release of onnx introduced which IR version and which operator sets.
#pragma once

#include <cstdint>

namespace onnx_lower {

// The IR versions that introduced something. Before free initializers, each initializer had to be
// an input of its graph as well.
namespace first_ir_version {
constexpr int64_t with_free_initializers = 4;
constexpr int64_t with_functions = 8;
constexpr int64_t with_default_attributes = 9;
constexpr int64_t with_overloads = 10;
constexpr int64_t with_node_metadata = 10;
}  // namespace first_ir_version

// The IR version that introduced an element type (TensorProto.DataType), if that is newer
// than 8; else 0.
int64_t first_ir_version_with_type(int data_type);

struct OnnxRelease {
  int64_t ir_version;
  int64_t opset;     // of ai.onnx
  int64_t ml_opset;  // of ai.onnx.ml
};

// The newest release whose models have that IR version; if there is none, the release after it.
const OnnxRelease& newest_release_of_ir(int64_t ir_version);

// The release that introduced that version of ai.onnx, or the first one after it; null for an opset
// that is newer than all releases.
const OnnxRelease* release_with_opset(int64_t opset);

}  // namespace onnx_lower
