# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The README's example of a rule works as the README says."""
import pathlib
import re

import numpy as np
import onnx
import onnxruntime
import pytest

import tool

README = (tool.REPOSITORY / "README.md").read_text()


def example_rule() -> str:
    found = re.findall(r"```onnxtxt\n(.*?)```", README, re.DOTALL)
    assert len(found) == 1, "the README shows one rule"
    return found[0]


@pytest.mark.parametrize("opset", [9, 13, 18, 23])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_example_rule(tmp_path: pathlib.Path, opset: int, dtype: type) -> None:
    rules = tmp_path / "my_ops.onnxtxt"
    rules.write_text(example_rule())
    element = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = onnx.helper.make_graph(
        [onnx.helper.make_node("ScaleAndCap", ["x"], ["y"], domain="acme", factor=2.5)],
        "g",
        [onnx.helper.make_tensor_value_info("x", element, ["n"])],
        [onnx.helper.make_tensor_value_info("y", element, ["n"])],
    )
    imports = [onnx.helper.make_opsetid("", opset), onnx.helper.make_opsetid("acme", 1)]
    model = onnx.helper.make_model(graph, opset_imports=imports, ir_version=8 if opset < 19 else 10)
    onnx.save(model, tmp_path / "in.onnx")
    result = tool.run([tmp_path / "in.onnx", "-o", tmp_path / "out.onnx", "--rules", rules])
    assert result.status == tool.DONE, str(result)
    session = onnxruntime.InferenceSession(tmp_path / "out.onnx", providers=["CPUExecutionProvider"])
    x = np.array([-1, 0, 1, 2, 3, np.inf], dtype)
    (y,) = session.run(None, {"x": x})
    # 2.5 and 6 are exact, and so are the products.
    np.testing.assert_array_equal(y, np.minimum(x * dtype(2.5), dtype(6)))


def test_example_rule_passes_the_lint(tmp_path: pathlib.Path) -> None:
    rules = tmp_path / "my_ops.onnxtxt"
    rules.write_text(example_rule())
    result = tool.run(["--check-rules", rules])
    assert result.status == tool.DONE, str(result)


def test_commands_are_those_of_the_makefile() -> None:
    makefile = (tool.REPOSITORY / "Makefile").read_text()
    for command in ("demo", "test"):
        assert f"make {command}" in README and re.search(rf"^{command}:", makefile, re.MULTILINE)
