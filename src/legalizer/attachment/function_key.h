// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Tells, without making it, which function --attach makes for a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model_file/model.h"
#include "model_file/wire.h"
#include "onnx/onnx_pb.h"
#include "rules/text/form.h"

namespace onnx_lower {

// All that the function of a call is made of, as bytes: calls with equal bytes get one function. To
// make the function itself for each of a hundred thousand calls would take most of the time.
class FunctionKey {
 public:
  FunctionKey(const Model& model, const Node& call);

  void number(uint64_t number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
  void text(std::string_view text) {
    number(text.size());
    bytes_.append(text);
  }
  // Adds what the function's signature is made of.
  void add(const Form& form, const onnx::NodeProto& message);
  // Adds a node of the function. False when the node holds subgraphs, in which there can
  // be any names.
  bool add(const Node& node);

  const std::string& bytes() const { return bytes_; }

 private:
  void value(ValueId value);
  void attribute(const WireField& whole);

  const Model& model_;
  const Node& call_;
  std::string prefix_;
  // The call's outputs and then its inputs, each with its index in that list; sorted by value.
  std::vector<std::pair<ValueId, size_t>> places_;
  std::string bytes_;
};

}  // namespace onnx_lower
