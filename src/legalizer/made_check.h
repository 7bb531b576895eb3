// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Holds what rules of the user and functions of the model make against onnx's shape inference, as runtimes do when they load the model. The tool's own rules are
// proved by their tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "legalizer/graph_scope.h"
#include "rules/form.h"
#include "types/type_inference.h"

namespace onnx_lower {

// Which of the calls of a run are looked into: those of one rule with equal attributes and types of inputs make the same.
class CallsToCheck {
 public:
  // What `call`, which is about to become the form's body, has in common with those that make the same.
  static size_t kind_of(const Form& form, const Node& call, const GraphScope& scope);

  // Whether a call of that kind is to be looked into. It counts as looked into then, unless it is put back: what was found wrong with it is wrong with the next one.
  bool take(size_t kind) { return nodes_left_ > 0 && looked_into_[kind]++ < most_alike; }
  void put_back(size_t kind) { --looked_into_[kind]; }

  // Whether one more node may be looked at.
  bool take_node() {
    if (nodes_left_ == 0) return false;
    --nodes_left_;
    return true;
  }

 private:
  // Of inputs that nodes make the types are not known before a call is looked into: so many of a kind are.
  static constexpr int most_alike = 4;

  std::unordered_map<size_t, int> looked_into_;
  int nodes_left_ = 4'000;  // a run takes no more than a tenth of a second for them
};

// The nodes that one call becomes.
class MadeCheck {
 public:
  // Both must outlive this.
  MadeCheck(CallsToCheck& calls, InferredCalls& inferred_calls) : calls_(calls), types_(inferred_calls) {}

  // What speaks against the newest of the placed nodes, as a clause; empty where nothing does.
  std::string problem_of_newest(const GraphScope& scope);

  // To be called before the nodes placed from `begin` on are taken back.
  void forget_since(size_t begin, const GraphScope& scope);
  // To be called before the scope ends.
  void forget(const GraphScope& scope) { types_.forget(scope); }

 private:
  CallsToCheck& calls_;
  TypeInference types_;
};

}  // namespace onnx_lower
