// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include "families/tensor_list.h"

namespace onnx_lower::native_rules::aten_pad_sequence {
namespace {

// Each tensor is filled up by as many elements as the longest one has more.
Lowering lower(const CallSite& site) {
  const std::vector<ListedTensor> tensors = listed_tensors(site);
  const bool batch_first = site.need_number(1, 0) != 0;
  const std::string side = site.need_text(3, "right");
  if (side != "left" && side != "right") return Declined{fmt::format("its padding_side is '{}'", side)};
  if (!have_one_type(tensors)) return Declined{"the tensors of the list are of different types"};
  const int rank = tensors.front().rank;
  for (size_t item = 0; item < tensors.size(); ++item) {
    if (tensors[item].rank != rank || rank == 0)
      return Declined{fmt::format("tensors 0 and {} of the list do not fit by their ranks", item)};
  }
  Body body("aten", "pad_sequence", {"list", "batch_first", "padding_value", "padding_side"}, {"y"}, 18);
  take_out(site, body, tensors, tensors.front().element_type);
  body.constant("zero", Ints{0});
  body.constant("one", Ints{1});
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("shape" + n, "Shape", {"x" + n});
    body("length" + n, "Slice", {"shape" + n, "zero", "one", "zero"});
  }
  body("longest", "Max", numbered("length", tensors.size()));
  if (rank > 1) body.constant("others", Ints(static_cast<size_t>(rank - 1), 0));
  if (site.has_input(2)) {
    body("filling", "Cast", {"padding_value"}, {{"to", tensors.front().element_type}});
  } else {
    body("filling", "Cast", {body.scalar(0)}, {{"to", tensors.front().element_type}});
  }
  body.constant("axis", Ints{batch_first ? 0 : 1});
  for (size_t item = 0; item < tensors.size(); ++item) {
    const std::string n = fmt::to_string(item);
    body("lacking" + n, "Sub", {"longest", "length" + n});
    std::vector<std::string> pads = {side == "left" ? "lacking" + n : "zero"};
    if (rank > 1) pads.emplace_back("others");
    pads.push_back(side == "left" ? "zero" : "lacking" + n);
    if (rank > 1) pads.emplace_back("others");
    body("pads" + n, "Concat", pads, {{"axis", 0}});
    body("padded" + n, "Pad", {"x" + n, "pads" + n, "filling"});
    body("row" + n, "Unsqueeze", {"padded" + n, "axis"});
  }
  body("y", "Concat", numbered("row", tensors.size()), {{"axis", batch_first ? 0 : 1}});
  return std::move(body).function();
}

const NativeRule rule{.domain = "aten",
                      .op_type = "pad_sequence",
                      .summary = "The tensors of a list in a batch, each filled up to the length of the longest.",
                      .source =
                          "aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str "
                          "padding_side='right') -> Tensor",
                      .inputs = "sequences, batch_first, padding_value, padding_side",
                      .needed_inputs = 1,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::aten_pad_sequence
