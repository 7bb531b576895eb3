// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The metadata by which nodes that rules made say where they come from.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "legalizer/body/origin.h"
#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// Makes the metadata for one node of the model after another.
class OriginMetadata {
 public:
  // The origin of the nodes that are made in the place of the model's node, whose message
  // is `message`. It refers to the message, to `findings` and to this, and is valid until
  // the next call.
  Origin begin(const Legalization& all, const Node& node, const onnx::NodeProto& message, Findings& findings);

 private:
  std::string metadata_;     // metadata_props, as fields of a NodeProto
  OperatorId named_op_ = 0;  // the last node's operator, and its name
  std::string named_rule_;
};

}  // namespace onnx_lower
