#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How the sources stand: files and lines of each room, who includes whom, long functions, wide lines.

    python3 scripts/measure_sources.py [--verbose]

A room is a folder below src/; the rooms of src/legalizer are folders of their own. tests/python/test_architecture.py holds
the sources to the limits below.
"""
from __future__ import annotations

import argparse
import collections
import dataclasses
import pathlib
import re
import subprocess
from collections.abc import Iterator

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
SOURCES = REPOSITORY / "src"

MOST_COLUMNS = 120
MOST_COLUMNS_OF_COMMENTS = 100
MOST_LINES_OF_A_FUNCTION = 60
MOST_LINES_OF_A_FILE = 400  # in src/legalizer
MOST_FILES_OF_A_ROOM = 12  # the same; a header and what it declares count as one

# The rooms of src/legalizer, each of which includes only those before it. The face at its root comes last, and all rooms
# may include its options and its result.
ROOMS = ("nodes", "knowledge", "scope", "body", "legalization", "candidates", "legality", "weights", "record", "cost", "attachment", "reading", "before", "after",
         "placement")
FACE = ("legalize_options.h", "legalize_result.h")

INCLUDE = re.compile(r'^#include "([\w/.]+)"', re.MULTILINE)


def files_of(*folders: str, endings: tuple[str, ...] = (".cpp", ".h")) -> list[pathlib.Path]:
    """The files that git knows below the folders, as paths from the repository's root."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders], cwd=REPOSITORY, capture_output=True, text=True,
                            check=True).stdout.split("\0")
    return [pathlib.Path(name) for name in listed if name.endswith(endings) and (REPOSITORY / name).exists()]


def text_of(path: pathlib.Path) -> str:
    return (REPOSITORY / path).read_text()


@dataclasses.dataclass(frozen=True)
class Include:
    file: pathlib.Path
    included: pathlib.Path


def includes(*folders: str) -> Iterator[Include]:
    """The includes of files of src by files below the folders."""
    for path in files_of(*folders):
        for name in INCLUDE.findall(text_of(path)):
            if (SOURCES / name).exists():
                yield Include(path, pathlib.Path("src") / name)


def room_of(path: pathlib.Path) -> str:
    """"legalizer/scope", "types"; "legalizer" is the face, "main" the program, and "" what all folders may use."""
    if path == pathlib.Path("src/main.cpp"):
        return "main"
    parts = path.relative_to("src").parts[:-1]
    return "/".join(parts[:2] if parts[:1] == ("legalizer",) else parts[:1])


@dataclasses.dataclass(frozen=True)
class Function:
    file: pathlib.Path
    line: int
    lines: int
    head: str
    is_table: bool  # nearly all of it are entries of a list


NO_FUNCTION = re.compile(r"\s*(if|for|while|switch|do|else|try|catch|namespace|class|struct|enum|union|return|case|default|static const\w*|constexpr)\b")
ENTRY = re.compile(r'\s*(\{.*\},?$|".*",?$|\.\w+ = |\w+(::\w+)*,$|//|case .*:$|return )')


def functions_of(path: pathlib.Path) -> Iterator[Function]:
    """The functions that the file defines: clang-format puts the brace that ends one under the line that begins it."""
    lines = text_of(path).splitlines()
    for end_of_head, line in enumerate(lines):
        if not line.endswith("{") or ")" not in line.replace("() const", ") const"):
            continue
        begin = end_of_head
        while begin > 0 and lines[begin].count(")") > lines[begin].count("(") or lines[begin].lstrip().startswith(":"):
            begin -= 1
        while begin > 0 and sum(text.count("(") - text.count(")") for text in lines[begin:end_of_head + 1]) < 0:
            begin -= 1
        head = lines[begin]
        indent = len(head) - len(head.lstrip())
        if NO_FUNCTION.match(head) or "[" in head.split("(")[0] or "=" in head.split("(")[0].replace("operator=", "") or indent > 4:
            continue
        closing = " " * indent + "}"
        for end in range(end_of_head + 1, len(lines)):
            if lines[end] == closing:
                body = [text for text in lines[end_of_head + 1:end] if text.strip()]
                entries = sum(bool(ENTRY.match(text)) for text in body)
                yield Function(path, begin + 1, end - begin + 1, head.strip(), bool(body) and entries * 10 >= len(body) * 8)
                break
            if lines[end].startswith(closing):
                break


def raw_strings_blanked(text: str) -> str:
    """Raw strings hold models and rules as text; their lines are no C++."""
    return re.sub(r'R"(\w*)\((.*?)\)\1"', lambda match: "\n" * match.group(0).count("\n"), text, flags=re.DOTALL)


@dataclasses.dataclass(frozen=True)
class WideLine:
    file: pathlib.Path
    line: int
    columns: int
    is_comment: bool


def wide_lines(*folders: str) -> Iterator[WideLine]:
    for path in files_of(*folders, endings=(".cpp", ".h", ".cu", ".cuh", ".onnxtxt")):
        is_rule = path.suffix == ".onnxtxt"
        mark = re.compile(r"^\s*#" if is_rule else r"(^|\s)// ")
        text = text_of(path) if is_rule else raw_strings_blanked(text_of(path))
        for number, line in enumerate(text.splitlines(), 1):
            is_comment = bool(mark.search(re.sub(r'"(\\.|[^"\\])*"', '""', line)))
            # A string that cannot be broken: one word of a line, a condition of a rule.
            if is_rule and not is_comment and '"' in line:
                continue
            if len(line) > (MOST_COLUMNS_OF_COMMENTS if is_comment else MOST_COLUMNS) and "NOLINT" not in line:
                yield WideLine(path, number, len(line), is_comment)


def floors(arrows: dict[str, set[str]]) -> dict[str, int]:
    """For each room the length of the longest way down from it; a circle raises."""
    found: dict[str, int] = {}

    def floor(room: str, way: tuple[str, ...]) -> int:
        if room in way:
            raise ValueError("a circle: " + " -> ".join([*way[way.index(room):], room]))
        if room not in found:
            found[room] = 1 + max((floor(below, (*way, room)) for below in arrows[room]), default=0)
        return found[room]

    for room in list(arrows):
        floor(room, ())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--verbose", action="store_true", help="each long function and each wide line")
    arguments = parser.parse_args()

    rooms: dict[str, list[pathlib.Path]] = collections.defaultdict(list)
    for path in files_of("src"):
        rooms[room_of(path)].append(path)
    arrows: dict[str, set[str]] = {room: set() for room in rooms}
    for include in includes("src"):
        if room_of(include.file) not in ("", room_of(include.included)) and include.included.name not in FACE:
            arrows[room_of(include.file)].add(room_of(include.included))
    print(f"{'room':28} {'files':>5} {'lines':>6}  includes")
    for room, files in sorted(rooms.items()):
        lines = sum(len(text_of(path).splitlines()) for path in files)
        print(f"{room or '(all use it)':28} {len(files):5} {lines:6}  {', '.join(sorted(filter(None, arrows[room])))}")
    layers = floors(arrows)
    print(f"\n{len(rooms)} rooms, {sum(len(below - {''}) for below in arrows.values())} arrows, {max(layers.values())} floors")

    functions = [function for path in files_of("src", "rules", "kernels") for function in functions_of(path)]
    long = [function for function in functions if function.lines > MOST_LINES_OF_A_FUNCTION and not function.is_table]
    print(f"{len(functions)} functions, {sum(f.lines > 50 and not f.is_table for f in functions)} over 50 lines, {len(long)} over {MOST_LINES_OF_A_FUNCTION}")
    wide = list(wide_lines("src", "rules", "kernels"))
    print(f"{sum(not line.is_comment for line in wide)} lines end behind column {MOST_COLUMNS}, "
          f"{sum(line.is_comment for line in wide)} comments behind column {MOST_COLUMNS_OF_COMMENTS}")
    if arguments.verbose:
        for function in sorted(long, key=lambda function: -function.lines):
            print(f"{function.file}:{function.line}: {function.lines} lines: {function.head}")
        for line in wide:
            print(f"{line.file}:{line.line}: {line.columns} columns")


if __name__ == "__main__":
    main()
