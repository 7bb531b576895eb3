// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "legalizer/knowledge/opset_contexts.h"

#include <algorithm>
#include <limits>

#include "error.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {

OpsetContexts::OpsetContexts(std::span<const OpsetImport> model) : contexts_(1) {
  for (const OpsetImport& import : model) {
    if (!is_standard_domain(import.domain())) continue;
    // Of several imports of a domain, the last counts.
    std::erase_if(model_, [&](const OpsetImport& other) { return other.domain() == import.domain(); });
    model_.push_back(import);
  }
}

OpsetContext OpsetContexts::intern(std::span<const OpsetImport> imports) {
  std::vector<OpsetImport> context = model_;
  for (const OpsetImport& import : imports) {
    const int64_t newest = newest_opset(import.domain());
    if (newest == 0) {
      note(import);
      continue;
    }
    // A version that does not exist counts as the nearest one that does, so that a hostile model
    // cannot make any number of contexts.
    const OpsetImport sensible{import.domain(), std::clamp<int64_t>(import.version(), 0, newest)};
    const auto same = std::ranges::find(context, import.domain(), &OpsetImport::domain);
    if (same == context.end()) {
      context.push_back(sensible);
    } else {
      *same = sensible;
    }
  }
  std::ranges::sort(context, {}, &OpsetImport::domain);
  const auto known = std::find(contexts_.begin() + 1, contexts_.end(), context);
  const auto number = static_cast<size_t>(known - contexts_.begin());
  if (known == contexts_.end()) contexts_.push_back(std::move(context));
  if (number > std::numeric_limits<OpsetContext>::max()) throw InternalError("too many lists of opset imports");
  return static_cast<OpsetContext>(number);
}

int64_t OpsetContexts::version(OpsetContext context, std::string_view domain) const {
  return version_of(contexts_[context], domain);
}

void OpsetContexts::note(const OpsetImport& import) {
  if (noted_domains_.insert(import.domain()).second) noted_.push_back({import.domain(), import.version()});
}

}  // namespace onnx_lower
