// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How a model is written.
#pragma once

#include <cstdint>
#include <functional>

namespace onnx_lower {

enum class ExternalDataMode : uint8_t {
  keep,   // data stay in their own files, copied to another folder if need be
  embed,  // data are written into the model
  split,  // external data and large tensors go into one file beside the model
};

// When to sync. A crash of the machine may undo a new file, which can be made again from its input,
// but not one that replaces another file, or one that a record of finished files tells of.
enum class Sync : uint8_t { when_replacing, always };

struct WriteOptions {
  ExternalDataMode external_data = ExternalDataMode::keep;
  bool allow_external_paths = false;  // external data may lie outside of the model's folder
  Sync sync = Sync::when_replacing;
  // Bit N: the elements of tensors of element type N (TensorProto.DataType) are written as raw
  // data. Those of other types stay in the fields where they are.
  uint64_t raw_types = 0;
};

// A callback that is called now and then with the number of bytes written, and of all bytes.
using WriteProgress = std::function<void(uint64_t done, uint64_t total)>;

}  // namespace onnx_lower
