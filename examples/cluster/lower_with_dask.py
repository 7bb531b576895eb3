#!/usr/bin/env python3

# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Lowers the models of a manifest on a Dask cluster, in parts, and gathers what is told of them.

    dask scheduler & dask worker tcp://localhost:8786 & …
    examples/cluster/lower_with_dask.py tcp://localhost:8786 zoo.jsonl lowered/ --shards 100

The workers need the models, the outputs and the tool under the same paths. A part that fails, or whose worker goes away, is done again, which costs little:
onnx-lower skips what is up to date. To bring the outputs up to date after models have changed, run the same command again.
"""
import argparse
import collections
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

import distributed

DONE, SOME_FAILED = 0, 5


def lower_part(part, options):
    """Runs on a worker; gives the path of the report. Each attempt has its own, since one that was given up for lost may still run."""
    report = options.reports / f"part{part}.{socket.gethostname()}.{os.getpid()}.{time.time_ns()}.jsonl"
    command = [options.tool, "--manifest", options.manifest, "--output-dir", options.outputs,
               "--shard", f"{part}/{options.shards}", "-j", str(options.jobs), "-q", "--report", report]
    status = subprocess.run(command).returncode
    # That some models failed is in the report, and to do the part again would not mend them.
    if status not in (DONE, SOME_FAILED):
        raise RuntimeError(f"part {part}: onnx-lower ended with status {status}")
    return report


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scheduler", help="the address of the cluster")
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("outputs", type=pathlib.Path)
    parser.add_argument("--shards", type=int, default=8, help="parts; a few for each worker even out their differences")
    parser.add_argument("--jobs", type=int, default=1, help="models at once in each part")
    parser.add_argument("--reports", type=pathlib.Path, help="folder for what is told of the models (default: OUTPUTS.reports)")
    parser.add_argument("--tool", default="onnx-lower")
    options = parser.parse_args()
    options.reports = options.reports or options.outputs.with_name(options.outputs.name + ".reports")
    for name in ("manifest", "outputs", "reports"):
        setattr(options, name, getattr(options, name).resolve())
    return options


def main():
    options = parse_arguments()
    options.reports.mkdir(parents=True, exist_ok=True)
    counts = collections.Counter()
    with distributed.Client(options.scheduler) as client, (options.reports / "all.jsonl").open("w") as gathered:
        parts = client.map(lower_part, range(1, options.shards + 1), options=options, pure=False, retries=3)
        for _, report in distributed.as_completed(parts, with_results=True):
            for line in report.read_text().splitlines(keepends=True):
                gathered.write(line)
                counts[json.loads(line)["status"]] += 1
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return SOME_FAILED if counts["failed"] else DONE


if __name__ == "__main__":
    sys.exit(main())
