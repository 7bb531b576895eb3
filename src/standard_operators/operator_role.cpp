// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/operator_role.h"

#include <algorithm>
#include <array>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

struct Role {
  std::string_view op_type;
  OperatorRole role;
};

constexpr std::array<Role, 25> roles = {{{"Constant", OperatorRole::constant},
                                         {"Identity", OperatorRole::identity},
                                         {"Cast", OperatorRole::cast},
                                         {"CastLike", OperatorRole::cast_like},
                                         {"SequenceConstruct", OperatorRole::sequence_construct},
                                         {"SequenceEmpty", OperatorRole::sequence_empty},
                                         {"SequenceAt", OperatorRole::sequence_at},
                                         {"If", OperatorRole::conditional},
                                         {"Loop", OperatorRole::loop},
                                         {"Scan", OperatorRole::scan},
                                         {"SequenceMap", OperatorRole::sequence_map},
                                         {"Shape", OperatorRole::shape},
                                         {"Size", OperatorRole::shape},
                                         {"EyeLike", OperatorRole::shape},
                                         {"ReduceMax", OperatorRole::greatest},
                                         {"ReduceMin", OperatorRole::least},
                                         {"MaxPool", OperatorRole::greatest_of_windows},
                                         {"Transpose", OperatorRole::transpose},
                                         {"Reshape", OperatorRole::reshape},
                                         {"And", OperatorRole::logical_and},
                                         {"Greater", OperatorRole::greater},
                                         {"Less", OperatorRole::less},
                                         {"GRU", OperatorRole::recurrent},
                                         {"LSTM", OperatorRole::recurrent},
                                         {"RNN", OperatorRole::recurrent}}};

constexpr int float32 = onnx::TensorProto::FLOAT;
constexpr int uint8 = onnx::TensorProto::UINT8;

constexpr std::array<TypeAttribute, 16> type_attributes = {{{"Bernoulli", "dtype", 0, 0},
                                                            {"BitCast", "to"},
                                                            {"BlackmanWindow", "output_datatype", float32},
                                                            {"Cast", "to"},
                                                            {"ConstantOfShape", "value", float32},
                                                            {"DequantizeLinear", "output_dtype", 0, 1},
                                                            {"EyeLike", "dtype", 0, 0},
                                                            {"HammingWindow", "output_datatype", float32},
                                                            {"HannWindow", "output_datatype", float32},
                                                            {"MelWeightMatrix", "output_datatype", float32},
                                                            {"Multinomial", "dtype", onnx::TensorProto::INT32},
                                                            {"QuantizeLinear", "output_dtype", uint8, 2},
                                                            {"RandomNormal", "dtype", float32},
                                                            {"RandomNormalLike", "dtype", 0, 0},
                                                            {"RandomUniform", "dtype", float32},
                                                            {"RandomUniformLike", "dtype", 0, 0}}};

}  // namespace

OperatorRole role_of(std::string_view op_type) {
  const auto found = std::ranges::find(roles, op_type, &Role::op_type);
  return found == roles.end() ? OperatorRole::none : found->role;
}

const TypeAttribute* type_attribute_of(std::string_view op_type) {
  const auto found = std::ranges::find(type_attributes, op_type, &TypeAttribute::op_type);
  return found == type_attributes.end() ? nullptr : &*found;
}

}  // namespace onnx_lower
