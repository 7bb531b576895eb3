// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The attributes that the user gives to nodes with --set.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "legalizer/legalize_options.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

class AttributeSettings {
 public:
  // `settings` must outlive this.
  explicit AttributeSettings(const std::vector<AttributeSetting>& settings) : settings_(settings) {}

  // Sets the attributes that --set gives to the node's operator, or to the node called `name`, in
  // place of attributes of the same names. False when there are none.
  bool apply(onnx::NodeProto& node, std::string_view name);

  // A mark is the number of times that a setting was put onto a node; give_back(mark) forgets
  // those since then.
  size_t mark() const { return used_.size(); }
  void give_back(size_t mark) { used_.resize(mark); }

  // The settings that no node got, as the user gave them.
  std::vector<std::string> unused() const;

 private:
  const std::vector<AttributeSetting>& settings_;
  std::vector<size_t> used_;  // indices into settings_, in the order of use
};

}  // namespace onnx_lower
