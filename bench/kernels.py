# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Time of the native kernels beside SciPy, ONNX Runtime's own kernel and the expansions, on one thread and on all. Asserts nothing.

The contestants run by turns, and what is printed are medians, in milliseconds.
"""
import os
import pathlib
import statistics
import subprocess
import time

import numpy as np
import onnx
import onnxruntime
from onnx import helper
from scipy.spatial import cKDTree

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
TOOL = pathlib.Path(os.environ.get("ONNX_LOWER", REPOSITORY / "build" / "onnx-lower")).resolve()
LIBRARY = pathlib.Path(os.environ.get("ONNX_LOWER_KERNELS", REPOSITORY / "build" / "libonnx_lower_kernels.so")).resolve()
ROUNDS = 7


def model(node, inputs, outputs, constants, opset):
    """The model of one node as bytes; inputs by name, outputs as (name, element type)."""
    values = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape) for name, array in inputs.items()]
    results = [helper.make_tensor_value_info(name, element_type, None) for name, element_type in outputs]
    initializers = [onnx.numpy_helper.from_array(array, name) for name, array in constants.items()]
    imports = [helper.make_opsetid("", opset)] + ([helper.make_opsetid(node.domain, 1)] if node.domain else [])
    graph = helper.make_graph([node], "graph", values, results, initializers)
    return helper.make_model(graph, opset_imports=imports, ir_version=8).SerializeToString()


def lowered(serialized, *arguments):
    return subprocess.run([TOOL, "-q", "-", "-o", "-", *arguments], input=serialized, capture_output=True, check=True).stdout


def session(serialized, inputs, threads, library=None):
    """A run of the model, as a function without arguments. With `threads` of 0, ONNX Runtime takes what it likes."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    # The threads of a session that has run wait for more in a busy loop, which the next contestant would pay for.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    if library:
        options.register_custom_ops_library(str(library))
    running = onnxruntime.InferenceSession(serialized, options, providers=["CPUExecutionProvider"])
    return lambda: running.run(None, inputs)


def report(title, contestants):
    """`contestants`: by name, what runs on one thread and what runs on all."""
    times = {name: ([], []) for name in contestants}
    for _ in range(ROUNDS):
        for name, runs in contestants.items():
            for kept, run in zip(times[name], runs):
                start = time.perf_counter()
                run()
                kept.append(1e3 * (time.perf_counter() - start))
    print(f"\n{title}\n{'':<34}{'1 thread':>12}{'all threads':>14}")
    for name, kept in times.items():
        print(f"{name:<34}{statistics.median(kept[0]):>9.1f} ms{statistics.median(kept[1]):>11.1f} ms")


def neighbours(points, count):
    random = np.random.default_rng(0)
    inputs = {"xyz": random.uniform(0, 100, (points, 3)).astype(np.float32), "offset": np.int32([points])}
    node = helper.make_node("knnquery", ["nsample", "xyz", "offset"], ["idx", "dist"], domain="custom")
    outputs = [("idx", onnx.TensorProto.INT32), ("dist", onnx.TensorProto.FLOAT)]
    custom = model(node, inputs, outputs, {"nsample": np.array(count)}, 13)
    contestants = {"kernel": [session(custom, inputs, threads, LIBRARY) for threads in (1, 0)],
                   "SciPy's cKDTree, built and asked": [lambda workers=workers: cKDTree(inputs["xyz"]).query(inputs["xyz"], count, workers=workers) for workers in (1, -1)]}
    if points <= 10_000:
        contestants["expansion"] = [session(lowered(custom), inputs, threads) for threads in (1, 0)]
    report(f"k nearest neighbours: {points:,} points, {count} neighbours", contestants)


def convolution():
    random = np.random.default_rng(0)
    inputs = {"x": random.normal(0, 1, (1, 64, 56, 56)).astype(np.float32), "offset": random.normal(0, 1, (1, 18, 56, 56)).astype(np.float32)}
    weight = {"w": random.normal(0, 1, (64, 64, 3, 3)).astype(np.float32)}
    outputs = [("y", onnx.TensorProto.FLOAT)]
    custom = model(helper.make_node("deform_conv2d", ["x", "w", "offset"], ["y"], domain="custom", stride=[1, 1], padding=[1, 1], dilation=[1, 1]),
                   inputs, outputs, weight, 18)
    standard = model(helper.make_node("DeformConv", ["x", "w", "offset"], ["y"], pads=[1, 1, 1, 1]), inputs, outputs, weight, 19)
    report("deformable convolution: 1 x 64 x 56 x 56, 3 x 3", {
        "kernel": [session(custom, inputs, threads, LIBRARY) for threads in (1, 0)],
        "ONNX Runtime's DeformConv": [session(standard, inputs, threads) for threads in (1, 0)],
        "expansion": [session(lowered(custom), inputs, threads) for threads in (1, 0)]})


def of_two_batches(points, count):
    random = np.random.default_rng(0)
    inputs = {"xyz": random.uniform(0, 100, (2 * points, 3)).astype(np.float32), "offset": np.int32([points, 2 * points])}
    node = helper.make_node("knnquery", ["nsample", "xyz", "offset"], ["idx", "dist"], domain="custom")
    compare(f"k nearest neighbours: 2 x {points:,} points, {count} neighbours", node, inputs, [("idx", onnx.TensorProto.INT32), ("dist", onnx.TensorProto.FLOAT)],
            {"nsample": np.array(count)})


def voxels(points):
    random = np.random.default_rng(0)
    inputs = {"pos": random.uniform(0, 100, (points, 3)).astype(np.float32), "size": np.ones(3, np.float32)}
    compare(f"voxels of {points:,} points", helper.make_node("torch_cluster_grid", ["pos", "size"], ["cluster"], domain="custom"), inputs, [("cluster", onnx.TensorProto.INT64)])


def residual(*shape):
    random = np.random.default_rng(0)
    inputs = {name: random.normal(0, 1, shape).astype(np.float32) for name in ("x", "y")}
    node = helper.make_node("cstDualResidual", ["x", "y"], ["a", "b"], domain="rknn_cst", alpha=0.5)
    compare(f"cstDualResidual of {shape}", node, inputs, [(name, onnx.TensorProto.FLOAT) for name in ("a", "b")])


def attention(dtype):
    """Beside the kernel of ONNX Runtime itself."""
    random = np.random.default_rng(0)
    inputs = {name: random.normal(0, 1, (4, 512, 768)).astype(dtype) for name in ("query", "key", "value")}
    node = helper.make_node("MultiHeadAttention", list(inputs), ["y"], domain="com.microsoft", num_heads=12)
    compare(f"MultiHeadAttention 4 x 512 x 768, {np.dtype(dtype).name}", node, inputs, [("y", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))])


def compare(title, node, inputs, outputs, constants=None):
    custom = model(node, inputs, outputs, constants or {}, 17)
    report(title, {"kernel": [session(custom, inputs, threads, LIBRARY) for threads in (1, 0)], "expansion": [session(lowered(custom), inputs, threads) for threads in (1, 0)]})


if __name__ == "__main__":
    neighbours(100_000, 16)
    neighbours(10_000, 16)
    of_two_batches(2048, 16)
    convolution()
    voxels(1_000_000)
    residual(16, 64, 224, 224)
    attention(np.float16)
    attention(np.float32)
