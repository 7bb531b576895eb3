// What the legalization of all graphs of a model shares.
#pragma once

#include <cstddef>
#include <vector>

#include "legalizer/attribute_settings.h"
#include "legalizer/fresh_names.h"
#include "legalizer/graph_scope.h"
#include "legalizer/legalize_options.h"
#include "legalizer/legalize_result.h"
#include "legalizer/model_functions.h"
#include "legalizer/operator_facts.h"
#include "legalizer/opset_contexts.h"
#include "model_file/model.h"
#include "rules/rule_library.h"

namespace onnx_lower {

struct Legalization {
  Model& model;
  RuleLibrary& library;
  const LegalizeOptions& options;
  OpsetContexts contexts;
  ModelFunctions functions{model};
  OperatorFactsTable facts{model, contexts};
  ValueTables values{};
  FreshNames names{model};
  AttributeSettings settings{options.settings};
  LegalizeResult result{};
  size_t nodes_made = 0;
  std::vector<ValueId> taken_lists{};  // lists whose tensors rules took one by one
};

}  // namespace onnx_lower
