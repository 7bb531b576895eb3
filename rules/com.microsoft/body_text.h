// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The text of an ONNX function, put together line by line, for native rules whose body depends on the call site.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/native_rule.h"

namespace onnx_lower {

// A float as the text parser takes it: always with a point or an exponent, else it would be an integer.
inline std::string float_text(double value) {
  std::string text = fmt::format("{}", static_cast<float>(value));
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

class BodyText {
 public:
  // The formal parameters stand for the node's by position; the first output_count of `outputs` are those that the node has.
  BodyText(std::string_view domain, std::string_view op_type, std::vector<std::string> inputs,
           std::vector<std::string> outputs, int opset)
      : domain_(domain), op_type_(op_type), inputs_(std::move(inputs)), outputs_(std::move(outputs)), opset_(opset) {}

  // One node: `y = Add (x, b)`.
  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    body_ += "  " + fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  // A name that no other call for the same stem gives.
  std::string fresh(std::string_view stem) { return fmt::format("{}_{}", stem, ++count_); }

  // A constant list of integers, or an integer of rank 0.
  std::string ints(const std::vector<int64_t>& values, std::string_view stem = "ints") {
    const std::string name = fresh(stem);
    line("{} = Constant <value = int64[{}] {{{}}}> ()", name, values.size(), fmt::join(values, ", "));
    return name;
  }
  std::string scalar(int64_t value, std::string_view stem = "scalar") {
    const std::string name = fresh(stem);
    line("{} = Constant <value = int64 {{{}}}> ()", name, value);
    return name;
  }
  std::string float_scalar(double value, std::string_view stem = "number") {
    const std::string name = fresh(stem);
    line("{} = Constant <value = float {{{}}}> ()", name, float_text(value));
    return name;
  }
  // Says that every value that scalar_like is given is known to be float.
  void all_are_float(bool known) { all_are_float_ = known; }
  // A number of rank 0 with the type of another value.
  std::string scalar_like(double value, std::string_view like, std::string_view stem = "number") {
    const std::string number = float_scalar(value, stem);
    if (all_are_float_) return number;
    const std::string name = fresh(stem);
    line("{} = CastLike ({}, {})", name, number, like);
    return name;
  }
  // Dimension `axis` of a value, computed when the model runs: of rank 0, or as a list of one.
  std::string dim(std::string_view of, int axis) {
    const std::string shape = fresh("shape");
    const std::string index = scalar(axis, "axis");
    const std::string name = fresh("dim");
    line("{} = Shape ({})", shape, of);
    line("{} = Gather <axis = 0> ({}, {})", name, shape, index);
    return name;
  }
  std::string dim_list(std::string_view of, int axis) {
    const std::string shape = fresh("shape");
    const std::string index = ints({axis}, "axis");
    const std::string name = fresh("dim");
    line("{} = Shape ({})", shape, of);
    line("{} = Gather <axis = 0> ({}, {})", name, shape, index);
    return name;
  }
  std::string unsqueeze(std::string_view value, const std::vector<int64_t>& axes,
                        std::string_view stem = "unsqueezed") {
    const std::string list = ints(axes, "axes");
    const std::string name = fresh(stem);
    line("{} = Unsqueeze ({}, {})", name, value, list);
    return name;
  }
  std::string reshape(std::string_view value, const std::vector<int64_t>& shape, std::string_view stem = "reshaped") {
    const std::string list = ints(shape, "shape");
    const std::string name = fresh(stem);
    line("{} = Reshape ({}, {})", name, value, list);
    return name;
  }
  std::string transpose(std::string_view value, const std::vector<int64_t>& perm,
                        std::string_view stem = "transposed") {
    const std::string name = fresh(stem);
    line("{} = Transpose <perm = [{}]> ({})", name, fmt::join(perm, ", "), value);
    return name;
  }
  // The elements from `start` to before `end` along one axis.
  std::string slice(std::string_view value, int64_t start, int64_t end, int64_t axis, std::string_view stem = "slice") {
    const std::string starts = ints({start}, "start");
    const std::string ends = ints({end}, "end");
    const std::string axes = ints({axis}, "axis");
    const std::string name = fresh(stem);
    line("{} = Slice ({}, {}, {}, {})", name, value, starts, ends, axes);
    return name;
  }

  onnx::FunctionProto function(std::string_view other_domain = "") const {
    const std::string import = other_domain.empty() ? "" : fmt::format(", \"{}\" : 1", other_domain);
    return function_from_text(fmt::format("<domain: \"{}\", opset_import: [\"\" : {}{}]>\n{} ({}) => ({}) {{\n{}}}\n",
                                          domain_, opset_, import, op_type_, fmt::join(inputs_, ", "),
                                          fmt::join(outputs_, ", "), body_));
  }

 private:
  std::string domain_;
  std::string op_type_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  int opset_;
  int count_ = 0;
  bool all_are_float_ = false;
  std::string body_;
};

// `name, "", other` for as many of `names` as the node has: its formal parameters.
inline std::vector<std::string> first_names(std::initializer_list<std::string_view> names, int count) {
  std::vector<std::string> first(names.begin(), names.end());
  if (count < static_cast<int>(first.size())) first.resize(count);
  return first;
}

// Copies attributes of the node, so far as it has them, to the function's one node of that operator.
inline void copy_attributes(const CallSite& site, std::initializer_list<std::string_view> names,
                            std::string_view op_type, onnx::FunctionProto& function) {
  for (onnx::NodeProto& node : *function.mutable_node()) {
    if (node.op_type() != op_type) continue;
    for (const std::string_view name : names) {
      if (const onnx::AttributeProto* attribute = site.attribute(name)) *node.add_attribute() = *attribute;
    }
  }
}

// Gives the function's one node of that operator a list of integers as attribute.
inline void add_ints(onnx::FunctionProto& function, std::string_view op_type, std::string_view name,
                     const std::vector<int64_t>& values) {
  for (onnx::NodeProto& node : *function.mutable_node()) {
    if (node.op_type() != op_type) continue;
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(std::string(name));
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.mutable_ints()->Assign(values.begin(), values.end());
  }
}

}  // namespace onnx_lower
