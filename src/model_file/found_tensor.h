// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Every tensor of a message, wherever it stands.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model_file/message_kind.h"
#include "model_file/model.h"
#include "model_file/scattered_message.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

struct FoundTensor {
  Bytes wire;                   // a TensorProto
  bool sparse_indices = false;  // readers that infer shapes want to see these in the model itself
  TensorFacts facts;
};

// Calls `visit` for each tensor in a message of which the structure was checked, in the order in which they stand: initializers, sparse ones, attributes, and all of these in
// subgraphs, functions and training information. What had to be joined is kept by `model`. Throws MalformedMessage.
void for_each_tensor(Model& model, Bytes message, MessageKind kind,
                     const std::function<void(const FoundTensor&)>& visit);

// The message in a field, which is a tensor or may hold some.
struct TensorPath {
  MessageKind kind;
  // Occurs once, if it occurs at all; a second occurrence is merged with the first. Where the fields inside are repeated ones, as tensors of graphs are,
  // each occurrence can as well be looked at alone.
  bool singular = false;
  bool sparse_indices = false;
};

// Nothing where no tensor can be in the field.
std::optional<TensorPath> path_to_tensors(MessageKind parent, const ScatteredField& field);

// What the field holds, and what all later ones of its number hold that `rest` has still to read.
std::vector<Bytes> occurrences_from(const ScatteredField& field, ScatteredReader rest);

// The tensor in these bytes, which `model` keeps in one piece if they are several.
FoundTensor found_tensor(Model& model, const ScatteredBytes& bytes, bool sparse_indices);

}  // namespace onnx_lower
