// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/message_kind.h"

#include <fmt/format.h>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

constexpr FieldContent text;
constexpr FieldContent varints{FieldContent::Kind::varints};
constexpr FieldContent fixed32s{FieldContent::Kind::fixed32s};
constexpr FieldContent fixed64s{FieldContent::Kind::fixed64s};
constexpr FieldContent message(MessageKind kind) { return {FieldContent::Kind::message, kind}; }

void check_depth(int depth) {
  if (depth > deepest_message) {
    throw MalformedMessage(
        fmt::format("messages are nested deeper than {} levels, which no reader of ONNX takes", deepest_message));
  }
}

void check_packed_size(Bytes numbers, size_t width) {
  if (numbers.size() % width != 0) fail_malformed("packed numbers end within one of them");
}

}  // namespace

FieldContent content_of(MessageKind kind, uint32_t number) {
  switch (kind) {
    case MessageKind::model:
      switch (number) {
        using M = onnx::ModelProto;
        case M::kGraphFieldNumber:
          return message(MessageKind::graph);
        case M::kFunctionsFieldNumber:
          return message(MessageKind::function);
        case M::kTrainingInfoFieldNumber:
          return message(MessageKind::training_info);
        case M::kOpsetImportFieldNumber:
        case M::kMetadataPropsFieldNumber:
        case M::kConfigurationFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::training_info:
      switch (number) {
        using M = onnx::TrainingInfoProto;
        case M::kInitializationFieldNumber:
        case M::kAlgorithmFieldNumber:
          return message(MessageKind::graph);
        case M::kInitializationBindingFieldNumber:
        case M::kUpdateBindingFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::graph:
      switch (number) {
        using M = onnx::GraphProto;
        case M::kNodeFieldNumber:
          return message(MessageKind::node);
        case M::kInitializerFieldNumber:
          return message(MessageKind::tensor);
        case M::kSparseInitializerFieldNumber:
          return message(MessageKind::sparse_tensor);
        case M::kInputFieldNumber:
        case M::kOutputFieldNumber:
        case M::kValueInfoFieldNumber:
          return message(MessageKind::value_info);
        case M::kQuantizationAnnotationFieldNumber:
          return message(MessageKind::tensor_annotation);
        case M::kMetadataPropsFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::function:
      switch (number) {
        using M = onnx::FunctionProto;
        case M::kNodeFieldNumber:
          return message(MessageKind::node);
        case M::kAttributeProtoFieldNumber:
          return message(MessageKind::attribute);
        case M::kValueInfoFieldNumber:
          return message(MessageKind::value_info);
        case M::kOpsetImportFieldNumber:
        case M::kMetadataPropsFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::node:
      switch (number) {
        using M = onnx::NodeProto;
        case M::kAttributeFieldNumber:
          return message(MessageKind::attribute);
        case M::kDeviceConfigurationsFieldNumber:
          return message(MessageKind::node_device_configuration);
        case M::kMetadataPropsFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::attribute:
      switch (number) {
        using M = onnx::AttributeProto;
        case M::kFloatsFieldNumber:
          return fixed32s;
        case M::kIntsFieldNumber:
          return varints;
        case M::kTFieldNumber:
        case M::kTensorsFieldNumber:
          return message(MessageKind::tensor);
        case M::kGFieldNumber:
        case M::kGraphsFieldNumber:
          return message(MessageKind::graph);
        case M::kSparseTensorFieldNumber:
        case M::kSparseTensorsFieldNumber:
          return message(MessageKind::sparse_tensor);
        case M::kTpFieldNumber:
        case M::kTypeProtosFieldNumber:
          return message(MessageKind::type);
        default:
          return text;
      }
    case MessageKind::tensor:
      switch (number) {
        using M = onnx::TensorProto;
        case M::kFloatDataFieldNumber:
          return fixed32s;
        case M::kDoubleDataFieldNumber:
          return fixed64s;
        case M::kDimsFieldNumber:
        case M::kInt32DataFieldNumber:
        case M::kInt64DataFieldNumber:
        case M::kUint64DataFieldNumber:
          return varints;
        case M::kSegmentFieldNumber:
        case M::kExternalDataFieldNumber:
        case M::kMetadataPropsFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::sparse_tensor:
      switch (number) {
        using M = onnx::SparseTensorProto;
        case M::kValuesFieldNumber:
        case M::kIndicesFieldNumber:
          return message(MessageKind::tensor);
        case M::kDimsFieldNumber:
          return varints;
        default:
          return text;
      }
    case MessageKind::value_info:
      if (number == onnx::ValueInfoProto::kTypeFieldNumber) return message(MessageKind::type);
      return number == onnx::ValueInfoProto::kMetadataPropsFieldNumber ? message(MessageKind::scalars) : text;
    case MessageKind::type:
      switch (number) {
        using M = onnx::TypeProto;
        case M::kTensorTypeFieldNumber:
        case M::kSparseTensorTypeFieldNumber:
          return message(MessageKind::tensor_type);
        case M::kSequenceTypeFieldNumber:
        case M::kOptionalTypeFieldNumber:
          return message(MessageKind::container_type);
        case M::kMapTypeFieldNumber:
          return message(MessageKind::map_type);
        case M::kOpaqueTypeFieldNumber:
          return message(MessageKind::scalars);
        default:
          return text;
      }
    case MessageKind::tensor_type:
      return number == onnx::TypeProto_Tensor::kShapeFieldNumber ? message(MessageKind::shape) : text;
    case MessageKind::container_type:
      return number == onnx::TypeProto_Sequence::kElemTypeFieldNumber ? message(MessageKind::type) : text;
    case MessageKind::map_type:
      return number == onnx::TypeProto_Map::kValueTypeFieldNumber ? message(MessageKind::type) : text;
    case MessageKind::shape:
      return number == onnx::TensorShapeProto::kDimFieldNumber ? message(MessageKind::scalars) : text;
    case MessageKind::tensor_annotation:
      return number == onnx::TensorAnnotation::kQuantParameterTensorNamesFieldNumber ? message(MessageKind::scalars)
                                                                                     : text;
    case MessageKind::node_device_configuration:
      return number == onnx::NodeDeviceConfigurationProto::kShardingSpecFieldNumber
                 ? message(MessageKind::sharding_spec)
                 : text;
    case MessageKind::sharding_spec:
      switch (number) {
        using M = onnx::ShardingSpecProto;
        case M::kDeviceFieldNumber:
          return varints;
        case M::kIndexToDeviceGroupMapFieldNumber:
          return message(MessageKind::int_int_list);
        case M::kShardedDimFieldNumber:
          return message(MessageKind::sharded_dim);
        default:
          return text;
      }
    case MessageKind::int_int_list:
      return number == onnx::IntIntListEntryProto::kValueFieldNumber ? varints : text;
    case MessageKind::sharded_dim:
      return number == onnx::ShardedDimProto::kSimpleShardingFieldNumber ? message(MessageKind::scalars) : text;
    case MessageKind::scalars:
      break;
  }
  return text;
}

void check_structure(uint32_t tag, Bytes bytes, uint64_t value, MessageKind parent, int depth_of_parent) {
  const auto type = static_cast<WireType>(tag & 7);
  if (type == WireType::group_start) check_depth(depth_of_parent + static_cast<int>(value));
  if (type != WireType::length_delimited) return;
  const FieldContent content = content_of(parent, tag >> 3);
  switch (content.kind) {
    case FieldContent::Kind::message:
      check_structure(bytes, content.message, depth_of_parent + 1);
      break;
    case FieldContent::Kind::varints:
      count_varints(bytes);
      break;
    case FieldContent::Kind::fixed32s:
      check_packed_size(bytes, sizeof(uint32_t));
      break;
    case FieldContent::Kind::fixed64s:
      check_packed_size(bytes, sizeof(uint64_t));
      break;
    case FieldContent::Kind::text:
      break;
  }
}

void check_structure(Bytes message, MessageKind kind, int depth) {
  check_depth(depth);
  WireField field;
  for (WireReader reader(message); reader.next(field);) check_structure(field, kind, depth);
}

}  // namespace onnx_lower
