# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The examples of docs/kernels.md work as the page says."""
from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import onnx
import onnxruntime
import pytest
from onnx import helper

import kernels
import tool

PAGE = (tool.REPOSITORY / "docs" / "kernels.md").read_text()


def example(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) == 1, f"the page shows one {language} program"
    return found[0]


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """What the page's commands start from: build/ with the library, and in.onnx with one node that is lowered and one that is kept."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "libonnx_lower_kernels.so").symlink_to(kernels.LIBRARY)
    nodes = [
        helper.make_node("cstThreshold", ["xyz"], ["clipped"], domain="rknn_cst", threshold=-1.0, value=-1.0),
        helper.make_node("knnquery", ["clipped", "offset"], ["idx", "dist"], domain="custom", nsample=2),
    ]
    inputs = [helper.make_tensor_value_info("xyz", onnx.TensorProto.FLOAT, ["n", 3]), helper.make_tensor_value_info("offset", onnx.TensorProto.INT32, ["b"])]
    outputs = [helper.make_tensor_value_info("idx", onnx.TensorProto.INT32, ["n", 2]), helper.make_tensor_value_info("dist", onnx.TensorProto.FLOAT, ["n", 2])]
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("custom", 1), helper.make_opsetid("rknn_cst", 1)]
    onnx.save(helper.make_model(helper.make_graph(nodes, "graph", inputs, outputs), opset_imports=imports, ir_version=8), tmp_path / "in.onnx")
    command = re.search(r"^    onnx-lower (.*?) *#", PAGE, re.MULTILINE).group(1)
    result = tool.run(command.split(), cwd=tmp_path)
    assert result.status == tool.DONE, str(result)
    lowered = onnx.load(tmp_path / "out.onnx")
    assert "knnquery" in [node.op_type for node in lowered.graph.node] and "cstThreshold" not in [node.op_type for node in lowered.graph.node]
    return tmp_path


def test_python_example(folder: pathlib.Path) -> None:
    program = example("python") + "\nprint(idx.shape, (idx[:, 0] == np.arange(1000)).all(), idx[:400].max() < 400 <= idx[400:].min(), (dist[:, 1] >= dist[:, 0]).all())\n"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == "(1000, 2) True True True".split()


def headers() -> str:
    """The folder of the headers with which the library was built."""
    cache = kernels.LIBRARY.with_name("CMakeCache.txt").read_text()
    return re.search(r"^ONNX_LOWER_ONNXRUNTIME_INCLUDE_DIR:\w+=(.*)$", cache, re.MULTILINE).group(1)


def test_cpp_example(folder: pathlib.Path) -> None:
    (library,) = pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.*")
    for name in ("libonnxruntime.so", "libonnxruntime.so.1"):
        (folder / name).symlink_to(library)
    command = ["g++", "-std=c++20", "-O0", "-isystem", headers(), "example.cpp", "-L.", "-lonnxruntime", f"-Wl,-rpath,{folder}", "-o", "example"]
    (folder / "example.cpp").write_text(example("cpp"))
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run(["./example"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "5 to point 1\n"


def test_library_is_installed(tmp_path: pathlib.Path) -> None:
    """cmake --install puts it in place, where the tool is built, too."""
    build = kernels.LIBRARY.parent
    subprocess.run(["cmake", "--install", build, "--prefix", tmp_path], check=True, capture_output=True)
    (installed,) = tmp_path.glob("lib/**/libonnx_lower_kernels.so")
    options = onnxruntime.SessionOptions()
    options.register_custom_ops_library(str(installed))


def test_library_needs_no_other_of_ours() -> None:
    """No onnx and no protobuf, and one function to call."""
    needed = subprocess.run(["readelf", "--dynamic", kernels.LIBRARY], check=True, capture_output=True, text=True).stdout
    libraries = re.findall(r"NEEDED.*\[(.*)\]", needed)
    assert libraries and all(name.startswith(("libc.", "libm.", "libstdc++.", "libgcc_s.", "ld-linux")) for name in libraries), libraries
    symbols = subprocess.run(["nm", "--dynamic", "--defined-only", "--extern-only", kernels.LIBRARY], check=True, capture_output=True, text=True).stdout
    functions = [line.split()[-1] for line in symbols.splitlines() if " T " in line]
    assert functions == ["RegisterCustomOps"]
