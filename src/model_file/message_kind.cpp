// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "model_file/message_kind.h"

#include <fmt/format.h>

#include <array>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

constexpr FieldContent varints{FieldContent::Kind::varints};
constexpr FieldContent fixed32s{FieldContent::Kind::fixed32s};
constexpr FieldContent fixed64s{FieldContent::Kind::fixed64s};
constexpr FieldContent message(MessageKind kind) { return {FieldContent::Kind::message, kind}; }

struct KnownField {
  MessageKind parent;
  uint32_t number;
  FieldContent content;
};

constexpr size_t most_numbers = 32;

// What a field holds, by the kind of its message and by its number.
constexpr auto contents = [] {
  using enum MessageKind;
  constexpr KnownField fields[] = {
      {model, onnx::ModelProto::kGraphFieldNumber, message(graph)},
      {model, onnx::ModelProto::kFunctionsFieldNumber, message(function)},
      {model, onnx::ModelProto::kTrainingInfoFieldNumber, message(training_info)},
      {model, onnx::ModelProto::kOpsetImportFieldNumber, message(scalars)},
      {model, onnx::ModelProto::kMetadataPropsFieldNumber, message(scalars)},
      {model, onnx::ModelProto::kConfigurationFieldNumber, message(scalars)},
      {training_info, onnx::TrainingInfoProto::kInitializationFieldNumber, message(graph)},
      {training_info, onnx::TrainingInfoProto::kAlgorithmFieldNumber, message(graph)},
      {training_info, onnx::TrainingInfoProto::kInitializationBindingFieldNumber, message(scalars)},
      {training_info, onnx::TrainingInfoProto::kUpdateBindingFieldNumber, message(scalars)},
      {graph, onnx::GraphProto::kNodeFieldNumber, message(node)},
      {graph, onnx::GraphProto::kInitializerFieldNumber, message(tensor)},
      {graph, onnx::GraphProto::kSparseInitializerFieldNumber, message(sparse_tensor)},
      {graph, onnx::GraphProto::kInputFieldNumber, message(value_info)},
      {graph, onnx::GraphProto::kOutputFieldNumber, message(value_info)},
      {graph, onnx::GraphProto::kValueInfoFieldNumber, message(value_info)},
      {graph, onnx::GraphProto::kQuantizationAnnotationFieldNumber, message(tensor_annotation)},
      {graph, onnx::GraphProto::kMetadataPropsFieldNumber, message(scalars)},
      {function, onnx::FunctionProto::kNodeFieldNumber, message(node)},
      {function, onnx::FunctionProto::kAttributeProtoFieldNumber, message(attribute)},
      {function, onnx::FunctionProto::kValueInfoFieldNumber, message(value_info)},
      {function, onnx::FunctionProto::kOpsetImportFieldNumber, message(scalars)},
      {function, onnx::FunctionProto::kMetadataPropsFieldNumber, message(scalars)},
      {node, onnx::NodeProto::kAttributeFieldNumber, message(attribute)},
      {node, onnx::NodeProto::kDeviceConfigurationsFieldNumber, message(node_device_configuration)},
      {node, onnx::NodeProto::kMetadataPropsFieldNumber, message(scalars)},
      {attribute, onnx::AttributeProto::kFloatsFieldNumber, fixed32s},
      {attribute, onnx::AttributeProto::kIntsFieldNumber, varints},
      {attribute, onnx::AttributeProto::kTFieldNumber, message(tensor)},
      {attribute, onnx::AttributeProto::kTensorsFieldNumber, message(tensor)},
      {attribute, onnx::AttributeProto::kGFieldNumber, message(graph)},
      {attribute, onnx::AttributeProto::kGraphsFieldNumber, message(graph)},
      {attribute, onnx::AttributeProto::kSparseTensorFieldNumber, message(sparse_tensor)},
      {attribute, onnx::AttributeProto::kSparseTensorsFieldNumber, message(sparse_tensor)},
      {attribute, onnx::AttributeProto::kTpFieldNumber, message(type)},
      {attribute, onnx::AttributeProto::kTypeProtosFieldNumber, message(type)},
      {tensor, onnx::TensorProto::kFloatDataFieldNumber, fixed32s},
      {tensor, onnx::TensorProto::kDoubleDataFieldNumber, fixed64s},
      {tensor, onnx::TensorProto::kDimsFieldNumber, varints},
      {tensor, onnx::TensorProto::kInt32DataFieldNumber, varints},
      {tensor, onnx::TensorProto::kInt64DataFieldNumber, varints},
      {tensor, onnx::TensorProto::kUint64DataFieldNumber, varints},
      {tensor, onnx::TensorProto::kSegmentFieldNumber, message(scalars)},
      {tensor, onnx::TensorProto::kExternalDataFieldNumber, message(scalars)},
      {tensor, onnx::TensorProto::kMetadataPropsFieldNumber, message(scalars)},
      {sparse_tensor, onnx::SparseTensorProto::kValuesFieldNumber, message(tensor)},
      {sparse_tensor, onnx::SparseTensorProto::kIndicesFieldNumber, message(tensor)},
      {sparse_tensor, onnx::SparseTensorProto::kDimsFieldNumber, varints},
      {value_info, onnx::ValueInfoProto::kTypeFieldNumber, message(type)},
      {value_info, onnx::ValueInfoProto::kMetadataPropsFieldNumber, message(scalars)},
      {type, onnx::TypeProto::kTensorTypeFieldNumber, message(tensor_type)},
      {type, onnx::TypeProto::kSparseTensorTypeFieldNumber, message(tensor_type)},
      {type, onnx::TypeProto::kSequenceTypeFieldNumber, message(container_type)},
      {type, onnx::TypeProto::kOptionalTypeFieldNumber, message(container_type)},
      {type, onnx::TypeProto::kMapTypeFieldNumber, message(map_type)},
      {type, onnx::TypeProto::kOpaqueTypeFieldNumber, message(scalars)},
      {tensor_type, onnx::TypeProto_Tensor::kShapeFieldNumber, message(shape)},
      {container_type, onnx::TypeProto_Sequence::kElemTypeFieldNumber, message(type)},
      {map_type, onnx::TypeProto_Map::kValueTypeFieldNumber, message(type)},
      {shape, onnx::TensorShapeProto::kDimFieldNumber, message(scalars)},
      {tensor_annotation, onnx::TensorAnnotation::kQuantParameterTensorNamesFieldNumber, message(scalars)},
      {node_device_configuration, onnx::NodeDeviceConfigurationProto::kShardingSpecFieldNumber, message(sharding_spec)},
      {sharding_spec, onnx::ShardingSpecProto::kDeviceFieldNumber, varints},
      {sharding_spec, onnx::ShardingSpecProto::kIndexToDeviceGroupMapFieldNumber, message(int_int_list)},
      {sharding_spec, onnx::ShardingSpecProto::kShardedDimFieldNumber, message(sharded_dim)},
      {int_int_list, onnx::IntIntListEntryProto::kValueFieldNumber, varints},
      {sharded_dim, onnx::ShardedDimProto::kSimpleShardingFieldNumber, message(scalars)},
  };
  std::array<std::array<FieldContent, most_numbers>, static_cast<size_t>(scalars) + 1> all{};
  for (const KnownField& field : fields) all[static_cast<size_t>(field.parent)][field.number] = field.content;
  return all;
}();

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
  return number < most_numbers ? contents[static_cast<size_t>(kind)][number] : FieldContent();
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
