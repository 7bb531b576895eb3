# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Blocks of numbers along an axis, as the kernels of AMD's Quark cut them."""
import math

import numpy as np

FRACTION_BITS = 23


def exponent_field(number):
    return int(np.float32(number).view(np.uint32) >> FRACTION_BITS & 0xFF)


def round_whole(number, mode):
    """0: halves away from zero, 1: halves upwards, 2: halves to even."""
    floor = math.floor(number)
    if number - floor != 0.5:
        return float(floor + (number - floor > 0.5))
    if mode == 2:
        return float(floor + floor % 2)
    return float(floor + (1 if mode == 1 or number > 0 else 0))


def shared_exponent(block):
    """The greatest exponent field of the finite numbers, without its bias."""
    return max([0, *(exponent_field(number) for number in block if math.isfinite(number))]) - 127


def by_blocks(x, axis, size, of_block):
    """Each block of the axis, with zeros behind the last, through a function of a list of numbers."""
    if x.size == 1:
        return x
    rows = np.moveaxis(x.astype(np.float32), 0 if x.ndim == 1 else axis, -1)
    y = np.empty(rows.shape)
    for place in np.ndindex(rows.shape[:-1]):
        for begin in range(0, rows.shape[-1], size):
            block = rows[place][begin : begin + size]
            numbers = of_block([*map(float, block), *[0.0] * (size - len(block))])
            y[place][begin : begin + size] = numbers[: len(block)]
    return np.moveaxis(y, -1, 0 if x.ndim == 1 else axis).astype(x.dtype)


def numbers(*shape, seed=5):
    """Numbers of many sizes, halves among them."""
    generator = np.random.default_rng(seed)
    x = generator.standard_normal(shape) * np.exp2(generator.integers(-9, 4, shape))
    return np.where(generator.random(shape) < 0.4, np.round(x * 16) / 16, x).astype(np.float32)
