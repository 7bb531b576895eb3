#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Puts what measure.py, agreement.py, networks.py and targets/real/measure.py found into docs/targets.md, between its marks. Lines of targets that were not measured stay.

  write_page.py FOLDER"""
from __future__ import annotations

import json
import pathlib
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.append(str(REPOSITORY / "targets" / "real"))
import summary
from measure import KINDS
from networks import NETWORKS

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
AGREEMENT_BEGIN, AGREEMENT_END = "<!-- agreement: begin -->", "<!-- agreement: end -->"


def percent(counter: dict) -> str:
    return f"{100 * counter.get('taken', 0) / sum(counter.values()):.0f}"


def between(page: str, begin: str, end: str) -> tuple[str, str, str]:
    before, rest = page.split(begin)
    table, after = rest.split(end)
    return before + begin, table, end + after


def rows_of(table: str) -> dict[str, str]:
    return {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}


def with_measured(page: str, found: list[dict]) -> str:
    before, table, after = between(page, BEGIN, END)
    rows = rows_of(table)
    for one in found:
        cells = []
        for way in ("as it is", "lowered", "with --target"):
            cells.append(" / ".join(percent(one["counts"][kind][way]) for kind in KINDS))
        last = [one["counts"][kind]["with --target"] for kind in KINDS]
        refused = " / ".join(str(counter.get("not lowered", 0)) for counter in last)
        wrong = " / ".join(str(counter.get("wrong", 0)) for counter in last)
        rows[one["name"]] = f"| `{one['name']}` | {' | '.join(cells)} | {refused} | {wrong} | {len(one['worse'])} |"
    totals = [sum(found[0]["counts"][kind]["as it is"].values()) for kind in KINDS]
    head = "| target | as they are | lowered | with `--target` | of these refused by the tool | wrong | worse than before |\n| --- | --- | --- | --- | --- | --- | --- |"
    lines = [f"{totals[0]} exported models with custom nodes / {totals[1]} that were exported to ask about values such as infinities / {totals[2]} of onnx's node tests, in %, and numbers of models:", "", head, *(rows[name] for name in sorted(rows))]
    return before + "\n" + "\n".join(lines) + "\n" + after


def with_agreement(page: str, found: list[dict]) -> str:
    """The last cell of a row, which says what most of the others are, was written by a person."""
    before, table, after = between(page, AGREEMENT_BEGIN, AGREEMENT_END)
    rows = rows_of(table)
    for one in found:
        mostly = rows[one["name"]].split("|")[-2].strip() if one["name"] in rows else ""
        cells = [f"`{one['name']}`", f"{one['models']:,}", f"{100 * one['agree'] / one['models']:.1f} %", str(one["too_lax"]), str(one["too_strict"])]
        rows[one["name"]] = f"| {' | '.join(cells)} | {mostly + ' ' if mostly else ''}|"
    head = "| target | models | agree | said to be taken and not | taken and said not to be | mostly |\n| --- | --- | --- | --- | --- | --- |"
    return before + "\n" + "\n".join([head, *rows.values()]) + "\n" + after


def with_networks(page: str, networks: str, found: list[dict]) -> str:
    """How many of each kind are right."""
    before, table, after = between(page, f"<!-- {networks}: begin -->", f"<!-- {networks}: end -->")
    rows = rows_of(table)
    for one in found:
        cells = [" / ".join(str(counter.get("taken", 0)) for counter in ways.values()) for ways in one["counts"].values()]
        last = [ways["with --target"] for ways in one["counts"].values()]
        refused, wrong = (str(sum(sum(counter.get(answer, 0) for answer in answers) for counter in last)) for answers in (["not lowered"], ["wrong", "refused", "crashed", "hung"]))
        rows[one["name"]] = f"| `{one['name']}` | {' | '.join([*cells, refused, wrong, str(len(one['worse']))])} |"
    if not found:
        return page
    kinds = [f"{kind} ({sum(ways['as it is'].values())})" for kind, ways in found[0]["counts"].items()]
    head = f"| target | {' | '.join(kinds)} | refused by the tool | not run, or wrong | worse than before |\n|{' --- |' * (len(kinds) + 4)}"
    return before + "\n" + "\n".join([head, *(rows[name] for name in sorted(rows))]) + "\n" + after


def with_real(page: str, found: list[dict]) -> str:
    """The table of models that people ship, and why those are not right that are not."""
    before, table, after = between(page, "<!-- real: begin -->", "<!-- real: end -->")
    rows = rows_of(table)
    for one in found:
        counts = summary.counts_of(one)
        cells = [*(str(counts.right.get(way, 0)) for way in (summary.AS_IT_IS, summary.WITH_TARGET)), f"{len(counts.not_loading)} + {len(counts.wrong)}", str(len(counts.refused_though_right))]
        rows[one["name"]] = f"| `{one['name']}` ({counts.models}) | {' | '.join(cells)} |"
    head = "| target (models) | right as they are | right with `--target` | exit status 0 and not loading + other numbers | refused though right as they are |\n|" + " --- |" * 5
    page = before + "\n" + "\n".join([head, *(rows[name] for name in sorted(rows))]) + "\n" + after
    before, table, after = between(page, "<!-- reasons: begin -->", "<!-- reasons: end -->")
    measured = {one["name"] for one in found}
    lines = [line for line in table.splitlines() if line.startswith("| `") and line.split("`")[1] not in measured]
    known = summary.reasons()
    for one in found:
        groups = sorted(summary.by_reasons(one, known).items(), key=lambda group: -len(group[1]))
        lines += [f"| `{one['name']}` | {len(names)} | {reason or 'not known'} |" for reason, names in groups]
    return before + "\n" + "\n".join(["| target | models | why |\n| --- | --- | --- |", *sorted(lines, key=lambda line: line.split("`")[1])]) + "\n" + after


def main() -> None:
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.json"))
    page = REPOSITORY / "docs" / "targets.md"
    text = page.read_text()
    if found := [json.loads(path.read_text()) for path in paths if path.name.removesuffix(".json").split(".")[-1] not in ("agreement", "answers", "real", *NETWORKS)]:
        text = with_measured(text, found)
    text = with_agreement(text, [json.loads(path.read_text()) for path in paths if path.name.endswith(".agreement.json")])
    for networks in NETWORKS:
        text = with_networks(text, networks, [json.loads(path.read_text()) for path in paths if path.name.endswith(f".{networks}.json")])
    text = with_real(text, [json.loads(path.read_text()) for path in paths if path.name.endswith(".real.json")])
    page.write_text(text)


if __name__ == "__main__":
    main()
