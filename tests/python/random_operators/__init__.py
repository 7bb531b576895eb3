# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The nodes of random models: one function for each family of operators, which reads values of a graph, adds nodes, and knows type, shape, bound and error of what they give.

The types are those for which ONNX Runtime has kernels. What a function cannot make where it is, it says with Unfit, and another one is drawn.
"""
from random_operators import elements, shapes, sums, lists, inner_graphs, calls, other_domains  # noqa: F401 (their order is that of the draw)
from random_operators.making import some_nodes
from random_operators.other_domains import CUSTOM

__all__ = ["CUSTOM", "some_nodes"]
