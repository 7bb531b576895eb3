# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ATen operators that are left in the model, at values that are easy to get wrong: infinities, NaN, signed zeros, poles, integers, float64, scalars, empty tensors.

torch 1.13 or 2.2."""
import sys

import torch
from aten import Call
from saving import VERSION, legacy, share
from torch.nn import functional

INF, NAN = float("inf"), float("nan")
ODD = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 1e-30, -1e-30, 1e-4, 3e4, -3e4, 80.0, -80.0, INF, -INF, NAN])
OTHER = torch.tensor([1.0, 2.0, -0.0, 0.5, INF, -INF, NAN, 1.5, 0.0, -1.0, 3.0, 2.0, 7.0, 0.1, 1.0, INF, 1.0, 0.0])
UNIT = torch.tensor([0.0, 1.0, 0.5, 1e-7, 1 - 1e-6, 0.25, 0.999, NAN, -0.1, 1.1])
SIGNED_UNIT = torch.tensor([0.0, 1.0, -1.0, 0.5, -0.5, 1e-7, 0.9999, -0.9999, NAN, 1.5])
POSITIVE = torch.tensor([0.0, 1e-20, 0.1, 1.0, 1.5, 2.0, 10.0, 100.0, INF, NAN])
INTEGERS = torch.tensor([[0, 1, -1, 7, -7, 100, -100, 2147483647]])
DIVISORS = torch.tensor([[3, 2, 3, -2, 2, 7, -9, 1000]])
MATRIX = torch.tensor([[1.0, -2.0, 0.5, 3.0], [0.0, 4.0, -1.0, 2.0], [2.0, 2.0, 2.0, -8.0]])

UNARY = {
    "asinh": ODD, "acosh": POSITIVE + 1, "atanh": SIGNED_UNIT, "sinc": ODD, "logit": UNIT, "i0": ODD.clamp(-20, 20), "digamma": POSITIVE, "lgamma": POSITIVE,
    "erfinv": SIGNED_UNIT, "erfc": ODD, "expm1": ODD, "log1p": POSITIVE, "exp2": ODD, "frac": ODD, "trunc": ODD, "deg2rad": ODD, "rad2deg": ODD,
    "isposinf": ODD, "isneginf": ODD, "isfinite": ODD, "signbit": ODD, "sgn": ODD, "square": ODD, "positive": ODD, "selu": ODD.clamp(-80, 80),
    "cosh": ODD, "sinh": ODD, "atan": ODD, "log10": POSITIVE, "log2": POSITIVE, "special_entr": POSITIVE, "special_ndtr": ODD, "special_i1": ODD.clamp(-20, 20),
    "nansum": ODD[:14], "nanmean": ODD[:14], "count_nonzero": ODD, "trace": MATRIX, "tril": MATRIX, "triu": MATRIX, "diag": MATRIX, "diff": MATRIX, "fliplr": MATRIX,
    "isnan": ODD, "isinf": ODD,
}  # fmt: skip
BINARY = {
    "hypot": (ODD, OTHER), "heaviside": (ODD, OTHER), "fmod": (ODD, OTHER), "xlogy": (ODD, OTHER.abs()), "logaddexp": (ODD, OTHER), "logaddexp2": (ODD, OTHER),
    "copysign": (ODD, OTHER), "remainder": (ODD, OTHER), "float_power": (POSITIVE, OTHER[:10]), "atan2": (ODD, OTHER), "fmax": (ODD, OTHER), "fmin": (ODD, OTHER),
    "special_xlog1py": (ODD, OTHER.abs()), "outer": (ODD[:7], OTHER[:4]), "inner": (MATRIX, MATRIX), "kron": (MATRIX, MATRIX), "vdot": (OTHER[:4], MATRIX[0]),
}  # fmt: skip
INTEGER_BINARY = ("fmod", "remainder", "bitwise_and", "bitwise_or", "bitwise_xor", "hypot", "heaviside", "copysign", "xlogy", "float_power", "logaddexp", "fmax", "atan2")
MORE = {
    "cumprod_zeros": (lambda x: torch.cumprod(x, 0), [(torch.zeros(3),)]),  # of an empty dimension ONNX Runtime runs no Scan
    "cumprod_deep": (lambda x: torch.cumprod(x, 1), [(MATRIX.reshape(2, 3, 2),)]),
    "cumprod_integers": (lambda x: torch.cumprod(x, 1), [(DIVISORS,)]),
    "cumprod_nan": (lambda x: torch.cumprod(x, 0), [(torch.tensor([2.0, NAN, 0.0]),), (torch.tensor([INF, -1.0, 0.0]),), (torch.tensor([0.0, INF, 2.0]),)]),
    "logcumsumexp": (lambda x: torch.logcumsumexp(x, 0), [(torch.tensor([-INF, -INF, 1.0, 88.0, 2.0]),), (torch.tensor([1e4, -1e4, 5.0, 0.0, 0.0]),)]),
    "cummax_both": (lambda x: torch.cummax(x, 1), [(MATRIX,), (torch.tensor([[1.0, NAN, 2.0, 2.0]] * 3),)]),
    "cummin_both": (lambda x: torch.cummin(x, 0), [(MATRIX,), (MATRIX.flip(0),)]),
    "logit_eps": (lambda x: torch.logit(x, 1e-3), [(UNIT,)]),
    "heaviside_scalar": (lambda x: torch.heaviside(x, torch.tensor(0.25)), [(ODD,)]),
    "hypot_broadcast": (torch.hypot, [(MATRIX[:, :1], MATRIX[:1])]),
    "fmod_scalar": (lambda x: torch.fmod(x, -1.5), [(ODD,)]),
    "fmod_zero": (lambda x: torch.fmod(x, 0.0), [(ODD,)]),
    "threshold_values": (lambda x: torch.threshold(x, 0.5, -7.0), [(ODD,)]),
    "celu": (lambda x: functional.celu(x, 0.3), [(ODD,)]),
    "hardshrink": (lambda x: functional.hardshrink(x, 0.5), [(ODD,)]),
    "softshrink": (lambda x: functional.softshrink(x, 0.5), [(ODD,)]),
    "tril_below": (lambda x: torch.tril(x, -1), [(MATRIX,)]),
    "triu_above": (lambda x: torch.triu(x, 2), [(MATRIX,)]),
    "diag_above": (lambda x: torch.diag(x, 1), [(MATRIX,)]),
    "diag_embed_last": (lambda x: torch.diag_embed(x, -1), [(MATRIX,)]),
    "diagonal_other": (lambda x: torch.diagonal(x, -1, 1, 0), [(MATRIX,)]),
    "diff_twice": (lambda x: torch.diff(x, 2, 0), [(MATRIX,)]),
    "vander": (lambda x: torch.vander(x, 4, increasing=True), [(MATRIX[0],)]),
    "searchsorted_right": (lambda s, x: torch.searchsorted(s, x, right=True), [(torch.tensor([-1.0, 0.0, 0.0, 2.0]), ODD.reshape(2, 9))]),
    "dist_inf": (lambda x, y: torch.dist(x, y, INF), [(MATRIX, MATRIX.flip(0))]),
    "dist_one": (lambda x, y: torch.dist(x, y, 1), [(MATRIX, MATRIX.flip(0))]),
    "addcdiv_zero": (lambda x, y, z: torch.addcdiv(x, y, z, value=2), [(ODD, OTHER, ODD.flip(0))]),
    "addr_scaled": (lambda m, x, y: torch.addr(m, x, y, beta=0.5, alpha=2), [(MATRIX, MATRIX[:, 0], MATRIX[0])]),
    "addmv_scaled": (lambda b, m, v: torch.addmv(b, m, v, beta=0.0, alpha=3), [(torch.full((3,), NAN), MATRIX, MATRIX[0])]),
    "nansum_axis": (lambda x: torch.nansum(x, 1), [(torch.tensor([[1.0, NAN], [NAN, NAN]]),)]),
    "nanmean_axis": (lambda x: torch.nanmean(x, 1, keepdim=True), [(torch.tensor([[1.0, NAN], [NAN, NAN]]),)]),
    "count_nonzero_axis": (lambda x: torch.count_nonzero(x, 1), [(MATRIX,)]),
    "channel_shuffle": (lambda x: functional.channel_shuffle(x, 3), [(torch.arange(24.0).reshape(1, 6, 2, 2),)]),
    "lerp_tensor": (torch.lerp, [(ODD[:15], OTHER[:15], ODD.flip(0)[3:])]),
    "isclose": (lambda x, y: torch.isclose(x, y, equal_nan=True), [(ODD, ODD * (1 + 1e-6)), (ODD, OTHER)]),
    "bilinear": (lambda x, y, w: functional.bilinear(x, y, w), [(MATRIX, MATRIX[:, :2], torch.ones(5, 4, 2))]),
}  # fmt: skip


def find(name):
    return getattr(torch, name, None) or getattr(torch.special, name.replace("special_", ""))


def main():
    calls = {}
    for name, values in UNARY.items():
        function = find(name)
        calls[name] = (function, [(values,)])
        calls[f"{name}_float64"] = (function, [(values.double(),)])
        if name not in ("trace", "tril", "triu", "diag", "diff", "fliplr", "diag_embed"):
            calls[f"{name}_scalar"] = (function, [(values[2],)])
            calls[f"{name}_integers"] = (function, [(torch.tensor([0, 1, 2, 3]),)])
            calls[f"{name}_empty"] = (function, [(torch.zeros(0, 3),)])
    for name, (left, right) in BINARY.items():
        calls[name] = (find(name), [(left, right)])
        calls[f"{name}_float64"] = (find(name), [(left.double(), right.double())])
    for name in INTEGER_BINARY:
        calls[f"{name}_integers"] = (find(name), [(INTEGERS, DIVISORS)])
        calls[f"{name}_int32"] = (find(name), [(INTEGERS.int(), DIVISORS.int())])
        if not name.startswith("bitwise"):
            calls[f"{name}_mixed"] = (find(name), [(INTEGERS, DIVISORS.float())])
    calls.update(MORE)
    kinds = (("ONNX_FALLTHROUGH", (9, 13)), ("ONNX_ATEN_FALLBACK", (16, 11)))
    for number, (name, (function, sets)) in enumerate(calls.items()):
        for kind, versions in kinds if len(sys.argv) > 1 else kinds[number // 2 % 2 :][:1]:
            if len(sys.argv) <= 1 and number % 2 != VERSION[0] - 1:
                continue
            for opset in share(versions):
                legacy(
                    f"values_{name}_{kind.split('_')[-1].lower()}_op{opset}",
                    Call(function),
                    sets,
                    opset=opset,
                    operator_export_type=kind,
                    only_custom=True,
                    rtol=1e-10 if "float64" in name else 2e-5,
                    atol=1e-12 if "float64" in name else 2e-6,
                    **(dict(cannot={"openvino": "it computes double as float, and makes the largest float of infinities"}) if "float64" in name or name.startswith("float_power") else {}),
                )


if __name__ == "__main__":
    main()
