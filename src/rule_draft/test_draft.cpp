// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "domain.h"
#include "error.h"
#include "model_file/model_text.h"
#include "rule_draft/rule_draft.h"

namespace onnx_lower {
namespace {

// {0}: the operator, {1}: the stem of the files' names, {2}: the model that it was written for,
// {3}: the models of the test.
constexpr const char* test_text = R"PY("""Whether the rule of {0} in {1}.onnxtxt computes what the operator means.

Say in `expected` what that is, and run: python3 test_{1}.py
It needs onnx, numpy and onnxruntime, and onnx-lower on the PATH. pytest runs it, too.
"""
import pathlib
import subprocess
import tempfile

import numpy as np
import onnx
import onnxruntime

RULE = pathlib.Path(__file__).with_name("{1}.onnxtxt")
OPEN_DIMENSION = 3  # the size that dimensions get which {2} leaves open


def expected(inputs: list, attributes: dict) -> list:
    """The outputs of {0}, as a list of arrays. `inputs`: an array each, None where it is absent."""
    raise NotImplementedError("say here with numpy what {0} computes")


# A node of {2} in each form that it has there.
MODELS = [
{3}]


def drawn(value: onnx.ValueInfoProto, random: np.random.Generator) -> np.ndarray:
    tensor = value.type.tensor_type
    shape = [dim.dim_value or OPEN_DIMENSION for dim in tensor.shape.dim] if tensor.HasField("shape") else [2, 3]
    dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    # Integers may be indices or lengths: 0 and 1 suit most. Draw what suits your operator.
    return (random.normal(size=shape) if dtype.kind == "f" else random.integers(0, 2, shape)).astype(dtype)


def check(text: str) -> None:
    model = onnx.parser.parse_model(text)
    node = model.graph.node[0]
    random = np.random.default_rng(0)
    feeds = {{value.name: drawn(value, random) for value in model.graph.input}}
    known = feeds | {{tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in model.graph.initializer}}
    attributes = {{each.name: onnx.helper.get_attribute_value(each) for each in node.attribute}}
    wanted = expected([known[name] if name else None for name in node.input], attributes)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(pathlib.Path(folder, name)) for name in ("model.onnx", "lowered.onnx")]
        onnx.save(model, paths[0])
        subprocess.run(["onnx-lower", paths[0], "-o", paths[1], "--rules", str(RULE)], check=True)
        outputs = onnxruntime.InferenceSession(paths[1]).run(None, feeds)
    assert len(outputs) == len(wanted), f"{{len(outputs)}} outputs, and {{len(wanted)}} are expected"
    for output, right in zip(outputs, wanted):
        tolerance = 1e-2 if output.dtype == np.float16 else 1e-5  # some roundings of the element type
        np.testing.assert_allclose(output, right, rtol=tolerance, atol=tolerance)


def test_models() -> None:
    for text in MODELS:
        check(text)


if __name__ == "__main__":
    test_models()
    print("the same")
)PY";

bool is_tensor(const onnx::TypeProto& type) {
  return type.has_tensor_type() || type.value_case() == onnx::TypeProto::VALUE_NOT_SET;
}

// What is not known of a tensor's type is taken to be float.
onnx::TypeProto complete(onnx::TypeProto type) {
  auto& tensor = *type.mutable_tensor_type();
  if (tensor.elem_type() == onnx::TensorProto::UNDEFINED) tensor.set_elem_type(onnx::TensorProto::FLOAT);
  return type;
}

void declare(onnx::ValueInfoProto& value, const std::string& name, const onnx::TypeProto& type) {
  value.set_name(name);
  *value.mutable_type() = complete(type);
}

// The model of one node, as text that stands between ''' in Python; nothing where there is none.
std::optional<std::string> model_of(const DraftedOperator& op, const NodeExample& example) {
  const auto is_graph = [](const onnx::AttributeProto& attribute) {
    return attribute.has_g() || attribute.graphs_size() > 0;
  };
  if (!std::ranges::all_of(example.input_types, is_tensor) || !std::ranges::all_of(example.output_types, is_tensor) ||
      std::ranges::any_of(example.node.attribute(), is_graph))
    return std::nullopt;
  constexpr int64_t first_ir_version = 8;  // which runtimes of the last years take
  onnx::ModelProto model;
  model.set_ir_version(first_ir_version);
  const auto import = [&](const std::string& domain, int64_t version) {
    auto& imported = *model.add_opset_import();
    imported.set_domain(domain);
    imported.set_version(version);
  };
  import("", example.opset);
  if (!op.domain.empty()) import(op.domain, 1);
  const FormalNames names = formal_names(example);
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("example");
  onnx::NodeProto& node = *graph.add_node();
  node = example.node;
  node.clear_name();
  node.clear_doc_string();
  node.clear_metadata_props();
  for (int i = 0; i < node.input_size(); ++i) {
    const auto at = static_cast<size_t>(i);
    if (node.input(i).empty()) continue;
    node.set_input(i, names.inputs[at]);
    if (example.are_constants[at] && example.constants[at].data_type() != onnx::TensorProto::UNDEFINED) {
      *graph.add_initializer() = example.constants[at];
      graph.mutable_initializer()->rbegin()->set_name(names.inputs[at]);
    } else {
      declare(*graph.add_input(), names.inputs[at], example.input_types[at]);
    }
  }
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    node.set_output(i, names.outputs[static_cast<size_t>(i)]);
    declare(*graph.add_output(), node.output(i), example.output_types[static_cast<size_t>(i)]);
  }
  try {
    std::string text = model_text_from_bytes(model.SerializeAsString(), op.model);
    constexpr const char* quotes = "'''";
    if (text.find(quotes) == std::string::npos) return text;
  } catch (const InvalidInput&) {
    // The syntax cannot say all of the node.
  }
  return std::nullopt;
}

}  // namespace

std::string drafted_test(const DraftedOperator& op) {
  std::string models;
  for (const NodeExample& example : op.examples) {
    if (const std::optional<std::string> text = model_of(op, example))
      models += fmt::format("    # such as '{}'\n    r'''\n{}''',\n", example.name, *text);
  }
  if (models.empty()) return {};
  return fmt::format(fmt::runtime(test_text), operator_name(op.domain, op.op_type), op.file_stem(), op.model, models);
}

}  // namespace onnx_lower
