# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The sources stand as docs/architecture.md says."""
import collections
import graphlib
import pathlib
import re

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "src"
INCLUDE = re.compile(r'^#include "(\w+)/', re.MULTILINE)


def test_no_two_folders_include_each_other() -> None:
    """Neither directly nor through others."""
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
    includes: dict[str, set[str]] = collections.defaultdict(set)
    for path in [*SOURCES.glob("*/**/*.cpp"), *SOURCES.glob("*/**/*.h")]:
        folder = path.relative_to(SOURCES).parts[0]
        includes[folder] |= set(INCLUDE.findall(path.read_text())) & folders - {folder}
    assert len(includes) == len(folders)
    list(graphlib.TopologicalSorter(includes).static_order())


def test_the_files_that_the_page_names_exist() -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text()
    way = text[text.index("## The way of a node"):text.index("## Where something new goes")]
    names = re.findall(r"`([a-z_]{4,})`", way)
    stems = {path.stem for path in SOURCES.glob("**/*.*")} | {path.name for path in SOURCES.glob("**") if path.is_dir()}
    functions = {"expand", "place_node_of"}
    assert len(names) > 20 and set(names) - stems == functions
