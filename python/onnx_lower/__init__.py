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
from onnx_lower.lowering import LoweringWarning, Result, check, lower, new_rule, where
from onnx_lower.many import ModelResult, Results, lower_many
from onnx_lower.report import LoweredNode, Refusal, Report, TargetVerdict, UnloweredNode, Verdicts
from onnx_lower.rule_list import Rule, rules, show_rule
from onnx_lower.target_list import Target, explain, show_target, targets
from onnx_lower.tool import executable, kernel_library
from onnx_lower.verification import Difference, FirstDifference, Verification, verify

__all__ = [
    "Difference",
    "Error",
    "FileError",
    "FirstDifference",
    "InvalidInputError",
    "LoweredNode",
    "LoweringError",
    "LoweringWarning",
    "ModelResult",
    "Refusal",
    "Report",
    "Result",
    "Results",
    "Rule",
    "Target",
    "TargetVerdict",
    "TimeLimitExceeded",
    "ToolDiedError",
    "UnloweredNode",
    "UsageError",
    "Verdicts",
    "Verification",
    "check",
    "executable",
    "explain",
    "kernel_library",
    "lower",
    "lower_many",
    "new_rule",
    "rules",
    "show_rule",
    "show_target",
    "targets",
    "verify",
    "where",
]

try:
    __version__ = version("onnx-lower")
except PackageNotFoundError:  # a source tree that is not installed
    __version__ = "unknown"
