# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""docs/gallery.md is what scripts/make_gallery.py makes, which tries every line of it; run the script where it is not."""
import os
import pathlib
import re
import sys

import pytest

import tool

sys.path.insert(0, str(tool.REPOSITORY / "scripts"))

import make_gallery

PAGE = make_gallery.PAGE.read_text()
WALLS = make_gallery.walls()
AGAIN = "docs/gallery.md is not what scripts/make_gallery.py makes: run it, and read what has changed"


def without_message(text: str) -> str:
    """For a Python that has no wheels of the ONNX Runtime whose message the page shows, and has a newer one instead."""
    return re.sub(r"^ONNX Runtime [\d.]+ says:\n\n```text\n.*?```$", "", text, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", WALLS)
def test_section(name: str) -> None:
    shown, wall = make_gallery.section(WALLS[name]), WALLS[name]
    version = re.search(r"^ONNX Runtime ([\d.]+) says:$", shown, re.MULTILINE)
    if wall.runtime == "ONNX Runtime, oldest" and f"ONNX Runtime {version[1]} says:" not in PAGE:
        assert without_message(shown) in without_message(PAGE), AGAIN
    else:
        assert shown in PAGE, AGAIN


def test_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """All walls are on it, in their order, and nothing else is."""
    monkeypatch.setattr(make_gallery, "section", lambda wall: f"## {wall.title}\n")
    frame = make_gallery.page().split("\n## ")
    assert PAGE.startswith(frame[0] + "\n## ") and re.findall(r"^## (.*)$", PAGE, re.MULTILINE) == [title.strip() for title in frame[1:]], AGAIN
    assert os.access(make_gallery.__file__, os.X_OK) and pathlib.Path(make_gallery.__file__).read_text().startswith("#!")


def test_what_people_search_for() -> None:
    """The walls that every user of custom operators runs into."""
    for phrase in ("is not a registered function/op", "wasn't fully converted", "Unsupported model IR version", "No Op registered for", "with domain_version of", "Unrecognized attribute",
                   "Fatal error: com.microsoft:", "org.pytorch.aten:ATen", "EfficientNMS_TRT", "DeformConv", "RKNN", "TensorRT"):
        assert phrase in PAGE, phrase
