# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The ways in which a call fails: one for each exit status of the tool."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from onnx_lower.command_line import in_python

if TYPE_CHECKING:
    from onnx_lower.report import Report


class Error(Exception):
    """What went wrong, in the tool's own words, and with the module's keywords in the place of the command line's options.

    `exit_status` is the tool's, and `report` what the tool reported of the run, or None where it ended before it could.
    """

    def __init__(self, message: str, exit_status: int, report: Optional[Report] = None) -> None:
        super().__init__(message)
        self.exit_status = exit_status
        self.report = report

    def __reduce__(self) -> tuple[type[Error], tuple[str, int, Optional[Report]]]:
        return type(self), (str(self), self.exit_status, self.report)


class LoweringError(Error):
    """Some nodes cannot be lowered; `report.unlowered` names them, each with the reason of every rule that declined."""

    report: Report

    def __init__(self, message: str, exit_status: int, report: Report) -> None:
        super().__init__(message, exit_status, report)


class UsageError(Error, ValueError):
    """The options make no sense."""


class InvalidInputError(Error, ValueError):
    """The model or a rule is not valid."""


class FileError(Error, OSError):
    """A file could not be read or written."""


class ToolDiedError(Error):
    """A signal ended the tool: it ran out of memory, somebody killed it, or it has a mistake. `exit_status` is the signal's number, negative."""


class TimeLimitExceeded(Error, TimeoutError):
    """The tool took longer than the call's `timeout` allows, and was stopped. Nothing was written."""


_BY_STATUS: dict[int, type[Error]] = {2: UsageError, 3: InvalidInputError, 4: FileError}


def error_for(exit_status: int, message: str, report: Optional[Report]) -> Error:
    """The exception for a run that did not end with 0."""
    message = in_python(message.removeprefix("error: "))
    if exit_status == 1 and report is not None:
        return LoweringError(message, exit_status, report)
    if exit_status < 0:
        return ToolDiedError(message or f"onnx-lower was ended by signal {-exit_status}", exit_status, report)
    return _BY_STATUS.get(exit_status, Error)(message or f"onnx-lower ended with exit status {exit_status}", exit_status, report)
