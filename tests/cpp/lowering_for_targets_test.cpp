// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <memory>
#include <string>

#include "catch.h"
#include "lowered_model.h"
#include "model_file/typed_elements.h"
#include "targets/target_file.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

LegalizeOptions for_target(const std::string& lines) {
  LegalizeOptions options;
  options.targets = {
      std::make_shared<const TargetFile>(TargetFile::parse("board", "# A board.\n" + lines, "board.target"))};
  return options;
}

int count_of(const std::string& op_type, const Outcome& outcome) {
  return static_cast<int>(std::ranges::count(outcome.model.graph().node(), op_type, &onnx::NodeProto::op_type));
}

TEST_CASE("what a target takes of one call's type it need not take of the next one's") {
  const std::string text =
      header + R"(g (float[2] x, double[2] z) => (float[2] y, double[2] w) { y = d.F (x)  [n] w = d.F (z) }
    <domain: "d", opset_import: ["" : 17]> F (a) => (b) { b = Neg (a) })";
  CHECK(count_of("Neg", lower(text, for_target("Neg dtype(X) == float\n"))) == 1);
  CHECK(count_of("Neg", lower(text, for_target("Neg dtype(X) in (float, double)\n"))) == 2);
}

TEST_CASE("all inputs of half precision become floats at once") {
  const Outcome outcome = lower(
      header +
          R"(g (float16[2, 3, 4] x, float16[3] s, float16[3] b, float16[3] m, float16[3] v) => (float16[2, 3, 4] y) {
        y = BatchNormalization (x, s, b, m, v) })",
      for_target("BatchNormalization dtype(X) == float and dtype(scale) == float and dtype(input_mean) == float\n"));
  CHECK(count_of("BatchNormalization", outcome) == 1);
  CHECK(outcome.model.graph().node_size() == 7);
}

TEST_CASE("tensors that are no raw data are found wherever they are") {
  const auto has = [](const std::string& nodes) {
    const TemporaryFolder folder("typed_elements_test");
    const Model model = read_model(folder.write(
        "model.onnx", parsed(header + "g (bool[1] x) => (bool[1] y) { " + nodes + " }").SerializeAsString()));
    return has_typed_elements(model, uint64_t{1} << onnx::TensorProto::BOOL);
  };
  CHECK(has("c = Constant <value: tensor = bool[1] {1}> ()  y = And (x, c)"));
  CHECK_FALSE(has("c = Constant <value: tensor = float[1] {1}> ()  y = Not (x)"));
  CHECK_FALSE(has("y = Not (x)"));
  CHECK(
      has("y = If (x) <then_branch = t () => (p) { c = Constant <value: tensor = bool[1] {1}> ()  p = And (x, c) }, "
          "else_branch = e () => (q) { q = Not (x) }>"));
}

}  // namespace
}  // namespace onnx_lower
