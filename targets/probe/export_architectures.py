#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Small networks of well-known architectures with random weights, as both of torch's exporters write them, and what torch computes with them.

  export_architectures.py FOLDER [NAME ...]

Needs torch and onnxscript. Writes FOLDER/NAME-EXPORTER-OPSET[-dynamic].onnx, and beside it an .npz of its inputs (i0, i1 ...) and of torch's outputs (o0, o1 ...): each architecture at opset 18
and at the highest that the exporter knows, with sizes that are fixed, and with names for those of the batch and of sequences, which are then run with other sizes than were traced."""
from __future__ import annotations

import math
import pathlib
import sys
import warnings

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class BertLayer(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.attended = (nn.Linear(width, width) for _ in range(4))
        self.wider, self.narrower = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm_attention, self.norm = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = x.shape
        query, key, value = (project(x).view(batch, length, self.heads, -1).transpose(1, 2) for project in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]) + mask
        attended = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, length, width)
        x = self.norm_attention(self.attended(attended) + x)
        return self.norm(self.narrower(F.gelu(self.wider(x))) + x)


class Bert(nn.Module):
    """Words, segments and positions; layers that normalize behind their sums, with a mask of added numbers; and what the first word says of the sentence."""

    def __init__(self, width: int = 32, heads: int = 4):
        super().__init__()
        self.words, self.positions, self.segments = nn.Embedding(100, width), nn.Embedding(64, width), nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(BertLayer(width, heads) for _ in range(2))
        self.pooler = nn.Linear(width, width)
        self.register_buffer("position_ids", torch.arange(64).unsqueeze(0), persistent=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        mask = (1.0 - attention_mask[:, None, None, :].float()) * torch.finfo(torch.float32).min
        x = self.norm(self.words(input_ids) + self.segments(token_type_ids) + self.positions(self.position_ids[:, : input_ids.shape[1]]))
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


class VitLayer(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm_attention, self.norm = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.block = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Dropout(0.1), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x: Tensor) -> Tensor:
        given = self.norm_attention(x)
        x = x + self.attention(given, given, given, need_weights=False)[0]
        return x + self.block(self.norm(x))


class Vit(nn.Module):
    """Patches by a convolution, a token of the class before them, and layers that normalize before their sums."""

    def __init__(self, width: int = 32, heads: int = 4):
        super().__init__()
        self.patches = nn.Conv2d(3, width, 8, stride=8)
        self.class_token = nn.Parameter(torch.randn(1, 1, width))
        self.positions = nn.Parameter(torch.randn(1, 17, width) * 0.1)
        self.layers = nn.Sequential(*(VitLayer(width, heads) for _ in range(2)))
        self.norm, self.head = nn.LayerNorm(width, eps=1e-6), nn.Linear(width, 10)

    def forward(self, pixels: Tensor) -> Tensor:
        x = self.patches(pixels).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_token.expand(pixels.shape[0], -1, -1), x], 1) + self.positions
        return self.head(self.norm(self.layers(x))[:, 0])


class Bottleneck(nn.Module):
    def __init__(self, channels: int, width: int, stride: int):
        super().__init__()
        self.first, self.second, self.third = nn.Conv2d(channels, width, 1, bias=False), nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.Conv2d(width, 4 * width, 1, bias=False)
        self.norms = nn.ModuleList(nn.BatchNorm2d(count) for count in (width, width, 4 * width))
        self.shortcut = nn.Sequential(nn.Conv2d(channels, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width)) if stride > 1 or channels != 4 * width else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        made = F.relu(self.norms[0](self.first(x)))
        made = F.relu(self.norms[1](self.second(made)))
        return F.relu(self.norms[2](self.third(made)) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 7, 2, 3, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.layers = nn.Sequential(Bottleneck(16, 8, 1), Bottleneck(32, 8, 1), Bottleneck(32, 16, 2), Bottleneck(64, 16, 1))
        self.pool, self.head = nn.AdaptiveAvgPool2d((1, 1)), nn.Linear(64, 10)
        for module in self.modules():
            if isinstance(module, nn.BatchNorm2d):
                nn.init.normal_(module.running_mean, 0.0, 0.2)
                nn.init.uniform_(module.running_var, 0.5, 1.5)

    def forward(self, pixels: Tensor) -> Tensor:
        return self.head(torch.flatten(self.pool(self.layers(self.stem(pixels))), 1))


class RmsNorm(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(width) + 0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin


class LlamaLayer(nn.Module):
    def __init__(self, width: int, heads: int, key_heads: int):
        super().__init__()
        self.heads, self.key_heads, self.head_width = heads, key_heads, width // heads
        self.query, self.attended = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key, self.value = (nn.Linear(width, key_heads * self.head_width, bias=False) for _ in range(2))
        self.gate, self.up, self.down = nn.Linear(width, 2 * width, bias=False), nn.Linear(width, 2 * width, bias=False), nn.Linear(2 * width, width, bias=False)
        self.norm_attention, self.norm = RmsNorm(width), RmsNorm(width)

    def repeated(self, x: Tensor) -> Tensor:
        batch, heads, length, width = x.shape
        return x[:, :, None].expand(batch, heads, self.heads // heads, length, width).reshape(batch, self.heads, length, width)

    def forward(self, x: Tensor, mask: Tensor, cos: Tensor, sin: Tensor, past_key: Tensor | None, past_value: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        batch, length, _ = x.shape
        given = self.norm_attention(x)
        query = rotated(self.query(given).view(batch, length, self.heads, self.head_width).transpose(1, 2), cos, sin)
        key = rotated(self.key(given).view(batch, length, self.key_heads, self.head_width).transpose(1, 2), cos, sin)
        value = self.value(given).view(batch, length, self.key_heads, self.head_width).transpose(1, 2)
        if past_key is not None:
            key, value = torch.cat([past_key, key], 2), torch.cat([past_value, value], 2)
        made = F.scaled_dot_product_attention(query, self.repeated(key), self.repeated(value), attn_mask=mask)
        x = x + self.attended(made.transpose(1, 2).reshape(batch, length, -1))
        given = self.norm(x)
        return x + self.down(F.silu(self.gate(given)) * self.up(given)), key, value


class Llama(nn.Module):
    """A decoder with rotary positions, fewer heads of keys than of queries, and a mask of what comes later and of padding."""

    def __init__(self, width: int = 32, heads: int = 4, key_heads: int = 2):
        super().__init__()
        self.words = nn.Embedding(100, width)
        self.layers = nn.ModuleList(LlamaLayer(width, heads, key_heads) for _ in range(2))
        self.norm, self.head = RmsNorm(width), nn.Linear(width, 100, bias=False)
        size = width // heads
        self.register_buffer("frequencies", 1.0 / (10000.0 ** (torch.arange(0, size, 2).float() / size)), persistent=False)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        batch, length = input_ids.shape
        total = attention_mask.shape[1]
        positions = torch.arange(total - length, total).unsqueeze(0)
        angles = (self.frequencies[None, :, None] @ positions[:, None, :].float()).transpose(1, 2)
        angles = torch.cat((angles, angles), dim=-1)
        cos, sin = angles.cos()[:, None], angles.sin()[:, None]
        lowest = torch.finfo(torch.float32).min
        causal = torch.full((length, total), lowest).masked_fill(torch.arange(total)[None, :] <= positions.reshape(-1, 1), 0.0)
        mask = causal[None, None].expand(batch, 1, length, total).masked_fill(attention_mask[:, None, None, :] == 0, lowest)
        x, kept = self.words(input_ids), []
        for index, layer in enumerate(self.layers):
            x, key, value = layer(x, mask, cos, sin, *(past[2 * index : 2 * index + 2] or (None, None)))
            kept += [key, value]
        return self.head(self.norm(x)), *(kept if past else ())


class LlamaStep(Llama):
    """The same with what was computed of the words before."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor, key_0: Tensor, value_0: Tensor, key_1: Tensor, value_1: Tensor) -> tuple[Tensor, ...]:
        return super().forward(input_ids, attention_mask, key_0, value_0, key_1, value_1)


class ResidualBlock(nn.Module):
    def __init__(self, channels: int, made: int, width: int):
        super().__init__()
        self.first_norm, self.second_norm = nn.GroupNorm(4, channels, eps=1e-5), nn.GroupNorm(4, made, eps=1e-5)
        self.first, self.second = nn.Conv2d(channels, made, 3, padding=1), nn.Conv2d(made, made, 3, padding=1)
        self.time = nn.Linear(width, made)
        self.shortcut = nn.Conv2d(channels, made, 1) if channels != made else nn.Identity()

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        made = self.first(F.silu(self.first_norm(x))) + self.time(F.silu(time))[:, :, None, None]
        return self.shortcut(x) + self.second(F.silu(self.second_norm(made)))


class CrossAttention(nn.Module):
    """Of each pixel to the words of a text, and a gated network behind it."""

    def __init__(self, channels: int, text: int, heads: int):
        super().__init__()
        self.heads = heads
        self.group_norm = nn.GroupNorm(4, channels, eps=1e-6)
        self.before, self.behind = nn.Conv2d(channels, channels, 1), nn.Conv2d(channels, channels, 1)
        self.norms = nn.ModuleList(nn.LayerNorm(channels) for _ in range(2))
        self.query, self.attended = nn.Linear(channels, channels, bias=False), nn.Linear(channels, channels)
        self.key, self.value = nn.Linear(text, channels, bias=False), nn.Linear(text, channels, bias=False)
        self.gated, self.last = nn.Linear(channels, 8 * channels), nn.Linear(4 * channels, channels)

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], -1, self.heads, x.shape[2] // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, text: Tensor) -> Tensor:
        batch, channels, height, width = x.shape
        made = self.before(self.group_norm(x)).permute(0, 2, 3, 1).reshape(batch, height * width, channels)
        given = self.norms[0](made)
        attended = F.scaled_dot_product_attention(self.split(self.query(given)), self.split(self.key(text)), self.split(self.value(text)))
        made = made + self.attended(attended.transpose(1, 2).reshape(batch, -1, channels))
        value, gate = self.gated(self.norms[1](made)).chunk(2, dim=-1)
        made = made + self.last(value * F.gelu(gate))
        return x + self.behind(made.reshape(batch, height, width, channels).permute(0, 3, 1, 2))


class Unet(nn.Module):
    """A step of diffusion: down once, attention to a text, and up once in each of two ways."""

    def __init__(self, width: int = 16):
        super().__init__()
        self.width = width
        self.time = nn.Sequential(nn.Linear(width, 2 * width), nn.SiLU(), nn.Linear(2 * width, 2 * width))
        self.first, self.last_norm, self.last = nn.Conv2d(4, width, 3, padding=1), nn.GroupNorm(4, width), nn.Conv2d(width, 4, 3, padding=1)
        self.down, self.downsample = ResidualBlock(width, width, 2 * width), nn.Conv2d(width, width, 3, stride=2, padding=1)
        self.middle, self.attention = ResidualBlock(width, 2 * width, 2 * width), CrossAttention(2 * width, 12, 4)
        self.upsample, self.transposed = nn.Conv2d(2 * width, width, 3, padding=1), nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.up = ResidualBlock(3 * width, width, 2 * width)

    def forward(self, sample: Tensor, timestep: Tensor, text: Tensor) -> Tensor:
        half = self.width // 2
        frequencies = torch.exp(-math.log(10000.0) * torch.arange(half, dtype=torch.float32) / half)
        angles = timestep[:, None].float() * frequencies[None]
        time = self.time(torch.cat([angles.cos(), angles.sin()], dim=-1))
        x = self.first(sample)
        skipped = self.down(x, time)
        x = self.attention(self.middle(self.downsample(skipped), time), text)
        nearest = self.upsample(F.interpolate(x, scale_factor=2.0, mode="nearest"))
        x = self.up(torch.cat([nearest, self.transposed(x), skipped], 1), time)
        return self.last(F.silu(self.last_norm(x)))


class Segmenter(nn.Module):
    """A network down and up again as it is used for segmentation: what comes up takes the size of what it is put beside."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.third = (nn.Sequential(nn.Conv2d(one, other, 3, padding=1, bias=False), nn.BatchNorm2d(other), nn.LeakyReLU(0.1)) for one, other in ((3, 8), (8, 16), (24, 8)))
        self.last = nn.Conv2d(8, 2, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        wide = self.first(pixels)
        narrow = self.second(F.avg_pool2d(wide, 2))
        wider = F.interpolate(narrow, size=wide.shape[2:], mode="bilinear", align_corners=False)
        return F.interpolate(self.last(self.third(torch.cat([wider, wide], 1))), scale_factor=2.0, mode="bilinear", align_corners=True).softmax(1)


def words(*shape: int) -> Tensor:
    return torch.randint(0, 100, shape)


def padding(batch: int, length: int) -> Tensor:
    """The last sentence is shorter by two words."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    mask[-1, length - 2 :] = 0
    return mask


def inputs_of(name: str, batch: int, length: int) -> dict[str, Tensor]:
    if name == "bert":
        return {"input_ids": words(batch, length), "attention_mask": padding(batch, length), "token_type_ids": torch.randint(0, 2, (batch, length))}
    if name == "llama":
        return {"input_ids": words(batch, length), "attention_mask": padding(batch, length)}
    if name == "llama_step":
        return {"input_ids": words(batch, 1), "attention_mask": torch.cat([torch.zeros(batch, 2, dtype=torch.int64), torch.ones(batch, length - 1, dtype=torch.int64)], 1),
                **{f"{what}_{layer}": torch.randn(batch, 2, length, 8) for layer in range(2) for what in ("key", "value")}}
    if name == "unet":
        return {"sample": torch.randn(batch, 4, 8, 8), "timestep": torch.randint(0, 1000, (batch,)), "text": torch.randn(batch, length, 12)}
    return {"pixels": torch.randn(batch, 3, 32, 32)}


# What is named of the sizes of an input; all else is fixed.
NAMED = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "length"}, "token_type_ids": {0: "batch", 1: "length"}, "pixels": {0: "batch"}, "sample": {0: "batch"},
         "timestep": {0: "batch"}, "text": {0: "batch", 1: "words"}}
NAMED_IN_STEP = {"input_ids": {0: "batch"}, "attention_mask": {0: "batch", 1: "total"}, **{f"{what}_{layer}": {0: "batch", 2: "past"} for what in ("key", "value") for layer in range(2)}}
ARCHITECTURES = {"bert": Bert, "vit": Vit, "resnet": ResNet, "llama": Llama, "llama_step": LlamaStep, "unet": Unet, "segmenter": Segmenter}


def exported(name: str, module: nn.Module, inputs: dict[str, Tensor], path: pathlib.Path, *, dynamo: bool, opset: int, dynamic: bool) -> None:
    named = {key: (NAMED_IN_STEP if name == "llama_step" else NAMED)[key] for key in inputs} if dynamic else {}
    outputs = ["last_hidden_state", "pooler_output"] if name == "bert" else ["logits", *(f"present_{index}" for index in range(4 if name == "llama_step" else 0))]
    options: dict = {"input_names": list(inputs), "output_names": outputs, "opset_version": opset, "dynamo": dynamo}
    if dynamo:
        # torch finds out itself which names stand for the same size, and that one is the sum of others.
        options.update(external_data=False, verbose=False, dynamic_shapes={key: dict.fromkeys(sizes, torch.export.Dim.AUTO) for key, sizes in named.items()} if dynamic else None)
    else:
        options["dynamic_axes"] = {**named, **{output: {0: "batch"} for output in outputs}} if dynamic else None
    torch.onnx.export(module, tuple(inputs.values()), path, **options)


def without_places(path: pathlib.Path) -> None:
    """The exporters note in which files of this machine a node's Python source lies."""
    model = onnx.load(path)
    for message in [*model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output, *model.graph.initializer, model.graph, *(node for function in model.functions for node in function.node)]:
        message.ClearField("doc_string")
        message.ClearField("metadata_props")
    onnx.save(model, path)


def highest_opsets() -> dict[bool, int]:
    """By exporter: whether it is dynamo's."""
    from torch.onnx._constants import ONNX_MAX_OPSET, ONNX_TORCHSCRIPT_EXPORTER_MAX_OPSET

    return {True: ONNX_MAX_OPSET, False: ONNX_TORCHSCRIPT_EXPORTER_MAX_OPSET}


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    torch.backends.mha.set_fastpath_enabled(False)  # for which there is no ONNX
    for name, architecture in ARCHITECTURES.items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        torch.manual_seed(len(name))
        module = architecture().eval()
        for dynamo, highest in highest_opsets().items():
            for opset in sorted({18, highest}):
                for dynamic in (False, True):
                    label = f"{name}-{'dynamo' if dynamo else 'torchscript'}-{opset}{'-dynamic' if dynamic else ''}"
                    path = folder / f"{label}.onnx"
                    try:
                        with torch.no_grad():
                            exported(name, module, inputs_of(name, 2, 8), path, dynamo=dynamo, opset=opset, dynamic=dynamic)
                            inputs = inputs_of(name, *((3, 6) if dynamic else (2, 8)))
                            outputs = module(*inputs.values())
                    except Exception as error:
                        path.unlink(missing_ok=True)
                        print(f"{label}: not exported: {type(error).__name__}: {str(error).splitlines()[0][:200]}")
                        continue
                    without_places(path)
                    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
                    np.savez(folder / f"{label}.npz", **{f"i{index}": value.numpy() for index, value in enumerate(inputs.values())}, **{f"o{index}": value.numpy() for index, value in enumerate(outputs)})
                    print(label)


if __name__ == "__main__":
    main()
