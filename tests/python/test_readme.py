# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The README is true: its example of a rule, its picture, its commands."""
import pathlib
import re
import sys
import xml.etree.ElementTree

import numpy as np
import onnx
import onnxruntime
import pytest

import runtimes
import tool

sys.path.insert(0, str(tool.REPOSITORY / "scripts"))

import make_picture

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


def test_set_up_commands() -> None:
    """Both are what a clone has, and run with sh alone."""
    assert re.findall(r"^    (scripts/\w+)", README, re.MULTILINE) == ["scripts/demo", "scripts/test"]
    for command in ("demo", "test"):
        path = tool.REPOSITORY / "scripts" / command
        assert path.stat().st_mode & 0o111 and path.read_text().startswith("#!/bin/sh\n")


def test_first_screen(tmp_path: pathlib.Path) -> None:
    """An error, the line that gets past it and what that says, for the model of the picture; and then it runs."""
    screen = README.split("\n## ")[0]
    assert "pip install onnx-lower" in screen and "](docs/picture.svg)" in screen and len(screen.splitlines()) < 30
    shown = screen.split("```console\n")[1].split("\n```")[0].splitlines()
    error, command, said = (next(line for line in shown if line.startswith(start)) for start in ("… ", "$ onnx-lower ", "exported.onnx: "))
    onnx.save(onnx.parser.parse_model(make_picture.MODEL), tmp_path / "exported.onnx")
    with pytest.raises(Exception, match=re.escape(error.removeprefix("… "))):
        onnxruntime.InferenceSession(tmp_path / "exported.onnx")
    run = tool.run(command.split()[2:], cwd=tmp_path)
    without_time = re.compile(r"[\d.]+ ms$")
    assert run.status == tool.DONE and without_time.sub("", run.stderr.strip()) == without_time.sub("", said)
    onnxruntime.InferenceSession(tmp_path / "portable.onnx")


def test_picture(tmp_path: pathlib.Path) -> None:
    """It is what scripts/make_picture.py draws, and what is written below the graphs is true."""
    picture = make_picture.PICTURE.read_text()
    assert picture == make_picture.picture(), "docs/picture.svg is not what scripts/make_picture.py draws: run it, and look at it"
    boxes = list(xml.etree.ElementTree.fromstring(picture).itertext())
    onnx.save(onnx.parser.parse_model(make_picture.MODEL), tmp_path / "exported.onnx")
    assert tool.run(make_picture.COMMAND.split()[1:], cwd=tmp_path).status == tool.DONE
    for name in ("exported.onnx", "portable.onnx"):
        for node in onnx.load(tmp_path / name).graph.node:
            assert node.op_type == "Constant" or make_picture.label(node) in boxes
    with pytest.raises(Exception, match=re.escape("Fatal error: rknn_cst:cstThreshold(-1) is not a registered function/op")):
        runtimes.in_onnxruntime(str(tmp_path / "exported.onnx"))
    random = np.random.default_rng(1)
    inputs = {"image": random.random((1, 3, 8, 8), np.float32), "weight": random.random((4, 3, 3, 3), np.float32) - np.float32(0.5)}
    (first,), (second,) = (runtime(str(tmp_path / "portable.onnx"))(inputs).values() for runtime in (runtimes.in_onnxruntime, runtimes.in_openvino))
    # Two sums of 27 products each, in different orders.
    np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-6)
