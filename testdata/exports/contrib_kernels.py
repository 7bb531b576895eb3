# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What ONNX Runtime's kernels give for models of its optimizer's operators, which lie in contrib_kernels/: com.microsoft's nodes that its documentation alone does not
explain, and arrangements of nodes that OpenVINO got wrong.

    python testdata/exports/contrib_kernels.py
writes the arrays and cases.json anew, with the onnxruntime that runs it. NhwcConv has no kernel there: NumPy computes it, and torch did the decoder of which vaedec_nhwcconv
was made, whose arrays are kept. Of 4-bit weights the kernel rounds the other factor; NumPy computes these too.
"""
import json
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

FOLDER = pathlib.Path(__file__).resolve().with_suffix("")
random = np.random.default_rng(0)
KEPT = ("vaedec_nhwcconv",)


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


INPUTS = {
    **{f"attention_S{length}_N4_static": [{"x": floats(2, length, 12)}] for length in (3, 4, 5)},
    "crop_and_resize_nearest_tie": [{"i0": floats(2, 3, 6, 7), "i2": np.int32([0, 1, 1])}],
    "gqa_position_ids_prompt": [
        {
            "q": floats(3, 4, 128), "pk": floats(3, 2, 8, 16), "pv": floats(3, 2, 8, 16), "sk": np.int32([3, 3, 3]), "tot": np.int32([4]), "c": floats(64, 8),
            "pid": random.integers(0, 60, (3, 4)),
        }
    ],
    "gqa_rotary_static": [{"q": floats(1, 3, 48), "k": floats(1, 3, 16), "v": floats(1, 3, 16), "pk": floats(1, 1, 4, 16), "pv": floats(1, 1, 4, 16), "sk": np.int32([6])}],
    "mha_unidirectional_kv_longer": [{"i0": floats(2, steps, 8), "i1": floats(2, keys, 8), "i2": floats(2, keys, 8), "i3": floats(24)} for steps, keys in ((3, 5), (1, 4), (5, 2))],
    "mha_unidirectional_s1": [{"q": floats(2, steps, 8), "k": floats(2, 5, 8), "v": floats(2, 5, 8), "m": random.integers(0, 2, (2, steps, 5)).astype(np.int32)} for steps in (1, 3)],
    **{f"ms_dq_{kind}": [{"a": floats(2, 4)}] for kind in ("int4", "uint4", "int16", "uint16")},
    "ms_q_int4": [{"x": floats(4, 6)}],
    "nhwcconv": [{"x": floats(1, 3, 8, 8)}],
    **{f"qdq_{kind}_com_microsoft": [{"x": floats(3, 4)}] for kind in ("int8", "uint8", "int16", "uint16")},
    "qlinear_average_pool_ceil_pad": [{"i1": np.array(0.01, np.float32), "i2": np.array(100, np.uint8), "i4": np.array(90, np.uint8)}],
    "reshape_allowzero": [{"x": floats(2, 3, 6)}, {"x": floats(3, 3, 6)}],
}
ARGUMENTS = {"reshape_allowzero": ["--target-opset", "13"], **{f"ms_{kind}": ["--target-opset", "17"] for kind in ("dq_int4", "dq_uint4", "dq_int16", "dq_uint16", "q_int4")}}
REFUSED = {"ms_q_int4": ["com.microsoft::QuantizeLinear"]}


def initializers(model):
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}


def of_four_bits(model, inputs):
    values = initializers(model)
    return {"y": inputs["a"] @ ((values["x"].astype(np.float32) - values["z"].astype(np.float32)) * values["s"])}


def of_nhwc_conv(model, inputs):
    """Of the one filter (O, kH, kW, I), around which a pixel is padded."""
    (filters,) = initializers(model).values()
    image = np.pad(inputs["x"], ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(image, filters.shape[1:3], axis=(2, 3))
    return {"y": np.einsum("nihwab,oabi->nohw", windows, filters)}


def of_the_kernel(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, inputs)))


def main():
    cases = {name: {"exporter": "ONNX Runtime's transformer optimizer", "expect": "lowered", "rtol": 1e-4, "atol": 1e-5} for name in KEPT}
    for name, sets in INPUTS.items():
        model = onnx.load(FOLDER / f"{name}.onnx")
        compute = of_four_bits if name in ("ms_dq_int4", "ms_dq_uint4") else of_nhwc_conv if name == "nhwcconv" else of_the_kernel
        says = {"exporter": f"hand-made; computed by onnxruntime {onnxruntime.__version__}", "arguments": ARGUMENTS.get(name, []), "rtol": 1e-4, "atol": 1e-5}
        cases[name] = {**says, "expect": "refused", "names": REFUSED[name]} if name in REFUSED else {**says, "expect": "lowered"}
        arrays = {}
        for number, inputs in enumerate(sets):
            expected = {} if name in REFUSED else compute(model, inputs)
            arrays |= {f"inputs_{number}/{key}": value for key, value in inputs.items()} | {f"expected_{number}/{key}": value for key, value in expected.items()}
        np.savez(FOLDER / f"{name}.npz", **arrays)
    (FOLDER / "cases.json").write_text(json.dumps(dict(sorted(cases.items())), indent=1) + "\n")


main()
