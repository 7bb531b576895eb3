// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The values of the attributes that a rule's body refers to.
#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

class AttributeBinding {
 public:
  // Makes the binding as a new one, but keeps its memory. `as_references`: each value that add() is
  // given is bound as the value together with a reference to the attribute of that name. The
  // reference stands in the place of the value where the body becomes a function (see Attachment).
  void clear(bool as_references) {
    as_references_ = as_references;
    values_.clear();
    owned_.clear();
    by_name_.clear();
  }

  // The value of the form's attribute; nullptr where the node does not have it and there is no
  // default: then the body's attribute that refers to it is left out, too.
  const onnx::AttributeProto* find(std::string_view name) const;
  // Of two values of one name, the first one counts.
  void add_owned(std::string_view name, onnx::AttributeProto value);
  // The same for a value that outlives the binding.
  void add(std::string_view name, const onnx::AttributeProto& value);

 private:
  void insert(std::string_view name, const onnx::AttributeProto& value);

  bool as_references_ = false;
  std::vector<std::pair<std::string_view, const onnx::AttributeProto*>> values_;
  std::vector<std::unique_ptr<onnx::AttributeProto>> owned_;
  // The same by name, filled when there are more than a few: a node can have any
  // number of attributes.
  std::unordered_map<std::string_view, const onnx::AttributeProto*> by_name_;
};

}  // namespace onnx_lower
