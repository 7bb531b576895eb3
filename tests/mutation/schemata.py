# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""All mutants in one program: each place asks whether its mutant is the one that ONNX_LOWER_MUTANT names."""
from __future__ import annotations

import pathlib
from collections.abc import Mapping

from candidates import Candidate

DECLARATION = b"bool onnx_lower_mutant(int number);\n#line 1\n"


def mutated(text: bytes, mutants: Mapping[int, Candidate]) -> bytes:
    """The text of one file with its mutants, by number. Lines keep their numbers, for the compiler's messages."""
    if not mutants:
        return text
    ordered = sorted(mutants.items(), key=lambda item: (item[1].start, -item[1].end, item[0]))

    def flat(part: str) -> str:
        # A mutant's text stands before the original, whose lines it must not move; a line comment would end there.
        return " ".join(line.split("//")[0] if '"' not in line else line for line in part.splitlines())

    def render(start: int, end: int, inside: list[tuple[int, Candidate]]) -> str:
        pieces = []
        at = start
        while inside:
            number, first = inside[0]
            within = [other for other in inside[1:] if other[1].end <= first.end]
            crossing = [other for other in inside[1:] if other[1].start < first.end < other[1].end]
            assert not crossing, "syntax nests"
            pieces.append(text[at:first.start].decode())
            original = render(first.start, first.end, within)
            if not first.statement:
                pieces.append(f"(onnx_lower_mutant({number}) ? {flat(first.mutated)} : {original})")
            elif first.kind == "return":
                pieces.append(f"{{ if (onnx_lower_mutant({number})) {flat(first.mutated)} {original} }}")
            else:
                pieces.append(f"{{ if (!onnx_lower_mutant({number})) {{ {original} }} }}")
            at = first.end
            inside = inside[1 + len(within):]
        pieces.append(text[at:end].decode())
        return "".join(pieces)

    return DECLARATION + render(0, len(text), ordered).encode()


def write_all(root: pathlib.Path, originals: Mapping[str, bytes], mutants: Mapping[int, Candidate]) -> None:
    """Writes what changed of the files, so that only that is compiled anew."""
    for file, text in originals.items():
        new = mutated(text, {number: mutant for number, mutant in mutants.items() if mutant.file == file})
        if (root / file).read_bytes() != new:
            (root / file).write_bytes(new)
