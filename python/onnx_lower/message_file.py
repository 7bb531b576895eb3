# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""ModelProtos as files: also those of 2 GiB and more, which protobuf itself does not write."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import onnx

# Protobuf writes messages below 2 GiB; the rest is room for what the tool adds.
LARGEST_MESSAGE = 2**31 - 2**20

_LENGTH_DELIMITED = 2  # the wire type of texts, bytes and messages
_GRAPH = 7  # the number of the field ModelProto.graph
_HEADER_SIZE = 7  # bytes of the field's number and of a length up to 4 TiB, kept free until that is known
_LONGEST_LENGTH = 5  # bytes of a length that any reader takes; more are for lengths that need them


def _varint(number: int, size: int = 0) -> bytes:
    """The number in base 128; made `size` bytes long by digits of zero, if a size is given."""
    digits = bytearray()
    while number >= 0x80 or (size and len(digits) < size - 1):
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def _header(field: int, length: int) -> bytes:
    """The field's number and length, in _HEADER_SIZE bytes, whatever the length is."""
    size = _LONGEST_LENGTH if length < 1 << 7 * _LONGEST_LENGTH else _LONGEST_LENGTH + 1
    return _varint(field << 3 | _LENGTH_DELIMITED, _HEADER_SIZE - size) + _varint(length, size)


def _write_in_pieces(message: Any, file: BinaryIO, apart: frozenset[str]) -> None:
    """The message without the fields that `apart` names; each element of a list is serialized for itself."""
    for field, value in message.ListFields():
        if field.name in apart:
            continue
        if field.message_type is not None:
            repeated = hasattr(value, "add")
            for element in value if repeated else [value]:
                content = element.SerializeToString()
                file.write(_varint(field.number << 3 | _LENGTH_DELIMITED) + _varint(len(content)) + content)
        else:
            alone = type(message)()
            setattr(alone, field.name, value)
            file.write(alone.SerializeToString())


def write_model(model: onnx.ModelProto, file: BinaryIO) -> bool:
    """Writes the model; returns whether it is small enough for protobuf."""
    try:
        content = model.SerializeToString()
    except Exception:  # protobuf has raised ValueError, EncodeError and MemoryError for a message that is too large
        content = None
    if content is not None and len(content) <= LARGEST_MESSAGE:
        file.write(content)
        return True
    del content
    header_at = file.tell()
    file.write(bytes(_HEADER_SIZE))
    _write_in_pieces(model.graph, file, frozenset())
    end = file.tell()
    file.seek(header_at)
    file.write(_header(_GRAPH, end - header_at - _HEADER_SIZE))
    file.seek(end)
    _write_in_pieces(model, file, frozenset({"graph"}))
    return False
