// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds every tensor of a message, and moves the elements of a model's tensors to other places.
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
  bool sparse_indices = false;  // in the model these are kept, as shape inference reads them
  TensorFacts facts;
};

// Calls `visit` for each tensor in a message whose structure has been checked, in the order in
// which they stand: initializers, sparse initializers, attributes, and all of these in subgraphs,
// functions and training information. If the ranges of a tensor had to be joined, `model` keeps the
// copy. Throws MalformedMessage.
void for_each_tensor(Model& model, Bytes message, MessageKind kind,
                     const std::function<void(const FoundTensor&)>& visit);

// Where the elements of a tensor are to be.
struct ElementsPlace {
  enum class Kind : uint8_t { as_they_are, in_the_model, in_a_file };
  Kind kind = Kind::as_they_are;
  Bytes elements = {};        // raw data, for in_the_model
  std::string location = {};  // this and the members below: for in_a_file
  uint64_t offset = 0;
  std::optional<uint64_t> length = {};  // nothing: no length is written
};

using ChooseElementsPlace = std::function<ElementsPlace(const FoundTensor&)>;

// The model with the elements of its tensors in the places that `choose` returns. Everything else
// keeps its bytes. The ranges of the result point to those of `encoded`, to the elements that
// `choose` returned, and to memory of `model`, which keeps what is new.
EncodedModel rewrite_tensors(Model& model, const EncodedModel& encoded, const ChooseElementsPlace& choose);

}  // namespace onnx_lower
