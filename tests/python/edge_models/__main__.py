# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""`python -m edge_models 4711` prints the model of that seed and tries it; `python -m edge_models 0-999` tries a thousand, and sums up."""
from __future__ import annotations

import collections
import json
import sys

from edge_models import edge_model, trial


def main() -> None:
    if sys.argv[1] == "--work":
        trial.work()
        return
    if sys.argv[1] == "--openvino":
        trial.in_openvino_as_it_is(edge_model(json.loads(sys.stdin.readline())))
        return
    if "-" not in sys.argv[1]:
        seed = int(sys.argv[1])
        print(trial.described(seed, 100_000))
        print(trial.tried([seed])[0])
        return
    first, last = map(int, sys.argv[1].split("-"))
    counts: collections.Counter[str] = collections.Counter()
    for start in range(first, last + 1, 500):
        for outcome in trial.tried(range(start, min(start + 500, last + 1))):
            counts[outcome.verdict] += 1
            if outcome.verdict not in trial.GOOD:
                print(f"{outcome.seed} {outcome.kind} [{outcome.stage}] {outcome.detail.strip()[:600]}", flush=True)
            elif outcome.verdict == trial.NOT_TAKEN:
                print(f"   {outcome.seed} {outcome.kind}: OpenVINO takes neither: {' '.join(outcome.detail.split())[-400:]}", flush=True)
    print(dict(counts.most_common()))


if __name__ == "__main__":
    main()
