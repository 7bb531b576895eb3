#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Puts what measure.py found into docs/targets.md, between its two marks. Lines of targets that were not measured stay.

  write_page.py FOLDER"""
from __future__ import annotations

import json
import pathlib
import sys

from measure import KINDS

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


def percent(counter: dict) -> str:
    return f"{100 * counter.get('taken', 0) / sum(counter.values()):.0f}"


def main() -> None:
    found = [json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")) if not path.name.endswith((".agreement.json", ".answers.json"))]
    page = REPOSITORY / "docs" / "targets.md"
    before, rest = page.read_text().split(BEGIN)
    table, after = rest.split(END)
    rows = {line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `")}
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
    text = "\n".join(lines)
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


if __name__ == "__main__":
    main()
