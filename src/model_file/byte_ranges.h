// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Many ranges of bytes, of which a model with a hundred thousand subgraphs becomes a million.
#pragma once

#include <vector>

#include "model_file/large_page_allocator.h"
#include "model_file/wire.h"

namespace onnx_lower {

using ByteRanges = std::vector<Bytes, LargePageAllocator<Bytes>>;

}  // namespace onnx_lower
