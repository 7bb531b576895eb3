// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Makes sparse initializers dense: onnx's checker and OpenVINO take none, whatever
// operator uses them.
#pragma once

#include <cstddef>

#include "model_file/model.h"

namespace onnx_lower {

// Replaces the sparse initializers of a graph (not of its subgraphs) by dense ones of the same
// names; returns how many there were.
// Source: SparseTensorProto in onnx.proto: `values` are the non-zero elements, `indices` either
// their linear positions or, with two dimensions, their coordinates.
// Throws InvalidInput when an index is out of the shape, or the dense tensor would not fit into
// a model file.
size_t densify_initializers(Model& model, Graph& graph);

}  // namespace onnx_lower
