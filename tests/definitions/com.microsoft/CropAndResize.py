"""com.microsoft::CropAndResize: crops of images, each resized to the same size, the corners of a crop being its first and last samples.

Source: ONNX Runtime's contrib operator CropAndResize.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def _places(low, high, size, count):
    share = np.arange(count) / (count - 1) if count > 1 else np.array([0.5])
    return (low + (high - low) * share) * (size - 1)


def define(x, rois, batch_indices, crop_size, mode="bilinear", extrapolation_value=0.0):
    height, width = x.shape[2:]
    y = np.full((len(rois), x.shape[1], *crop_size), extrapolation_value, np.float64)
    for region, (top, left, bottom, right) in enumerate(rois.astype(np.float64)):
        image = x[batch_indices[region]].astype(np.float64)
        for i, row in enumerate(_places(top, bottom, height, crop_size[0])):
            for j, column in enumerate(_places(left, right, width, crop_size[1])):
                if not (0 <= row <= height - 1 and 0 <= column <= width - 1):
                    continue
                if mode == "nearest":
                    y[region, :, i, j] = image[:, int(np.rint(row)), int(np.rint(column))]
                    continue
                r, c = int(row), int(column)
                below, beside = min(r + 1, height - 1), min(c + 1, width - 1)
                upper = image[:, r, c] * (1 - (column - c)) + image[:, r, beside] * (column - c)
                lower = image[:, below, c] * (1 - (column - c)) + image[:, below, beside] * (column - c)
                y[region, :, i, j] = upper * (1 - (row - r)) + lower * (row - r)
    return y.astype(x.dtype)


def cases():
    numbers = _random.Numbers()
    x = numbers.floats(2, 3, 7, 9)
    rois = np.float32([[0.1, 0.2, 0.7, 0.9], [0.0, 0.0, 1.0, 1.0], [-0.3, 0.4, 0.6, 1.3], [0.8, 0.9, 0.2, 0.1]])
    indices = np.int32([0, 1, 1, 0])
    common = {"opsets": range(16, 27), "rtol": 1e-4, "atol": 1e-4, "why": _random.FLOAT_WHY, "constants": [3]}
    yield Case("bilinear", inputs=[x, rois, indices, np.int32([4, 5])], **common)
    yield Case("filler", inputs=[x, rois, indices, np.int32([1, 3])], attributes={"extrapolation_value": 2.5}, **common)
    yield Case("nearest", inputs=[x, rois[:1], indices[:1], np.int32([4, 5])], attributes={"mode": "nearest"}, **common)
    yield Case("computed-size", inputs=[x, rois, indices, np.int32([4, 5])], refuse="crop_size is not a constant")
