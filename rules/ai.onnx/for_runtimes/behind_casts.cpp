// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Casts for a runtime that has no uint8 between two nodes, takes int8 for codes of quantized
// numbers, and lacks integers of 16 bits and those of 32 without a sign.

#include <string>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_behind_casts {
namespace {

constexpr int int32 = onnx::TensorProto::INT32;

// What a Cast to uint8 keeps of a number, from the number itself: output = number mod 256.
Lowering from_before_a_cast(const CallSite& site) {
  if (site.dtype(0) != onnx::TensorProto::UINT8) return Declined{"its input is not of uint8", {}, true};
  if (!site.may_take_input_of_cast(0)) return Declined{"no Cast makes its input", {}, true};
  Body body("ai.onnx", "Cast", {"input"}, {"output"}, 13);
  body.add_inputs_of_maker({"number"});
  body("integer", "Cast", {"number"}, {{"to", int32}});
  body.constant("values_of_a_byte", tensor_of(onnx::TensorProto::INT32, {}, Ints{256}));
  body("byte", "Mod", {"integer", "values_of_a_byte"});
  body("output", "Cast", {"byte"}, {{"to", site.attribute_int("to", 0)}});
  return body.function();
}

// A constant of int8 as codes whose scale is 1.
Lowering as_codes(const CallSite& site) {
  if (site.dtype(0) != onnx::TensorProto::INT8) return Declined{"its input is not of int8", {}, true};
  if (site.constant(0) == nullptr) return Declined{"its input is not a constant", {}, true};
  if (site.rank(0) == 0) return Declined{"its input has no dimensions", {}, true};
  Body body("ai.onnx", "Cast", {"input"}, {"output"}, 13);
  body.constant("one", 1.0F);
  body.constant("zero", tensor_of(onnx::TensorProto::INT8, {}, Ints{0}));
  body("number", "DequantizeLinear", {"input", "one", "zero"});
  body("output", "Cast", {"number"}, {{"to", site.attribute_int("to", 0)}});
  return body.function();
}

// A constant of integers that int64, or int32, holds as well. Of int8 it is one number: more of
// them may be weights, which are to stay small.
Lowering in_wider_integers(const CallSite& site) {
  const int type = site.dtype(0).value_or(onnx::TensorProto::UNDEFINED);
  const bool is_byte = type == onnx::TensorProto::INT8 && site.rank(0) == 0;
  const bool fits_int32 = is_byte || type == onnx::TensorProto::INT16 || type == onnx::TensorProto::UINT16;
  if (!fits_int32 && type != onnx::TensorProto::UINT32)
    return Declined{"its input is not of int16, uint16 or uint32, nor one number of int8", {}, true};
  const std::optional<Ints> elements = site.constant_ints(0);
  if (!elements) return Declined{"its input is not a constant", {}, true};
  Ints dims(site.constant(0)->dims().begin(), site.constant(0)->dims().end());
  if (list_size(dims) != elements->size()) return Declined{"its input has not as many elements as it says"};
  Body body("ai.onnx", "Cast", {"input"}, {"output"}, 13);
  body.constant("wide", tensor_of(fits_int32 ? onnx::TensorProto::INT32 : onnx::TensorProto::INT64, dims, *elements));
  body("output", "Cast", {"wide"}, {{"to", site.attribute_int("to", 0)}});
  return body.function();
}

constexpr NativeRule rule_for(std::string_view summary, Lowering (*lower)(const CallSite&)) {
  return {.domain = "ai.onnx",
          .op_type = "Cast",
          .summary = summary,
          .source = "ONNX Cast-13",
          .attributes = "to, saturate, round_mode",
          .turn = RuleTurn::last_resort,
          .lower = lower};
}

const NativeRule rules[] = {
    rule_for("From the number that was cast to uint8 before, for a runtime that has no uint8 between two nodes.",
             from_before_a_cast),
    rule_for("Of a constant of int8, by a DequantizeLinear, for a runtime that reads such constants there only.",
             as_codes),
    rule_for("Of a constant of int16, uint16 or uint32, or one number of int8, from it in wider integers.",
             in_wider_integers)};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_behind_casts
