# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::MelWeightMatrix: what each frequency of a spectrum has in bands that overlap and are as wide as each other on the mel scale.

Source: ONNX MelWeightMatrix-17.
"""
import numpy as np

from definition import Case


def define(bands, length, rate, lower, upper, *, output_datatype=1):
    def mel(hertz):
        return 2595 * np.log10(1 + np.float64(hertz) / 700)

    places = mel(lower) + np.arange(int(bands) + 2) * ((mel(upper) - mel(lower)) / (int(bands) + 2))
    edges = np.floor((int(length) + 1) * 700 * (10 ** (places / 2595) - 1) / int(rate)).astype(np.int64)
    shares = np.zeros((int(length) // 2 + 1, int(bands)))
    for band in range(int(bands)):
        begin, middle, end = edges[band : band + 3]
        if begin == middle:
            shares[middle, band] = 1
        else:
            for row in range(begin, middle + 1):
                shares[row, band] = (row - begin) / (middle - begin)
        for row in range(middle, end):
            shares[row, band] = (end - row) / (end - middle)
    return shares.astype({1: np.float32, 10: np.float16, 11: np.float64, 6: np.int32}[output_datatype])


def cases():
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "Quotients are rounded to float.", "opsets": range(9, 17), "written_for": 17}
    for bands, length, rate, lower, upper in ((8, 16, 8192, 0, 4096), (40, 400, 16000, 20, 7600), (80, 400, 16000, 0, 8000), (1, 8, 44100, 300, 20000), (64, 15, 22050, 0, 11025)):
        inputs = [np.int64(bands), np.int64(length), np.int64(rate), np.float32(lower), np.float32(upper)]
        yield Case(f"{bands}-of-{length}", inputs=inputs, **near)
        yield Case(f"{bands}-of-{length}-constant", inputs=inputs, constants=range(5), **near)
    few = [np.int32(8), np.int32(16), np.int32(8192), np.float32(0), np.float32(4096)]
    for output_datatype in (6, 10, 11):
        own = {"rtol": 1e-3, "atol": 1e-3, "why": "Quotients are rounded to half precision."} if output_datatype == 10 else {}
        yield Case(f"type-{output_datatype}", inputs=few, attributes={"output_datatype": output_datatype}, **{**near, **own})
