// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Every tensor of a message, wherever it stands, and other places for the elements of a model's
// tensors.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model_file/encode_model.h"
#include "model_file/message_kind.h"
#include "model_file/model.h"
#include "model_file/tensor_skeleton.h"

namespace onnx_lower {

struct FoundTensor {
  Bytes wire;                   // a TensorProto
  bool sparse_indices = false;  // readers that infer shapes want to see these in the model itself
  TensorFacts facts;
};

// Calls `visit` for each tensor in a message of which the structure was checked, in the order in
// which they stand: initializers, sparse ones, attributes, and all of these in subgraphs, functions
// and training information. What had to be joined is kept by `model`. Throws MalformedMessage.
void for_each_tensor(Model& model, Bytes message, MessageKind kind,
                     const std::function<void(const FoundTensor&)>& visit);

// Where the elements of a tensor shall be.
struct ElementsPlace {
  enum class Kind : uint8_t { as_they_are, in_the_model, in_a_file };
  Kind kind = Kind::as_they_are;
  Bytes elements = {};        // as raw data; of in_the_model
  std::string location = {};  // of in_a_file, like those below
  uint64_t offset = 0;
  std::optional<uint64_t> length = {};  // left out where there is none
};

using ChooseElementsPlace = std::function<ElementsPlace(const FoundTensor&)>;

// The model with the elements of its tensors in the places that `choose` gives them. Everything
// else keeps its bytes; the ranges of the result point to those of `encoded`, to the elements that
// `choose` gave, and into `model`, which keeps what is new.
EncodedModel rewrite_tensors(Model& model, const EncodedModel& encoded, const ChooseElementsPlace& choose);

}  // namespace onnx_lower
