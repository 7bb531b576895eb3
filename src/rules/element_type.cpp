// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/element_type.h"

#include <utility>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

constexpr std::pair<std::string_view, int> element_types[] = {
    {"float", TensorProto::FLOAT},
    {"double", TensorProto::DOUBLE},
    {"float16", TensorProto::FLOAT16},
    {"bfloat16", TensorProto::BFLOAT16},
    {"int8", TensorProto::INT8},
    {"int16", TensorProto::INT16},
    {"int32", TensorProto::INT32},
    {"int64", TensorProto::INT64},
    {"uint8", TensorProto::UINT8},
    {"uint16", TensorProto::UINT16},
    {"uint32", TensorProto::UINT32},
    {"uint64", TensorProto::UINT64},
    {"bool", TensorProto::BOOL},
    {"string", TensorProto::STRING},
    {"complex64", TensorProto::COMPLEX64},
    {"complex128", TensorProto::COMPLEX128},
    {"float8e4m3fn", TensorProto::FLOAT8E4M3FN},
    {"float8e4m3fnuz", TensorProto::FLOAT8E4M3FNUZ},
    {"float8e5m2", TensorProto::FLOAT8E5M2},
    {"float8e5m2fnuz", TensorProto::FLOAT8E5M2FNUZ},
    {"float8e8m0", TensorProto::FLOAT8E8M0},
    {"float4e2m1", TensorProto::FLOAT4E2M1},
    {"uint4", TensorProto::UINT4},
    {"int4", TensorProto::INT4},
    {"uint2", TensorProto::UINT2},
    {"int2", TensorProto::INT2},
};

}  // namespace

std::optional<int> element_type_of(std::string_view name) {
  for (const auto& [known, type] : element_types) {
    if (known == name) return type;
  }
  return std::nullopt;
}

std::string_view element_type_name(int data_type) {
  for (const auto& [name, type] : element_types) {
    if (type == data_type) return name;
  }
  return "undefined";
}

}  // namespace onnx_lower
