// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Which release of onnx brought which IR version and which operator sets.
#pragma once

#include <cstdint>

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

// The IR version with which an element type (TensorProto.DataType) came, as far as it came after 8;
// else 0.
int64_t first_ir_version_with_type(int data_type);

struct OnnxRelease {
  int64_t ir_version;
  int64_t opset;     // of ai.onnx
  int64_t ml_opset;  // of ai.onnx.ml
};

// The newest release whose models have that IR version, or the one after where there is none.
const OnnxRelease& newest_release_of_ir(int64_t ir_version);

// The release that brought that version of ai.onnx, or the first after it; null for an opset that
// is newer than all releases.
const OnnxRelease* release_with_opset(int64_t opset);

}  // namespace onnx_lower
