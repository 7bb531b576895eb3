// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Numbers for lists of opset imports, by which nodes say for which opsets they are written. The one
// place that knows the version of a domain.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model_file/model.h"

namespace onnx_lower {

class OpsetContexts {
 public:
  // `model`: the imports of the written model. It stands in where a list imports no version of
  // a standard domain.
  explicit OpsetContexts(std::span<const OpsetImport> model);

  // The number of a list of imports, at least 1. Lists that differ only in domains that ONNX does
  // not define have the same number: the version of such a domain decides nothing. It only has to
  // be imported where a node of the domain ends up, and is noted for that. The names of the domains
  // must live as long as this.
  OpsetContext intern(std::span<const OpsetImport> imports);

  // The version of a standard domain ("" is ai.onnx).
  int64_t version(OpsetContext context, std::string_view domain) const;

  // The imports of standard domains.
  std::span<const OpsetImport> standard(OpsetContext context) const { return contexts_[context]; }

  // The imports of other domains that were noted: each with the version that was noted first,
  // in that order.
  std::span<const OpsetImport> noted() const { return noted_; }
  void note(const OpsetImport& import);

 private:
  // The imports of the written model; it and all lists below have standard domains only.
  std::vector<OpsetImport> model_;
  std::vector<std::vector<OpsetImport>> contexts_;  // by number; that of own_opsets is empty
  std::vector<OpsetImport> noted_;                  // of other domains
  std::unordered_set<std::string_view> noted_domains_;
};

}  // namespace onnx_lower
