// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What is known of the operators of a model's nodes, looked up once for each operator and
// list of imports.
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
  // The version that nodes written for this context mean. nullptr: ONNX defines no such operator.
  const OperatorVersion* version = nullptr;
  ElementTypeSource first_output;  // what decides the element type of the first output
  // Computes the outputs from known tensors; null for most operators.
  const Evaluator* evaluator = nullptr;
};

class OperatorFactsTable {
 public:
  OperatorFactsTable(const Model& model, const OpsetContexts& contexts) : model_(model), contexts_(contexts) {}

  // `context` must not be own_opsets. The reference stays valid.
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

// The element type (DataType) that an attribute of the node gives its first output, such as `to` of
// a Cast; 0 where no attribute does.
int made_type(const OperatorFacts& facts, const onnx::NodeProto& node);

}  // namespace onnx_lower
