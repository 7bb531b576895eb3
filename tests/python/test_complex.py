# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models with complex numbers between Fourier transforms, as PyTorch's exporter lets them through and tf2onnx leaves them, against NumPy's."""
from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest

import tool

X = np.random.default_rng(1).standard_normal((2, 3, 8, 10)).astype(np.float32)


def lowered(body: str, outputs: str, domain: str = "aten") -> bytes:
    text = f'<ir_version: 8, opset_import: ["" : 17, "{domain}" : 1]> g (float[2,3,8,10] x) => ({outputs}) {{ {body} }}'
    return tool.lowered(onnx.parser.parse_model(text).SerializeToString())


def run(model: bytes) -> list[np.ndarray]:
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]).run(None, {"x": X})


def close(found: np.ndarray, expected: np.ndarray) -> None:
    # Sums of 80 products in float.
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


AXES = 's = Constant <value = int64[2] {-2, -1}> () n = Constant <value_string = "ortho"> ()'


def test_spectrum_and_back() -> None:
    body = f"{AXES} f = aten.fft_rfftn (x, , s, n) a = Abs (f) r = aten.real (f) i = aten.imag (f) c = aten.complex (r, i) y = aten.fft_irfftn (c, , s, n)"
    y, a = run(lowered(body, "float[2,3,8,10] y, float[2,3,8,6] a"))
    close(y, X)
    close(a, np.abs(np.fft.rfftn(X, axes=(-2, -1), norm="ortho")))


def test_half_signals() -> None:
    """A real spectrum of one side of a signal, and back."""
    body = "f = aten.fft_ihfft (x) y = aten.fft_hfft (f) p = aten.view_as_real (f)"
    y, p = run(lowered(body, "float[2,3,8,10] y, float[2,3,8,6,2] p"))
    close(y, X)
    spectrum = np.fft.ihfft(X)
    close(p, np.stack([spectrum.real, spectrum.imag], -1))


def test_filter() -> None:
    """Complex values that are declared, a product of two of them, one with a real factor, and a sum."""
    body = f"{AXES} f = aten.fft_fftn (x, , s) p = Mul (f, f) w = Constant <value = float {{0.5}}> () q = Mul (w, f) t = Add (p, q) g = aten.fft_ifftn (t, , s) y = aten.view_as_real (g)"
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17, "aten" : 1]> g (float[2,3,8,10] x) => (float[2,3,8,10,2] y) {{ {body} }}')
    for name in "fpqtg":
        model.graph.value_info.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.COMPLEX64, X.shape))
    (y,) = run(tool.lowered(model.SerializeToString()))
    spectrum = np.fft.fftn(X, axes=(-2, -1))
    expected = np.fft.ifftn(spectrum * spectrum + 0.5 * spectrum, axes=(-2, -1))
    close(y / 10, np.stack([expected.real, expected.imag], -1) / 10)


@pytest.mark.parametrize("transform, absolute", [("RFFT2D", "ComplexAbs"), ("TFL_RFFT2D", "TFL_COMPLEX_ABS"), ("TFL_FlexRFFT2D", "ComplexAbs")])
def test_tensorflow(transform: str, absolute: str) -> None:
    (y,) = run(lowered(f"n = Constant <value = int32[2] {{8, 10}}> () f = {transform} (x, n) y = {absolute} (f)", "float[2,3,8,6] y"))
    close(y, np.abs(np.fft.rfft2(X)))


def test_cast_of_tensorflow_takes_the_real_parts() -> None:
    (y,) = run(lowered("n = Constant <value = int32[1] {10}> () f = RFFT (x, n) y = Cast <to = 1> (f)", "float[2,3,8,6] y"))
    close(y, np.fft.rfft(X).real)


@pytest.mark.parametrize("body, outputs", [
    ("y = aten.fft_rfft (x)", "complex64[2,3,8,6] y"),  # an output of the graph
    ("f = aten.fft_rfft <dim = 1> (x) y = aten.abs (f)", "float[2,2,8,10] y"),  # a parameter that would be lost
    ("f = aten.fft_rfft (x) y = Softmax (f)", "float[2,3,8,6] y"),
    ("f = aten.fft_rfft (x) z = Sin (f) y = Abs (z)", "float[2,3,8,6] y"),
])
def test_what_is_not_known_is_refused(body: str, outputs: str) -> None:
    with pytest.raises(tool.Unlowered, match="complex numbers become pairs of real ones only where"):
        lowered(body, outputs)


def test_what_is_kept_stays() -> None:
    text = '<ir_version: 8, opset_import: ["" : 17, "aten" : 1]> g (float[2,3,8,10] x) => (float[2,3,8,6] y) { f = aten.fft_rfft (x) y = Abs (f) }'
    model = tool.lowered(onnx.parser.parse_model(text).SerializeToString(), ["--keep", "aten::fft_rfft"])
    assert [node.op_type for node in onnx.load_from_string(model).graph.node] == ["fft_rfft", "Abs"]
