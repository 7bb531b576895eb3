// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/wider_types.h"

#include <algorithm>
#include <array>
#include <limits>

#include "onnx/onnx_pb.h"
#include "standard_operators/operator_role.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// They move elements, compare them, choose among them or do not look at them: any type does that
// holds all values.
constexpr std::string_view choosing[] = {
    "ArgMax",
    "ArgMin",
    "CenterCropPad",
    "Clip",
    "Compress",
    "Concat",
    "DepthToSpace",
    "Equal",
    "Expand",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Greater",
    "GreaterOrEqual",
    "Identity",
    "Less",
    "LessOrEqual",
    "Max",
    "MaxPool",
    "Min",
    "NonZero",
    "OneHot",
    "Pad",
    "ReduceMax",
    "ReduceMin",
    "Relu",
    "Reshape",
    "ReverseSequence",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "Shape",
    "Sign",
    "Size",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Tile",
    "TopK",
    "Transpose",
    "Trilu",
    "Unique",
    "Unsqueeze",
    "Where",
};

// Integers wrap, and Cast takes the low bits: what these make of wider integers has the same low
// bits. Not ReduceProd: ONNX Runtime multiplies int64 in double, which has not all bits and
// saturates. The sums of ReduceSum, which it computes so, too, stay below 2^53.
constexpr std::string_view modular[] = {
    "Abs",    "Add", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "CumSum", "Div",
    "MatMul", "Mod", "Mul",        "Neg",        "ReduceSum", "Sub",        "Sum",
};

// Of these, the codes may be of any type that holds them. What they make is not of that type.
constexpr std::string_view decoding[] = {"DequantizeLinear"};

// They do not look at elements, so that a runtime may leave out a Cast before them: ONNX Runtime
// does, and then finds no kernel of the type that the Cast was there for.
constexpr std::string_view of_shapes[] = {"Shape", "Size"};

// What these make is of the type itself, or hangs on how wide it is.
constexpr std::string_view of_the_type_itself[] = {
    "BitCast",          "BitShift",          "Cast",      "CastLike", "Constant", "ConstantOfShape", "EyeLike",
    "RandomNormalLike", "RandomUniformLike", "Bernoulli",
};

template <size_t count>
bool is_among(const std::string_view (&names)[count], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

// What `function` says of the C++ type whose values are the elements; nothing for the types whose
// extremes are infinite, or the same in every type that holds them.
template <typename Function>
std::optional<int64_t> of_integers(int element_type, const Function& function) {
  switch (element_type) {
    case TensorProto::BOOL:
      return function.template operator()<bool>();
    case TensorProto::INT8:
      return function.template operator()<int8_t>();
    case TensorProto::UINT8:
      return function.template operator()<uint8_t>();
    case TensorProto::INT16:
      return function.template operator()<int16_t>();
    case TensorProto::UINT16:
      return function.template operator()<uint16_t>();
    case TensorProto::INT32:
      return function.template operator()<int32_t>();
    case TensorProto::UINT32:
      return function.template operator()<uint32_t>();
    case TensorProto::INT64:
      return function.template operator()<int64_t>();
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> extreme(int element_type, bool least) {
  return of_integers(element_type, [least]<typename Element>() -> int64_t {
    return least ? std::numeric_limits<Element>::lowest() : std::numeric_limits<Element>::max();
  });
}

// What a Cast makes of an integer: the low bits, and true of all but 0.
std::optional<int64_t> cast_to(int element_type, int64_t number) {
  return of_integers(element_type, [number]<typename Element>() -> int64_t { return static_cast<Element>(number); });
}

// The nearest first.
template <int... listed>
constexpr std::array<int, sizeof...(listed)> types = {listed...};

}  // namespace

std::span<const int> wider_types(std::string_view op_type, int element_type) {
  const bool chooses = is_among(choosing, op_type);
  const bool looks_at_elements = chooses && !is_among(of_shapes, op_type);
  switch (element_type) {
    case TensorProto::FLOAT16:
    case TensorProto::BFLOAT16:
      if (is_among(of_the_type_itself, op_type)) return {};
      return types<TensorProto::FLOAT>;
    case TensorProto::BOOL:
      if (!chooses) return {};
      return types<TensorProto::UINT8, TensorProto::INT32, TensorProto::FLOAT>;
    case TensorProto::INT2:
    case TensorProto::INT4:
      if (!looks_at_elements && !is_among(decoding, op_type)) return {};
      return types<TensorProto::INT8, TensorProto::INT32>;
    case TensorProto::UINT2:
    case TensorProto::UINT4:
      if (!looks_at_elements && !is_among(decoding, op_type)) return {};
      return types<TensorProto::UINT8, TensorProto::INT32>;
    case TensorProto::FLOAT8E4M3FN:
    case TensorProto::FLOAT8E4M3FNUZ:
    case TensorProto::FLOAT8E5M2:
    case TensorProto::FLOAT8E5M2FNUZ:
      if (!looks_at_elements) return {};
      return types<TensorProto::FLOAT>;
    case TensorProto::INT8:
    case TensorProto::INT16:
    case TensorProto::UINT8:
    case TensorProto::UINT16:
      if (chooses) return types<TensorProto::INT32, TensorProto::INT64, TensorProto::FLOAT>;
      if (is_among(modular, op_type)) return types<TensorProto::INT32, TensorProto::INT64>;
      return {};
    case TensorProto::INT32:
    case TensorProto::UINT32:
      if (chooses) return types<TensorProto::INT64, TensorProto::DOUBLE>;
      if (is_among(modular, op_type)) return types<TensorProto::INT64>;
      return {};
    default:
      return {};
  }
}

std::span<const int> narrower_types(std::string_view op_type, int element_type) {
  if (is_among(of_the_type_itself, op_type)) return {};
  switch (element_type) {
    case TensorProto::DOUBLE:
      return types<TensorProto::FLOAT>;
    case TensorProto::INT64:
    case TensorProto::UINT32:
      return types<TensorProto::INT32, TensorProto::FLOAT>;
    case TensorProto::UINT64:
      return types<TensorProto::INT64, TensorProto::INT32, TensorProto::FLOAT>;
    default:
      return {};
  }
}

std::optional<Bound> bound_of_nothing(std::string_view op_type, int element_type, int computed_in) {
  const OperatorRole role = role_of(op_type);
  const bool is_least = role == OperatorRole::least;
  if (!is_least && role != OperatorRole::greatest && role != OperatorRole::greatest_of_windows) return std::nullopt;
  const std::optional<int64_t> own = extreme(element_type, !is_least);
  const std::optional<int64_t> found = extreme(computed_in, !is_least);
  if (!own || (found && cast_to(element_type, *found) == own)) return std::nullopt;
  return Bound{*own, is_least ? "Min" : "Max"};
}

}  // namespace onnx_lower
