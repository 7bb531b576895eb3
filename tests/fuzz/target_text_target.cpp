// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Files of targets: what is wrong with them is said with the line, and models are lowered for those
// that can be read.

#include <string>
#include <vector>

#include "cpp/temporary_folder.h"
#include "error.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/lowering_oracle.h"
#include "onnx/defs/parser.h"
#include "targets/target_file.h"

namespace onnx_lower::fuzz {
namespace {

// Nodes of several types, with constants, optional inputs and outputs, subgraphs, and operators
// that rules know.
constexpr const char* texts[] = {
    R"(<ir_version: 8, opset_import: ["" : 18, "com.microsoft" : 1]>
       graph (float[N,4] x, double[N,4] d) => (float[N,4] y, double[N,4] e, int64[2] s)
       <float[4] scale = {1, 2, 3, 4}> {
         g = com.microsoft.FastGelu (x)
         h = LayerNormalization <axis = -1> (g, scale)
         y = Softmax <axis = -1> (h)
         e = Erf (d)
         s = Shape (y)
       })",
    R"(<ir_version: 8, opset_import: ["" : 17]>
       graph (float[2,3] x, bool c, int64 m) => (float[2,3] y, float[2,3] z) {
         y = If (c) <then_branch = a () => (t) { t = Relu (x) }, else_branch = b () => (u) { u = Mish (x) }>
         yes = Constant <value: tensor = bool {1}> ()
         z = Loop (m, yes, x) <body = l (int64 i, bool k, float[2,3] w) => (bool o, float[2,3] v) {
           o = Identity (k)
           v = Add (w, w)
         }>
       })",
    R"(<ir_version: 9, opset_import: ["" : 20]>
       graph (int8[3] a, float16[2,3,4,4] b, int64[K] i) => (int8[3] p, float16[M] q, int64[L] r) {
         n = Neg (a)
         p = Clip (n)
         t = Gelu <approximate = "tanh"> (b)
         v = Constant <value_ints = [-1]> ()
         q = Reshape (t, v)
         u, w, o, j = Unique (i)
         k = Constant <value_int = 1> ()
         zero = Constant <value: tensor = int64 {0}> ()
         r = Range (zero, k, k)
       })"};

std::vector<std::string> parsed_models() {
  std::vector<std::string> models;
  for (const char* text : texts) {
    onnx::ModelProto model;
    const auto status = onnx::OnnxParser::Parse(model, text);
    if (!status.IsOK()) fail("a model cannot be read: " + status.ErrorMessage());
    models.push_back(model.SerializeAsString());
  }
  return models;
}

}  // namespace

void run_target_text(std::string_view input) {
  static const TemporaryFolder folder("onnx-lower-fuzz-target");
  static const std::vector<std::string> models = parsed_models();
  const std::string path = folder.write("fuzz.target", std::string(input));
  try {
    const TargetFile target = TargetFile::parse("fuzz", std::string(input), path);
    if (target.text != input) fail("it is another text");
  } catch (const InvalidInput& error) {
    if (!std::string_view(error.what()).starts_with(path + ":"))
      fail(std::string("it does not say where: ") + error.what());
    return;
  }
  for (const std::string& model : models) check_lowering(model, {"--target", path}, {});
}

}  // namespace onnx_lower::fuzz
