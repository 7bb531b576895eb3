# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""cstDualResidual in the default domain: rknn_cst::cstDualResidual, whose definition has the cases of its forms."""
import numpy as np

from definition import Case, definition_of

define = definition_of("rknn_cst", "cstDualResidual").define


def cases():
    x, y = np.float32([[1, -2, 3]]), np.float32([[0.5, 7, np.nan]])
    yield Case("attribute", inputs=[x, y], attributes={"alpha": 0.25})
    yield Case("input", inputs=[x, y, np.float32(0.25)], constants=[2], opsets=(9, 12, 26))
