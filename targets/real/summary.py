# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What measure.py found of a target, in figures and in words.

  summary.py FOLDER/NAME.real.json ...    what is not right with --target, model by model, with what the tool or the runtime says"""
from __future__ import annotations

import collections
import csv
import dataclasses
import fnmatch
import json
import pathlib
import sys
from collections.abc import Iterator

REASONS = pathlib.Path(__file__).resolve().parent / "reasons.tsv"
AS_IT_IS, WITH_TARGET, FOLDED, WITH_SHAPES = "as it is", "with --target", "with --target --fold", "with --target --input-shape"


def is_right(answers: list[str]) -> bool:
    return all(answer == "taken" for answer in answers)


def verdict(answers: list[str]) -> str:
    """The worst of the answers for both sets of inputs: not lowered, not loading, wrong, right."""
    firsts = {answer.split(" ")[0] for answer in answers}
    if "not" in firsts:
        return "not lowered"
    if firsts & {"refused", "crashed", "hung"}:
        return "not loading"
    return "wrong" if "wrong" in firsts else "right"


def words(answers: list[str]) -> str:
    """What was said, of the set that shows it."""
    return next((answer.removeprefix("not lowered ").removeprefix("refused ") for answer in answers if answer != "taken"), "")


@dataclasses.dataclass
class Counts:
    """Of the models that ONNX Runtime runs."""

    models: int
    right: dict[str, int]  # by ways
    not_loading: list[str]  # written with --target, exit status 0
    wrong: list[str]
    refused_though_right: list[str]
    worse: list[str]  # right as they are, and written so that they are not


def counts_of(found: dict) -> Counts:
    models = {name: ways for name, ways in found["models"].items() if "no reference" not in ways}
    verdicts = {name: {way: verdict(answers) for way, answers in ways.items()} for name, ways in models.items()}
    right = collections.Counter(way for ways in verdicts.values() for way, said in ways.items() if said == "right")
    with_target = {said: [name for name, ways in verdicts.items() if ways[WITH_TARGET] == said] for said in ("not lowered", "not loading", "wrong")}
    were_right = {name for name, ways in verdicts.items() if ways[AS_IT_IS] == "right"}
    written = [*with_target["not loading"], *with_target["wrong"]]
    return Counts(len(models), dict(right), with_target["not loading"], with_target["wrong"], [name for name in with_target["not lowered"] if name in were_right], [name for name in written if name in were_right])


@dataclasses.dataclass(frozen=True)
class Reason:
    """A line of reasons.tsv: why models are not right in a target's runtime."""

    target: str
    model: str
    reason: str


def reasons() -> list[Reason]:
    with REASONS.open(newline="") as stream:
        return [Reason(**row) for row in csv.DictReader((line for line in stream if not line.startswith("#")), delimiter="\t")]


def by_reasons(found: dict, known: list[Reason]) -> dict[str, list[str]]:
    """The models that are not right with --target, by the reason that the first line gives which speaks of them."""
    groups = collections.defaultdict(list)
    for name, ways in found["models"].items():
        if "no reference" not in ways and not is_right(ways[WITH_TARGET]):
            groups[next((line.reason for line in known if fnmatch.fnmatch(found["name"], line.target) and fnmatch.fnmatch(name, line.model)), "")].append(name)
    return dict(groups)


def lines_of(found: dict) -> Iterator[str]:
    counts = counts_of(found)
    yield f"## {found['name']}: of {counts.models} right {counts.right}; exit 0 and not loading {len(counts.not_loading)}, other numbers {len(counts.wrong)}; refused though right as they are {len(counts.refused_though_right)}; right as they are and written wrong {len(counts.worse)}"
    groups = {"exit 0, not loading": counts.not_loading, "exit 0, other numbers": counts.wrong, "refused though right as they are": counts.refused_though_right}
    groups["refused"] = [name for name, ways in found["models"].items() if "no reference" not in ways and verdict(ways[WITH_TARGET]) == "not lowered" and name not in counts.refused_though_right]
    for title, names in groups.items():
        yield f"### {title}: {len(names)}"
        for name in names:
            ways = found["models"][name]
            others = ", ".join(f"{way}: {verdict(answers)}" for way, answers in ways.items() if way != WITH_TARGET)
            yield f"- {name} ({others}): {words(ways[WITH_TARGET])}"


def main() -> None:
    for path in sys.argv[1:]:
        print("\n".join(lines_of(json.loads(pathlib.Path(path).read_text()))))


if __name__ == "__main__":
    main()
