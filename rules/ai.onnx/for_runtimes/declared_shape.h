// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The shape that the model declares for a node's output, for operators that compute it from the
// elements of an input: some runtimes take no such input but a constant. Where the runtime takes no
// other form of a node, the declaration stands for what is not known before the model runs.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

#include "rules/body.h"
#include "types/type_knowledge.h"

namespace onnx_lower {

// Nothing unless every dimension is a number that a size can be.
inline std::optional<Ints> declared_dims(const CallSite& site, int output = 0) {
  const onnx::TensorShapeProto* shape = shape_of(site.output_type(output));
  if (shape == nullptr) return std::nullopt;
  Ints dims;
  for (const auto& dim : shape->dim()) {
    if (!dim.has_dim_value() || dim.dim_value() < 0 || dim.dim_value() > CallSite::largest_size) return std::nullopt;
    dims.push_back(dim.dim_value());
  }
  return dims;
}

inline Ints need_declared_dims(const CallSite& site, int output = 0) {
  const std::optional<Ints> dims = declared_dims(site, output);
  if (!dims) decline("the size of its result depends on values, and the model does not declare it in numbers");
  return *dims;
}

inline Ints need_dims(const CallSite& site, int input) {
  Ints dims;
  const int rank = site.need_rank(input);
  for (int axis = 0; axis < rank; ++axis) dims.push_back(site.need_dim(input, axis));
  return dims;
}

// Gives the function with a note to the user: nothing proves that the declaration is right.
inline Lowering as_declared(const Body& body, const Ints& dims) {
  onnx::FunctionProto function = body.function();
  add_assumption(function, fmt::format("its result has the shape [{}] that the model declares", fmt::join(dims, ", ")),
                 "correct the declaration or take it out of the model");
  return function;
}

// A rule for an operator that has other rules, or other forms, which go before it.
constexpr NativeRule rule_as_declared(std::string_view op_type, std::string_view attributes,
                                      Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "What only the declared shape of its result tells, where a runtime takes constants only.",
          .source = "ONNX's operator schemas",
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .lower = lower};
}

}  // namespace onnx_lower
