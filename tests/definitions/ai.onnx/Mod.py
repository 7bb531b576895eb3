"""ai.onnx::Mod: the remainder of a division, with the divisor's sign or (fmod) with the dividend's.

Source: ONNX Mod-10, Mod-28.
"""
import numpy as np

from definition import Case


def define(a, b, fmod=0):
    return np.fmod(a, b) if fmod else np.mod(a, b)


def cases():
    for dtype in (np.int32, np.int64, np.int8):
        a, b = np.array([[-7, -6, 0, 6, 7, 5, -5, 100]], dtype), np.array([[3], [-3], [7]], dtype)
        yield Case(f"{np.dtype(dtype)}", inputs=[a, b])
        yield Case(f"fmod-{np.dtype(dtype)}", inputs=[a, b], attributes={"fmod": 1})
    yield Case("uint8", inputs=[np.uint8([7, 255, 0]), np.uint8([4, 9, 3])])
    a = np.array([[-7.5, -6, 0, 6, 7.25, 0.1, 6e4, np.inf, np.nan]])
    b = np.array([[3], [-3], [0.3], [np.inf]])
    for dtype in (np.float32, np.float16):
        yield Case(f"fmod-{np.dtype(dtype)}", inputs=[a.astype(dtype), b.astype(dtype)], attributes={"fmod": 1},
                   cannot={"openvino": "it divides in single precision, and infinities give NaN"})
