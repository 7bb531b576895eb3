// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// A model's bytes as ranges. What stayed is a range of the input, and neighbouring ranges are
// merged; what is new lies in memory.
#pragma once

#include <cstdint>
#include <string>

#include "model_file/model.h"
#include "model_file/range_writer.h"

namespace onnx_lower {

struct EncodedModel {
  ByteRanges ranges;  // in order; point into the model
  uint64_t size = 0;

  // Appends a range; one that stands in memory right behind the last range becomes
  // one range with it.
  void append(Bytes bytes);
};

// The ranges live as long as the model. A model in which nothing changed is one range: the input.
EncodedModel encode_model(Model& model);

// Appends an opset import to `out` as a field of that number.
void append_opset_import(std::string& out, uint32_t number, const OpsetImport& import);

// The bytes of a node as they would be written, in one piece.
std::string encode_node(Model& model, const Node& node);
// The bytes of a graph, or of a function, in one piece.
std::string encode_graph(Model& model, const Graph& graph);

}  // namespace onnx_lower
