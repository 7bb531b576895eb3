# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""my_ops::my_add: as custom::my_add.

Source: the my_add kernel of the PyTorch custom operator tutorial.
"""
from definition import definition_of

define = definition_of("custom", "my_add").define
cases = definition_of("custom", "my_add").cases
