// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/runtimes_without_target.h"

#include <algorithm>

namespace onnx_lower {
namespace {

struct RuntimeWithoutTarget {
  std::string_view name;
  std::string_view advice;
};

constexpr RuntimeWithoutTarget runtimes[] = {
    {"coremltools", "it reads no ONNX; for ONNX Runtime's provider for Core ML give --target coreml"},
    {"directml", "it runs in ONNX Runtime: give --target onnxruntime"},
    {"hailo",
     "nobody has asked it; its compiler wants standard operators, and dimensions that are numbers: give "
     "--target-opset 13 --fold, and --input-shape"},
    {"horizon",
     "nobody has asked it; its compiler wants standard operators, and dimensions that are numbers: give "
     "--target-opset 11 --fold, and --input-shape"},
    {"iree",
     "nobody has asked it operator by operator, and of whole models most run at opset 17: give "
     "--target-opset 17"},
    {"litert",
     "it reads no ONNX, and its converter onnx2tf wants standard operators, and dimensions that are "
     "numbers: give --target-opset 17 --fold, and --input-shape"},
    {"ncnn",
     "it reads no ONNX, and its converter pnnx takes few operators: give --target-opset 13 --fold, and "
     "--input-shape"},
    {"onnx2tf",
     "nobody has asked it; it wants standard operators, and dimensions that are numbers: give "
     "--target-opset 17 --fold, and --input-shape"},
    {"onnx2torch",
     "nobody has asked it operator by operator, and of whole models most run at opset 13: give "
     "--target-opset 13"},
    {"opencv-4",
     "of OpenCV 4 the newest was asked, and older ones take fewer operators: give --target opencv-4.14 "
     "--fold, and --input-shape"},
    {"pnnx",
     "nobody has asked it operator by operator, and it takes few: give --target-opset 13 --fold, and "
     "--input-shape"},
    {"rknn-toolkit",
     "nobody has asked it, and it is older than rknn-toolkit2: give --target-opset 12 --fold, and "
     "--input-shape"},
    {"snpe",
     "nobody has asked it; what ONNX Runtime's provider for the same NPU takes is published: give "
     "--target qnn"},
    {"tflite",
     "it reads no ONNX, and its converter onnx2tf wants standard operators, and dimensions that are "
     "numbers: give --target-opset 17 --fold, and --input-shape"},
    {"tidl",
     "nobody has asked it; it runs in ONNX Runtime 1.15, which computes what the accelerator does not take: "
     "give --target onnxruntime-1.14"},
    {"tvm",
     "nobody has asked it operator by operator, and of whole models most run at opset 18: give "
     "--target-opset 18"},
};

}  // namespace

std::string_view advice_without_target(std::string_view name) {
  const auto* known = std::ranges::find_if(runtimes, [&](const RuntimeWithoutTarget& runtime) {
    if (!name.starts_with(runtime.name)) return false;
    // What follows is its version.
    const std::string_view rest = name.substr(runtime.name.size());
    return rest.empty() || rest.front() == '-' || rest.front() == '.';
  });
  return known == std::end(runtimes) ? "" : known->advice;
}

}  // namespace onnx_lower
