# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Operators that put several elements into one: reductions, products of matrices, windows, normalizations, recurrences; those that quantize; and those on images."""
from __future__ import annotations

from typing import Any

import numpy as np

from contrib_nodes import window
from edge_models.edges import ROUNDED, SUMS, Case, Edges, draws, few, node, tensor_type


@draws("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean", "ReduceProd", "ReduceSum", "ReduceSumSquare", near=SUMS)
@draws("ReduceMax", "ReduceMin")
def reduction(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape()
    if edges.operator in ("ReduceMax", "ReduceMin"):
        x = edges.values(*shape, dtype=dtype)
    elif edges.operator == "ReduceLogSum":
        x = np.abs(edges.summable(*shape, dtype=dtype))
    else:
        x = edges.summable(*shape, dtype=dtype)
    attributes = edges.some(keepdims=edges.one_of(0, 1))
    axes = edges.axes(len(shape)) if edges.chance(0.7) else None
    if edges.opset < (13 if edges.operator == "ReduceSum" else 18):
        return node([x], attributes | ({"axes": axes} if axes else {}))
    attributes |= edges.some(noop_with_empty_axes=edges.one_of(0, 1))
    return node([x, None if axes is None else edges.listed(axes)], attributes, constants=edges.one_of([], [1]))


@draws("ArgMax", "ArgMin")
def arg(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.filled(1)
    x = edges.one_of(edges.values(*shape, dtype=dtype), few(edges, shape, dtype))
    if np.dtype(dtype).kind == "f":
        x = np.nan_to_num(x)  # what is not a number has no place in an order
    axis = edges.axis(len(shape))
    attributes = edges.some(keepdims=edges.one_of(0, 1)) | ({"axis": axis} if axis or edges.chance() else {})
    return node([x], attributes | ({"select_last_index": edges.one_of(0, 1)} if edges.opset >= 12 and edges.chance() else {}))


@draws("CumSum", "CumProd", near=SUMS)
def cumulative(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.shape(1)
    attributes = edges.some(exclusive=edges.one_of(0, 1), reverse=edges.one_of(0, 1))
    x = edges.summable(*shape, dtype=dtype)
    return node([x, np.array(edges.axis(len(shape)), edges.one_of(np.int64, np.int32))], attributes, constants=edges.one_of([], [1], [1]))


@draws("Softmax", "LogSoftmax", near=SUMS)
@draws("Hardmax")
def softmax(edges: Edges) -> Case:
    shape = edges.shape(1)
    axis = edges.axis(len(shape))
    dtype = edges.type()
    x = few(edges, shape, dtype) if edges.operator == "Hardmax" else edges.summable(*shape, dtype=dtype)
    if edges.operator == "Hardmax":
        x = np.nan_to_num(x)
    return node([x], {"axis": axis} if edges.chance(0.8) or len(shape) < 2 else {})


@draws("MatMul", near=SUMS)
def mat_mul(edges: Edges) -> Case:
    dtype = edges.type()
    m, k, n = edges.length(), edges.length(), edges.length()
    batch = edges.shape(high=3)
    a, b = (*edges.broadcast(batch), m, k), (*edges.broadcast(batch), k, n)
    # Of vectors without elements ONNX Runtime gives what was in memory before.
    a, b = edges.one_of((a, b), (a, b), (a, b), *([((k,), b), (a, (k,)), ((k,), (k,))] if k else []))
    return node([edges.summable(*a, dtype=dtype), edges.summable(*b, dtype=dtype)])


@draws("Gemm", near=SUMS)
def gemm(edges: Edges) -> Case:
    dtype = edges.type()
    m, k, n = edges.length(), edges.size(1, 4), edges.length()
    flip = [edges.one_of(0, 1) for _ in range(2)]
    a, b = (edges.summable(*((columns, rows) if flipped else (rows, columns)), dtype=dtype) for rows, columns, flipped in ((m, k, flip[0]), (k, n, flip[1])))
    c = edges.maybe(edges.summable(*edges.one_of((m, n), (n,), (1, n), (m, 1), (), (1,)), dtype=dtype), 0.7 if edges.opset >= 11 else 1.0)
    attributes = {name: value for name, value in (("transA", flip[0]), ("transB", flip[1])) if value}
    if np.dtype(dtype).kind == "f":
        attributes |= edges.some(alpha=edges.one_of(1.0, 0.0, -0.5, 2.0), beta=edges.one_of(1.0, 0.0, -0.5, 2.0))
    return node([a, b, c], attributes)


@draws("Einsum", near=SUMS)
def einsum(edges: Edges) -> Case:
    sizes = {letter: edges.size(1, 3) for letter in "bijkl"}
    equation = edges.one_of("ij,jk->ik", "bij,bjk->bik", "ii->i", "ij->ji", "ij->", "i,j->ij", "...ij,...jk->...ik", "bij,bkj", "ij,ij->", "iij->j", "i,i,i->i", "bijk,bikl->bijl", "ij->i", "ij , jk -> ik")
    terms = equation.replace(" ", "").split("->")[0].split(",")
    return node([edges.summable(*(sizes[letter] for letter in term.replace("...", "b")), dtype=edges.one_of(np.float32, np.float32, np.float64)) for term in terms] if "i,i,i" not in equation else
                [edges.summable(sizes["i"]) for _ in terms], {"equation": equation})  # fmt: skip


@draws("Det", near=SUMS)
def determinant(edges: Edges) -> Case:
    size = edges.size(1, 4)
    return node([Edges.floats(edges, *edges.shape(high=2), size, size)])


def quantization(edges: Edges, dtype: Any, *shape: int) -> tuple[np.ndarray, np.ndarray]:
    scale = np.array(edges.one_of(0.1, 0.02, 1.0, 3.0, 1e-3) * edges.generator.uniform(0.5, 1, shape), np.float32)
    info = np.iinfo(dtype)
    return scale, edges.integers(*edges.one_of((info.min, info.max), (0, 0), (info.max, info.max)), *shape, dtype=dtype)


@draws("MatMulInteger")
def mat_mul_integer(edges: Edges) -> Case:
    m, k, n = edges.size(1, 4), edges.size(1, 4), edges.size(1, 4)
    a_type, b_type = edges.one_of(np.uint8, np.int8), edges.one_of(np.uint8, np.int8)
    batch = edges.filled(0, 2)
    a, b = edges.codes(*batch, m, k, dtype=a_type), edges.weights(*edges.one_of(batch, ()), k, n, dtype=b_type)
    a_zero = edges.maybe(quantization(edges, a_type)[1])
    b_zero = edges.maybe(edges.one_of(quantization(edges, b_type)[1], quantization(edges, b_type, n)[1] if b.ndim == 2 else quantization(edges, b_type)[1]))
    return node([a, b, a_zero, b_zero], constants=edges.one_of([], [1, 2, 3], [2, 3]))


@draws("QLinearMatMul", near=SUMS)
def q_linear_mat_mul(edges: Edges) -> Case:
    m, k, n = edges.size(1, 4), edges.size(1, 4), edges.size(1, 4)
    dtype = edges.one_of(np.uint8, np.int8)
    (a_scale, a_zero), (b_scale, b_zero), (y_scale, y_zero) = (quantization(edges, dtype) for _ in range(3))
    return node([edges.codes(m, k, dtype=dtype), a_scale, a_zero, edges.weights(k, n, dtype=dtype), b_scale, b_zero, y_scale, y_zero], constants=edges.one_of([], [1, 2, 3, 4, 5, 6, 7]))


@draws("Conv", near=SUMS)
def conv(edges: Edges) -> Case:
    axes, group, dtype = edges.size(1, 3), edges.one_of(1, 1, 1, 2, 3), edges.type()
    inputs, outputs = edges.size(1, 2) * group, edges.size(1, 2) * group
    attributes = window(edges, axes)
    x = edges.summable(edges.one_of(0, 1, 1, 2), inputs, *edges.dims(axes, 5, 8), dtype=dtype)
    w = edges.floats(outputs, inputs // group, *attributes["kernel_shape"], dtype=dtype)
    if group > 1:
        attributes["group"] = group
    if edges.chance(0.3):
        del attributes["kernel_shape"]
    return node([x, w, edges.maybe(edges.summable(outputs, dtype=dtype))], attributes, constants=edges.one_of([], [1], [1, 2], [2]))


@draws("ConvTranspose", near=SUMS)
def conv_transpose(edges: Edges) -> Case:
    axes, group, dtype = edges.size(1, 3), edges.one_of(1, 1, 2), edges.type()
    inputs, outputs = edges.size(1, 2) * group, edges.size(1, 2)
    attributes = window(edges, axes)
    if group > 1:
        attributes["group"] = group
    strides = attributes.get("strides", [1] * axes)
    if max(strides) > 1 and edges.chance(0.4):
        attributes["output_padding"] = [edges.size(0, stride - 1) for stride in strides]
    x = edges.summable(edges.size(1, 2), inputs, *edges.dims(axes, 3, 5), dtype=dtype)
    return node([x, edges.floats(inputs, outputs, *attributes["kernel_shape"], dtype=dtype), edges.maybe(edges.summable(outputs * group, dtype=dtype))], attributes, constants=edges.one_of([], [1]))


@draws("ConvInteger")
def conv_integer(edges: Edges) -> Case:
    attributes = window(edges, 2)
    inputs, outputs = edges.size(1, 2), edges.size(1, 2)
    # ONNX Runtime has kernels for bytes without sign.
    x, w = edges.codes(1, inputs, *edges.dims(2, 5, 7)), edges.codes(outputs, inputs, *attributes["kernel_shape"])
    return node([x, w, edges.maybe(edges.codes()), edges.maybe(edges.codes())], attributes, constants=edges.one_of([], [1, 2, 3]))


@draws("QLinearConv", near=SUMS)
def q_linear_conv(edges: Edges) -> Case:
    attributes, dtype = window(edges, 2), edges.one_of(np.uint8, np.int8)
    inputs, outputs = edges.size(1, 2), edges.size(1, 2)
    (x_scale, x_zero), (w_scale, _), (y_scale, y_zero) = (quantization(edges, dtype) for _ in range(3))
    x, w = edges.codes(1, inputs, *edges.dims(2, 5, 7), dtype=dtype), edges.weights(outputs, inputs, *attributes["kernel_shape"], dtype=dtype)
    bias = edges.maybe(edges.integers(-500, 500, outputs, dtype=np.int32))
    return node([x, x_scale, x_zero, w, w_scale, dtype(0), y_scale, y_zero, bias], attributes, constants=edges.one_of([1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5]))


@draws("AveragePool", "LpPool", near=SUMS)
@draws("MaxPool")
def pool(edges: Edges) -> Case:
    axes = edges.size(1, 3)
    attributes = window(edges, axes, dilations={"MaxPool": edges.opset >= 10, "AveragePool": edges.opset >= 19, "LpPool": edges.opset >= 18}[edges.operator])
    if edges.operator != "LpPool" and edges.opset >= 10 or edges.opset >= 18:
        attributes |= edges.some(ceil_mode=edges.one_of(0, 1))
    x = (edges.values if edges.operator == "MaxPool" else edges.summable)(edges.one_of(0, 1, 1, 2), edges.size(1, 2), *edges.dims(axes, 4, 7), dtype=edges.type())
    if edges.operator == "AveragePool":
        attributes |= edges.some(count_include_pad=edges.one_of(0, 1))
    if edges.operator == "LpPool":
        attributes |= edges.some(p=edges.one_of(1, 2, 3))
    if edges.operator == "MaxPool" and edges.opset >= 8 and edges.chance(0.4):
        return node([x], attributes | edges.some(storage_order=edges.one_of(0, 1)), outputs=2)
    return node([x], attributes)


@draws("GlobalAveragePool", "GlobalLpPool", near=SUMS)
@draws("GlobalMaxPool")
def global_pool(edges: Edges) -> Case:
    x = (edges.values if edges.operator == "GlobalMaxPool" else edges.summable)(*edges.filled(2, 2), *edges.filled(1, 4), dtype=edges.type())
    return node([x], edges.some(p=edges.one_of(1, 2, 3)) if edges.operator == "GlobalLpPool" else {})


@draws("MaxUnpool")
def max_unpool(edges: Edges) -> Case:
    x = edges.floats(1, edges.size(1, 2), 2, 2)
    return node([x, edges.generator.permutation(16)[:4].reshape(1, 1, 2, 2).repeat(x.shape[1], 1)], {"kernel_shape": [2, 2], "strides": [2, 2]})


@draws("BatchNormalization", near=SUMS)
def batch_normalization(edges: Edges) -> Case:
    channels = edges.size(1, 4)
    x = edges.summable(edges.one_of(0, 1, 2), channels, *edges.filled(0, 3), dtype=edges.type())
    parameters = [edges.summable(channels, dtype=x.dtype) for _ in range(3)]
    variance = np.abs(edges.floats(channels, dtype=x.dtype)) * edges.one_of(1, 1, 0)
    return node([x, *parameters, variance.astype(x.dtype)], edges.some(epsilon=edges.one_of(1e-5, 0.01, 0.1)), constants=edges.one_of([], [1, 2, 3, 4]))


@draws("InstanceNormalization", near=SUMS)
def instance_normalization(edges: Edges) -> Case:
    channels, dtype = edges.size(1, 3), edges.type()
    x = edges.summable(edges.size(1, 2), channels, *edges.filled(1, 3), dtype=dtype)
    return node([x, edges.floats(channels, dtype=dtype), edges.floats(channels, dtype=dtype)], {"epsilon": edges.one_of(1e-2, 0.1)}, constants=edges.one_of([], [1, 2]))


@draws("LayerNormalization", "RMSNormalization", near=SUMS)
def layer_normalization(edges: Edges) -> Case:
    dtype, shape = edges.type(), edges.filled(1)
    axis = edges.axis(len(shape))
    of_scale = edges.floats(*shape[axis:], dtype=dtype)
    bias = edges.maybe(edges.summable(*shape[axis:], dtype=dtype)) if edges.operator == "LayerNormalization" else None
    return node([edges.summable(*shape, dtype=dtype), of_scale, bias], {"axis": axis, "epsilon": edges.one_of(1e-2, 0.1)})


@draws("GroupNormalization", near=SUMS)
def group_normalization(edges: Edges) -> Case:
    groups, dtype = edges.size(1, 3), np.float32
    channels = groups * edges.size(1, 2)
    of = channels if edges.opset >= 21 else groups
    x = edges.summable(edges.size(1, 2), channels, *edges.filled(1, 2), dtype=dtype)
    return node([x, edges.floats(of), edges.floats(of)], {"num_groups": groups, "epsilon": edges.one_of(1e-2, 0.1)})


@draws("LpNormalization", "MeanVarianceNormalization", "LRN", near=SUMS)
def other_normalization(edges: Edges) -> Case:
    if edges.operator == "LRN":
        x = edges.summable(edges.size(1, 2), edges.size(1, 5), *edges.filled(2, 2), dtype=edges.type())
        return node([x], {"size": edges.one_of(1, 3, 5)} | edges.some(alpha=edges.one_of(1e-4, 0.5), beta=edges.one_of(0.75, 0.5), bias=edges.one_of(1.0, 2.0)))
    if edges.operator == "LpNormalization":
        shape = edges.filled(1)
        x = edges.summable(*shape, dtype=edges.type())
        axis = edges.axis(len(shape))
        return node([x], {"axis": axis} | edges.some(p=edges.one_of(1, 2)))
    x = edges.summable(2, 3, *edges.filled(2, 2))
    x = x + np.arange(x.size, dtype=np.float32).reshape(x.shape)  # elements that are all equal are divided by nearly nothing
    return node([x], edges.some(axes=edges.one_of([0, 2, 3], [2, 3], [1], [0, 1, 2, 3], [-1])))


@draws("QuantizeLinear", near=ROUNDED)
def quantize_linear(edges: Edges) -> Case:
    shape = edges.shape()
    to = edges.one_of(np.uint8, np.int8, *([np.int16, np.uint16] if edges.opset >= 21 else []))
    axis, attributes = None, {}
    if shape and edges.opset >= 13 and edges.chance(0.5):
        axis = edges.axis(len(shape))
        attributes["axis"] = axis
    scale, zero = quantization(edges, to, *([] if axis is None else [shape[axis]]))
    x = edges.values(*shape)
    x = np.where(np.isnan(x), np.float32(0.5), x)  # what is not a number has no nearest integer
    x = np.clip(x, -1e9, 1e9) * np.float32(0.1)
    return node([x, scale, edges.maybe(zero, 0.8 if to is np.uint8 else 1.0)], attributes, constants=edges.one_of([], [1, 2], [1], [2]))


@draws("DequantizeLinear", near=ROUNDED)
def dequantize_linear(edges: Edges) -> Case:
    shape = edges.shape()
    dtype = edges.one_of(np.uint8, np.int8, np.int32, *([np.int16, np.uint16] if edges.opset >= 21 else []))
    axis, attributes = None, {}
    if shape and edges.opset >= 13 and edges.chance(0.5):
        axis = edges.axis(len(shape))
        attributes["axis"] = axis
    scale, zero = quantization(edges, dtype, *([] if axis is None else [shape[axis]]))
    x = edges.integers(-70000, 70000, *shape, dtype=dtype) if dtype is np.int32 else edges.codes(*shape, dtype=dtype)
    return node([x, scale, None if dtype is np.int32 else edges.maybe(zero, 0.8)], attributes, constants=edges.one_of([], [1, 2], [0, 1, 2]))


@draws("DynamicQuantizeLinear", near=ROUNDED)
def dynamic_quantize_linear(edges: Edges) -> Case:
    x = super(Edges, edges).values(*edges.filled(0, 4))
    return node([edges.one_of(x, np.abs(x), -np.abs(x), x * 0, x * np.float32(1e-30), x * np.float32(1e30))], outputs=3)


@draws("RNN", "GRU", "LSTM", near=SUMS)
def recurrent(edges: Edges) -> Case:
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[edges.operator]
    direction = edges.one_of("forward", "reverse", "bidirectional")
    both, steps, batch, inputs, hidden = 1 + (direction == "bidirectional"), edges.size(1, 4), edges.size(1, 3), edges.size(1, 3), edges.size(1, 3)
    given = [edges.floats(steps, batch, inputs), edges.floats(both, gates * hidden, inputs), edges.floats(both, gates * hidden, hidden), edges.maybe(edges.floats(both, 2 * gates * hidden)),
             edges.maybe(edges.integers(1, steps, batch, dtype=np.int32)), edges.maybe(edges.floats(both, batch, hidden))]  # fmt: skip
    attributes = {"hidden_size": hidden, "direction": direction} | edges.some(clip=edges.one_of(0.5, 1.0))
    if edges.operator == "LSTM":
        given += [edges.maybe(edges.floats(both, batch, hidden)), edges.maybe(edges.floats(both, 3 * hidden), 0.3)]
        attributes |= edges.some(input_forget=edges.one_of(0, 0, 1))
    if edges.operator == "GRU":
        attributes |= edges.some(linear_before_reset=edges.one_of(0, 1))
    if edges.chance(0.3):
        count = {"RNN": 1, "GRU": 2, "LSTM": 3}[edges.operator]
        attributes["activations"] = [edges.one_of("Tanh", "Sigmoid", "Relu", "Softsign") for _ in range(count * both)]
    return node(given, attributes, outputs=edges.size(1, 3 if edges.operator == "LSTM" else 2), constants=[1, 2, 3])


@draws("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss", near=SUMS)
def loss(edges: Edges) -> Case:
    classes, shape = edges.size(1, 4), edges.filled(0, 2)
    batch = edges.size(1, 3)
    labels = edges.integers(0, classes - 1, batch, *shape)
    attributes = edges.some(reduction=edges.one_of("mean", "sum", "none"))
    if edges.chance(0.4):
        ignored = edges.one_of(-1, 0, -100)
        attributes["ignore_index"] = ignored
        labels = np.where(edges.integers(0, 1, *labels.shape).astype(bool), labels, ignored) if edges.chance() else labels
    weights = edges.maybe(np.abs(edges.floats(classes)) + np.float32(0.1))
    outputs = edges.size(1, 2) if edges.operator == "SoftmaxCrossEntropyLoss" else 1
    return node([edges.floats(batch, classes, *shape), labels, weights], attributes, outputs=outputs)


@draws("Resize", near=SUMS)
def resize(edges: Edges) -> Case:
    shape = edges.dims(edges.size(3, 4), 1, 4)
    x = edges.floats(*shape)
    mode = edges.one_of("nearest", "nearest", "linear", "cubic") if edges.opset >= 11 else edges.one_of("nearest", "linear")
    if mode == "cubic":
        x = edges.floats(*edges.dims(4, 2, 4))
        shape = x.shape
    scales = np.float32([1, 1, *(edges.one_of(0.5, 1.0, 2.0, 1.5, 3.0, 0.75) for _ in shape[2:])])
    if edges.opset < 11:
        return node([x, scales], {"mode": mode}, constants=edges.one_of([], [1]))
    attributes = {"mode": mode} | edges.some(coordinate_transformation_mode=edges.one_of("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"))
    if mode == "nearest":
        attributes |= edges.some(nearest_mode=edges.one_of("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if mode == "cubic":
        attributes |= edges.some(cubic_coeff_a=edges.one_of(-0.75, -0.5), exclude_outside=edges.one_of(0, 1))
    if edges.opset >= 18 and mode != "nearest":
        attributes |= edges.some(antialias=edges.one_of(0, 0, 1))
    nothing = None if edges.opset >= 13 else np.zeros(0, np.float32)
    if edges.chance(0.5):
        return node([x, nothing, scales], attributes, constants=edges.one_of([1], [1, 2]))
    sizes = [max(1, int(size * scale)) for size, scale in zip(shape, scales)]
    return node([x, nothing, nothing, edges.listed(sizes)], attributes, constants=edges.one_of([1, 2], [1, 2, 3]))


@draws("Upsample")
def upsample(edges: Edges) -> Case:
    scales = [1.0, 1.0, edges.one_of(1.0, 2.0, 3.0), edges.one_of(1.0, 2.0, 1.5)]
    x = edges.floats(*edges.dims(4, 1, 3))
    if edges.opset < 9:
        return node([x], {"mode": "nearest", "scales": scales})
    return node([x, np.float32(scales)], {"mode": "nearest"}, constants=edges.one_of([], [1]))


@draws("GridSample", near=SUMS)
def grid_sample(edges: Edges) -> Case:
    axes = edges.one_of(2, 2, 2, 3) if edges.opset >= 20 else 2
    batch = edges.size(1, 2)
    modes = ("linear", "nearest", "cubic") if edges.opset >= 20 else ("bilinear", "nearest", "bicubic")
    mode = edges.one_of(*modes[: 3 if axes == 2 else 2])
    grid = edges.floats(batch, *edges.dims(axes, 1, 3), axes, scale=edges.one_of(0.5, 1.0, 4.0, 100.0))
    if edges.chance(0.3):
        # Corners, and what is just beyond them or far away.
        grid = np.where(edges.integers(0, 2, *grid.shape) == 0, np.float32(edges.one_of(1, -1, 3, -3, 1.25, 1e4, np.inf, -np.inf, np.nan)), grid)
    attributes = {"mode": mode, "padding_mode": edges.one_of("zeros", "border", "reflection")} | edges.some(align_corners=edges.one_of(0, 1))
    return node([edges.floats(batch, edges.size(1, 2), *edges.dims(axes, 1, 5)), grid], attributes)


@draws("AffineGrid", near=SUMS)
def affine_grid(edges: Edges) -> Case:
    axes, batch = edges.one_of(2, 3), edges.size(1, 2)
    size = [batch, edges.size(1, 3), *edges.dims(axes, 1, 4)]
    return node([edges.floats(batch, axes, axes + 1), edges.listed(size)], edges.some(align_corners=edges.one_of(0, 1)), constants=edges.one_of([], [1]))


@draws("DeformConv", near=SUMS)
def deform_conv(edges: Edges) -> Case:
    kernel, channels, outputs, batch = edges.dims(2, 1, 3), edges.size(1, 2), edges.size(1, 2), edges.size(1, 2)
    size = edges.dims(2, 3, 5)
    to = [length - k + 1 for length, k in zip(size, kernel)]
    offset = edges.floats(batch, 2 * kernel[0] * kernel[1], *to)
    mask = edges.maybe(np.abs(edges.floats(batch, kernel[0] * kernel[1], *to)))
    return node([edges.floats(batch, channels, *size), edges.floats(outputs, channels, *kernel), offset, edges.maybe(edges.floats(outputs)), mask], edges.some(kernel_shape=list(kernel)))


@draws("RoiAlign", "MaxRoiPool", near=SUMS)
def roi(edges: Edges) -> Case:
    count, batch = edges.size(0, 3) if edges.operator == "RoiAlign" else edges.size(1, 3), edges.size(1, 2)
    corners = np.sort(edges.generator.uniform(0, 5, (count, 2, 2)), axis=1).reshape(count, 4).astype(np.float32)
    x, of = edges.floats(batch, edges.size(1, 2), *edges.dims(2, 3, 6)), edges.integers(0, batch - 1, count)
    if edges.operator == "MaxRoiPool":
        return node([x, np.concatenate([of[:, None].astype(np.float32), corners.round()], axis=1)], {"pooled_shape": list(edges.dims(2, 1, 3))} | edges.some(spatial_scale=edges.one_of(1.0, 0.5)))
    attributes = edges.some(mode=edges.one_of("avg", "max"), output_height=edges.size(1, 3), output_width=edges.size(1, 3), sampling_ratio=edges.one_of(0, 1, 2), spatial_scale=edges.one_of(1.0, 0.5))
    if edges.opset >= 16:
        attributes |= edges.some(coordinate_transformation_mode=edges.one_of("half_pixel", "output_half_pixel"))
    return node([x, corners, of], attributes)


@draws("NonMaxSuppression")
def non_max_suppression(edges: Edges) -> Case:
    batch, count, classes = edges.size(1, 2), edges.size(1, 6), edges.size(1, 2)
    corners = np.sort(edges.generator.uniform(0, 3, (batch, count, 2, 2)), axis=2).reshape(batch, count, 4).astype(np.float32)
    most, overlap, score = np.array([edges.one_of(0, 1, 3, 100)]), np.float32([edges.one_of(0.0, 0.3, 0.5, 1.0)]), np.float32([edges.one_of(0.0, 0.3, -1.0, 2.0)])
    scores = edges.generator.permutation(batch * classes * count).reshape(batch, classes, count).astype(np.float32) / 10
    return node([corners, scores, edges.maybe(most, 0.9), edges.maybe(overlap), edges.maybe(score)], edges.some(center_point_box=edges.one_of(0, 1)), constants=edges.one_of([], [2, 3, 4]))


@draws("DFT", near=SUMS)
def dft(edges: Edges) -> Case:
    parts, length = edges.one_of(1, 2), edges.size(1, 6)
    dtype = edges.type("T1")
    x = edges.floats(edges.size(1, 2), length, *edges.filled(0, 1), parts, dtype=dtype)
    attributes = edges.some(inverse=edges.one_of(0, 1)) if parts == 2 else edges.some(onesided=edges.one_of(0, 1))
    asked = edges.maybe(np.int64(edges.one_of(length, length + 1, max(1, length - 1))))
    if edges.opset >= 20:
        return node([x, asked, np.int64(edges.one_of(1, 1 - x.ndim))], attributes, constants=edges.one_of([2], [1, 2], []))
    return node([x, asked], attributes | {"axis": 1}, constants=edges.one_of([], [1]))


@draws("BlackmanWindow", "HammingWindow", "HannWindow", near=SUMS)
def of_window(edges: Edges) -> Case:
    return node([np.array(edges.one_of(1, 2, 5, 8), edges.one_of(np.int64, np.int32))], edges.some(periodic=edges.one_of(0, 1), output_datatype=tensor_type(edges.one_of(np.float32, np.float64))), constants=edges.one_of([], [0]))


@draws("Dropout")
def dropout(edges: Edges) -> Case:
    x = edges.values(*edges.shape(), dtype=edges.type())
    if edges.opset < 12:
        return node([x], edges.some(ratio=edges.one_of(0.0, 0.3, 0.9)))
    return node([x, edges.maybe(np.float32(edges.one_of(0.0, 0.3, 0.9))), edges.maybe(np.bool_(False))], outputs=edges.size(1, 2), constants=edges.one_of([], [1, 2]))


@draws("Attention", near=SUMS)
def attention(edges: Edges) -> Case:
    batch, kv_heads, length, total, width, of_values = edges.size(1, 2), edges.size(1, 2), edges.size(1, 4), edges.size(1, 4), edges.size(1, 4), edges.size(1, 4)
    heads = kv_heads * edges.size(1, 2)
    q, k, v = edges.floats(batch, heads, length, width), edges.floats(batch, kv_heads, total, width), edges.floats(batch, kv_heads, total, of_values)
    attributes = edges.some(is_causal=edges.one_of(0, 1), scale=edges.one_of(0.5, 1.0), softcap=edges.one_of(0.0, 2.0))
    mask = edges.maybe(edges.one_of(edges.floats(length, total), edges.integers(0, 3, length, total).astype(bool) | (np.arange(total) == 0)))
    return node([q, k, v, mask], attributes)


@draws("RotaryEmbedding", near=SUMS)
def rotary_embedding(edges: Edges) -> Case:
    batch, heads, length, half = edges.size(1, 2), edges.size(1, 3), edges.size(1, 4), edges.size(1, 3)
    x = edges.floats(batch, heads, length, 2 * half)
    positions = edges.maybe(edges.integers(0, 7, batch, length))
    of = (8, half) if positions is not None else (batch, length, half)
    return node([x, edges.floats(*of), edges.floats(*of), positions], edges.some(interleaved=edges.one_of(0, 1)))
