// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Constants of double, for runtimes that keep them as float but compute in double: each is the sum
// of two or three constants of float, which are cast when the model runs. A double has 53 bits and
// a float 24, so nothing is lost; numbers that are too large or too small for a float are
// multiplied by powers of two.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_double_constants {
namespace {

using Doubles = std::vector<double>;

constexpr size_t most_elements = size_t{1} << 20;
constexpr int most_exponent = 100;  // of a power of two that is surely a float

// Whether every piece of the element is a normal number of float, or zero: its highest bit stands
// for 2^exponent, its lowest for 2^(exponent - 52).
bool is_in_reach_of_floats(double element) {
  return element == 0 || !std::isfinite(element) || (std::ilogb(element) <= 126 && std::ilogb(element) - 53 >= -125);
}

class Pieces {
 public:
  Pieces(Body& body, const onnx::TensorProto& tensor)
      : body_(body), dims_(tensor.dims().begin(), tensor.dims().end()) {}

  std::string sum_of(Doubles rest, const std::string& stem) {
    std::string sum;
    while (sum.empty() || std::ranges::any_of(rest, [](double element) { return element != 0; })) {
      Doubles piece = rest;
      for (size_t i = 0; i < rest.size(); ++i) {
        piece[i] = static_cast<double>(static_cast<float>(rest[i]));
        rest[i] = std::isfinite(rest[i]) ? rest[i] - piece[i] : 0;
      }
      const std::string term = as_double(piece, stem);
      if (sum.empty()) {
        sum = term;
        continue;
      }
      sum = body_.made(stem + "_sum", "Add", {sum, term});
    }
    return sum;
  }

  // Makes a value of any doubles: those beyond the range of float are brought between 1 and 2, and
  // multiplied by their power of two afterwards.
  std::string value_of(Doubles elements, const std::string& stem) {
    if (std::ranges::all_of(elements, is_in_reach_of_floats)) return sum_of(std::move(elements), stem);
    std::vector<int> exponents(elements.size(), 0);
    int steps = 0;
    for (size_t i = 0; i < elements.size(); ++i) {
      if (is_in_reach_of_floats(elements[i])) continue;
      exponents[i] = std::ilogb(elements[i]);
      elements[i] = std::scalbn(elements[i], -exponents[i]);
      steps = std::max(steps, (std::abs(exponents[i]) + most_exponent - 1) / most_exponent);
    }
    std::string value = sum_of(std::move(elements), stem);
    for (; steps > 0; --steps) {
      Doubles powers;
      for (int& exponent : exponents) {
        const int part = std::clamp(exponent, -most_exponent, most_exponent);
        powers.push_back(std::exp2(part));
        exponent -= part;
      }
      const std::string power = as_double(powers, stem + "_power"), more = body_.fresh(stem + "_product");
      body_(more, "Mul", {value, power});
      value = more;
    }
    return value;
  }

 private:
  std::string as_double(const Doubles& elements, const std::string& stem) {
    const std::string single = body_.fresh(stem + "_float"), wide = body_.fresh(stem);
    body_.constant(single, tensor_of(onnx::TensorProto::FLOAT, dims_, elements));
    return body_(wide, "Cast", {single}, {{"to", onnx::TensorProto::DOUBLE}});
  }

  Body& body_;
  Ints dims_;
};

Lowering lower(const CallSite& site) {
  const int count = site.input_count();
  std::vector<std::string> names, inputs;
  for (int input = 0; input < count; ++input) names.push_back(fmt::format("x{}", input));
  Body body("ai.onnx", site.node().op_type(), names, {"y"}, static_cast<int>(site.version().value_or(site.opset())));
  bool any = false;
  for (int input = 0; input < count; ++input) {
    const onnx::TensorProto* tensor = site.constant(input);
    const auto elements = tensor != nullptr && tensor->data_type() == onnx::TensorProto::DOUBLE
                              ? site.constant_floats(input)
                              : std::nullopt;
    if (!elements || elements->empty() || elements->size() > most_elements) {
      inputs.push_back(site.has_input(input) ? names[static_cast<size_t>(input)] : "");
      continue;
    }
    any = true;
    inputs.push_back(Pieces(body, *tensor).value_of(*elements, fmt::format("c{}", input)));
  }
  if (!any) return Declined{.reason = "it has no constants of double", .is_of_signature = true};
  body("y", site.node().op_type(), inputs);
  body.copy_attributes(site, {"axis"}, "Gather");
  return body.function();
}

constexpr NativeRule rule_for(std::string_view op_type, std::string_view attributes = {}) {
  return {.domain = "ai.onnx",
          .op_type = op_type,
          .summary = "Constants of double as sums of ones of float, for a runtime that has no others.",
          .source = "IEEE 754",
          .attributes = attributes,
          .turn = RuleTurn::last_resort,
          .lower = lower};
}

const NativeRule rules[] = {rule_for("Add"),
                            rule_for("Sub"),
                            rule_for("Mul"),
                            rule_for("Div"),
                            rule_for("Pow"),
                            rule_for("Less"),
                            rule_for("LessOrEqual"),
                            rule_for("Greater"),
                            rule_for("Equal"),
                            rule_for("Where"),
                            rule_for("Max"),
                            rule_for("Min"),
                            rule_for("GreaterOrEqual"),
                            rule_for("Unsqueeze"),
                            rule_for("Reshape"),
                            rule_for("Expand"),
                            rule_for("Gather", "axis")};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_double_constants
