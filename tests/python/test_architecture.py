# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The sources stand as docs/architecture.md says."""
import collections
import pathlib
import re
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
import measure_sources as sources

SOURCES = REPOSITORY / "src"
PAGE = (REPOSITORY / "docs" / "architecture.md").read_text()


def arrows_between(room_of, includes) -> dict[str, dict[str, sources.Include]]:
    """For each room those that it includes, each with one include that does so."""
    arrows: dict[str, dict[str, sources.Include]] = {}
    for include in includes:
        own, other = room_of(include.file), room_of(include.included)
        below = arrows.setdefault(own, {})
        arrows.setdefault(other, {})
        if other not in ("", own):
            below.setdefault(other, include)
    return arrows


def faults(includes: list[sources.Include]) -> list[str]:
    """What speaks against the includes, each with the names of both files."""
    found = []
    folders = arrows_between(lambda path: sources.room_of(path).split("/")[0], includes)
    try:
        sources.floors({room: set(below) for room, below in folders.items()})
    except ValueError as error:
        rooms = re.findall(r"[\w/]+", str(error).split(": ")[1])
        circle = [f"{folders[one][other].file} includes {folders[one][other].included}" for one, other in zip(rooms, rooms[1:])]
        found.append(f"{error}: {'; '.join(circle)}")
    order = {f"legalizer/{room}": number for number, room in enumerate(sources.ROOMS)}
    for include in includes:
        own, other = sources.room_of(include.file), sources.room_of(include.included)
        if other not in order or own == "legalizer":
            if other == "legalizer" and own in order and include.included.name not in sources.FACE:
                found.append(f"{include.file} includes {include.included}: a room includes its face only for {' and '.join(sources.FACE)}")
        elif own not in order:
            found.append(f"{include.file} includes {include.included}: past the face, which is src/legalizer/*.h")
        elif order[own] < order[other]:
            found.append(f"{include.file} includes {include.included}: {own} stands before {other}")
    # Within a room or a folder, headers may not include each other in a circle either.
    headers = {str(include.file): set() for include in includes} | {str(include.included): set() for include in includes}
    for include in includes:
        if include.file.suffix == ".h":
            headers[str(include.file)].add(str(include.included))
    try:
        sources.floors(headers)
    except ValueError as error:
        found.append(str(error))
    return found


def test_each_room_includes_only_those_before_it() -> None:
    assert not faults(list(sources.includes("src")))


@pytest.mark.parametrize(("file", "included", "why"), [
    ("src/legalizer/scope/graph_scope.h", "src/legalizer/body/branch.h", "legalizer/scope stands before legalizer/body"),
    ("src/report/summary.cpp", "src/legalizer/scope/graph_scope.h", "past the face"),
    ("src/legalizer/nodes/node_message.h", "src/legalizer/legalizer.h", "a room includes its face only for"),
    ("src/model_file/model.h", "src/check/check_model.h", "a circle"),
    ("src/rules/text/form_positions.h", "src/rules/text/rule_text.h", "a circle"),
])
def test_an_include_against_the_order_is_found(file: str, included: str, why: str) -> None:
    """The message names both files."""
    found = faults([*sources.includes("src"), sources.Include(pathlib.Path(file), pathlib.Path(included))])
    assert any(why in fault and file in fault and included in fault for fault in found), found


def test_rooms_are_small() -> None:
    rooms = collections.Counter(sources.room_of(path) for path in sources.files_of("src/legalizer"))
    assert {room.removeprefix("legalizer/") for room in rooms} == {*sources.ROOMS, "legalizer"}
    assert max(rooms.values()) <= sources.MOST_FILES_OF_A_ROOM
    lines = {path: len(sources.text_of(path).splitlines()) for path in sources.files_of("src/legalizer")}
    assert not {path: count for path, count in lines.items() if count > sources.MOST_LINES_OF_A_FILE}


def test_lines_are_narrow() -> None:
    wide = [f"{line.file}:{line.line}: {line.columns} columns" for line in sources.wide_lines("src", "rules", "kernels")]
    assert not wide


def test_the_page_has_a_sentence_for_each_room() -> None:
    """In the order of a node's way; and each room's name leads to its folder."""
    rows = re.findall(r"^\| \[`(\w+)`\]\((\.\./src/legalizer/\w+)\) \| [A-Z].+ \|$", PAGE, re.MULTILINE)
    assert {name for name, _ in rows} == set(sources.ROOMS)
    assert all((REPOSITORY / "docs" / folder).is_dir() for _, folder in rows)


def test_the_glossary_is_short() -> None:
    glossary = PAGE[PAGE.index("## Words of this code"):]
    entries = re.findall(r"^\| \*\*([\w ]+)\*\* \| .+ \| .+ \|$", glossary[:glossary.find("\n## ", 3)], re.MULTILINE)
    assert 5 <= len(entries) <= 15


def test_the_files_that_the_page_names_exist() -> None:
    way = PAGE[PAGE.index("## The way of a node"):PAGE.index("## Where something new goes")]
    names = re.findall(r"`([a-z_]{4,})`", way)
    stems = {path.stem for path in SOURCES.glob("**/*.*")} | {path.name for path in SOURCES.glob("**") if path.is_dir()}
    functions = {"place_body_node"}
    assert len(names) > 20 and set(names) - stems == functions


def test_the_paths_that_the_page_names_exist() -> None:
    paths = re.findall(r"`((?:src|rules|targets|docs|schemas|tests)/[\w./]+)`", PAGE)
    assert len(paths) > 15 and not [path for path in paths if not (REPOSITORY / path).exists()]
