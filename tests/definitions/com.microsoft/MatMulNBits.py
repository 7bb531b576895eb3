# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::MatMulNBits: A times the transpose of a matrix (N, K) that is quantized in blocks along K.

With an attribute packing, which QLLM's exporter writes, the codes are in words, and scales and zero points (blocks, N).

Source: ONNX Runtime's contrib operator MatMulNBits; QLLM's exporter.
"""
import numpy as np

from definition import Case, definition_of

_random, _words = (definition_of("com.microsoft", name) for name in ("_random", "_words"))


def unpack(codes, bits):
    """Bytes to integers along the last dimension, the lowest bits first."""
    shifts = np.arange(0, 8, bits)
    return ((codes[..., None] >> shifts) & (2**bits - 1)).reshape(*codes.shape[:-1], -1)


def define(a, b, scales, zero_points=None, g_idx=None, bias=None, *, K, N, bits=4, block_size, accuracy_level=0, packing=None):
    if packing is not None:
        y = a.astype(float) @ _words.weights(b, scales, zero_points, g_idx, bits, block_size)
        return (y if bias is None else y + bias).astype(a.dtype)
    blocks = -(-K // block_size)
    codes = unpack(b.reshape(N, -1), bits)[:, :K].astype(np.float64)
    scales = scales.reshape(N, blocks).astype(np.float64)
    if zero_points is None:
        zeros = np.full((N, blocks), 2.0 ** (bits - 1))
    elif zero_points.dtype == np.uint8:
        zeros = unpack(zero_points.reshape(N, -1), bits)[:, :blocks].astype(np.float64)
    else:
        zeros = zero_points.reshape(N, blocks).astype(np.float64)
    block = np.arange(K) // block_size if g_idx is None else g_idx
    y = a.astype(np.float64) @ ((codes - zeros[:, block]) * scales[:, block]).T
    return (y if bias is None else y + bias).astype(a.dtype)


def cases():
    numbers = _random.Numbers()

    def case(name, bits, k, block, zeros=None, dtype=np.float32, groups=False, in_order=False, bias=False, flat=True, **more):
        n, blocks = 6, -(-k // block)
        scales = numbers.positive(n, blocks, dtype=dtype) / dtype(8)
        zero_points = None
        if zeros == "packed":
            zero_points = numbers.bytes(n, -(-blocks * bits // 8))
        elif zeros == "float":
            zero_points = (numbers.positive(n, blocks) * 2**bits / 2).astype(dtype)
        if flat:
            scales = scales.reshape(-1)
            zero_points = None if zero_points is None else zero_points.reshape(-1)
        inputs = [numbers.floats(2, 3, k, dtype=dtype), numbers.bytes(n, blocks, block * bits // 8), scales, zero_points,
                  None if not groups else (np.arange(k) // block).astype(np.int32) if in_order else numbers.integers(0, blocks, k, dtype=np.int32), numbers.floats(n, dtype=dtype) if bias else None]
        tolerance = {"rtol": 1e-3, "atol": 1e-3} if dtype == np.float32 else {"rtol": 2e-2, "atol": 1e-1}
        constants = [index for index in range(1, 6) if inputs[index] is not None]
        return Case(name, inputs=inputs, attributes={"K": k, "N": n, "bits": bits, "block_size": block, **more}, constants=constants,
                    why=_random.FLOAT_WHY, **tolerance)

    for bits in (2, 4, 8):
        for zeros in (None, "packed", "float"):
            yield case(f"bits-{bits}-{zeros}", bits, 64, 16, zeros)
        yield case(f"bits-{bits}-short-block", bits, 40, 16, "packed")
    yield case("matrices", 4, 32, 16, "packed", flat=False, accuracy_level=4)
    yield case("groups", 4, 64, 16, "packed", groups=True)
    yield case("groups-default-zero", 4, 64, 16, groups=True)
    yield case("bias", 4, 64, 32, bias=True)
    yield case("float16", 4, 64, 32, "packed", dtype=np.float16)
    yield case("groups-in-order", 4, 64, 16, "packed", groups=True, in_order=True)
    yield case("groups-short-block", 4, 40, 16, "packed", groups=True)
    for name, packing, more in (("gptq", "gptq", {"order": "empty"}), ("gptq-in-order", "gptq", {"order": "plain", "bits": 8}), ("gptq-out-of-order", "gptq", {"order": "other"}),
                                ("gptq-middle", "gptq", {"zeros": ""}), ("hqq", "hqq", {"zeros": "float", "bits": 2}), ("gptq-odd", "gptq", {"k": 40, "n": 5})):
        words = list(_words.inputs(numbers, **more))
        bits, k, n = more.get("bits", 4), more.get("k", 64), more.get("n", 8)
        inputs = [numbers.floats(2, 3, k), *words, numbers.floats(n) if name == "gptq-middle" else None]
        for known in ([index for index in range(1, 6) if inputs[index] is not None], [4] if more.get("order") else []):
            yield Case(f"{name}-{len(known)}", inputs=inputs, attributes={"K": k, "N": n, "bits": bits, "block_size": 32, "packing": packing}, constants=known, shapes="static",
                       rtol=1e-4, atol=1e-4, why=_random.FLOAT_WHY, opsets=range(11, 27), cannot={"kernel": "it has no such packing"})
    yield Case("other-packing", inputs=inputs, attributes={"K": k, "N": n, "block_size": 32, "packing": "awq"}, refuse="packing is awq, and not gptq or hqq")
    yield Case("prepacked", inputs=[numbers.floats(2, 16), numbers.bytes(4, 1, 8), numbers.floats(4, 1)],
               attributes={"K": 16, "N": 4, "block_size": 16, "weight_prepacked": 1}, refuse="B is packed for one kind of GPU")
