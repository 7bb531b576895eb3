# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""rknn_cst::cstThreshold: y = value where x <= threshold, else x. Both numbers are first converted to the type of x, towards zero if that is an integer; but a
float16 is compared in float.

Source: torch.nn.functional.threshold, whose export the operator is.
"""
import numpy as np

from definition import Case

def define(x, threshold=None, value=None, param=None, threshold_f=None, value_f=None, param_f=None):
    threshold, value = param or param_f or (threshold if threshold_f is None else threshold_f, value if value_f is None else value_f)
    return define_with_inputs(x, np.float32(threshold), np.float32(value))


def define_with_inputs(x, threshold, value):
    """Numbers that are inputs are not rounded to float32 on their way."""
    compared = x.astype(np.float32) if x.dtype == np.float16 else x
    return np.where(compared <= (threshold.astype(compared.dtype) if x.dtype.kind == "f" else np.trunc(threshold)), value.astype(x.dtype), x)


# Between two float16, of which it would be the second.
BETWEEN, AROUND = 0.10003, np.float16([0.1, 0.10004, 0.1001, np.nan])


SPELLINGS = {
    "attributes": lambda threshold, value: {"threshold": threshold, "value": value},
    "param": lambda threshold, value: {"param": [threshold, value]},
    "suffix": lambda threshold, value: {"threshold_f": threshold, "value_f": value},
    "param-suffix": lambda threshold, value: {"param_f": [threshold, value]},
}


def cases():
    values = [-3, -0.0, 0.09, 0.1, 0.11, 1, 30, np.nan, np.inf, -np.inf]
    for spelling, attributes in SPELLINGS.items():
        for dtype in ("float32", "float64", "float16"):
            x = np.array(values).astype(dtype)
            yield Case(f"{spelling}-{dtype}", inputs=[x], attributes=attributes(0.1, 20.0), also=[[x[:0]]], opsets=range(9, 27) if dtype == "float32" or spelling == "attributes" else (9, 12, 15, 26))
        for dtype in ("int64", "int32", "int16", "int8", "uint8"):
            x = np.array([0, 1, 2, 3, 100]).astype(dtype) - (0 if dtype == "uint8" else np.array(2, dtype))
            opsets = range(9, 27) if spelling == "attributes" and dtype in ("int64", "int32") else (12, 15, 26)
            for threshold in (0.1, -0.5, 1.0):
                yield Case(f"{spelling}-{dtype}-{threshold}", inputs=[x], attributes=attributes(threshold, 20.0), opsets=opsets)
        yield Case(f"{spelling}-float16-between", inputs=[AROUND], attributes=attributes(BETWEEN, 20.0), opsets=(9, 12, 15, 26))
    yield Case("rank-4", inputs=[np.arange(-12, 12, dtype=np.float32).reshape(2, 3, 2, 2)], attributes=SPELLINGS["attributes"](-0.25, -1.0), opsets=(9, 12, 26))
    yield Case("scalar", inputs=[np.float32(-1)], attributes=SPELLINGS["attributes"](0.1, 20.0), opsets=(9, 12, 26))
    yield Case("unranked", inputs=[np.float32([-1, 1])], attributes=SPELLINGS["attributes"](0.1, 20.0), shapes="unranked", opsets=(9, 12, 26))
    yield Case("infinite", inputs=[np.float32(values)], attributes=SPELLINGS["attributes"](float("inf"), 20.0), opsets=(9, 12, 26))
    yield Case("set", inputs=[np.float32(values)], set={"threshold": 0.1, "value": 20.0}, opsets=(9, 12, 26))
    yield Case("lost", inputs=[np.float32(values)], opsets=(9, 12, 26), refuse="--set")
    for dtype in ("float32", "float64", "float16"):
        numbers = [np.float64(0.1), np.float64(20)]
        yield Case(f"inputs-{dtype}", inputs=[np.array(values).astype(dtype), *numbers], constants=[1, 2], define=define_with_inputs, also=[[np.zeros(0, dtype), *numbers]])
    yield Case("inputs-computed", inputs=[np.float32(values), np.float32(0.1), np.float32(20)], define=define_with_inputs, opsets=(9, 12, 15, 26))
    for threshold in (0.1, -0.5):
        yield Case(f"inputs-int64-{threshold}", inputs=[np.array([-2, -1, 0, 1, 98]), np.float64(threshold), np.int64(20)], constants=[1, 2], define=define_with_inputs, opsets=(9, 12, 15, 26))
    yield Case("inputs-int64-large", inputs=[np.array([16777215, 16777216, 16777217, 16777218]), np.int64(16777217), np.int64(16777219)], constants=[1, 2], define=define_with_inputs, opsets=(9, 12, 15, 26))
    for dtype in ("int64", "int32", "int8", "uint8", "int16"):
        computed = [np.array([0, 1, 2, 3]).astype(dtype) - np.array(dtype != "uint8", dtype), np.float32(-0.5), np.float32(20)]
        yield Case(f"inputs-computed-{dtype}", inputs=computed, also=[[computed[0], np.float32(1.7), np.float32(7)]], define=define_with_inputs, opsets=(9, 12, 15, 26))
    yield Case("inputs-computed-int64-unranked", inputs=[np.array([-1, 0, 1, 2]), np.float32([-0.5]), np.float32([20])], shapes=["symbolic", "unranked", "unranked"], define=define_with_inputs, opsets=(9, 12, 26))
    for infinity in (float("inf"), float("-inf")):
        yield Case(f"int64{infinity}", inputs=[np.array([1, 2])], attributes={"threshold": infinity, "value": 20.0}, opsets=(12,), refuse=f"threshold is {infinity}, which is not")
    spelt = {"cannot": {"kernel": "ONNX Runtime gives it attributes of their own type only, and it takes both numbers from one place"}}
    x, told = np.float32(values), {"threshold": 0.1, "value": 20.0}
    for name, threshold, value in (("list", [0.1], [20.0]), ("tensor", np.float32(0.1), np.float32(20)), ("tensor-1", np.float32([0.1]), np.float32([20])),
                                   ("double", np.float64(0.1), np.float64(20)), ("string", "0.1", " 2e1 "), ("integer", np.float32(0.1), 20)):
        yield Case(f"number-as-{name}", inputs=[x], attributes={"threshold": threshold, "value": value}, meaning=told, opsets=(9, 12, 26), **spelt)
    for name, param in (("tensor", np.float32([0.1, 20])), ("string", "[0.1, 20]"), ("bare-string", "0.1,20")):
        yield Case(f"param-as-{name}", inputs=[x], attributes={"param": param}, meaning=told, opsets=(9, 12, 26), **spelt)
    yield Case("no-number", inputs=[x], attributes={"threshold": "low", "value": 20.0}, opsets=(12,), refuse="attribute 'threshold' is string, and the rule takes float")
    yield Case("two-numbers", inputs=[x], attributes={"threshold": [0.1, 0.2], "value": 20.0}, opsets=(12,), refuse="attribute 'threshold' is floats, and the rule takes float")
    ones = [np.float32([0.1]), np.float32([20])]
    yield Case("inputs-rank-1", inputs=[x, *ones], constants=[1, 2], meaning={}, define=lambda x, t, v: define(x, *told.values()), opsets=(9, 12, 15, 26))
    yield Case("inputs-rank-1-computed", inputs=[x, *ones], shapes=["symbolic", "static", "static"], define=define_with_inputs, opsets=(9, 12, 15, 26))
    yield Case("inputs-unranked", inputs=[x, *ones], shapes=["symbolic", "unranked", "unranked"], define=define_with_inputs, opsets=(9, 12, 15, 26))
    both = np.float32([0.1, 20])
    for constants in ([], [1]):
        name = "constant" if constants else "computed"
        yield Case(f"one-input-{name}", inputs=[x, both], constants=constants, shapes="static", define=lambda x, both: define(x, *both), opsets=(9, 12, 15, 26), **spelt)
        yield Case(f"threshold-input-{name}", inputs=[x, np.float32(0.1)], constants=constants, attributes={"value": 20.0}, define=lambda x, t, value: define(x, t, value), opsets=(9, 12, 15, 26), **spelt)
        yield Case(f"value-input-{name}", inputs=[x, np.float32(20)], constants=constants, attributes={"threshold": 0.1}, define=lambda x, v, threshold: define(x, threshold, v), opsets=(9, 12, 15, 26), **spelt)
    yield Case("one-input-int64", inputs=[np.array([0, 1, 2, 3]), np.float32([1.5, 7])], constants=[1], define=lambda x, both: define(x, *both), opsets=(9, 12, 26), **spelt)
    yield Case("one-input-of-three", inputs=[x, np.float32([1, 2, 3])], constants=[1], shapes="static", opsets=(12,), refuse="attribute 'value' is missing")
    for constants in ([], [1, 2]):
        yield Case(f"inputs-float16-between-{len(constants)}", inputs=[AROUND, np.float64(BETWEEN), np.float64(20)], constants=constants, define=define_with_inputs, opsets=(9, 12, 15, 26))
        yield Case(f"inputs-float16-rank-1-{len(constants)}", inputs=[AROUND, np.float32([BETWEEN]), np.float32([20])], constants=constants, shapes="static", define=define_with_inputs, opsets=(9, 12, 15, 26))
    # Opset 8 has no Where.
    at_8 = {"opsets": (8,), "cannot": {"openvino": "it compares NaN as if it were a number"}}
    many = np.resize(np.float32(values), 70)
    for threshold, value in ((0.1, 20.0), (-0.5, 0.0), (0.0, -3e30)):
        yield Case(f"opset-8-{threshold}", inputs=[many], attributes={"threshold": threshold, "value": value}, also=[[many[:count]] for count in range(9)], **at_8)
    for dtype in ("float64", "float16"):
        yield Case(f"opset-8-{dtype}", inputs=[many.astype(dtype)], attributes={"threshold": 0.1, "value": 20.0}, **at_8)
    yield Case("opset-8-inputs", inputs=[many, np.float32(0.1), np.float32(20)], constants=[1, 2], constants_as="node", define=define_with_inputs, **at_8)
    yield Case("opset-8-finite", inputs=[np.float32([-3, 0.1, 0.2])], attributes={"threshold": 0.1, "value": 20.0}, opsets=(8,))
    for value in (float("inf"), float("-inf"), float("nan"), -0.0):
        yield Case(f"opset-8-value-{value}", inputs=[many], attributes={"threshold": 0.1, "value": value}, **at_8)
    for dtype in ("int64", "int32", "int16", "int8", "uint8"):
        yield Case(f"opset-8-{dtype}", inputs=[np.array([0, 1, 2, 100], dtype)], attributes={"threshold": 1.5, "value": 20.0}, opsets=(8,))
