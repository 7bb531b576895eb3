// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What nodes that rules made say of where they come from.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>

#include "legalizer/body/origin.h"
#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// Of one node of the model after another.
class OriginMetadata {
 public:
  // The origin of what is made for the node, whose message it is. It refers to the message, to
  // `findings` and to this, until the next call.
  Origin begin(const Legalization& all, const Node& node, const onnx::NodeProto& message, Findings& findings);

 private:
  std::string metadata_;     // metadata_props, as fields of a NodeProto
  OperatorId named_op_ = 0;  // the node's operator, and what the metadata call that
  std::string named_rule_;
};

}  // namespace onnx_lower
