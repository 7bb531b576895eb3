# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Times on a GPU, of ONNX Runtime's or the library's own CUDA kernel beside what is written for it and beside torch. Asserts nothing.

It needs onnxruntime-gpu, torch and torchvision, and a library of kernels that was built with CUDA (`make cuda`). Inputs and outputs are on the device, the contestants run by turns, and
what is printed are medians, in milliseconds.
"""
import statistics
import time

import numpy as np
import onnx
import onnxruntime
import torch
import torchvision
from kernels import LIBRARY, lowered, model
from onnx import helper

ROUNDS = 40
RANDOM = np.random.default_rng(0)


def on_device(serialized, inputs):
    """A run of the model, as a function without arguments; nothing where the runtime refuses it."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.register_custom_ops_library(str(LIBRARY))
    try:
        running = onnxruntime.InferenceSession(serialized, options, providers=[("CUDAExecutionProvider", {"use_tf32": "0"}), "CPUExecutionProvider"])
    except Exception as error:  # noqa: B902
        print("   ", str(error).splitlines()[0][:150])
        return None
    binding = running.io_binding()
    for value in running.get_inputs():
        array = inputs[value.name]
        # What kernels read on the host.
        binding.bind_ortvalue_input(value.name, onnxruntime.OrtValue.ortvalue_from_numpy(array, *(("cuda", 0) if array.size > 16 else ())))
    for output in running.get_outputs():
        binding.bind_output(output.name, "cuda")
    return lambda: running.run_with_iobinding(binding)


def in_torch(work):
    def go():
        work()
        torch.cuda.synchronize()

    return go


def report(title, node, inputs, outputs, constants=None, opset=17, work=None, targets=("", "onnxruntime-cuda")):
    original = model(node, inputs, outputs, constants or {}, opset)
    contestants = {"as it is": on_device(original, inputs)}
    for target in targets:
        contestants[f"lowered{' for ' + target if target else ''}"] = on_device(lowered(original, *(["--target", target] if target else [])), inputs)
    if work:
        contestants["torch"] = in_torch(work)
    contestants = {name: run for name, run in contestants.items() if run}
    times = {name: [] for name in contestants}
    for round_number in range(ROUNDS + 5):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            if round_number >= 5:
                times[name].append(1e3 * (time.perf_counter() - start))
    print(f"{title:<60}" + "".join(f"{name}: {statistics.median(kept):.3f}   " for name, kept in times.items()), flush=True)


def of(array):
    return torch.from_numpy(array).cuda()


def normal(*shape, dtype=np.float32):
    return RANDOM.normal(0, 1, shape).astype(dtype)


def thresholds():
    inputs = {"x": normal(16, 64, 224, 224)}
    x = of(inputs["x"])
    node = helper.make_node("cstThreshold", ["x"], ["y"], domain="rknn_cst", threshold=0.1, value=20.0)
    report("cstThreshold 16x64x224x224", node, inputs, [("y", onnx.TensorProto.FLOAT)], work=lambda: torch.nn.functional.threshold(x, 0.1, 20.0))
    inputs = {"x": normal(16, 64, 224, 224), "y": normal(16, 64, 224, 224)}
    x, y = map(of, inputs.values())
    node = helper.make_node("cstDualResidual", ["x", "y"], ["a", "b"], domain="rknn_cst", alpha=0.5)
    report("cstDualResidual, the same", node, inputs, [(name, onnx.TensorProto.FLOAT) for name in "ab"], work=lambda: (x * 0.5 - y, y * 0.5 - x))


def convolution(batch, channels, outputs, size, opset, dtype=np.float32):
    inputs = {"x": normal(batch, channels, size, size, dtype=dtype), "offset": normal(batch, 18, size, size, dtype=dtype), "mask": normal(batch, 9, size, size, dtype=dtype)}
    weight = normal(outputs, channels, 3, 3, dtype=dtype)
    x, offset, mask, w = map(of, (*inputs.values(), weight))
    node = helper.make_node("deform_conv2d", ["x", "w", "offset", "mask"], ["y"], domain="custom", stride=[1, 1], padding=[1, 1], dilation=[1, 1])
    report(f"deform_conv2d {batch}x{channels}x{size}x{size} to {outputs}, {np.dtype(dtype).name}, opset {opset}", node, inputs, [("y", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))], {"w": weight}, opset,
           lambda: torchvision.ops.deform_conv2d(x, offset, w, padding=1, mask=mask))


def neighbours(points, count, targets=("", "onnxruntime-cuda")):
    inputs = {"xyz": RANDOM.uniform(0, 100, (2 * points, 3)).astype(np.float32), "offset": np.int32([points, 2 * points])}
    node = helper.make_node("knnquery", ["nsample", "xyz", "offset"], ["idx", "dist"], domain="custom")
    xyz = of(inputs["xyz"])
    report(f"knnquery, {count} of 2 x {points}", node, inputs, [("idx", onnx.TensorProto.INT32), ("dist", onnx.TensorProto.FLOAT)], {"nsample": np.array(count)},
           work=lambda: [torch.cdist(part, part).topk(count, largest=False) for part in xyz.split(points)], targets=targets)


def voxels(points):
    inputs = {"pos": RANDOM.uniform(0, 100, (points, 3)).astype(np.float32), "size": np.ones(3, np.float32)}
    report(f"torch_cluster_grid, {points} points", helper.make_node("torch_cluster_grid", ["pos", "size"], ["cluster"], domain="custom"), inputs, [("cluster", onnx.TensorProto.INT64)])


def product(rows, dtype, block=32, width=4096):
    codes = RANDOM.integers(0, 256, (width, width // block, block // 2)).astype(np.uint8)
    constants = {"b": codes, "scales": (RANDOM.random(width * width // block) * 0.01).astype(dtype)}
    node = helper.make_node("MatMulNBits", ["x", "b", "scales"], ["y"], domain="com.microsoft", K=width, N=width, bits=4, block_size=block)
    report(f"MatMulNBits {width}, 4 bits, block {block}, {rows} rows, {np.dtype(dtype).name}", node, {"x": normal(rows, width, dtype=dtype)}, [("y", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))],
           constants, 21)


def attention(dtype):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = {name: normal(4, 512, 768, dtype=dtype) for name in ("query", "key", "value")}
    report(f"MultiHeadAttention 4x512x768, {np.dtype(dtype).name}", helper.make_node("MultiHeadAttention", list(inputs), ["y"], domain="com.microsoft", num_heads=12), inputs, [("y", kind)])


def grouped_attention(dtype, length=512, heads=32, kept=8, width=128):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = {"query": normal(1, length, heads * width, dtype=dtype), "key": normal(1, length, kept * width, dtype=dtype), "value": normal(1, length, kept * width, dtype=dtype)}
    constants = {"lengths": np.int32([length - 1]), "total": np.int32(length)}
    node = helper.make_node("GroupQueryAttention", ["query", "key", "value", "", "", "lengths", "total"], ["y", "k", "v"], domain="com.microsoft", num_heads=heads, kv_num_heads=kept)
    report(f"GroupQueryAttention 1x{length}, {heads} heads that share {kept}, {np.dtype(dtype).name}", node, inputs, [(name, kind) for name in ("y", "k", "v")], constants)


def layer_normalization(dtype):
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    inputs = {"x": normal(8, 512, 768, dtype=dtype), "skip": normal(8, 512, 768, dtype=dtype)}
    constants = {"gamma": normal(768, dtype=dtype), "beta": normal(768, dtype=dtype)}
    report(f"SkipLayerNormalization 8x512x768, {np.dtype(dtype).name}", helper.make_node("SkipLayerNormalization", ["x", "skip", "gamma", "beta"], ["y"], domain="com.microsoft"), inputs, [("y", kind)], constants)


if __name__ == "__main__":
    onnxruntime.preload_dlls()
    print(torch.cuda.get_device_name(), "ONNX Runtime", onnxruntime.__version__, "torch", torch.__version__)
    thresholds()
    for opset in (17, 19):
        convolution(4, 64, 64, 64, opset)
    convolution(4, 64, 64, 64, 17, np.float16)
    convolution(2, 256, 256, 50, 19)
    neighbours(2048, 16)
    neighbours(8192, 16)
    neighbours(2048, 64, ())
    neighbours(50_000, 16, ())
    voxels(1_000_000)
    for kind in (np.float16, np.float32):
        for rows in (1, 256):
            product(rows, kind)
        attention(kind)
        if kind == np.float16:
            grouped_attention(kind)
        layer_normalization(kind)
