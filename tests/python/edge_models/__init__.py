# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Models at edge values: `edge_model(seed)` gives the same one each time.

Most are of one node of a standard operator, of com.microsoft or of aten: with elements that are no numbers, infinite, denormal or next to the end of their type, sizes of 0, ranks
of 0 to 7, axes and bounds that are negative or huge, inputs that are constants or are computed, and shapes that are numbers, names or not known. Others are exported models
in which something was changed. Whether such a model means anything is for a runtime to say: ONNX Runtime executes the original, or a definition in NumPy does.
"""
from edge_models.models import EdgeModel, edge_model

__all__ = ["EdgeModel", "edge_model"]
