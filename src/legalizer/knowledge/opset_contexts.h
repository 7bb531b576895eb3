// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The versions of the operator sets that nodes are written for, by number. The one place that knows
// the version of a domain.
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
  // `model`: what the written model imports. It stands in where an origin of nodes imports no
  // version of a standard domain.
  explicit OpsetContexts(std::span<const OpsetImport> model);

  // The number of a list of imports, at least 1. Lists that differ only in domains that ONNX does
  // not define have the same number: such a version decides nothing, it has to be imported again
  // where a node of the domain ends up, and is noted for that. The domains' names must live as long
  // as this.
  OpsetContext intern(std::span<const OpsetImport> imports);

  // Of a standard domain ("" is ai.onnx).
  int64_t version(OpsetContext context, std::string_view domain) const;

  // All imports of standard domains.
  std::span<const OpsetImport> standard(OpsetContext context) const { return contexts_[context]; }

  // The imports of other domains that were noted, each with the version that was met first, in that
  // order.
  std::span<const OpsetImport> noted() const { return noted_; }
  void note(const OpsetImport& import);

 private:
  // standard domains only, as all of the following
  std::vector<OpsetImport> model_;
  std::vector<std::vector<OpsetImport>> contexts_;  // by number; that of own_opsets is empty
  std::vector<OpsetImport> noted_;
  std::unordered_set<std::string_view> noted_domains_;
};

}  // namespace onnx_lower
