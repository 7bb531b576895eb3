# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a protobuf message in other ways than protobuf does: fields in odd order, numbers packed or not, a message in two parts, and fields that nobody knows."""
from __future__ import annotations

import random
import struct

from google.protobuf.descriptor import FieldDescriptor as Field
from google.protobuf.message import Message

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
UNKNOWN_TEXT = b"left by a later version of the format"
_PACKABLE = {Field.TYPE_INT32, Field.TYPE_INT64, Field.TYPE_UINT64, Field.TYPE_FLOAT, Field.TYPE_DOUBLE, Field.TYPE_ENUM}


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    result = b""
    while value > 127:
        result += bytes([value & 127 | 128])
        value >>= 7
    return result + bytes([value])


def tagged(number: int, wire_type: int, content: bytes) -> bytes:
    return varint(number << 3 | wire_type) + (varint(len(content)) if wire_type == BYTES else b"") + content


def unknown_field(generator: random.Random) -> bytes:
    number = generator.randint(1000, 5000)
    kind = generator.choice([VARINT, FIXED64, BYTES, FIXED32])
    content = {VARINT: varint(generator.getrandbits(40)), FIXED64: bytes(8), BYTES: UNKNOWN_TEXT, FIXED32: bytes(4)}[kind]
    return tagged(number, kind, content)


def _scalar(field: Field, value: object) -> tuple[int, bytes]:
    if field.type == Field.TYPE_FLOAT:
        return FIXED32, struct.pack("<f", value)
    if field.type == Field.TYPE_DOUBLE:
        return FIXED64, struct.pack("<d", value)
    if field.type == Field.TYPE_STRING:
        return BYTES, value.encode()
    if field.type == Field.TYPE_BYTES:
        return BYTES, value
    return VARINT, varint(int(value))


def scrambled(message: Message, generator: random.Random, unknown: float = 0.0, split: float = 0.0) -> bytes:
    """The same message in other bytes. Entries of one repeated field keep their order; `unknown` is the chance of an unknown field per message, `split`
    that a singular message is written as two, which readers merge."""
    return b"".join(_scrambled_fields(message, generator, unknown, split))


def _scrambled_fields(message: Message, generator: random.Random, unknown: float, split: float) -> list[bytes]:
    queues: list[list[bytes]] = []
    for field, value in message.ListFields():
        values = list(value) if field.is_repeated else [value]
        if field.type == Field.TYPE_MESSAGE:
            contents = [_scrambled_fields(one, generator, unknown, split) for one in values]
            if not field.is_repeated and generator.random() < split:
                cut = generator.randint(0, len(contents[0]))
                contents = [contents[0][:cut], contents[0][cut:]]
            queues.append([tagged(field.number, BYTES, b"".join(content)) for content in contents])
        elif field.is_repeated and field.type in _PACKABLE and generator.random() < 0.5:
            queues.append([tagged(field.number, BYTES, b"".join(_scalar(field, one)[1] for one in values))])
        else:
            queues.append([tagged(field.number, *_scalar(field, one)) for one in values])
    if generator.random() < unknown:
        queues.append([unknown_field(generator)])
    result = []
    while queues:
        queue = generator.choice(queues)
        result.append(queue.pop(0))
        if not queue:
            queues.remove(queue)
    return result


def without_unknown_fields(message: Message) -> Message:
    """A copy that holds only what the message's type knows."""
    copy = type(message)()
    copy.CopyFrom(message)
    copy.DiscardUnknownFields()
    return copy
