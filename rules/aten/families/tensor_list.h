// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What the rules for PyTorch's operators over lists of tensors share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/body.h"

namespace onnx_lower {

struct ListedTensor {
  int element_type;
  int rank;
};

// What the call's first input is a list of: at least one tensor, types that PyTorch promotes, and
// known ranks.
std::vector<ListedTensor> listed_tensors(const CallSite& site);

// What aten::cat and aten::stack take: a list, and the dimension along which its tensors are put,
// which is 0 where it is left out.
struct ListAlongDimension {
  std::vector<ListedTensor> tensors;
  int64_t dim = 0;
};
ListAlongDimension list_along_dimension(const CallSite& site);

// Whether tensors of rank 0 count as numbers, beside which a tensor decides the common type.
enum class NumbersCount { as_numbers, as_tensors };
int common_type(const std::vector<ListedTensor>& tensors, NumbersCount numbers);
bool have_one_type(const std::vector<ListedTensor>& tensors);

// Takes the tensors out of the body's first input, `list`, as x0, x1 … of type `element_type`.
void take_out(const CallSite& site, Body& body, const std::vector<ListedTensor>& tensors, int element_type);

// Gives `name` with the numbers 0 to count - 1 behind it, as x0, x1, x2 …
std::vector<std::string> numbered(std::string_view name, size_t count);

// Makes of each tensor xK, of rank 0 or 1, a grid gK, which has as many dimensions as there are
// tensors and varies along dimension K. Declines if PyTorch has no tensor of so many dimensions.
void append_grids(Body& body, size_t count);

}  // namespace onnx_lower
