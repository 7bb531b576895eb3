# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""com.microsoft::DynamicTimeWarping: the cheapest way through a matrix of costs.

Source: ONNX Runtime's contrib_ops/cpu/tensor/dynamic_time_warping.cc.
"""
import numpy as np

from definition import Case, definition_of

_random = definition_of("com.microsoft", "_random")


def define(cost):
    cost = cost.reshape(cost.shape[-2:])
    rows, columns = cost.shape
    total = np.full((rows + 1, columns + 1), np.inf, np.float32)
    total[0, 0] = 0
    steps = {}
    for i, j in np.ndindex(rows, columns):
        both, above, left = total[i, j], total[i, j + 1], total[i + 1, j]
        if both < above and both < left:
            steps[i, j], least = (1, 1), both
        elif above < both and above < left:
            steps[i, j], least = (1, 0), above
        else:
            steps[i, j], least = (0, 1), left
        total[i + 1, j + 1] = least + cost[i, j]
    way, place = [], (rows - 1, columns - 1)
    while min(place) >= 0:
        way.append(place)
        place = place[0] - steps[place][0], place[1] - steps[place][1]
    return np.array(way[::-1], np.int32).reshape(-1, 2).T.copy()


def cases():
    numbers = _random.Numbers()
    shapes = [(5, 7), (7, 5), (1, 6), (6, 1), (1, 1), (20, 33)]
    few = {"shapes": ["symbolic"], "output_shapes": [(2, "steps")]}
    yield Case("floats", inputs=[numbers.floats(12, 12)], also=[[numbers.floats(*shape)] for shape in shapes], **few)
    # Many ways cost the same.
    yield Case("ties", inputs=[numbers.integers(0, 3, 9, 9).astype(np.float32)], also=[[numbers.integers(0, 2, *shape).astype(np.float32)] for shape in shapes], **few)
    nothing = [[np.zeros(shape, np.float32)] for shape in ((3, 0), (0, 3), (0, 0), (1, 0))]
    stale = {"openvino": "what a Loop of no rounds gives is what it gave before"}
    yield Case("no-costs", inputs=nothing[0], also=nothing[1:], cannot=stale, **few)
    yield Case("batch", inputs=[numbers.floats(1, 8, 10)], also=[[numbers.floats(1, 3, 2)]], **few)
    special = numbers.floats(6, 6)
    special[2, :4], special[4, 4] = np.inf, np.nan
    yield Case("special", inputs=[special], **few)
    yield Case("static", inputs=[numbers.floats(8, 6)], shapes="static")
