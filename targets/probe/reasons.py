#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes anew what a target's file says of the models of an operator that no condition tells from those that the runtime takes.

  reasons.py onnxruntime-1.17 --runtime onnxruntime --python VENV/bin/python --opset 7..20 --ir 3..9 --title "ONNX Runtime 1.17.3, CPU."

Takes probe.py's arguments, and asks the runtime about the operators of those lines only. Lines that came to the file later, with larger models, may tell these models by now: what is left are models
that the whole file takes and the runtime does not. Of them the line quotes what the runtime says most often, and so does that of an operator that it never takes."""
from __future__ import annotations

import collections
import json
import pathlib
import re
import subprocess

import probe

UNEXPLAINED = re.compile(r"(?:  )?# ?(?P<operator>\S+(?: [0-9.]+)?:)?.*(no reason that is found here|that no condition tells apart)")
NEVER = re.compile(r"(?P<head>\S+(?: [0-9.]+)?)  never  # (refused|wrong|crashed|hung)\b")
MODELS_AT_ONCE = 500
# Of each opset, about an operator that the runtime never takes: what it says of these it says of all.
ASKED_OF_NEVER = 5


def heads(line: str) -> str | None:
    """The operator and the versions that a line of the kind is about, as they stand before its condition; None for another line."""
    never = NEVER.match(line)
    if never is not None:
        return never["head"]
    found = UNEXPLAINED.search(line)
    if found is None:
        return None
    return found["operator"][:-1] if line.startswith("# ") and found["operator"] else line.split("  ", 1)[0]


def taken_by_file(arguments, models: list[pathlib.Path]) -> set[pathlib.Path]:
    """Those that the target's file leaves as they are."""
    taken = set()
    for first in range(0, len(models), MODELS_AT_ONCE):
        some = models[first:first + MODELS_AT_ONCE]
        some += some if len(some) == 1 else []  # the report of one model alone is of another form
        command = [arguments.tool, "--check", "--json", "--target", probe.REPOSITORY / "targets" / f"{arguments.name}.target", *some]
        told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for line in told.splitlines():
            report = json.loads(line)
            if "as_it_is" in report.get("targets", {}).values():
                taken.add(pathlib.Path(report["input"]))
    return taken


def main() -> None:
    arguments = probe.parse(__doc__)
    path = probe.REPOSITORY / "targets" / f"{arguments.name}.target"
    lines = path.read_text().splitlines()
    about = [head for line in lines if (head := heads(line)) is not None]
    never = {found["head"] for line in lines if (found := NEVER.match(line)) is not None}
    operators = {head.split()[0] for head in about}
    asked: dict[str, list[str]] = collections.defaultdict(list)  # the answers about models that the file takes
    for _, folder, tasks in probe.models_to_ask(arguments):
        def head_of(task: dict) -> str | None:
            name = probe.operator_of(task["features"])
            return next((head for head in about if probe.speaks_of(head, name, task["features"]["version"])), None) if name in operators else None

        heads_of = {task["number"]: head for task in tasks if (head := head_of(task)) is not None}
        taken = taken_by_file(arguments, [folder / f"{number}.onnx" for number, head in heads_of.items() if head not in never])
        of_never = {number for head in never for number in [number for number, other in heads_of.items() if other == head][:ASKED_OF_NEVER]}
        tasks = [task for task in tasks if task["number"] in of_never or folder / f"{task['number']}.onnx" in taken]
        for number, answer in probe.ask_new(arguments, folder, tasks, arguments.jobs).items():
            asked[heads_of[number]].append(answer)
    written = []
    for line in lines:
        head = heads(line)
        if head is not None:
            answers = asked[head]
            left = [answer for answer in answers if answer != "taken"]
            if head in never and not left:
                written.append(line)
                continue
            comment = (probe.most_said(left) if head in never else probe.comment_on(len(answers), left))[:200]
            if line.startswith("# "):
                if not comment:
                    continue
                line = f"# {head}: {comment}"
            else:
                line = re.sub(r"  # .*", "", line) + (f"  # {comment}" if comment else "")
            print(f"{arguments.name}: {line}")
        written.append(line)
    path.write_text("\n".join(written) + "\n")


if __name__ == "__main__":
    main()
