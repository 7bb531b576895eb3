// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "rules/body.h"

#include <string>

#include "catch.h"
#include "rules/text/rule_text.h"

namespace onnx_lower {
namespace {

// A rule's text means the same body.
void check_same(const Body& body, const std::string& text) {
  onnx::FunctionProto wanted = parse_rule_text(text, "text", RuleOrigin::built_in).forms.at(0).function;
  // The parser writes out empty fields.
  const auto normalized = [](onnx::FunctionProto function) {
    const auto of_nodes = [](auto& nodes, const auto& self) -> void {
      for (onnx::NodeProto& node : nodes) {
        if (node.domain().empty()) node.clear_domain();
        for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
          if (attribute.has_t()) attribute.mutable_t()->clear_name();
          if (attribute.has_g()) self(*attribute.mutable_g()->mutable_node(), self);
        }
      }
    };
    of_nodes(*function.mutable_node(), of_nodes);
    return function.DebugString();
  };
  CHECK(normalized(body.function()) == normalized(wanted));
}

TEST_CASE("a body is what the text of the same nodes means") {
  Body body("custom", "F", {"x", "i"}, {"y", "z"}, 18);
  body.import("aten", 1);
  body("sum", "Add", {"x", "x"});
  body("norm", "aten.norm", {"sum"});
  body("clipped", "Clip", {"norm", "", "x"});
  const std::string gathered = body("gathered", "Gather", {"clipped", "i"}, {{"axis", -1}});
  CHECK(gathered == "gathered");
  body("wide", "Cast", {gathered}, {{"to", onnx::TensorProto::DOUBLE}});
  body("sampled", "Upsample", {"wide"}, {{"mode", "linear"}, {"scale", 0.5}, {"axes", Ints{1, 2}}});
  body.node({"y", "z"}, "TopK", {"sampled", "i"});
  check_same(body, R"(<domain: "custom", opset_import: ["" : 18, "aten" : 1]> F (x, i) => (y, z) {
    sum = Add (x, x)
    norm = aten.norm (sum)
    clipped = Clip (norm, , x)
    gathered = Gather <axis: int = -1> (clipped, i)
    wide = Cast <to: int = 11> (gathered)
    sampled = Upsample <mode: string = "linear", scale: float = 0.5, axes: ints = [1, 2]> (wide)
    y, z = TopK (sampled, i)
  })");
}

TEST_CASE("constants of a body, under given names and fresh ones") {
  Body body("", "F", {"x"}, {"y"}, 18);
  body.constant("list", Ints{3, -1});
  body.constant("none", Ints{});
  body.constant("number", 7);
  body.constant("half", 0.5);
  body.constant("bytes", tensor_of(onnx::TensorProto::UINT8, {2}, Ints{1, 255}));
  body.constant("doubles", tensor_of(onnx::TensorProto::DOUBLE, {1, 2}, std::vector<double>{0.1, 2}));
  body.constant_like("limit", tensor_of(onnx::TensorProto::FLOAT, {}, std::vector<double>{1}), "x");
  CHECK(body.ints({1}, "axes") == "axes_1");
  CHECK(body.dim("x", 0) == "dim_4");
  CHECK(body.scalar_like(2, "x", "two") == "two_6");
  body.all_are_float(true);
  CHECK(body.scalar_like(2, "x", "two") == "two_7");
  CHECK(body.slice("x", 0, 1, 2, "part") == "part_11");
  check_same(body, R"(<domain: "", opset_import: ["" : 18]> F (x) => (y) {
    list = Constant <value: tensor = int64[2] {3, -1}> ()
    none = Constant <value: tensor = int64[0] {}> ()
    number = Constant <value: tensor = int64 {7}> ()
    half = Constant <value: tensor = float {0.5}> ()
    bytes = Constant <value: tensor = uint8[2] {1, 255}> ()
    doubles = Constant <value: tensor = double[1, 2] {0.1, 2.0}> ()
    limit_ = Constant <value: tensor = float {1.0}> ()
    limit = CastLike (limit_, x)
    axes_1 = Constant <value: tensor = int64[1] {1}> ()
    axis_3 = Constant <value: tensor = int64 {0}> ()
    shape_2 = Shape (x)
    dim_4 = Gather <axis: int = 0> (shape_2, axis_3)
    two_5 = Constant <value: tensor = float {2.0}> ()
    two_6 = CastLike (two_5, x)
    two_7 = Constant <value: tensor = float {2.0}> ()
    start_8 = Constant <value: tensor = int64[1] {0}> ()
    end_9 = Constant <value: tensor = int64[1] {1}> ()
    axis_10 = Constant <value: tensor = int64[1] {2}> ()
    part_11 = Slice (x, start_8, end_9, axis_10)
  })");
}

TEST_CASE("a graph in a body") {
  Body body("custom", "F", {"n", "x"}, {"y"}, 18);
  const onnx::GraphProto step = body.graph("step",
                                           {{"round", onnx::TensorProto::INT64},
                                            {"going", onnx::TensorProto::BOOL},
                                            {"before", onnx::TensorProto::FLOAT, {"d", "3"}}},
                                           {{"goes_on"}, {"after"}}, [&] {
                                             body("goes_on", "Identity", {"going"});
                                             body("after", "Add", {"before", "x"});
                                           });
  body("y", "Loop", {"n", "", "x"}, {{"body", step}});
  check_same(body, R"(<domain: "custom", opset_import: ["" : 18]> F (n, x) => (y) {
    y = Loop <body: graph = step (int64 round, bool going, float[d, 3] before) => (goes_on, after) {
      goes_on = Identity (going)
      after = Add (before, x)
    }> (n, "", x)
  })");
}

}  // namespace
}  // namespace onnx_lower
