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

struct WriteOptions {
  ExternalDataMode external_data = ExternalDataMode::keep;
  bool allow_external_paths = false;  // external data may lie outside of the model's folder
};

// Is told, now and then, how many of how many bytes have been written.
using WriteProgress = std::function<void(uint64_t done, uint64_t total)>;

}  // namespace onnx_lower
