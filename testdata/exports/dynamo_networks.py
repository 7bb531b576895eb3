# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Small networks with static inputs as the first dynamo exporter wrote them: a function for each module and each ATen operator, with choices between branches in them. torch 2.2."""
import pathlib
import tempfile

import onnx
import torch
import torch.nn.functional as F
from saving import save
from torch import nn


class Convolutions(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.second, self.last = nn.ConvTranspose2d(8, 2, 2, stride=2), nn.Linear(2 * 8 * 8, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.first(x))), 2)
        return self.last(F.relu(self.second(x)).flatten(1))


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.Conv2d(8, 8, 3, padding=1, groups=2)
        self.pool, self.last = nn.AdaptiveAvgPool2d(1), nn.Linear(8, 5)

    def forward(self, x):
        x = F.relu(self.first(x))
        return self.last(self.pool(F.relu(self.second(x) + x)).flatten(1))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.queries, self.keys, self.values, self.last = (nn.Linear(16, 16) for _ in range(4))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (project(x).view(batch, length, 4, 4).transpose(1, 2) for project in (self.queries, self.keys, self.values))
        weights = (q @ k.transpose(-1, -2) / 2.0).softmax(-1)
        return self.last((weights @ v).transpose(1, 2).reshape(batch, length, width))


class Embeddings(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places, self.norm = nn.Embedding(20, 8), nn.Embedding(16, 8), nn.LayerNorm(8)

    def forward(self, x):
        return self.norm(self.words(x) + self.places(torch.arange(x.shape[1])))


class Mask(nn.Module):
    def forward(self, x):
        length = x.shape[1]
        future = torch.tril(torch.ones(length, length)) == 0
        return x.matmul(x.transpose(1, 2)).masked_fill(future, -1e9).softmax(-1)


class Resized(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x):
        return F.pad(self.first(F.interpolate(x, scale_factor=2, mode="nearest")), (1, 1, 0, 2))


class GroupNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm = nn.Conv1d(4, 8, 3), nn.GroupNorm(2, 8)

    def forward(self, x):
        return F.silu(self.norm(self.first(x))).mean(-1)


class Lists(nn.Module):
    def forward(self, x):
        a, b = x.chunk(2, 1)
        return torch.cat([a * b, a + b, x[:, -2:]], 1).squeeze(-1).unsqueeze(0)


class Norms(nn.Module):
    def forward(self, x):
        return F.instance_norm(x) / (x.norm(dim=1, keepdim=True) + 1) + torch.zeros(x.shape[2:]) + torch.full((x.size(-1),), 2.0)


class Perceptron(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4), nn.Softmax(-1))

    def forward(self, x):
        return self.layers(x)


def main():
    networks = {
        "convolutions": (Convolutions(), torch.randn(1, 3, 8, 8)),
        "residual": (Residual(), torch.randn(1, 3, 16, 16)),
        "attention": (Attention(), torch.randn(2, 5, 16)),
        "embeddings": (Embeddings(), torch.randint(0, 20, (2, 7))),
        "mask": (Mask(), torch.randn(2, 5, 8)),
        "resized": (Resized(), torch.randn(1, 3, 6, 6)),
        "group_norm": (GroupNorm(), torch.randn(2, 4, 12)),
        "lists": (Lists(), torch.randn(3, 4, 1)),
        "norms": (Norms(), torch.randn(2, 3, 5, 6)),
        "perceptron": (Perceptron(), torch.randn(3, 16)),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (network, x) in networks.items():
            file = pathlib.Path(folder, f"{name}.onnx")
            torch.onnx.dynamo_export(network.eval(), x).save(str(file))
            save(name, onnx.load(file), [((x,), (network(x),))], exporter="dynamo", rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    torch.manual_seed(0)
    main()
