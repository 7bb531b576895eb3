# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""OpenVINO chooses its kernels by the processor: what is right with AVX-512 may be wrong without it, and most processors have none.

The environment variable ONEDNN_MAX_CPU_ISA keeps it from what is newer, in a process of its own, for it is read once. Not for all operators: some of its kernels ask the processor
itself, and crash where the two do not agree.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
import tool


@pytest.mark.parametrize("instructions", ["AVX2", "SSE41"])
def test_pools_of_few_channels(instructions: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests/python/test_numbers.py", "-k", "openvino and QLinearAveragePool"],
                         cwd=tool.REPOSITORY, env={**environment, "ONEDNN_MAX_CPU_ISA": instructions}, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout
    assert re.search(r"^[1-9]\d* passed", run.stdout, re.MULTILINE), run.stdout
