// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/knowledge/operator_facts.h"

namespace onnx_lower {

const OperatorFacts& OperatorFactsTable::learn(OperatorId op, OpsetContext context) {
  if (tables_.size() <= context) tables_.resize(context + 1u);
  std::vector<std::unique_ptr<Page>>& table = tables_[context];
  if (table.size() <= op / page_size) table.resize(op / page_size + 1);
  std::unique_ptr<Page>& page = table[op / page_size];
  if (!page) page = std::make_unique<Page>();
  OperatorFacts& facts = (*page)[op % page_size];
  facts.known = true;
  const Operator& named = model_.op(op);
  const std::span<const OperatorVersion> versions = operator_versions(named.domain, named.op_type);
  if (versions.empty()) return facts;
  facts.version = find_operator(named.domain, named.op_type, contexts_.version(context, named.domain));
  // A function may use an operator that the version which the function imports does not have (some
  // exporters write such functions). It can only mean the first version.
  if (facts.version == nullptr) facts.version = &versions.front();
  if (named.domain.empty()) {
    facts.role = role_of(named.op_type);
    facts.evaluator = evaluator_of(named.op_type);
  }
  facts.first_output = element_type_source(*facts.version, 0);
  return facts;
}

int made_type(const OperatorFacts& facts, const onnx::NodeProto& node) {
  const TypeAttribute* deciding = facts.first_output.attribute;
  return deciding == nullptr ? 0 : element_type_of_attribute(*deciding, *facts.version, node);
}

}  // namespace onnx_lower
