# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ai.onnx::Resize: an image of another size, at the versions' several ways to say so.

Source: ONNX Resize-10, Resize-11, Resize-13.
"""
import numpy as np

from definition import Case, definition_of

upsample = definition_of("ai.onnx", "Upsample").define


def define(x, roi=None, scales=None, sizes=None, *, mode="nearest", **how):
    if set(how) <= {"coordinate_transformation_mode", "nearest_mode"} and how.get("nearest_mode") == "floor":
        factors = [n / s for n, s in zip(sizes, x.shape)] if sizes is not None else scales
        return upsample(x, factors, mode=mode)
    return general(x, roi, scales, sizes, mode=mode, **how)


def cubic(d, a):
    d = abs(d)
    return (a + 2) * d**3 - (a + 3) * d**2 + 1 if d <= 1 else a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a if d < 2 else 0.0


def place(x, n, m, scale, begin, end, how):
    if how == "asymmetric":
        return x / scale
    if how == "align_corners":
        return x * (n - 1) / (m - 1) if m > 1 else 0.0
    if how == "tf_crop_and_resize":
        return begin * (n - 1) + x * (end - begin) * (n - 1) / (m - 1) if m > 1 else 0.5 * (begin + end) * (n - 1)
    if how == "tf_half_pixel_for_nn":
        return x if scale == 1 else (x + 0.5) / scale
    if how == "pytorch_half_pixel" and m == 1:
        return 0.0
    plain = (x + 0.5) / scale - 0.5
    return plain + n / 2 * (1 - m / (scale * n)) if how == "half_pixel_symmetric" else plain


ROUND = {"floor": np.floor, "ceil": np.ceil, "round_prefer_floor": lambda p: np.ceil(p - 0.5), "round_prefer_ceil": lambda p: np.floor(p + 0.5)}


def general(x, roi=None, scales=None, sizes=None, *, mode="nearest", coordinate_transformation_mode="half_pixel", nearest_mode="round_prefer_floor", axes=None,
            antialias=0, exclude_outside=0, cubic_coeff_a=-0.75, extrapolation_value=0.0, keep_aspect_ratio_policy="stretch"):
    axes = range(x.ndim) if axes is None else [axis % x.ndim for axis in axes]
    result, outside = x.astype(np.float64), np.zeros([1] * x.ndim, bool)
    if sizes is not None and keep_aspect_ratio_policy != "stretch":
        common = (min if keep_aspect_ratio_policy == "not_larger" else max)(size / x.shape[axis] for size, axis in zip(sizes, axes))
    for i, axis in enumerate(axes):
        n = x.shape[axis]
        if sizes is None:
            scale, m = float(scales[i]), int(np.floor(n * scales[i]))
        elif keep_aspect_ratio_policy == "stretch":
            scale, m = sizes[i] / n, int(sizes[i])
        else:
            scale, m = common, int(np.floor(common * n + 0.5))
        begin, end = (float(roi[i]), float(roi[i + len(axes)])) if coordinate_transformation_mode == "tf_crop_and_resize" else (0, 1)
        weights, away = np.zeros((m, n)), np.zeros(m, bool)
        for row in range(m):
            where = place(row, n, m, scale, begin, end, coordinate_transformation_mode)
            away[row] = coordinate_transformation_mode == "tf_crop_and_resize" and not 0 <= where <= n - 1
            if mode == "nearest":
                weights[row, int(np.clip(ROUND[nearest_mode](where), 0, n - 1))] = 1
                continue
            narrow = min(scale, 1) if antialias else 1
            around = range(int(where) - int(4 / narrow) - 2, int(where) + int(4 / narrow) + 3)
            taps = [(k, max(0, 1 - abs(where - k) * narrow) if mode == "linear" else cubic((where - k) * narrow, cubic_coeff_a)) for k in around]
            taps = [(k, weight) for k, weight in taps if not exclude_outside or 0 <= k < n]
            for k, weight in taps:
                weights[row, np.clip(k, 0, n - 1)] += weight / sum(other for _, other in taps)
        result = np.moveaxis(np.tensordot(weights, result, (1, axis)), 0, axis)
        outside = outside | away.reshape([-1 if other == axis else 1 for other in range(x.ndim)])
    return np.where(outside, extrapolation_value, result).astype(x.dtype)


def cases():
    x = np.arange(12, dtype=np.float32).reshape(1, 2, 2, 3)
    scales, sizes, empty = np.float32([1, 1, 2, 3]), np.int64([1, 2, 4, 9]), np.float32([])
    near = {"rtol": 1e-6, "atol": 1e-6, "why": "The weights are rounded in another order."}
    for mode in ("nearest", "linear"):
        plain = {"mode": mode, "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        yield Case(f"{mode}-10", inputs=[x, scales], attributes={"mode": mode}, written_for=10, opsets=range(10, 27),
                   define=lambda x, scales, mode: upsample(x, scales, mode=mode), **near)
        yield Case(f"{mode}-scales", inputs=[x, None, scales], attributes=plain, written_for=13, opsets=range(11, 27), **near)
        yield Case(f"{mode}-sizes", inputs=[x, None, None, sizes], constants=(3,), attributes=plain, written_for=13, opsets=range(11, 27), **near)
        yield Case(f"{mode}-11", inputs=[x, empty, scales], attributes=plain, written_for=11, opsets=range(11, 27), **near)
    yield Case("linear-to-10", inputs=[x, None, scales], attributes={"mode": "linear", "coordinate_transformation_mode": "asymmetric"},
               written_for=13, opsets=[10], **near)
    yield from newer_cases()


def newer_cases():
    """What came with 18 and 19, at every opset; and what is of 11, below it."""
    x = np.random.default_rng(6).normal(size=(1, 2, 5, 7)).astype(np.float32)
    near = {"rtol": 1e-4, "atol": 1e-5, "why": "Places and weights are computed in single precision."}
    scales, sizes = np.float32([0.6, 1.7]), np.int64([3, 9])
    below = {"written_for": 19, "opsets": range(9, 18)}
    fewer = {"openvino": "it has nothing of the kind, or computes it another way, from 11 on"}
    modes = [{"mode": "nearest", "nearest_mode": how} for how in ROUND] + [{"mode": "linear"}, {"mode": "cubic"}]
    for number, mode in enumerate(modes):
        name = f"{mode['mode']}-{mode.get('nearest_mode', '')}"
        for how in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"):
            attributes = {**mode, "axes": [2, 3], "coordinate_transformation_mode": how}
            # Of a place near a border between two, single precision decides: here there is none.
            factors = np.float32([2, 2 if how == "half_pixel_symmetric" else 0.5]) if mode["mode"] == "nearest" else scales
            yield Case(f"axes-{name}-{how}", inputs=[x, None, factors], attributes=attributes, define=general,
                       cannot=fewer, **below, **near)
        yield Case(f"sizes-{name}", inputs=[x, None, None, np.int64([3, 8])], attributes={**mode, "axes": [-2, -1]}, constants=(3,) if number % 2 else (),
                   define=general, cannot=fewer, **below, **near)
        crop = {**mode, "coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 10.0, "axes": [2, 3]}
        yield Case(f"crop-{name}", inputs=[x, np.float32([-0.3, 0.1, 0.63, 1.37]), None, sizes], attributes=crop, define=general, cannot=fewer, **below, **near)
        for policy in ("not_larger", "not_smaller"):
            # One scale of which all products are exact.
            attributes = {**mode, "axes": [3, 2], "keep_aspect_ratio_policy": policy}
            yield Case(f"{policy}-{name}", inputs=[x, None, None, np.int64([7, 10])], attributes=attributes, define=general, output_shapes=[(1, 2, None, None)],
                       cannot=fewer, **below, **near)
    for mode in ("linear", "cubic"):
        for name, factors in (("smaller", np.float32([0.4, 0.7])), ("larger", np.float32([1.3, 2.0]))):
            for exclude in (0, 1):
                attributes = {"mode": mode, "antialias": 1, "axes": [2, 3], "exclude_outside": exclude}
                yield Case(f"antialias-{mode}-{name}-{exclude}", inputs=[x, None, factors], attributes=attributes, define=general, cannot=fewer, **below, **near)
    yield Case("cubic-coefficient", inputs=[x, None, np.float32([1, 1, 0.8, 1.5])], attributes={"mode": "cubic", "cubic_coeff_a": -0.5, "exclude_outside": 1},
               constants=(2,), define=general, written_for=13, opsets=[9, 10], **near)
    for rank in (1, 2, 3):
        image = x[0, 0, 0] if rank == 1 else x[0, 0] if rank == 2 else x[0]
        yield Case(f"rank-{rank}", inputs=[image, None, np.float32([1, 1, 2][-rank:])], attributes={"mode": "linear"}, define=general, written_for=13, opsets=[9, 10], **near)
    volume = np.random.default_rng(7).normal(size=(1, 1, 3, 4, 5)).astype(np.float32)
    yield Case("volume", inputs=[volume, None, np.float32([2, 1.5, 0.8])], attributes={"mode": "linear", "axes": [2, 3, 4]}, define=general, cannot=fewer, **below, **near)
    half = {"rtol": 2e-3, "atol": 2e-3, "why": "It is rounded to half precision."}
    yield Case("float16", inputs=[x.astype(np.float16), None, np.float32([1, 1, 2, 2])], attributes={"mode": "linear"}, define=general, written_for=13, opsets=[9, 10], **half)
    for dtype in (np.uint8, np.int32):
        whole = np.arange(12, dtype=dtype).reshape(1, 1, 3, 4)
        yield Case(f"nearest-{np.dtype(dtype)}", inputs=[whole, None, np.float32([2, 2])], attributes={"axes": [2, 3], "coordinate_transformation_mode": "half_pixel_symmetric"},
                   define=general, cannot=fewer, **below)
        yield Case(f"linear-{np.dtype(dtype)}", inputs=[whole, None, np.float32([2, 2])], attributes={"axes": [2, 3], "mode": "linear"}, written_for=19, opsets=[9, 10],
                   refuse="integers")
    # As torch's exporter writes it: what came with 18 is there, and asks for nothing.
    yield Case("newer-attributes", inputs=[x, None, np.float32([1, 1, 2, 2])], attributes={"mode": "linear", "antialias": 0, "keep_aspect_ratio_policy": "stretch"}, define=general,
               written_for=18, opsets=[9, 10, 11, 12, 13, 17, 18, 26], **near)
    yield Case("newer-attributes-sizes", inputs=[x, None, None, np.int64([1, 2, 6, 8])], constants=(3,), attributes={"mode": "nearest", "nearest_mode": "floor", "antialias": 0}, define=general,
               written_for=18, opsets=[11, 12, 13, 17, 18, 26], **near)
    yield Case("tf-half-pixel", inputs=[x, np.float32([]), np.float32([1, 1, 2, 2])], attributes={"coordinate_transformation_mode": "tf_half_pixel_for_nn"}, define=general,
               written_for=11, opsets=[9, 10, *range(13, 27)])
    for mode in ("linear", "cubic"):
        yield Case(f"tf-half-pixel-{mode}", inputs=[x, np.float32([]), np.float32([1, 1, 2, 1])], also=[[x, np.float32([]), np.float32([1, 1, 1, 0.6])]],
                   attributes={"coordinate_transformation_mode": "tf_half_pixel_for_nn", "mode": mode}, define=general, written_for=11, opsets=[9, 10, *range(13, 27)], **near)
    # OpenVINO takes no notice of antialias, and takes a region that says nothing.
    target = ["--target", "openvino"]
    yield Case("empty-region", inputs=[x, np.float32([]), np.float32([1, 1, 2, 2])], attributes={"mode": "linear"}, constants=(1, 2), define=general, options=target, opsets=[13, 17, 18], **near)
    yield Case("antialias-at-18", inputs=[x, None, np.float32([1, 1, 0.5, 0.5])], attributes={"mode": "linear", "antialias": 1}, constants=(2,), define=general, options=target, opsets=[18], **near)
    yield Case("outside-at-11", inputs=[x, np.float32([]), np.float32([1, 1, 0.5, 2])], attributes={"mode": "cubic", "exclude_outside": 1}, constants=(1, 2), shapes="static", define=general,
               options=target, opsets=[11, 12, 13], **near)
