# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Tables for notebooks: HTML without a script or a request, in the notebook's own style."""
from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

_MOST_ROWS = 100


def _cell(content: object, tag: str) -> str:
    # Numbers stand at the right, as notebooks have it, and texts at the left; lines of a text stay lines.
    style = "" if isinstance(content, int) else ' style="text-align:left;white-space:pre-line"'
    return f"<{tag}{style}>{html.escape('' if content is None else str(content))}</{tag}>"


def _row(cells: Iterable[object], tag: str = "td") -> str:
    return "<tr>" + "".join(_cell(cell, tag) for cell in cells) + "</tr>"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A title, and a table below it, where there are rows."""
    shown = f"<p>{html.escape(title)}</p>"
    if not rows:
        return shown
    body = "".join(_row(row) for row in rows[:_MOST_ROWS])
    if len(rows) > _MOST_ROWS:
        body += _row([f"… and {len(rows) - _MOST_ROWS} more", *[""] * (len(head) - 1)])
    return f"{shown}<table><thead>{_row(head, 'th')}</thead><tbody>{body}</tbody></table>"
