// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Shows what nodes became, each kind once, for reports.
#pragma once

#include <cstdint>
#include <span>

#include "legalizer/candidates/rule_book.h"
#include "legalizer/legalization/legalization.h"

namespace onnx_lower {

// The index in LegalizeResult::rewrites of what became of the node, which is noted there. `made`:
// the nodes that the candidate made of it, which are placed in the scope; a run may be among them.
uint32_t note_rewrite(Legalization& all, const Node& node, const Candidate& candidate,
                      std::span<const Node* const> made, const GraphScope& scope, bool attached);

}  // namespace onnx_lower
