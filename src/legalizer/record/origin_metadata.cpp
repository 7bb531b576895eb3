// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/record/origin_metadata.h"

#include "legalizer/nodes/node_message.h"
#include "legalizer/record/lowering_record.h"
#include "model_file/onnx_fields.h"
#include "model_file/protobuf_message.h"
#include "standard_operators/onnx_releases.h"

namespace onnx_lower {
namespace {

void write_property(std::string& metadata, std::string_view key, std::string_view value) {
  const size_t size =
      field_size(field::StringPair::key, key.size()) + field_size(field::StringPair::value, value.size());
  char* content = write_header(append_room(metadata, field_size(field::Node::metadata_props, size)),
                               field::Node::metadata_props, size);
  write_field(write_field(content, field::StringPair::key, key), field::StringPair::value, value);
}

}  // namespace

Origin OriginMetadata::begin(const Legalization& all, const Node& node, const onnx::NodeProto& message,
                             Findings& findings) {
  Origin origin;
  origin.findings = &findings;
  origin.doc_string = message.doc_string();
  metadata_.clear();
  // The rule and the node are those of the model's node, also where that rule used other rules.
  if (all.ir_version >= first_ir_version::with_node_metadata) {
    if (named_op_ != node.op || named_rule_.empty()) {
      named_op_ = node.op;
      named_rule_ = operator_name_of(all.model, node);
    }
    write_property(metadata_, "onnx_lower.rule", named_rule_);
    write_property(metadata_, "onnx_lower.node", display_name(all.model, node));
  }
  findings.loses_device_configurations = message.device_configurations_size() > 0;
  for (const auto& property : message.metadata_props()) append_field(metadata_, field::Node::metadata_props, property);
  origin.metadata = metadata_;
  return origin;
}

}  // namespace onnx_lower
