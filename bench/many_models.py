# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""How many small models a second: one run for all of them, against a run for each."""
import os
import shutil

MODELS = 1000


def commands(tool, zoo, folder):
    """Each makes an output folder of its own."""
    def shell(script):
        return ["sh", "-c", f'out=$(mktemp -d "$2/out.XXXXXX") && {script}', tool, zoo, folder]

    several = len(os.sched_getaffinity(0))
    programs = {"cp -r": shell('cp -r "$1" "$out"')}
    for jobs in sorted({1, several}):
        programs[f"onnx-lower -j{jobs}"] = shell(f'exec "$0" -q "$1" --output-dir "$out" -j{jobs} > "$2/results"')
        programs[f"xargs -P{jobs} onnx-lower"] = shell(f'cd "$1" && ls | xargs -P{jobs} -I% "$0" -q % -o "$out/%"')
    return programs


def report(tool, model, folder, rounds, measure_by_turns, medians):
    """Prints the table. `model`: the one of which the models are copies."""
    folder = folder / "many"
    zoo = folder / "zoo"
    shutil.rmtree(folder, ignore_errors=True)
    zoo.mkdir(parents=True)
    for number in range(MODELS):
        shutil.copy(model, zoo / f"{number}.onnx")
    programs = commands(tool, zoo, folder)
    done = folder / "done"
    programs["onnx-lower, up to date"] = ["sh", "-c", 'exec "$0" -q "$1" --output-dir "$2" > "$2.results"', tool, zoo, done]
    results, failed = measure_by_turns(programs, rounds)
    print(f"\n{MODELS:,} models like {model.name}")
    print(f"  {'':28} {'time':>10} {'models/s':>9} {'CPU a model':>12} {'runs':>5}")
    for name in programs:
        if name in failed:
            print(f"  {name:28} failed: {failed[name]}")
            continue
        seconds, cpu, _ = medians(results[name])
        print(f"  {name:28} {seconds * 1e3:7.1f} ms {MODELS / seconds:9.0f} {cpu / MODELS * 1e3:9.2f} ms {len(results[name]):5}")
    shutil.rmtree(folder)
