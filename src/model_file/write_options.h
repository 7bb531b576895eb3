// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How a model is written.
#pragma once

#include <cstdint>
#include <functional>

namespace onnx_lower {

enum class ExternalDataMode : uint8_t {
  keep,   // stays in its own files, which go along into another folder
  embed,  // comes into the model
  split,  // and what is large in the model: all in one file beside it
};

// What a crash of the machine may undo. A new file can be made again from its input; what stood in
// its place, or what a record tells of, cannot.
enum class Sync : uint8_t { when_replacing, always };

struct WriteOptions {
  ExternalDataMode external_data = ExternalDataMode::keep;
  bool allow_external_paths = false;  // external data may lie outside of the model's folder
  Sync sync = Sync::when_replacing;
  // Bit N: the elements of tensors of element type N (TensorProto.DataType) are written as raw
  // data. All others stay in the fields that they are in.
  uint64_t raw_types = 0;
};

// Is told, now and then, how many of how many bytes have been written.
using WriteProgress = std::function<void(uint64_t done, uint64_t total)>;

}  // namespace onnx_lower
