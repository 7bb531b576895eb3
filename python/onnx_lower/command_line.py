# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""The options of a call, as the tool's command line has them."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

Number = Union[int, float]
AttributeValue = Union[Number, str, Sequence[Number], Sequence[str]]
Settings = Union[str, Iterable[str], Mapping[str, AttributeValue]]
"""SETTING, as --set has it, one or several; or {"DOMAIN::OP.ATTRIBUTE": value}."""


def _words(given: Union[str, Iterable[str]]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _element(value: Union[Number, str]) -> str:
    if isinstance(value, str):
        # A word that looks like a number would be one.
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    # int() and float(), because NumPy's numbers have representations of their own.
    return repr(float(value)) if isinstance(value, float) or not hasattr(value, "__index__") else repr(int(value))


def _value(value: AttributeValue) -> str:
    if isinstance(value, str) or not isinstance(value, Iterable):
        return _element(value)
    return "[" + ",".join(map(_element, value)) + "]"


def setting_texts(settings: Settings) -> list[str]:
    """DOMAIN::OP.ATTRIBUTE=VALUE for each."""
    if isinstance(settings, Mapping):
        return [f"{name}={_value(value)}" for name, value in settings.items()]
    return _words(settings)


def _elements(value: Any) -> list[str]:
    """The elements of a value, or of a list, an array or a tensor of any number of dimensions."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [text for element in value for text in _elements(element)]
    return [str(value).lower() if isinstance(value, bool) else _element(value)]


def _value_text(value: Any) -> str:
    """As --input-value takes it."""
    elements = _elements(value)
    is_list = isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0
    return f"[{','.join(elements)}]" if is_list else elements[0]


def arguments(
    *,
    set: Settings,
    keep: Union[str, Iterable[str]],
    attach: Union[bool, str, Iterable[str]],
    target: Union[None, str, Iterable[str]],
    allow_narrowing: bool,
    target_opset: Optional[int],
    ir_version: Optional[int],
    allow_external_paths: bool,
    allow_unlowered: bool = False,
    external_data: Optional[str] = None,
    fold: bool = False,
    input_shape: Union[Mapping[str, Sequence[Optional[int]]], None] = None,
    dim: Union[Mapping[str, int], None] = None,
    input_value: Union[Mapping[str, Any], None] = None,
) -> list[str]:
    """Everything but the model, the output and the rules."""
    words = [f"--set={setting}" for setting in setting_texts(set)]
    words += [f"--keep={operator}" for operator in _words(keep)]
    if attach is True:
        words.append("--attach")
    elif attach:
        words += [f"--attach={operator}" for operator in _words(attach)]
    if allow_unlowered:
        words.append("--allow-unlowered")
    if fold:
        words.append("--fold")
    for name, shape in (input_shape or {}).items():
        words.append(f"--input-shape={name}:{','.join('?' if size is None else str(size) for size in shape)}")
    words += [f"--dim={name}={size}" for name, size in (dim or {}).items()]
    words += [f"--input-value={name}={_value_text(value)}" for name, value in (input_value or {}).items()]
    if target is not None:
        words.append(f"--target={','.join(_words(target))}")
    if allow_narrowing:
        words.append("--allow-narrowing")
    if target_opset is not None:
        words.append(f"--target-opset={target_opset}")
    if ir_version is not None:
        words.append(f"--ir-version={ir_version}")
    if external_data is not None:
        words.append(f"--external-data={external_data}")
    if allow_external_paths:
        words.append("--allow-external-paths")
    return words
