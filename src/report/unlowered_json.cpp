// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/unlowered_json.h"

#include <nlohmann/json.hpp>

#include "domain.h"
#include "report/finding_code.h"
#include "report/unlowered_message.h"

namespace onnx_lower {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Refusal& refusal) {
  Json causes = Json::array();
  for (const Refusal& cause : refusal.causes) causes.push_back(to_json(cause));
  return {{"rule", refusal.rule},
          {"from", refusal.where_from},
          {"reason", refusal.reason},
          {"missing_attributes", refusal.missing_attributes},
          {"causes", causes}};
}

}  // namespace

nlohmann::ordered_json as_json(const UnloweredNode& unlowered, const Options& given) {
  Json refusals = Json::array();
  for (const Refusal& refusal : unlowered.refusals) refusals.push_back(to_json(refusal));
  return {{"node", unlowered.node},
          {"graph", unlowered.graph},
          {"operator", operator_name(unlowered.domain, unlowered.op_type)},
          {"code", code_of(unlowered).code},
          {"refusals", refusals},
          {"similar_operators", unlowered.similar_operators},
          {"target_opset", unlowered.target_opset_hint > 0 ? Json(unlowered.target_opset_hint) : Json()},
          {"message", unlowered_message(unlowered, given)}};
}

}  // namespace onnx_lower
