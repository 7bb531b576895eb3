// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/target_file.h"

#include "catch.h"
#include "error.h"
#include "standard_operators/operator_table.h"
#include "targets/runtime_names.h"
#include "targets/target_library.h"

namespace onnx_lower {
namespace {

using Catch::Contains;

TargetFile target_file(const std::string& text) { return TargetFile::parse("board", text, "board.target"); }

}  // namespace

TEST_CASE("a target's fields") {
  const TargetFile file =
      target_file("# A board.\n# More.\n\nopset 7..19\nopset ai.onnx.ml none\nir ..9  # old\nfunctions no\n");
  CHECK(file.title == "A board.");
  CHECK(file.opsets.at("").first == 7);
  CHECK(file.opsets.at("").last == 19);
  CHECK(file.opsets.at("ai.onnx.ml").is_empty());
  CHECK(file.ir_versions.contains(9));
  CHECK_FALSE(file.ir_versions.contains(10));
  CHECK_FALSE(file.takes_functions);
  CHECK_FALSE(file.only_made_nodes);
  CHECK(target_file("nodes made\n").only_made_nodes);
  CHECK(file.takes_others);
  CHECK_FALSE(target_file("others never\n").takes_others);
  CHECK_FALSE(file.from_documents);
  CHECK(target_file("source documents\n").from_documents);
}

TEST_CASE("element types that a target has none of") {
  const TargetFile file = target_file("let half = (float16)\ntypes not in (bfloat16, float16)\n");
  const auto said_of = [&](const TargetFile& of, std::string_view op_type) {
    const OperatorLine* line = of.line_about_types(*find_operator("", op_type, 21));
    return line == nullptr ? std::string() : line->text;
  };
  // Of parameters of one type one is asked, and of a type that the schema does not allow nothing.
  CHECK(said_of(file, "Add") == "where not dtype(A) in (float16, bfloat16)");
  CHECK(said_of(file, "Cast") == "where not dtype(input) in (float16, bfloat16)");
  CHECK(said_of(file, "And").empty());
  CHECK(said_of(target_file("opset 7..21\n"), "Add").empty());
}

TEST_CASE("a target's lines of an operator") {
  const TargetFile file = target_file(
      "let floats = (float, double)\nAbs dtype(X) in floats\nPad 13..18 never\nPad 19.. mode == \"floats # "
      "1\"\nai.onnx::Relu always\n"
      "com.microsoft::Gelu dtype(input_0) == float");
  REQUIRE(file.lines("", "Abs") != nullptr);
  CHECK(file.lines("", "Abs")->front().text == "where dtype(X) in (float, double)");
  REQUIRE(file.lines("", "Pad")->size() == 2);
  CHECK(file.lines("", "Pad")->front().never);
  CHECK(file.lines("", "Pad")->front().versions.contains(18));
  CHECK_FALSE(file.lines("", "Pad")->front().versions.contains(19));
  // Neither a list's name nor a comment's sign means anything in a text.
  CHECK(file.lines("", "Pad")->back().text == "where mode == \"floats # 1\"");
  CHECK(file.lines("", "Pad")->back().line == 4);
  CHECK(file.lines("", "Relu") != nullptr);
  CHECK(file.lines("com.microsoft", "Gelu") != nullptr);
  CHECK_FALSE(file.lines("", "Relu")->front().only_made);
  CHECK(target_file("made Relu never").lines("", "Relu")->front().only_made);
  CHECK_FALSE(target_file("made Relu never").lines("", "Relu")->front().is_preference);
  CHECK(target_file("rather Relu rank(X) == 1").lines("", "Relu")->front().is_preference);
  CHECK(file.lines("", "Sub") == nullptr);
  CHECK(file.lines("elsewhere", "Gelu") == nullptr);
}

TEST_CASE("a mistake in a target is pointed at") {
  CHECK_THROWS_WITH(target_file("opset 7..19\n\nAbs rank(X)\n"),
                    Contains("board.target:3:5: error: the condition does not read"));
  CHECK_THROWS_AS(target_file("Abs never\nRelu sometimes\n"), InvalidInput);
  CHECK_THROWS_AS(target_file("opset ..\n"), InvalidInput);
  CHECK_THROWS_AS(target_file(std::string("Abs never\n\0", 11)), InvalidInput);
}

TEST_CASE("a name as people write it is the name of a runtime and a version") {
  const auto spelled = [](std::string_view text) {
    const RuntimeName name = parse_runtime_name(text);
    return name.runtime + " " + name.version;
  };
  CHECK(spelled("ort") == "onnxruntime ");
  CHECK(spelled("trt-8.6") == "tensorrt 8.6");
  CHECK(spelled("ONNXRuntime-1.22") == "onnxruntime 1.22");
  CHECK(spelled("onnxruntime==1.22.1") == "onnxruntime 1.22.1");
  CHECK(spelled("tensorrt_rtx") == "tensorrt-rtx ");
  CHECK(spelled("opencv4") == "opencv 4");
  CHECK(spelled("rknn-toolkit2-2.5") == "rknn-toolkit2 2.5");
  CHECK(spelled("no-such-thing") == "no-such-thing ");
  CHECK(spelled("-1") == "-1 ");
}

TEST_CASE("the newest version that a name allows is taken, or else the nearest older one") {
  CHECK(find_target("onnxruntime-1.22")->found_as ==
        "onnxruntime-1.22: onnxruntime-1.20 is taken, the nearest older one");
  CHECK(find_target("onnxruntime-1.20.1")->name == "onnxruntime-1.20");
  CHECK(find_target("onnxruntime-1.22rc1")->name == "onnxruntime-1.20");
  CHECK(find_target("ort-1.9")->name == "onnxruntime-1.8");
  CHECK(find_target("opencv-4")->found_as == "opencv-4: opencv-4.14 is taken, the newest");
  CHECK(find_target("openvino-2025")->name == "openvino-2024.6");
  CHECK(find_target("trt-8.6")->found_as == "trt-8.6: tensorrt-8.6 is taken");
  CHECK(find_target("trt")->name.starts_with("tensorrt-1"));  // and not TensorRT for RTX
  CHECK_THROWS_WITH(find_target("onnxruntime-1.7"), Contains("the oldest is --target onnxruntime-1.8;"));
}

TEST_CASE("targets are found by name") {
  CHECK(find_target("onnxruntime")->name == find_targets("openvino,onnxruntime").back()->name);
  CHECK(find_target("onnxruntime-1.8")->name == "onnxruntime-1.8");
  CHECK(find_target("onnxruntime-1.8")->found_as.empty());
  CHECK_THROWS_WITH(find_target("openvina"), Contains("is it openvino?"));
  CHECK_THROWS_AS(find_target(""), UsageError);
  CHECK_THROWS_AS(find_targets("onnxruntime,,openvino"), UsageError);
  const Targets both = find_targets("onnxruntime-1.8,onnxruntime-1.17");
  CHECK(common_opsets(both, "").last == find_target("onnxruntime-1.8")->opsets.at("").last);
  CHECK(common_ir_versions(both).last == find_target("onnxruntime-1.8")->ir_versions.last);
  for (const TargetFile& target : built_in_targets()) {
    // Its own name is spelled as any name is, and no runtime's version is taken for another's.
    const RuntimeName name = parse_runtime_name(target.name);
    CHECK(name.runtime + "-" + name.version == target.name);
    CHECK(find_target(name.runtime)->name.starts_with(name.runtime + "-"));
    CHECK(advice_without_target(name).empty());
    CHECK_FALSE(target.only_made_nodes);
    // A document lists what is taken; an answer was got for every operator.
    CHECK(target.from_documents == !target.takes_others);
  }
}

}  // namespace onnx_lower
