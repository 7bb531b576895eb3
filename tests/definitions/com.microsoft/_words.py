# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The packing of GPTQ: codes of a few bits in integers of 32 bits, the lowest bits first, and what they stand for.

Source: QLLM's exporter.
"""
import numpy as np


def packed(codes, bits, axis):
    """Words of codes along an axis, the last of which may have room left."""
    each = 32 // bits
    apart = np.moveaxis(codes, axis, -1)
    apart = np.pad(apart, [(0, 0)] * (apart.ndim - 1) + [(0, -apart.shape[-1] % each)]).astype(np.uint64)
    words = (apart.reshape(*apart.shape[:-1], -1, each) << (np.arange(each, dtype=np.uint64) * np.uint64(bits))).sum(-1, dtype=np.uint64)
    return np.ascontiguousarray(np.moveaxis(words, -1, axis).astype(np.uint32).view(np.int32))


def unpacked(words, bits, axis):
    apart = np.moveaxis(words.view(np.uint32), axis, -1)[..., None] >> np.arange(0, 32, bits, dtype=np.uint32) & np.uint32(2**bits - 1)
    return np.moveaxis(apart.reshape(*apart.shape[:-2], -1), -1, axis)


def weights(words, scales, zeros, groups, bits, group_size):
    """(K, N) in double."""
    codes = unpacked(words, bits, 0).astype(float)
    if zeros is None:
        zeros = np.full(scales.shape, 2.0 ** (bits - 1))
    elif zeros.dtype == np.int32:
        zeros = unpacked(zeros, bits, 1)[:, : scales.shape[1]]
    group = np.arange(len(codes)) // group_size if groups is None or groups.size < 2 else groups
    return (codes - zeros.astype(float)[group]) * scales.astype(float)[group]


def inputs(numbers, bits=4, k=64, n=8, group=32, zeros="words", order="", dtype=np.float32):
    """The words of the weights, the scales, the zero points and the groups of columns."""
    count = -(-k // group)
    points = {"words": lambda: packed(numbers.integers(0, 2**bits, count, n), bits, 1), "float": lambda: (numbers.positive(count, n) * 2**bits / 2).astype(dtype),
              "": lambda: None}[zeros]()
    groups = {"": lambda: None, "empty": lambda: np.zeros(0, np.int32), "plain": lambda: (np.arange(k) // group).astype(np.int32),
              "other": lambda: numbers.integers(0, count, k, dtype=np.int32)}[order]()
    return packed(numbers.integers(0, 2**bits, k, n), bits, 0), (numbers.positive(count, n) / 8).astype(dtype), points, groups
