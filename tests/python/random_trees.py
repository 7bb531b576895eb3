# SPDX-FileCopyrightText: 2026 The onnx-lower authors
# SPDX-License-Identifier: Apache-2.0

"""Draws nodes of decision trees, TreeEnsembleClassifier, TreeEnsembleRegressor and TreeEnsemble of ai.onnx.ml, and rows that meet their splits exactly.

  python random_trees.py 4711        # prints one

Weights are multiples of 1/64, so that a sum of them is exact in any order: what two runtimes compute is equal, and so is the label of two equal scores. A part has any weights."""
from __future__ import annotations

import dataclasses
import random
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
TRANSFORMS = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]
TYPES = {TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64, TensorProto.INT64: np.int64, TensorProto.INT32: np.int32}


@dataclasses.dataclass
class Node:
    """A leaf has no children."""
    mode: str = "LEAF"
    feature: int = 0
    split: float = 0.0
    missing: int = 0
    members: tuple = ()
    children: tuple = ()
    votes: tuple = ()


@dataclasses.dataclass
class Drawn:
    model: onnx.ModelProto
    rows: np.ndarray
    exact: bool


class Drawing:
    def __init__(self, seed: int, op: str) -> None:
        self.random = random.Random(seed)
        self.op = op
        self.features = self.random.choice([1, 2, 5, 12])
        self.modes = self.random.choice([["BRANCH_LEQ"], ["BRANCH_LEQ"], ["BRANCH_LT"], ["BRANCH_GT"], ["BRANCH_GTE"], ["BRANCH_EQ", "BRANCH_LEQ"], MODES])
        self.missing = self.random.choice([(0,), (0,), (0, 1), (1,)])
        self.targets = self.random.choice([1, 2, 2, 2, 3, 5])
        self.exact = self.random.random() < 0.7
        self.is_negative = self.random.random() < 0.7
        self.splits = [self.random.choice([-2.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0, float(np.float32(self.random.gauss(0, 2)))]) for _ in range(6)]
        # The target of all votes, of those of a tree, or of each vote.
        self.way = self.random.choice(["one", "tree", "all", "some"])
        self.only = self.random.randrange(self.targets)
        # ONNX Runtime takes 2.5 for a member of a large set in which is 2: features are whole then.
        self.is_whole = False

    def weight(self) -> float:
        if not self.exact:
            return float(np.float32(self.random.gauss(0, 1) if self.is_negative else self.random.random()))
        return self.random.randint(-64 if self.is_negative else 0, 64) / 64

    def votes(self, tree: int) -> tuple:
        if self.way == "one":
            targets = [self.only]
        elif self.way == "tree":
            targets = [tree % self.targets]
        elif self.way == "all" and self.op != "TreeEnsemble":
            targets = list(range(self.targets))
        else:
            targets = [self.random.randrange(self.targets)]
        return tuple((target, self.weight()) for target in targets)

    def tree(self, number: int, depth: int) -> Node:
        if depth == 0 or self.random.random() < 0.15:
            return Node(votes=self.votes(number))
        members = ()
        mode = self.random.choice(self.modes)
        if self.op == "TreeEnsemble" and self.random.random() < 0.2:
            self.is_whole = True
            mode, members = "BRANCH_MEMBER", tuple(self.random.sample([*range(12), 40, -3], self.random.randint(1, 8)))
        elif mode == "BRANCH_EQ" and self.random.random() < 0.3:
            return self.row_of_equals(number, depth)
        return Node(mode, self.random.randrange(self.features), self.random.choice(self.splits), self.random.choice(self.missing), members, (self.tree(number, depth - 1), self.tree(number, depth - 1)))

    def row_of_equals(self, number: int, depth: int) -> Node:
        """A set as LightGBM's converter writes it: all of its members lead to one node. That is a leaf, since ONNX Runtime takes no other nodes with several parents."""
        feature, missing, yes, last = self.random.randrange(self.features), self.random.choice(self.missing), Node(votes=self.votes(number)), self.tree(number, depth - 1)
        for member in self.random.sample(range(1, 20), self.random.randint(2, 9)):
            last = Node("BRANCH_EQ", feature, float(member), missing, (), (yes, last))
        return last

    def forest(self) -> list[Node]:
        depth, count = self.random.choice([(0, 1), (1, 1), (3, 1), (2, 4), (4, 9), (3, 30), (6, 5), (1, 40)])
        trees = [self.tree(number, depth) for number in range(count)]
        if self.random.random() < 0.1:
            trees.append(Node(votes=self.votes(0)))
        return trees

    def rows(self, kind: int) -> np.ndarray:
        count = self.random.choice([1, 3, 17, 60])
        values = [self.random.choice([*self.splits, *range(12), self.random.gauss(0, 2)]) for _ in range(count * self.features)]
        if self.is_whole:
            values = [float(round(value)) for value in values]
        if kind in (TensorProto.FLOAT, TensorProto.DOUBLE):
            values = [self.random.choice([float("nan"), float("inf"), -float("inf")]) if self.random.random() < 0.08 else value for value in values]
        return np.array(values).astype(TYPES[kind]).reshape(count, self.features)


def listed(root: Node) -> list[Node]:
    """Each node once, the root first."""
    found, rest = [], [root]
    while rest:
        node = rest.pop()
        if not any(node is other for other in found):
            found.append(node)
            rest += reversed(node.children)
    return found


def attributes_of_lists(drawing: Drawing, trees: list[Node], votes: str, is_double: bool) -> dict:
    rows: dict[str, list] = {name: [] for name in ("nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_values", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids", "nodes_missing_value_tracks_true", "nodes_hitrates")}
    of_votes: list[tuple] = []
    for tree, root in enumerate(trees):
        nodes = listed(root)
        names = list(range(len(nodes)))
        if drawing.random.random() < 0.3:
            names[1:] = drawing.random.sample(names[1:], len(names) - 1)
        order = [0, *drawing.random.sample(range(1, len(nodes)), len(nodes) - 1)] if drawing.random.random() < 0.3 else range(len(nodes))
        place = {id(node): name for node, name in zip(nodes, names)}
        for index in order:
            node = nodes[index]
            yes, no = (place[id(child)] for child in node.children) if node.children else (0, 0)
            for name, value in zip(rows, (tree, place[id(node)], node.feature, node.split, node.mode, yes, no, node.missing, 1.0)):
                rows[name].append(value)
            of_votes += [(tree, place[id(node)], target, weight) for target, weight in node.votes]
    if drawing.random.random() < 0.3:
        drawing.random.shuffle(of_votes)
    found = {name: values for name, values in rows.items() if name not in ("nodes_values", "nodes_missing_value_tracks_true") or name == "nodes_missing_value_tracks_true" and any(values)}
    found.update({f"{votes}_treeids": [vote[0] for vote in of_votes], f"{votes}_nodeids": [vote[1] for vote in of_votes], f"{votes}_ids": [vote[2] for vote in of_votes]})
    for name, values in (("nodes_values", rows["nodes_values"]), (f"{votes}_weights", [vote[3] for vote in of_votes])):
        found.update({f"{name}_as_tensor": helper.make_tensor(name, TensorProto.DOUBLE, [len(values)], values)} if is_double else {name: values})
    if is_double:
        del found["nodes_hitrates"]
    return found


def attributes_of_tensors(trees: list[Node], kind: int) -> dict:
    nodes: list[Node] = []
    leaves: list[Node] = []
    roots = []
    for root in trees:
        roots.append(len(nodes))
        # A tree of one leaf is a node with that leaf as both children.
        for node in listed(root if root.children else Node("BRANCH_LEQ", children=(root, root))):
            (nodes if node.children else leaves).append(node)
    places = [{id(node): place for place, node in enumerate(group)} for group in (nodes, leaves)]

    def children(which: int) -> tuple[list, list]:
        chosen = [node.children[which] for node in nodes]
        return [places[not child.children][id(child)] for child in chosen], [int(not child.children) for child in chosen]

    (yes, yes_is_leaf), (no, no_is_leaf) = children(0), children(1)
    modes = [6 if node.mode == "BRANCH_MEMBER" else MODES.index(node.mode) for node in nodes]
    members = [value for node in nodes if node.mode == "BRANCH_MEMBER" for value in (*node.members, float("nan"))]

    def tensor(name: str, values: list, of: int = kind) -> TensorProto:
        return helper.make_tensor(name, of, [len(values)], values)

    return {"tree_roots": roots, "nodes_featureids": [node.feature for node in nodes], "nodes_splits": tensor("s", [node.split for node in nodes]), "nodes_modes": tensor("m", modes, TensorProto.UINT8), "nodes_truenodeids": yes, "nodes_trueleafs": yes_is_leaf,
            "nodes_falsenodeids": no, "nodes_falseleafs": no_is_leaf, "nodes_missing_value_tracks_true": [node.missing for node in nodes], "leaf_targetids": [leaf.votes[0][0] for leaf in leaves], "leaf_weights": tensor("w", [leaf.votes[0][1] for leaf in leaves]),
            **({"membership_values": tensor("v", members)} if members else {})}


def drawn(seed: int, op: str) -> Drawn:
    drawing = Drawing(seed, op)
    choose = drawing.random.choice
    kind = choose([TensorProto.FLOAT] * 5 + ([TensorProto.DOUBLE, TensorProto.INT64, TensorProto.INT32] if op == "TreeEnsembleClassifier" else [TensorProto.DOUBLE]))
    trees = drawing.forest()
    is_double = kind == TensorProto.DOUBLE and choose([True, False])
    version = 5 if op == "TreeEnsemble" else 3 if is_double else choose([1, 3])
    transform = choose(range(5)) if drawing.random.random() < 0.6 else 0
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", drawing.targets])]
    names = ["y"]
    if op == "TreeEnsembleClassifier":
        attributes = attributes_of_lists(drawing, trees, "class", is_double)
        # With one base value for two classes, ONNX Runtime leaves a score unwritten unless all votes are for one.
        counts = {1: [0, 0, 1], 2: [0, 0, 1, 2] if drawing.way == "one" else [0, 0, 2]}.get(drawing.targets, [0, drawing.targets])
        attributes["classlabels_int64s"] = choose([list(range(drawing.targets)), [7 * k - 3 for k in range(drawing.targets)]])
        outputs.insert(0, helper.make_tensor_value_info("label", TensorProto.INT64, ["n"]))
        names.insert(0, "label")
    elif op == "TreeEnsembleRegressor":
        attributes = attributes_of_lists(drawing, trees, "target", is_double)
        counts = [0, drawing.targets]
        attributes.update(n_targets=drawing.targets, aggregate_function=choose(["SUM", "SUM", "AVERAGE", "MIN", "MAX"]))
    else:
        attributes = attributes_of_tensors(trees, kind)
        counts = [0]
        attributes.update(n_targets=drawing.targets, aggregate_function=choose([1, 1, 0, 2, 3]))
        outputs[0].type.tensor_type.elem_type = kind
    attributes["post_transform"] = transform if op == "TreeEnsemble" else TRANSFORMS[transform]
    if count := choose(counts):
        base = [drawing.weight() for _ in range(count)]
        attributes.update({"base_values_as_tensor": helper.make_tensor("b", TensorProto.DOUBLE, [count], base)} if is_double else {"base_values": base})
    rows = drawing.rows(kind)
    shape = choose([list(rows.shape), ["n", rows.shape[1]], ["n", None]])
    node = helper.make_node(op, ["x"], names, domain="ai.onnx.ml", **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", kind, shape)], outputs)
    imports = [helper.make_opsetid("", choose([15, 17, 18, 21])), helper.make_opsetid("ai.onnx.ml", version)]
    return Drawn(helper.make_model(graph, opset_imports=imports, ir_version=8), rows, drawing.exact)


if __name__ == "__main__":
    for each in ("TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble"):
        print(onnx.printer.to_text(drawn(int(sys.argv[1]), each).model))
