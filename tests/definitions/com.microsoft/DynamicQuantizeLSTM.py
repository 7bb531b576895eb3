# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DynamicQuantizeLSTM: an LSTM with weights of 8 bits, (direction, input, 4 * hidden). The inputs are quantized all together when they come, and the hidden
state before each step.

Where the batch has several entries and the runtime several threads, ONNX Runtime's kernel quantizes parts of the hidden state by themselves: numbers are compared with
one entry exactly, and with several nearly.

Source: ONNX Runtime's contrib operator DynamicQuantizeLSTM, and ONNX LSTM-14.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")
ACTIVATIONS = {"Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0)}


def dequantized(x):
    """x, as it is after having been 8 bits."""
    x = x.astype(np.float32)
    least, greatest = min(x.min(), 0), max(x.max(), 0)
    scale = np.float32(greatest - least) / np.float32(255)
    if scale == 0:
        return np.zeros(x.shape)
    zero_point = np.rint(np.clip(-least / scale, 0, 255))
    return (np.clip(np.rint(x / scale) + zero_point, 0, 255) - zero_point) * np.float64(scale)


def define(x, w, r, b, sequence_lens, initial_h, initial_c, p, w_scale, w_zero_point, r_scale, r_zero_point, *, hidden_size, direction="forward", activations=None,
           clip=0.0, input_forget=0):
    steps, batch, _ = x.shape
    count = w.shape[0]
    size = hidden_size
    y = np.zeros((steps, count, batch, size))
    last = np.zeros((2, count, batch, size))
    for index in range(count):
        f, g, h = (ACTIVATIONS[name] for name in (activations or ["Sigmoid", "Tanh", "Tanh"] * count)[3 * index : 3 * index + 3])
        matrices = [(part[index].astype(float) - zero[index].astype(float)) * scale[index].astype(float)
                    for part, zero, scale in ((w, w_zero_point, w_scale), (r, r_zero_point, r_scale))]
        gates = dequantized(x) @ matrices[0]
        bias = np.zeros(4 * size) if b is None else b[index, : 4 * size].astype(float) + b[index, 4 * size :]
        peepholes = np.zeros((3, size)) if p is None else p[index].reshape(3, size)
        hidden = np.zeros((batch, size)) if initial_h is None else initial_h[index]
        cell = np.zeros((batch, size)) if initial_c is None else initial_c[index]
        bounded = (lambda s: np.clip(s, -clip, clip)) if clip else (lambda s: s)
        is_backward = direction == "reverse" or index == 1
        for step in reversed(range(steps)) if is_backward else range(steps):
            i, o, forget, news = np.split(gates[step] + dequantized(hidden) @ matrices[1] + bias, 4, axis=-1)
            i = f(bounded(i + peepholes[0] * cell))
            forget = 1 - i if input_forget else f(bounded(forget + peepholes[2] * cell))
            cell = forget * cell + i * g(bounded(news))
            hidden = f(bounded(o + peepholes[1] * cell)) * h(cell)
            y[step, index] = hidden
        last[:, index] = hidden, cell
    return y.astype(x.dtype), *last.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    # A sum that falls on the other side of a step of the quantization moves the rest of the sequence by as much, which a definition in double precision cannot foresee.
    tolerance = {"rtol": 1e-3, "atol": 1e-3, "why": "one step of an 8-bit hidden state is 1/128, a weight of it a tenth of that", "opsets": range(11, 27)}

    def inputs(count=1, batch=1, per_channel=False, signed=False, bias=True, states=False, peepholes=False, size=6):
        kind = np.int8 if signed else np.uint8
        zero = 0 if signed else 128
        shape = (count, 4 * size) if per_channel else (count,)
        parts = []  # of seven bits: see weights() in _random.py
        for rows in (5, size):
            parts.append((numbers.integers(-64, 64, count, rows, 4 * size) + zero).astype(kind))
        scales = [(np.abs(numbers.floats(*shape)) * 0.004 + 0.002).astype(np.float32) for _ in range(2)]
        zeros = [np.full(shape, zero, kind) for _ in range(2)]
        return [numbers.floats(4, batch, 5), *parts, numbers.floats(count, 8 * size) if bias else None, None,
                *([numbers.floats(count, batch, size) for _ in range(2)] if states else [None, None]),
                numbers.floats(count, 3 * size) if peepholes else None, scales[0], zeros[0], scales[1], zeros[1]]

    weights = {"constants": [1, 2]}
    plain = {"hidden_size": 6}
    yield Case("forward", inputs=inputs(), attributes=plain, **weights, **tolerance)
    yield Case("static", inputs=inputs(), attributes=plain, shapes="static", **weights, **tolerance)
    yield Case("reverse", inputs=inputs(states=True), attributes={**plain, "direction": "reverse"}, **weights, **tolerance)
    yield Case("bidirectional", inputs=inputs(count=2, states=True), attributes={**plain, "direction": "bidirectional"}, **weights, **tolerance)
    yield Case("per-channel", inputs=inputs(per_channel=True, bias=False), attributes=plain, **weights, **tolerance)
    yield Case("signed", inputs=inputs(signed=True, per_channel=True), attributes=plain, **weights, **tolerance)
    yield Case("peepholes", inputs=inputs(peepholes=True), attributes=plain, **weights, **tolerance)
    yield Case("clip-coupled", inputs=inputs(peepholes=True), attributes={**plain, "clip": 0.5, "input_forget": 1}, **weights, **tolerance)
    yield Case("activations", inputs=inputs(), attributes={**plain, "activations": ["Sigmoid", "Relu", "Tanh"]}, **weights, **tolerance)
    yield Case("batch", inputs=inputs(batch=3), attributes=plain, cannot={"kernel": "it quantizes parts of a batch by themselves"}, **weights, **tolerance)
    yield Case("last-states", inputs=inputs(), attributes=plain, absent_outputs=[0], **weights, **tolerance)
    lengths = inputs()
    lengths[4] = np.int32([3])
    yield Case("lengths", inputs=lengths, attributes=plain, refuse="it has sequence_lens", **weights)
    yield Case("leaky", inputs=inputs(), attributes={**plain, "activations": ["Sigmoid", "LeakyRelu", "Tanh"]}, **weights,
               refuse="one of its activations is LeakyRelu, not Sigmoid, Tanh or Relu")
