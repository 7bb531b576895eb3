// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/after/opset_imports.h"

#include <algorithm>
#include <unordered_set>

#include "legalizer/knowledge/model_functions.h"
#include "model_file/encode_model.h"
#include "model_file/graph_fields.h"
#include "model_file/onnx_fields.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

bool imports_domain(const std::vector<OpsetImport>& imports, std::string_view domain) {
  return std::ranges::find(imports, domain, &OpsetImport::domain) != imports.end();
}

}  // namespace

void follow_model_opsets(std::vector<OpsetImport>& imports, const std::vector<OpsetImport>& before,
                         const std::vector<OpsetImport>& now) {
  for (OpsetImport& import : imports) {
    const auto was = std::ranges::find(before, import.domain(), &OpsetImport::domain);
    const auto is = std::ranges::find(now, import.domain(), &OpsetImport::domain);
    if (was != before.end() && is != now.end() && was->version() != is->version())
      import = {import.domain(), is->version()};
  }
}

void write_imports(Model& model, Function& function, std::vector<OpsetImport> imports) {
  if (imports == function.opset_imports) return;
  replace_fields(function.body, [](const WireField& field) {
    return field.tag == delimited_tag(field::Function::opset_import) ? Bytes() : field.whole;
  });
  std::string fields;
  for (const OpsetImport& import : imports) append_opset_import(fields, field::Function::opset_import, import);
  function.body.pieces.push_back({GraphPiece::Kind::verbatim, model.keep(fields), {}});
  function.opset_imports = std::move(imports);
}

void complete_imports(Model& model, Function& function, const OpsetContexts& contexts, OpsetContext target) {
  if (!function.body.changed || function.opset_imports.empty()) return;
  std::unordered_set<std::string_view> used;
  for_each_node(function.body, [&](const Node& node) { used.insert(model.op(node.op).domain); });
  std::string fields;
  const auto add_missing = [&](std::span<const OpsetImport> known) {
    for (const OpsetImport& import : known) {
      if (!used.contains(import.domain()) || imports_domain(function.opset_imports, import.domain())) continue;
      function.opset_imports.push_back({import.domain(), import.version()});
      append_opset_import(fields, field::Function::opset_import, import);
    }
  };
  add_missing(contexts.standard(target));
  add_missing(model.opset_imports);
  add_missing(contexts.noted());
  if (!fields.empty()) function.body.pieces.push_back({GraphPiece::Kind::verbatim, model.keep(fields), {}});
}

std::vector<std::string> update_opset_imports(Model& model, const std::vector<OpsetImport>& opsets,
                                              const OpsetContexts& contexts, bool drops_standard) {
  std::vector<bool> seen(model.operator_count(), false);
  std::unordered_set<std::string_view> used;
  const auto use = [&](const Node& node) {
    if (!seen[node.op]) used.insert(model.op(node.op).domain);
    seen[node.op] = true;
  };
  for_each_node(model.graph, use);
  for (const Graph& graph : model.training_graphs) for_each_node(graph, use);
  for (const Function& function : model.functions) {
    if (!function.dropped) for_each_node(function.body, use);
  }
  std::vector<OpsetImport> kept;
  std::vector<std::string> dropped;
  std::unordered_set<std::string_view> was_imported;
  for (const OpsetImport& import : model.opset_imports) was_imported.insert(import.domain());
  for (const OpsetImport& import : opsets) {
    const bool imported = was_imported.contains(import.domain());
    // Older runtimes refuse a version of ai.onnx.ml that they do not know, whoever uses it.
    const bool stays = import.domain().empty() || (is_standard_domain(import.domain()) && !drops_standard);
    if (used.contains(import.domain()) || (imported && stays)) {
      kept.push_back(import);
    } else if (imported) {
      dropped.emplace_back(import.domain());
    }
  }
  std::unordered_set<std::string_view> is_kept;
  for (const OpsetImport& import : kept) is_kept.insert(import.domain());
  for (const OpsetImport& import : contexts.noted()) {
    if (used.contains(import.domain()) && is_kept.insert(import.domain()).second) kept.push_back(import);
  }
  if (kept != model.opset_imports) {
    model.opset_imports = std::move(kept);
    model.opset_imports_changed = true;
  }
  return dropped;
}

}  // namespace onnx_lower
