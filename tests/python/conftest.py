# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Iterator

import pytest

from temporary_files import IN_MEMORY


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "on_disk: the test is about files, so that its own lie on a disk, as those of users do")


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest) -> Iterator[pathlib.Path]:
    """Instead of pytest's own, which lies on a disk and stays there."""
    folder = None if request.node.get_closest_marker("on_disk") else IN_MEMORY
    with tempfile.TemporaryDirectory(prefix="onnx-lower-test-", dir=folder) as name:
        yield pathlib.Path(name)
