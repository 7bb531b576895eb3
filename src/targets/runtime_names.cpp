// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/runtime_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "source_text/characters.h"

namespace onnx_lower {
namespace {

struct KnownName {
  std::string_view name;
  // What targets call the runtime, perhaps with a version that the name implies; empty where there
  // is no target.
  std::string_view runtime;
  std::string_view advice;  // where there is no target
};

// Every name that is not the one by which targets call the runtime.
constexpr KnownName known_names[] = {
    {"apache-tvm", "tvm", ""},
    {"armnn", "",
     "it reads no ONNX any more; what Arm's processors run is ONNX Runtime: give --target "
     "onnxruntime"},
    {"atc", "ascend", ""},
    {"barracuda", "", "nobody has asked it, and Unity has replaced it by Sentis: give --target sentis"},
    {"burn", "",
     "nobody has asked it; its importer wants standard operators, from opset 16 on: give "
     "--target-opset 16 --fold"},
    {"candle-onnx", "candle", ""},
    {"cann", "ascend", ""},
    {"core-ml", "coreml", ""},
    {"coremltools", "", "it reads no ONNX; for ONNX Runtime's provider for Core ML give --target coreml"},
    {"cuda", "onnxruntime-cuda", ""},
    {"cv", "opencv", ""},
    {"cv2", "opencv", ""},
    {"deepstream", "tensorrt", ""},
    {"directml", "", "it runs in ONNX Runtime: give --target onnxruntime"},
    {"hailo", "",
     "nobody has asked it; its compiler wants standard operators, and dimensions that are numbers: give "
     "--target-opset 13 --fold, and --input-shape"},
    {"horizon", "",
     "nobody has asked it; its compiler wants standard operators, and dimensions that are numbers: give "
     "--target-opset 11 --fold, and --input-shape"},
    {"inference-engine", "sentis", ""},
    {"iree", "",
     "nobody has asked it operator by operator, and of whole models most run at opset 17: give "
     "--target-opset 17"},
    {"jetson", "tensorrt", ""},
    {"migraphx", "", "it runs in ONNX Runtime, which computes what it does not take: give --target onnxruntime"},
    {"nnapi", "", "it runs in ONNX Runtime, which computes what it does not take: give --target onnxruntime"},
    {"onnx.js", "onnxjs", ""},
    {"onnx-runtime", "onnxruntime", ""},
    {"onnx2tf", "litert", ""},
    {"onnx2torch", "",
     "nobody has asked it operator by operator, and of whole models most run at opset 13: give "
     "--target-opset 13"},
    {"onnxruntime-gpu", "onnxruntime-cuda", ""},
    {"opencv-python", "opencv", ""},
    {"opencv-python-headless", "opencv", ""},
    {"opencv4", "opencv-4", ""},
    {"opencv5", "opencv-5", ""},
    {"ort", "onnxruntime", ""},
    {"ort-cuda", "onnxruntime-cuda", ""},
    {"ort-gpu", "onnxruntime-cuda", ""},
    {"ort-web", "onnxruntime-web", ""},
    {"ov", "openvino", ""},
    {"pnnx", "ncnn", ""},
    {"rknn", "rknn-toolkit2", ""},
    {"rknn2", "rknn-toolkit2", ""},
    {"snpe", "",
     "nobody has asked it; what ONNX Runtime's provider for the same NPU takes is published: give "
     "--target qnn"},
    {"tensorflow-lite", "litert", ""},
    {"tflite", "litert", ""},
    {"tidl", "",
     "nobody has asked it; it runs in ONNX Runtime 1.15, which computes what the accelerator does not take: "
     "give --target onnxruntime-1.14"},
    {"trt", "tensorrt", ""},
    {"trt-rtx", "tensorrt-rtx", ""},
    {"trtx", "tensorrt-rtx", ""},
    {"unity", "sentis", ""},
    {"webgpu", "", "it runs in ONNX Runtime Web, whose WebAssembly was asked: give --target onnxruntime-web"},
    {"webnn", "", "it runs in ONNX Runtime Web, whose WebAssembly was asked: give --target onnxruntime-web"},
    {"xnnpack", "", "it runs in ONNX Runtime, which computes what it does not take: give --target onnxruntime"},
};

const KnownName* find_known(std::string_view name) {
  const auto* found = std::ranges::find(known_names, name, &KnownName::name);
  return found == std::end(known_names) ? nullptr : found;
}

// As names of targets are spelled, where people write "ONNXRuntime", "tensorrt_rtx" or, as for
// pip, "onnxruntime==1.22".
std::string spelled_as_targets(std::string_view text) {
  std::string spelled;
  for (const char character : text) {
    const bool is_separator = character == '_' || character == '=' || character == ' ';
    if (!is_separator) {
      spelled += lower_case(character);
    } else if (!spelled.ends_with('-')) {
      spelled += '-';
    }
  }
  return spelled;
}

// A version begins with a digit behind a dash, as in "tensorrt-rtx-1.7".
RuntimeName split_at_version(std::string_view text) {
  for (size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    if (dash > 0 && dash + 1 < text.size() && is_digit(text[dash + 1]))
      return {std::string(text.substr(0, dash)), std::string(text.substr(dash + 1))};
  }
  return {std::string(text), ""};
}

}  // namespace

RuntimeName parse_runtime_name(std::string_view text) {
  RuntimeName name = split_at_version(spelled_as_targets(text));
  const KnownName* known = find_known(name.runtime);
  if (known == nullptr || known->runtime.empty()) return name;
  RuntimeName of_target = split_at_version(known->runtime);
  if (!name.version.empty()) of_target.version = std::move(name.version);
  return of_target;
}

std::string_view advice_without_target(const RuntimeName& name) {
  const KnownName* known = find_known(name.runtime);
  return known == nullptr ? "" : known->advice;
}

}  // namespace onnx_lower
