# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ATen operators that the exporter cannot export, left in the model by ONNX_FALLTHROUGH or ONNX_ATEN_FALLBACK. torch 1.13 or 2.2."""
import torch
from saving import VERSION, legacy, share
from torch import nn
from torch.nn import functional


class Call(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def sample(*shape, seed=0, low=-2.0, high=2.0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(*shape, generator=generator) * (high - low) + low


X, Y = sample(2, 3), sample(2, 3, seed=1)
SPECIAL = torch.tensor([0.0, -0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), -float("inf"), 1e-30, 3e30])
UNIT, POSITIVE = sample(2, 3, low=0.01, high=0.99), sample(2, 3, low=0.1, high=4.0)
SQUARE, INTEGERS = sample(3, 3), torch.tensor([[7, -7, 5], [-5, 0, 12]])
OTHER_INTEGERS = torch.tensor([[3, 3, -2], [-2, 4, 8]])

# What is called, and the sets of inputs that it is called with.
CALLS = {
    "threshold": (lambda x: torch.threshold(x, 0.1, 20.0), [(X,), (sample(2, 3, seed=5),)]),
    "selu": (lambda x: torch.selu(x), [(X,)]),
    "asinh": (torch.asinh, [(X,)]),
    "acosh": (torch.acosh, [(POSITIVE + 1,)]),
    "atanh": (torch.atanh, [(UNIT,)]),
    "hypot": (torch.hypot, [(X, Y)]),
    "sinc": (torch.sinc, [(X,), (torch.tensor([[0.0, 1.0, -2.0], [1e-8, 1e-3, 0.5]]),)]),
    "logit": (torch.logit, [(UNIT,)]),
    "logit_eps": (lambda x: torch.logit(x, eps=0.2), [(UNIT,)]),
    "heaviside": (torch.heaviside, [(torch.tensor([[-1.0, 0.0, 2.0]]), torch.tensor([[0.5, 0.25, 0.75]]))]),
    "i0": (torch.i0, [(X * 3,)]),
    "trace": (torch.trace, [(SQUARE,)]),
    "trace_wide": (torch.trace, [(sample(2, 5),)]),
    "fmod": (torch.fmod, [(X * 3, Y)]),
    "fmod_scalar": (lambda x: torch.fmod(x, 0.7), [(X * 3,)]),
    "fmod_integers": (torch.fmod, [(INTEGERS, OTHER_INTEGERS)]),
    "cumprod": (lambda x: torch.cumprod(x, 1), [(X,)]),
    "cumprod_first": (lambda x: torch.cumprod(x, 0), [(sample(4, 2),)]),
    "cumprod_last": (lambda x: torch.cumprod(x, -1), [(sample(2, 2, 4),)]),
    "digamma": (torch.digamma, [(POSITIVE,)]),
    "lgamma": (torch.lgamma, [(POSITIVE,)]),
    "erfinv": (torch.erfinv, [(UNIT,)]),
    "erfc": (torch.erfc, [(X,)]),
    "expm1": (torch.expm1, [(X,)]),
    "log1p": (torch.log1p, [(POSITIVE,)]),
    "exp2": (torch.exp2, [(X,)]),
    "frac": (torch.frac, [(X * 3,)]),
    "trunc": (torch.trunc, [(X * 3,)]),
    "xlogy": (torch.xlogy, [(X, POSITIVE), (torch.zeros(2, 3), POSITIVE)]),
    "entr": (torch.special.entr, [(UNIT,)]),
    "logaddexp": (torch.logaddexp, [(X, Y)]),
    "logaddexp2": (torch.logaddexp2, [(X, Y)]),
    "copysign": (torch.copysign, [(X, Y)]),
    "lerp": (lambda x, y: torch.lerp(x, y, 0.3), [(X, Y)]),
    "addcmul": (lambda x, y, z: torch.addcmul(x, y, z, value=0.5), [(X, Y, POSITIVE)]),
    "addcdiv": (lambda x, y, z: torch.addcdiv(x, y, z, value=0.5), [(X, Y, POSITIVE)]),
    "nan_to_num": (lambda x: torch.nan_to_num(x, 1.0, 2.0, 3.0), [(SPECIAL,)]),
    "deg2rad": (torch.deg2rad, [(X,)]),
    "rad2deg": (torch.rad2deg, [(X,)]),
    "float_power": (lambda x: torch.float_power(x, 2.5), [(POSITIVE,)]),
    "isposinf": (torch.isposinf, [(SPECIAL,)]),
    "isneginf": (torch.isneginf, [(SPECIAL,)]),
    "isfinite": (torch.isfinite, [(SPECIAL,)]),
    "signbit": (torch.signbit, [(X,)]),
    "sgn": (torch.sgn, [(X,)]),
    "square": (torch.square, [(X,)]),
    "positive": (torch.positive, [(X,)]),
    "dot": (torch.dot, [(X[0], Y[0])]),
    "vdot": (torch.vdot, [(X[0], Y[0])]),
    "mv": (torch.mv, [(X, Y[0])]),
    "inner": (torch.inner, [(X, Y)]),
    "outer": (torch.outer, [(X[0], Y[0])]),
    "ger": (torch.ger, [(X[0], Y[0])]),
    "kron": (torch.kron, [(X, Y)]),
    "cross": (lambda x, y: torch.cross(x, y, dim=1), [(X, Y)]),
    "linalg_cross": (torch.linalg.cross, [(X, Y)]),
    "dist": (torch.dist, [(X, Y)]),
    "cdist": (torch.cdist, [(X, sample(4, 3))]),
    "celu": (lambda x: functional.celu(x, 0.7), [(X,)]),
    "mish": (functional.mish, [(X,)]),
    "silu": (functional.silu, [(X,)]),
    "hardswish": (functional.hardswish, [(X * 3,)]),
    "hardshrink": (lambda x: functional.hardshrink(x, 0.4), [(X,)]),
    "softshrink": (lambda x: functional.softshrink(x, 0.4), [(X,)]),
    "log_sigmoid": (functional.logsigmoid, [(X,)]),
    "diag": (torch.diag, [(SQUARE,)]),
    "diag_make": (torch.diag, [(SQUARE[0],)]),
    "diag_embed": (torch.diag_embed, [(X,)]),
    "diagonal": (torch.diagonal, [(SQUARE,)]),
    "tril": (torch.tril, [(SQUARE,)]),
    "triu": (lambda x: torch.triu(x, 1), [(SQUARE,)]),
    "rot90": (lambda x: torch.rot90(x, 1, [0, 1]), [(X,)]),
    "roll": (lambda x: torch.roll(x, 1, 1), [(X,)]),
    "flip": (lambda x: torch.flip(x, [1]), [(X,)]),
    "fliplr": (torch.fliplr, [(X,)]),
    "diff": (torch.diff, [(X,)]),
    "cummax": (lambda x: torch.cummax(x, 1)[0], [(X,)]),
    "cummin": (lambda x: torch.cummin(x, 1)[0], [(X,)]),
    "logcumsumexp": (lambda x: torch.logcumsumexp(x, 1), [(X,)]),
    "median": (torch.median, [(X,)]),
    "kthvalue": (lambda x: torch.kthvalue(x, 2, 1)[0], [(X,)]),
    "mode": (lambda x: torch.mode(x, 1)[0], [(INTEGERS.float(),)]),
    "aminmax": (lambda x: torch.aminmax(x, dim=1)[0], [(X,)]),
    "amax": (lambda x: torch.amax(x, 1), [(X,)]),
    "nansum": (torch.nansum, [(SPECIAL[:6],)]),
    "nanmean": (torch.nanmean, [(SPECIAL[:6],)]),
    "count_nonzero": (torch.count_nonzero, [(INTEGERS,)]),
    "gcd": (torch.gcd, [(INTEGERS, OTHER_INTEGERS)]),
    "lcm": (torch.lcm, [(INTEGERS, OTHER_INTEGERS)]),
    "bincount": (torch.bincount, [(torch.tensor([0, 2, 2, 5]),)]),
    "searchsorted": (torch.searchsorted, [(torch.tensor([0.0, 1.0, 2.0]), X)]),
    "bucketize": (torch.bucketize, [(X, torch.tensor([-1.0, 0.0, 1.0]))]),
    "take": (torch.take, [(X, torch.tensor([0, 4]))]),
    "take_along_dim": (lambda x, i: torch.take_along_dim(x, i, 1), [(X, torch.tensor([[0], [2]]))]),
    "index_fill": (lambda x, i: torch.index_fill(x, 1, i, 9.0), [(X, torch.tensor([0, 2]))]),
    "channel_shuffle": (lambda x: functional.channel_shuffle(x, 2), [(sample(1, 4, 2, 2),)]),
    "pixel_unshuffle": (lambda x: functional.pixel_unshuffle(x, 2), [(sample(1, 1, 4, 4),)]),
    "glu": (lambda x: functional.glu(x, 1), [(sample(2, 4),)]),
    "renorm": (lambda x: torch.renorm(x, 2, 0, 1.0), [(X,)]),
    "bilinear": (lambda x, y, w: functional.bilinear(x, y, w), [(X, Y, sample(4, 3, 3))]),
    "addmv": (lambda b, m, v: torch.addmv(b, m, v), [(X[:, 0], X, Y[0])]),
    "addr": (lambda m, x, y: torch.addr(m, x, y), [(SQUARE, X[0], Y[0])]),
    "baddbmm": (lambda b, x, y: torch.baddbmm(b, x, y, beta=0.5, alpha=2), [(sample(1, 2, 2), sample(1, 2, 3), sample(1, 3, 2))]),
    "chain_matmul": (lambda x, y: torch.linalg.multi_dot([x, y, y]), [(X, SQUARE)]),
    "matrix_power": (lambda x: torch.matrix_power(x, 3), [(SQUARE,)]),
    "det": (torch.det, [(SQUARE,)]),
    "inverse": (torch.inverse, [(SQUARE + 4 * torch.eye(3),)]),
    "bitwise_xor": (torch.bitwise_xor, [(INTEGERS, OTHER_INTEGERS)]),
    "bitwise_and": (torch.bitwise_and, [(INTEGERS, OTHER_INTEGERS)]),
    "bitwise_or": (torch.bitwise_or, [(INTEGERS, OTHER_INTEGERS)]),
    "floor_divide": (torch.floor_divide, [(X, POSITIVE)]),
    "remainder": (torch.remainder, [(X * 3, Y)]),
    "polygamma": (lambda x: torch.polygamma(1, x), [(POSITIVE,)]),
    "polar": (lambda x, y: torch.view_as_real(torch.polar(x, y)), [(POSITIVE, X)]),
    "fix": (torch.fix, [(X * 3,)]),
    "special_i1": (torch.special.i1, [(X,)]),
    "special_xlog1py": (torch.special.xlog1py, [(X, POSITIVE)]),
    "special_log_ndtr": (torch.special.log_ndtr, [(X,)]),
    "special_ndtr": (torch.special.ndtr, [(X,)]),
    "special_ndtri": (torch.special.ndtri, [(UNIT,)]),
    "vander": (lambda x: torch.vander(x, 3), [(X[0],)]),
    "cov": (torch.cov, [(X,)]),
    "corrcoef": (torch.corrcoef, [(X,)]),
    "trapezoid": (torch.trapezoid, [(X,)]),
    "cosine_similarity": (lambda x, y: functional.cosine_similarity(x, y), [(X, Y)]),
    "pairwise_distance": (lambda x, y: functional.pairwise_distance(x, y), [(X, Y)]),
    "pdist": (functional.pdist, [(X,)]),
    "std_mean": (lambda x: torch.std_mean(x, 1)[0], [(X,)]),
    "block_diag": (lambda x, y: torch.block_diag(x, y), [(X, Y)]),
    "unfold": (lambda x: x.unfold(1, 2, 1), [(X,)]),
    "masked_scatter": (lambda x, m, s: torch.masked_scatter(x, m, s), [(X, torch.tensor([[True, False, True], [False, True, False]]), Y)]),
    "ldexp": (lambda x, y: torch.ldexp(x, y), [(X, INTEGERS)]),
    "nextafter": (torch.nextafter, [(X, Y)]),
    "relu6": (functional.relu6, [(X * 4,)]),
    "hardsigmoid": (functional.hardsigmoid, [(X * 4,)]),
    "swapaxes": (lambda x: torch.swapaxes(x, 0, 1), [(X,)]),
    "movedim": (lambda x: torch.movedim(x, 0, 2), [(sample(2, 3, 4),)]),
    "tensor_split": (lambda x: torch.tensor_split(x, 2, 1)[1], [(X,)]),
    "logdet": (torch.logdet, [(SQUARE @ SQUARE.t(),)]),
}

# Those that are not lowered at every opset; the message then names what stopped it.
NOT_ALWAYS_LOWERED = (
    "bilinear bincount bitwise_and bitwise_or bitwise_xor block_diag corrcoef cov det flip gcd inverse kthvalue lcm logdet masked_scatter "
    "median mode nan_to_num nextafter pdist polar polygamma renorm rot90 special_log_ndtr special_ndtri take_along_dim tensor_split trapezoid"
).split()
OTHER_NAMES = {"inverse": "linalg_inv", "block_diag": "cannot be lowered"}


def main():
    opsets = {"ONNX_FALLTHROUGH": (9, 13), "ONNX_ATEN_FALLBACK": (16, 11)}
    for number, (name, (function, sets)) in enumerate(CALLS.items()):
        for kind, versions in opsets.items():
            shared = share(versions)
            if len(shared) < len(versions) and (number + VERSION[0]) % 2 == list(opsets).index(kind):
                continue
            for opset in shared:
                legacy(
                    f"aten_{name}_{kind.split('_')[-1].lower()}_op{opset}",
                    Call(function),
                    sets,
                    opset=opset,
                    operator_export_type=kind,
                    only_custom=True,
                    rtol=2e-5,
                    atol=2e-6,
                    **(dict(cannot={"openvino": "it computes 64-bit integers in 32 bits"}) if name.startswith("bitwise") else {}),
                    **(dict(names=[OTHER_NAMES.get(name, name)]) if name in NOT_ALWAYS_LOWERED else {}),
                )


if __name__ == "__main__":
    main()
