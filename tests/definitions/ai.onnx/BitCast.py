# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::BitCast: the same bits, taken as another type.

Source: ONNX BitCast-26.
"""
import numpy as np
import onnx

from definition import Case, definition_of

shared = definition_of("ai.onnx", "_bitwise")


def define(x, *, to):
    return x.view(onnx.helper.tensor_dtype_to_np_dtype(to))


def cases():
    for size in (8, 16, 32, 64):
        signed, unsigned = np.dtype(f"int{size}"), np.dtype(f"uint{size}")
        for start, end in ((signed, unsigned), (unsigned, signed), (signed, signed)):
            to = int(onnx.helper.np_dtype_to_tensor_dtype(end))
            yield Case(f"{start}-{end}", inputs=[shared.numbers(start.type).reshape(4, 6)], attributes={"to": to}, written_for=26, opsets=range(9, 26),
                       cannot={"openvino": "it computes 64-bit integers in 32 bits, and keeps a number within its type"})
    wants = {"openvino": "it computes double as float"}
    for floating, size in ((np.float32, 32), (np.float64, 64), (np.float16, 16)):
        info = np.finfo(floating)
        rng = np.random.default_rng(0)
        drawn = rng.integers(0, 2**size, 4000, dtype=np.uint64, endpoint=size < 64).astype(f"uint{size}").view(floating)
        edges = [0.0, info.max, info.tiny, info.smallest_subnormal, np.inf, 1, 2, 1 / 3]
        powers = [np.ldexp(1.0, exponent) for exponent in range(info.minexp - info.nmant, info.maxexp)]
        positive = np.asarray([*edges, *powers], floating)
        with np.errstate(all="ignore"):
            drawn = drawn[np.isfinite(drawn)]
            near = np.nextafter(positive.astype(floating), floating(0)), np.nextafter(positive, floating(np.inf))
        numbers = np.concatenate([part for half in (positive, *near) for part in (half, -half)] + [drawn, [floating(np.nan)]]).astype(floating)
        name = np.dtype(floating).name
        where = {"opsets": range(9, 26), "cannot": wants}
        for kind in ("int", "uint"):
            integer = np.dtype(f"{kind}{size}")
            yield Case(f"{name}-{integer}", inputs=[numbers], attributes={"to": int(onnx.helper.np_dtype_to_tensor_dtype(integer))}, written_for=26, **where)
            yield Case(f"{integer}-{name}", inputs=[numbers.view(integer)], attributes={"to": int(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(floating)))}, written_for=26, **where)
    yield Case("float32-int64", inputs=[np.float32([1, 2])], attributes={"to": 7}, written_for=26, opsets=[25], refuse="as many bits")
