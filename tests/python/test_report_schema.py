# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""What the tool writes for programs is what schemas/ says, for every kind of run."""
from __future__ import annotations

import json
import pathlib

import jsonschema
import pytest

import tool

CASES = sorted(path.parent for path in tool.TESTDATA.glob("cases/*/model.onnx"))
BAD = sorted(path for path in tool.TESTDATA.glob("bad/*.onnx"))


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((tool.REPOSITORY / "schemas" / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


def closed(schema: object) -> object:
    """The schema with no room for keys that it does not name: a new key has to be told of in it."""
    if isinstance(schema, dict):
        schema = {key: closed(value) for key, value in schema.items()}
        if "properties" in schema and isinstance(schema["properties"], dict) and schema.get("type") == "object":
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        schema = [closed(value) for value in schema]
    return schema


def report_of(arguments: list[object]) -> dict:
    done = tool.run([*arguments, "--report", "-"])
    assert done.stdout, str(done)
    return json.loads(done.stdout)


def test_schemas_refuse_something() -> None:
    """A schema that takes anything proves nothing."""
    for name, given in (("report", {}), ("result", {"input": 3}), ("rules", [{}])):
        assert not validator(name).is_valid(given)
    report = report_of(["--check", CASES[0] / "model.onnx"])
    assert validator("report").is_valid(report)
    for key in report:
        assert not validator("report").is_valid({other: value for other, value in report.items() if other != key}), key
    assert not validator("report").is_valid({**report, "new": 1})


@pytest.mark.parametrize("options", [[], ["--attach"], ["--set", "nobody::Knows.it=1", "--keep=custom", "--target-opset=18", "--allow-unlowered"]], ids=["plain", "attach", "options"])
def test_reports(options: list[str]) -> None:
    validate = validator("report").validate
    lowered = unlowered = 0
    for case in CASES:
        report = report_of(["--check", case / "model.onnx", *options])
        validate(report)
        lowered += len(report["lowered"])
        unlowered += len(report["unlowered"])
    assert lowered > 50 and unlowered > 0


def test_reports_of_runs_that_fail(tmp_path: pathlib.Path) -> None:
    validate = validator("report").validate
    statuses = set()
    for model in BAD:
        report = report_of([model, "-o", tmp_path / "out.onnx"])
        validate(report)
        statuses.add(report["exit_status"])
    assert {tool.NOT_LOWERED, tool.INVALID_INPUT, tool.FILE_ERROR} <= statuses
    # Of a model that cannot be written it reports twice, and a file has the last word.
    tool.run([CASES[0] / "model.onnx", "-o", tmp_path / "nowhere" / "out.onnx", "--report", tmp_path / "report.json"])
    report = json.loads((tmp_path / "report.json").read_text())
    validate(report)
    assert report["exit_status"] == tool.FILE_ERROR


def test_results_of_many_models(tmp_path: pathlib.Path) -> None:
    validate = validator("result").validate
    manifest = tmp_path / "zoo.jsonl"
    lines = [{"input": str(case / "model.onnx"), "output": f"{case.name}.onnx", "id": {"number": number}} for number, case in enumerate(CASES)]
    lines += [{"input": str(model), "output": f"bad-{model.name}"} for model in BAD]
    manifest.write_text("\n".join(map(json.dumps, lines)))
    seen = set()
    for _ in range(2):  # the second time, most are up to date
        done = tool.run(["--manifest", manifest, "--output-dir", tmp_path / "out", "--timeout", "100"])
        assert done.status == tool.SOME_FAILED, str(done)
        for line in done.stdout.decode().splitlines():
            result = json.loads(line)
            validate(result)
            seen.add(result["status"])
    assert seen == {"lowered", "unchanged", "up_to_date", "failed"}


def test_rules(tmp_path: pathlib.Path) -> None:
    (tmp_path / "mine.onnxtxt").write_text('<domain: "mine", opset_import: ["" : 18]>\nTwice (x) => (y) { y = Add (x, x) }\n')
    rules = json.loads(tool.run(["--list-rules", "--json", "--rules", tmp_path]).stdout)
    validator("rules").validate(rules)
    assert {rule["origin"] for rule in rules} == {"built-in", "user"}
