// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The usual mistakes in the text of a node, and what to write instead.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/text/form.h"

namespace onnx_lower {

struct SyntaxAdvice {
  std::size_t offset = 0;
  std::string message;
};

// What the author most likely meant by the node at `begin` in a rule's text, which onnx's
// parser refused. Nothing when it is none of the usual mistakes. `declared` are the
// attributes of the form.
std::optional<SyntaxAdvice> advice_on_node(std::string_view text, std::size_t begin,
                                           const std::vector<DeclaredAttribute>& declared);

}  // namespace onnx_lower
