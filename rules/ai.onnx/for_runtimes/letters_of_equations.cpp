// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// An equation of Einsum in the letters a, b, c … in the order in which they first appear, and
// without spaces, for runtimes that know equations by their text: "bhqk, bhkd -> bhqd" is their
// "abcd,abde->abce".

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_letters_of_equations {
namespace {

constexpr size_t letters_of_alphabet = 26;

std::string by_the_alphabet(const std::string& equation) {
  std::string letters, spelled;
  for (const char letter : equation) {
    if (letter == ' ') continue;
    if (std::isalpha(static_cast<unsigned char>(letter)) == 0) {
      spelled += letter;
      continue;
    }
    const size_t place = std::min(letters.find(letter), letters.size());
    if (place == letters_of_alphabet) decline("its equation has more letters than the alphabet");
    if (place == letters.size()) letters += letter;
    spelled += static_cast<char>('a' + place);
  }
  return spelled;
}

Lowering lower(const CallSite& site) {
  if (site.opset() < 12) return Declined{"below opset 12 there is no Einsum", {}, true};
  const std::string equation = site.attribute_string("equation", "");
  // What follows from the order of the letters is the order of the dimensions of the result.
  if (equation.find("->") == std::string::npos) return Declined{"its equation does not say the result"};
  const std::string spelled = by_the_alphabet(equation);
  if (spelled == equation) return Declined{"its equation has the letters of the alphabet in their order", {}, true};
  std::vector<std::string> inputs;
  for (int input = 0; input < site.input_count(); ++input) inputs.push_back("input_" + std::to_string(input));
  Body body("ai.onnx", "Einsum", inputs, {"output"}, site.own_opset());
  body("output", "Einsum", inputs, {{"equation", spelled}});
  return body.function();
}

const NativeRule rule{.domain = "ai.onnx",
                      .op_type = "Einsum",
                      .summary = "With the letters of the alphabet in the order in which they appear.",
                      .source = "ONNX Einsum-12",
                      .attributes = "equation",
                      .required_attributes = "equation",
                      .turn = RuleTurn::first,
                      .makes_it_anew = true,
                      .inputs = "Inputs",
                      .needed_inputs = 1,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_letters_of_equations
