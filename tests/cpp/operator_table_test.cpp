// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/operator_table.h"

#include <array>
#include <chrono>

#include "catch.h"
#include "legalizer/legality/type_problem.h"
#include "onnx/defs/parser.h"
#include "onnx/defs/schema.h"
#include "standard_operators/changed_meanings.h"
#include "standard_operators/version_change.h"

using namespace onnx_lower;

namespace {

onnx::NodeProto node_of(const char* text) {
  onnx::NodeProto node;
  onnx::OnnxParser parser(text);
  const auto status = parser.Parse(node);
  INFO(status.ErrorMessage());
  REQUIRE(status.IsOK());
  return node;
}

VersionChange change(const char* text, int64_t written_for, int64_t other) {
  const onnx::NodeProto node = node_of(text);
  const OperatorVersion* from = find_operator(node.domain(), node.op_type(), written_for);
  const OperatorVersion* to = find_operator(node.domain(), node.op_type(), other);
  REQUIRE(from != nullptr);
  REQUIRE(to != nullptr);
  return version_change(node, *from, *to);
}

std::string rewritten(const char* text, int64_t written_for, int64_t other) {
  onnx::NodeProto node = node_of(text);
  const VersionChange result = change(text, written_for, other);
  CHECK(result.reason == "");
  apply(result, node);
  std::string attributes;
  for (const auto& a : node.attribute()) {
    attributes += (attributes.empty() ? "" : " ") + a.name() + "=" +
                  (a.type() == onnx::AttributeProto::STRING ? a.s() : std::to_string(a.i()));
  }
  return attributes;
}

}  // namespace

TEST_CASE("the version in force at an opset", "[operator_table]") {
  CHECK(find_operator("", "CastLike", 14) == nullptr);
  REQUIRE(find_operator("", "CastLike", 15) != nullptr);
  CHECK(find_operator("", "CastLike", 18)->since_version == 15);
  CHECK(find_operator("", "CastLike", 19)->since_version == 19);
  CHECK(find_operator("ai.onnx", "Softmax", 12)->since_version == 11);
  CHECK(find_operator("ai.onnx.ml", "LabelEncoder", 1)->since_version == 1);
  CHECK(find_operator("", "LabelEncoder", 20) == nullptr);
  CHECK(find_operator("custom", "Relu", 20) == nullptr);
  CHECK(find_operator("", "", 20) == nullptr);
  CHECK(operator_versions("", "NoSuchOperator").empty());
  CHECK(operator_versions("", "Cast").front().since_version == 1);
  CHECK(find_operator("", "Upsample", 10)->deprecated);
}

TEST_CASE("the standard domains", "[operator_table]") {
  CHECK(is_standard_domain(""));
  CHECK(is_standard_domain("ai.onnx"));
  CHECK(is_standard_domain("ai.onnx.ml"));
  CHECK_FALSE(is_standard_domain("com.microsoft"));
  CHECK(newest_opset("ai.onnx") == newest_opset(""));
}

TEST_CASE("the table says what onnx's schemas say", "[operator_table]") {
  int checked = 0;
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!is_standard_domain(schema.domain())) continue;
    INFO(schema.domain() << "::" << schema.Name() << " " << schema.SinceVersion());
    const OperatorVersion* version = find_operator(schema.domain(), schema.Name(), schema.SinceVersion());
    REQUIRE(version != nullptr);
    CHECK(version->since_version == schema.SinceVersion());
    CHECK(version->deprecated == schema.Deprecated());
    CHECK(version->min_inputs == schema.min_input());
    CHECK(version->max_inputs == schema.max_input());
    CHECK(version->min_outputs == schema.min_output());
    CHECK(version->max_outputs == schema.max_output());
    CHECK(version->inputs.size() == schema.inputs().size());
    CHECK(version->attributes.size() == schema.attributes().size());
    for (const auto& [name, attribute] : schema.attributes()) {
      REQUIRE(version->attribute(name) != nullptr);
      CHECK(version->attribute(name)->required == attribute.required);
      onnx::AttributeProto value;
      CHECK(value.ParseFromString(std::string(version->attribute(name)->default_value)));
      CHECK(value.has_type() == attribute.default_value.has_type());
    }
    ++checked;
  }
  CHECK(checked > 600);
  for (const char* domain : {"", "ai.onnx.ml"}) {
    CHECK(newest_opset(domain) ==
          onnx::OpSchemaRegistry::DomainToVersionRange::Instance().LastReleaseVersionMap().at(domain));
  }
}

TEST_CASE("every entry of the reviewed list names a version step that exists", "[operator_table]") {
  const auto has_version = [](std::string_view op_type, int since) {
    const OperatorVersion* version = find_operator("", op_type, since);
    return version != nullptr && version->since_version == since;
  };
  for (const auto& entry : changed_meanings()) CHECK(has_version(entry.op_type, entry.since_version));
  for (const auto& entry : bounded_values())
    CHECK(find_operator("", entry.op_type, entry.first_version)->attribute(entry.attribute) != nullptr);
  for (const auto& entry : former_behaviours())
    CHECK(operator_versions("", entry.op_type).back().attribute(entry.attribute) != nullptr);
  for (const auto& entry : dropped_attributes())
    CHECK(operator_versions("", entry.op_type).back().attribute(entry.attribute) == nullptr);
}

TEST_CASE("types that an input takes", "[operator_table]") {
  const auto takes_float = [](std::string_view op_type, int64_t opset, int input) {
    return (find_operator("", op_type, opset)->input(input)->types >> onnx::TensorProto::FLOAT & 1) != 0;
  };
  CHECK_FALSE(takes_float("Equal", 10, 0));
  CHECK(takes_float("Equal", 11, 0));
  CHECK(takes_float("Concat", 13, 7));
  CHECK(find_operator("", "Relu", 13)->input(1) == nullptr);
}

TEST_CASE("100,000 look-ups take a few milliseconds", "[operator_table]") {
  const auto start = std::chrono::steady_clock::now();
  int64_t sum = 0;
  for (int i = 0; i < 100'000; ++i)
    sum += find_operator("", i % 2 != 0 ? "LayerNormalization" : "Add", 17)->since_version;
  CHECK(sum == 50'000 * (17 + 14));
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::milliseconds(100));
}

TEST_CASE("only the element types changed", "[reading]") {
  CHECK(change("y = Add (a, b)", 14, 7).changes_nothing());
  CHECK(change("y = Where (c, a, b)", 16, 9).changes_nothing());
  CHECK(change("y = Concat <axis = 1> (a, b, c)", 13, 4).changes_nothing());
  CHECK(change("y = ReduceMean <keepdims = 0> (a)", 18, 13).changes_nothing());
}

TEST_CASE("a newer attribute", "[reading]") {
  CHECK(change("v, i = TopK (x, k)", 11, 10).changes_nothing());
  CHECK(change("v, i = TopK <largest = 0> (x, k)", 11, 10).reason == "attribute 'largest' exists from opset 11 on");
  CHECK(rewritten("v, i = TopK <largest = 1> (x, k)", 11, 10) == "");
  CHECK(change("y = DequantizeLinear <block_size = 2> (x, s)", 25, 19).reason ==
        "attribute 'block_size' exists from opset 21 on");
  CHECK(change("y = Constant <value_float = 1.0> ()", 12, 11).reason ==
        "attribute 'value_float' exists from opset 12 on");
}

TEST_CASE("attributes that became inputs, and back", "[reading]") {
  CHECK(change("y = ReduceSum (x, axes)", 13, 11).reason == "input 'axes' exists from opset 13 on");
  CHECK(change("y = Dropout (x, r)", 22, 10).reason == "input 'ratio' exists from opset 12 on");
  CHECK(change("y = ReduceSum <axes = [1]> (x)", 11, 13).reason == "attribute 'axes' is gone from opset 13 on");
  CHECK(change("y = ReduceSum <axes = [1]> (x)", 11, 1).changes_nothing());
  CHECK_FALSE(change("y = Unsqueeze <axes = [1]> (x)", 11, 13).is_possible());
  CHECK_FALSE(change("y = Clip (x)", 11, 6).is_possible());
  CHECK_FALSE(change("y = Clip (x)", 6, 11).is_possible());
  CHECK_FALSE(change("y = Resize (x, scales)", 10, 11).is_possible());
  CHECK_FALSE(change("y = Slice (x, s, e)", 10, 9).is_possible());
  CHECK_FALSE(change("y = DFT (x)", 17, 20).is_possible());
  CHECK_FALSE(change("y = DFT (x)", 20, 17).is_possible());
}

TEST_CASE("inputs that cannot be left out", "[reading]") {
  CHECK(change("y = Gemm (a, b)", 11, 9).reason == "input 'C' cannot be left out at opset 9");
  CHECK(change("y = Resize (x, , scales)", 13, 11).reason == "input 'roi' cannot be left out at opset 11");
}

TEST_CASE("changes that no schema shows", "[reading]") {
  CHECK_FALSE(change("y = Softmax <axis = 1> (x)", 13, 11).is_possible());
  CHECK(rewritten("y = Softmax (x)", 13, 11) == "axis=-1");
  CHECK(change("y = Softmax <axis = -1> (x)", 11, 13).changes_nothing());
  CHECK_FALSE(change("y = LogSoftmax (x)", 11, 13).is_possible());
  CHECK_FALSE(change("a, b = Split (x)", 13, 18).is_possible());
  CHECK(change("a, b = Split (x, sizes)", 13, 18).changes_nothing());
  CHECK_FALSE(change("y = GroupNormalization <num_groups = 2> (x, s, b)", 18, 21).is_possible());
  CHECK(change("y = Mod <fmod = 1> (a, b)", 28, 13).changes_nothing());
  CHECK_FALSE(change("y = Mod (a, b)", 28, 13).is_possible());
  CHECK_FALSE(change("y = Flatten <axis = -1> (x)", 11, 9).is_possible());
  CHECK_FALSE(change("y = Squeeze <axes = [0, -1]> (x)", 11, 9).is_possible());
  CHECK(change("y = Squeeze <axes = [0, 1]> (x)", 11, 9).changes_nothing());
  CHECK(change("y = Scatter (x, i, u)", 9, 11).reason == "it is deprecated from opset 11 on");
}

TEST_CASE("changed defaults and names of values are written out", "[reading]") {
  CHECK(rewritten("y = RoiAlign (x, rois, b)", 10, 16) == "coordinate_transformation_mode=output_half_pixel");
  CHECK(rewritten("y = RoiAlign <coordinate_transformation_mode = \"output_half_pixel\"> (x, rois, b)", 16, 10) == "");
  CHECK_FALSE(change("y = RoiAlign (x, rois, b)", 16, 10).is_possible());
  CHECK(rewritten("y = GridSample (x, g)", 16, 20) == "mode=linear");
  CHECK(rewritten("y = GridSample <mode = \"bicubic\"> (x, g)", 16, 20) == "mode=cubic");
  CHECK(change("y = GridSample <mode = \"nearest\"> (x, g)", 16, 20).changes_nothing());
  CHECK(change("y = GridSample (x, g)", 20, 16).reason == "mode = \"linear\" exists from opset 20 on");
  CHECK(change("y = ScatterND <reduction = \"max\"> (x, i, u)", 18, 16).reason ==
        "reduction = \"max\" exists from opset 18 on");
  CHECK(change("y = ScatterND <reduction = \"add\"> (x, i, u)", 18, 16).changes_nothing());
}

TEST_CASE("normalization in inference mode", "[reading]") {
  CHECK(change("y = BatchNormalization (x, s, b, m, v)", 15, 9).changes_nothing());
  CHECK(rewritten("y = BatchNormalization <spatial = 1> (x, s, b, m, v)", 7, 14) == "");
  CHECK_FALSE(change("y = BatchNormalization <training_mode = 1> (x, s, b, m, v)", 15, 9).is_possible());
  CHECK_FALSE(change("y, m2, v2 = BatchNormalization <training_mode = 1> (x, s, b, m, v)", 15, 9).is_possible());
  CHECK(rewritten("y = Dropout <ratio = 0.25> (x)", 7, 13) == "");
  CHECK_FALSE(change("y, mask = Dropout (x)", 10, 13).is_possible());
}

TEST_CASE("an element type that one of the versions does not take", "[reading]") {
  const std::array<ValueId, 2> inputs = {1, 2};
  const OperatorVersion& newer = *find_operator("", "Equal", 13);
  const OperatorVersion& older = *find_operator("", "Equal", 9);
  const auto refused = [&](const OperatorVersion& other, int type) {
    return type_problem(inputs, other, &newer, [&](ValueId) { return type; });
  };
  CHECK(refused(older, onnx::TensorProto::FLOAT) ==
        "input 'A' cannot have elements of type FLOAT in version 7 of the operator");
  CHECK(refused(older, onnx::TensorProto::INT64) == "");
  CHECK(refused(older, onnx::TensorProto::UNDEFINED) == "");
  CHECK(refused(newer, onnx::TensorProto::FLOAT) == "");
}

TEST_CASE("the opset that would do", "[reading]") {
  const auto hint = [](const char* text, int64_t written_for, int64_t above) {
    const onnx::NodeProto node = node_of(text);
    return first_opset_with_the_meaning(node, *find_operator("", node.op_type(), written_for), above);
  };
  CHECK(hint("y = CastLike (a, b)", 18, 11) == 15);
  CHECK(hint("y = ScatterND <reduction = \"max\"> (x, i, u)", 18, 13) == 18);
  CHECK(hint("y = ReduceSum <axes = [1]> (x)", 11, 9) == 10);
  CHECK(hint("y = ReduceSum <axes = [1]> (x)", 11, 13) == std::nullopt);
}

TEST_CASE("a node means the same at its own version", "[reading]") {
  CHECK(change("y = Softmax (x)", 13, 20).changes_nothing());
  CHECK(change("y = GridSample (x, g)", 20, 22).changes_nothing());
}
