# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool prints of itself: its rules, its targets, and what its codes mean."""
from __future__ import annotations

from onnx_lower.errors import error_for
from onnx_lower.tool import output_of


def printed(*arguments: str) -> str:
    """What the tool prints for these arguments."""
    done = output_of(arguments)
    if done.returncode != 0:
        raise error_for(done.returncode, done.stderr.rstrip("\n"), None)
    return done.stdout
