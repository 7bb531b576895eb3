// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the engine knows of the operators of a model's nodes, looked up once for each.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "constant_folding/evaluate.h"
#include "legalizer/knowledge/opset_contexts.h"
#include "model_file/model.h"
#include "standard_operators/element_type_source.h"
#include "standard_operators/operator_role.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

struct OperatorFacts {
  bool known = false;
  OperatorRole role = OperatorRole::none;
  // The version of the operator that is meant by nodes written for this context. nullptr: ONNX
  // defines no such operator.
  const OperatorVersion* version = nullptr;
  ElementTypeSource first_output;
  // which computes what it makes of known tensors; null for most
  const Evaluator* evaluator = nullptr;
};

class OperatorFactsTable {
 public:
  OperatorFactsTable(const Model& model, const OpsetContexts& contexts) : model_(model), contexts_(contexts) {}

  // `context` is not own_opsets. The reference stays valid.
  const OperatorFacts& of(OperatorId op, OpsetContext context) {
    if (context < tables_.size() && op / page_size < tables_[context].size()) {
      const auto& page = tables_[context][op / page_size];
      if (page && (*page)[op % page_size].known) return (*page)[op % page_size];
    }
    return learn(op, context);
  }

 private:
  static constexpr size_t page_size = 64;
  using Page = std::array<OperatorFacts, page_size>;

  const OperatorFacts& learn(OperatorId op, OpsetContext context);

  const Model& model_;
  const OpsetContexts& contexts_;
  std::vector<std::vector<std::unique_ptr<Page>>> tables_;  // by context
};

// The element type that an attribute of a node gives its first output, such as that of a Cast; 0
// where none does.
int made_type(const OperatorFacts& facts, const onnx::NodeProto& node);

}  // namespace onnx_lower
