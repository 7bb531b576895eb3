# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the form costs that is for two runtimes: nodes, and the processor's time on one thread, of what is written without a target beside what is written for one runtime. Asserts nothing.

    ONNX_LOWER=build/onnx-lower build/venv/bin/python bench/cost_of_default.py [OPERATOR...]

Prints the rows of the table of docs/speed.md. The contestants run by turns; a time is the median of so many runs, and what is printed is how many times as long the default takes.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "tests" / "python"))
import runtimes

TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower")).resolve()
ROUNDS = 15
RUNTIMES = {"onnxruntime": runtimes.in_onnxruntime, "openvino": runtimes.in_openvino}
random = np.random.default_rng(0)


def drawn(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return random.standard_normal(shape).astype(dtype)


def one_node(op_type: str, domain: str, opset: int, inputs: dict[str, np.ndarray], constants: dict[str, np.ndarray] | None = None, outputs: tuple[int, ...] = (TensorProto.FLOAT,), **attributes: object):
    """The model, and its inputs. A name that neither has is an input that is absent. A node behind it is what some fusions of ONNX Runtime want."""
    constants = constants or {}
    names = attributes.pop("order", [*inputs, *constants])
    node = helper.make_node(op_type, [name if name in inputs or name in constants else "" for name in names], [f"y{index}" for index in range(len(outputs))], domain=domain, **attributes)
    values = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in inputs.items()]
    behind = [helper.make_node("Neg", [name], [f"{name}_behind"]) for name in node.output]
    results = [helper.make_tensor_value_info(f"{name}_behind", element_type, None) for name, element_type in zip(node.output, outputs)]
    graph = helper.make_graph([node, *behind], "graph", values, results, [numpy_helper.from_array(array, name) for name, array in constants.items()])
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(domain, 1)] if domain else [])
    return helper.make_model(graph, opset_imports=imports, ir_version=10 if opset > 20 else 8).SerializeToString(), inputs


def deformable():
    return one_node("deform_conv2d", "custom", 19, {"x": drawn(1, 64, 56, 56), "offset": drawn(1, 18, 56, 56)}, {"w": drawn(64, 64, 3, 3)}, order=["x", "w", "offset"], stride=[1, 1], padding=[1, 1], dilation=[1, 1])


def attention(dtype: type):
    element_type = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return one_node("MultiHeadAttention", "com.microsoft", 17, {name: drawn(1, 256, 512, dtype=dtype) for name in ("query", "key", "value")}, outputs=(element_type,), num_heads=8)


def shared_heads():
    inputs = {"query": drawn(1, 256, 2048), "key": drawn(1, 256, 512), "value": drawn(1, 256, 512)}
    return one_node("GroupQueryAttention", "com.microsoft", 17, inputs, {"seqlens": np.int32([255]), "total": np.array(256, np.int32)}, outputs=(TensorProto.FLOAT,) * 3, num_heads=32, kv_num_heads=8,
                    order=["query", "key", "value", "past_key", "past_value", "seqlens", "total"])


def neighbours():
    return one_node("knnquery", "custom", 17, {"points": drawn(2048, 3), "offset": np.int32([1024, 2048])}, {"count": np.array(16)}, outputs=(TensorProto.INT32, TensorProto.FLOAT), order=["count", "points", "offset"])


def normalized(op_type: str, **attributes: object):
    return one_node(op_type, "com.microsoft", 17, {"x": drawn(8, 256, 512), "skip": drawn(8, 256, 512)}, {"gamma": drawn(512)}, **attributes)


def compressed():
    constants = {"b": random.integers(0, 256, (2048, 64, 16), np.uint8), "scales": drawn(2048, 64)}
    return one_node("MatMulNBits", "com.microsoft", 21, {"x": drawn(1, 2048)}, constants, K=2048, N=2048, bits=4, block_size=32)


CASES: dict[str, Callable[[], tuple[bytes, dict[str, np.ndarray]]]] = {
    "`deform_conv2d` at 19, 64 channels of 56 x 56": deformable,
    "`MultiHeadAttention` of 256, float": lambda: attention(np.float32),
    "`MultiHeadAttention` of 256, float16": lambda: attention(np.float16),
    "`GroupQueryAttention` of 256": shared_heads,
    "`SkipLayerNormalization` of 8 x 256 x 512": lambda: normalized("SkipLayerNormalization"),
    "`SkipSimplifiedLayerNormalization`, the same": lambda: normalized("SkipSimplifiedLayerNormalization"),
    "`FastGelu` of 8 x 256 x 512": lambda: one_node("FastGelu", "com.microsoft", 17, {"x": drawn(8, 256, 512)}),
    "`QuickGelu`, the same": lambda: one_node("QuickGelu", "com.microsoft", 17, {"x": drawn(8, 256, 512)}),
    "`BiasGelu`, the same": lambda: one_node("BiasGelu", "com.microsoft", 17, {"x": drawn(8, 256, 512)}, {"bias": drawn(512)}),
    "`MatMulNBits` 2048 x 2048, 4 bits, one row": compressed,
    "`knnquery`, 16 of 2 x 1,024 points": neighbours,
    "`HardSwish` of 1 x 64 x 56 x 56 at 13": lambda: one_node("HardSwish", "", 14, {"x": drawn(1, 64, 56, 56)}),
}


def lowered(model: bytes, *arguments: str) -> bytes:
    return subprocess.run([TOOL, "-q", "-", "-o", "-", *arguments], input=model, capture_output=True, check=True).stdout


def nodes(model: bytes) -> int:
    def count(graph: onnx.GraphProto) -> int:
        return sum((node.op_type not in ("Constant", "Neg")) + sum(count(attribute.g) for attribute in node.attribute) for node in graph.node)

    return count(onnx.load_model_from_string(model).graph)


def times_as_long(default: bytes, own: bytes, inputs: dict[str, np.ndarray], runner: Callable) -> float:
    runs, seconds = [runner(default), runner(own)], ([], [])
    for round_number in range(ROUNDS + 2):
        for run, kept in zip(runs, seconds):
            start = time.process_time()
            run(inputs)
            if round_number > 1:
                kept.append(time.process_time() - start)
    return statistics.median(seconds[0]) / statistics.median(seconds[1])


def main() -> None:
    print("| operator | nodes | for ONNX Runtime | its time | for OpenVINO | its time |\n| --- | --- | --- | --- | --- | --- |")
    for name, case in CASES.items():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        model, inputs = case()
        more = ["--target-opset", "13"] if name.endswith("at 13") else []
        default = lowered(model, *more)
        cells = [name, str(nodes(default))]
        for target, runner in RUNTIMES.items():
            own = lowered(model, "--target", target, *more)
            same = own == default
            cells += [str(nodes(own)), "" if same else f"{times_as_long(default, own, inputs, runner):.2f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
