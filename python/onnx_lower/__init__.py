# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Replaces custom nodes of an ONNX model by standard ONNX operators, so that ONNX Runtime and OpenVINO execute it.

    import onnx_lower

    result = onnx_lower.lower("exported.onnx", "portable.onnx")
    print(result.report.lowered)

The work is done by the program onnx-lower, which comes with this package, in a process of its own.
"""
from importlib.metadata import PackageNotFoundError, version

from onnx_lower.errors import Error, FileError, InvalidInputError, LoweringError, TimeLimitExceeded, ToolDiedError, UsageError
from onnx_lower.lowering import LoweringWarning, Result, check, lower
from onnx_lower.report import LoweredNode, Refusal, Report, UnloweredNode
from onnx_lower.rule_list import Rule, rules
from onnx_lower.tool import executable, kernel_library

__all__ = [
    "Error",
    "FileError",
    "InvalidInputError",
    "LoweredNode",
    "LoweringError",
    "LoweringWarning",
    "Refusal",
    "Report",
    "Result",
    "Rule",
    "TimeLimitExceeded",
    "ToolDiedError",
    "UnloweredNode",
    "UsageError",
    "check",
    "executable",
    "kernel_library",
    "lower",
    "rules",
]

try:
    __version__ = version("onnx-lower")
except PackageNotFoundError:  # a source tree that is not installed
    __version__ = "unknown"
