// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/origin_metadata.h"

#include "model_file/onnx_fields.h"

namespace onnx_lower {
namespace {

void write_property(WireWriter& metadata, std::string_view key, std::string_view value) {
  const auto size = [](uint32_t number, std::string_view text) {
    return header_size(number, text.size()) + text.size();
  };
  metadata.begin_field(field::Node::metadata_props,
                       size(field::StringPair::key, key) + size(field::StringPair::value, value));
  metadata.field(field::StringPair::key, key);
  metadata.field(field::StringPair::value, value);
}

}  // namespace

void write_origin_metadata(std::string_view rule, std::string_view node, WireWriter& metadata) {
  write_property(metadata, "onnx_lower.rule", rule);
  write_property(metadata, "onnx_lower.node", node);
}

}  // namespace onnx_lower
