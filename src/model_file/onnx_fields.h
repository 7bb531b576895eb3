// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of the fields of onnx.proto that are read and written on the wire.
#pragma once

#include <cstdint>

#include "onnx/onnx_pb.h"

namespace onnx_lower::field {

struct Model {
  static constexpr uint32_t ir_version = onnx::ModelProto::kIrVersionFieldNumber;
  static constexpr uint32_t graph = onnx::ModelProto::kGraphFieldNumber;
  static constexpr uint32_t opset_import = onnx::ModelProto::kOpsetImportFieldNumber;
  static constexpr uint32_t functions = onnx::ModelProto::kFunctionsFieldNumber;
  static constexpr uint32_t training_info = onnx::ModelProto::kTrainingInfoFieldNumber;
};

struct TrainingInfo {
  static constexpr uint32_t initialization = onnx::TrainingInfoProto::kInitializationFieldNumber;
  static constexpr uint32_t algorithm = onnx::TrainingInfoProto::kAlgorithmFieldNumber;
};

struct OpsetId {
  static constexpr uint32_t domain = onnx::OperatorSetIdProto::kDomainFieldNumber;
  static constexpr uint32_t version = onnx::OperatorSetIdProto::kVersionFieldNumber;
};

struct Graph {
  static constexpr uint32_t node = onnx::GraphProto::kNodeFieldNumber;
  static constexpr uint32_t name = onnx::GraphProto::kNameFieldNumber;
  static constexpr uint32_t initializer = onnx::GraphProto::kInitializerFieldNumber;
  static constexpr uint32_t input = onnx::GraphProto::kInputFieldNumber;
  static constexpr uint32_t output = onnx::GraphProto::kOutputFieldNumber;
  static constexpr uint32_t value_info = onnx::GraphProto::kValueInfoFieldNumber;
  static constexpr uint32_t sparse_initializer = onnx::GraphProto::kSparseInitializerFieldNumber;
};

struct Function {
  static constexpr uint32_t name = onnx::FunctionProto::kNameFieldNumber;
  static constexpr uint32_t input = onnx::FunctionProto::kInputFieldNumber;
  static constexpr uint32_t output = onnx::FunctionProto::kOutputFieldNumber;
  static constexpr uint32_t node = onnx::FunctionProto::kNodeFieldNumber;
  static constexpr uint32_t opset_import = onnx::FunctionProto::kOpsetImportFieldNumber;
  static constexpr uint32_t domain = onnx::FunctionProto::kDomainFieldNumber;
  static constexpr uint32_t overload = onnx::FunctionProto::kOverloadFieldNumber;
  static constexpr uint32_t attribute_proto = onnx::FunctionProto::kAttributeProtoFieldNumber;
};

struct Node {
  static constexpr uint32_t input = onnx::NodeProto::kInputFieldNumber;
  static constexpr uint32_t output = onnx::NodeProto::kOutputFieldNumber;
  static constexpr uint32_t name = onnx::NodeProto::kNameFieldNumber;
  static constexpr uint32_t op_type = onnx::NodeProto::kOpTypeFieldNumber;
  static constexpr uint32_t domain = onnx::NodeProto::kDomainFieldNumber;
  static constexpr uint32_t overload = onnx::NodeProto::kOverloadFieldNumber;
  static constexpr uint32_t attribute = onnx::NodeProto::kAttributeFieldNumber;
  static constexpr uint32_t doc_string = onnx::NodeProto::kDocStringFieldNumber;
  static constexpr uint32_t metadata_props = onnx::NodeProto::kMetadataPropsFieldNumber;
};

struct Attribute {
  static constexpr uint32_t name = onnx::AttributeProto::kNameFieldNumber;
  static constexpr uint32_t type = onnx::AttributeProto::kTypeFieldNumber;
  static constexpr uint32_t ref_attr_name = onnx::AttributeProto::kRefAttrNameFieldNumber;
  static constexpr uint32_t f = onnx::AttributeProto::kFFieldNumber;
  static constexpr uint32_t i = onnx::AttributeProto::kIFieldNumber;
  static constexpr uint32_t s = onnx::AttributeProto::kSFieldNumber;
  static constexpr uint32_t t = onnx::AttributeProto::kTFieldNumber;
  static constexpr uint32_t g = onnx::AttributeProto::kGFieldNumber;
  static constexpr uint32_t tp = onnx::AttributeProto::kTpFieldNumber;
  static constexpr uint32_t floats = onnx::AttributeProto::kFloatsFieldNumber;
  static constexpr uint32_t ints = onnx::AttributeProto::kIntsFieldNumber;
  static constexpr uint32_t strings = onnx::AttributeProto::kStringsFieldNumber;
  static constexpr uint32_t tensors = onnx::AttributeProto::kTensorsFieldNumber;
  static constexpr uint32_t graphs = onnx::AttributeProto::kGraphsFieldNumber;
  static constexpr uint32_t sparse_tensor = onnx::AttributeProto::kSparseTensorFieldNumber;
  static constexpr uint32_t sparse_tensors = onnx::AttributeProto::kSparseTensorsFieldNumber;
  static constexpr uint32_t type_protos = onnx::AttributeProto::kTypeProtosFieldNumber;
};

struct ValueInfo {
  static constexpr uint32_t name = onnx::ValueInfoProto::kNameFieldNumber;
  static constexpr uint32_t type = onnx::ValueInfoProto::kTypeFieldNumber;
};

struct Type {
  static constexpr uint32_t tensor_type = onnx::TypeProto::kTensorTypeFieldNumber;
  static constexpr uint32_t sparse_tensor_type = onnx::TypeProto::kSparseTensorTypeFieldNumber;
  static constexpr uint32_t sequence_type = onnx::TypeProto::kSequenceTypeFieldNumber;
  static constexpr uint32_t optional_type = onnx::TypeProto::kOptionalTypeFieldNumber;
  static constexpr uint32_t map_type = onnx::TypeProto::kMapTypeFieldNumber;
  static constexpr uint32_t opaque_type = onnx::TypeProto::kOpaqueTypeFieldNumber;
  // Fields of TypeProto.Tensor and TypeProto.SparseTensor.
  static constexpr uint32_t tensor_elem_type = onnx::TypeProto_Tensor::kElemTypeFieldNumber;
  static constexpr uint32_t tensor_shape = onnx::TypeProto_Tensor::kShapeFieldNumber;
  static constexpr uint32_t map_key_type = onnx::TypeProto_Map::kKeyTypeFieldNumber;
};

struct SparseTensor {
  static constexpr uint32_t values = onnx::SparseTensorProto::kValuesFieldNumber;
  static constexpr uint32_t indices = onnx::SparseTensorProto::kIndicesFieldNumber;
};

struct Tensor {
  static constexpr uint32_t dims = onnx::TensorProto::kDimsFieldNumber;
  static constexpr uint32_t data_type = onnx::TensorProto::kDataTypeFieldNumber;
  static constexpr uint32_t segment = onnx::TensorProto::kSegmentFieldNumber;
  static constexpr uint32_t float_data = onnx::TensorProto::kFloatDataFieldNumber;
  static constexpr uint32_t int32_data = onnx::TensorProto::kInt32DataFieldNumber;
  static constexpr uint32_t string_data = onnx::TensorProto::kStringDataFieldNumber;
  static constexpr uint32_t int64_data = onnx::TensorProto::kInt64DataFieldNumber;
  static constexpr uint32_t double_data = onnx::TensorProto::kDoubleDataFieldNumber;
  static constexpr uint32_t uint64_data = onnx::TensorProto::kUint64DataFieldNumber;
  static constexpr uint32_t name = onnx::TensorProto::kNameFieldNumber;
  static constexpr uint32_t raw_data = onnx::TensorProto::kRawDataFieldNumber;
  static constexpr uint32_t external_data = onnx::TensorProto::kExternalDataFieldNumber;
  static constexpr uint32_t data_location = onnx::TensorProto::kDataLocationFieldNumber;
};

struct StringPair {
  static constexpr uint32_t key = onnx::StringStringEntryProto::kKeyFieldNumber;
  static constexpr uint32_t value = onnx::StringStringEntryProto::kValueFieldNumber;
};

}  // namespace onnx_lower::field
