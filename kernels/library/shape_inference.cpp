// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/shape_inference.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "library/onnxruntime_api.h"

namespace onnx_lower::kernels {
namespace {

// The runtime takes dimensions of the same name for equal, so that every unknown dimension gets a
// name of its own.
std::string fresh_name() {
  static std::atomic<uint64_t> number = 0;
  return "onnx_lower_unknown_" + std::to_string(++number);
}

}  // namespace

const OrtTensorTypeAndShapeInfo* ShapeInference::input_info(size_t index) const {
  const OrtApi& api = Ort::GetApi();
  size_t count = 0;
  Ort::ThrowOnError(api.ShapeInferContext_GetInputCount(context_, &count));
  OrtTensorTypeAndShapeInfo* info = nullptr;  // owned by the context
  if (index >= count || !succeeded(api.ShapeInferContext_GetInputTypeShape(context_, index, &info))) return nullptr;
  return info;
}

const Form* ShapeInference::form() const {
  const auto fits = [this](const Form& form) {
    for (size_t index = 0; index < form.inputs.size(); ++index) {
      const OrtTensorTypeAndShapeInfo* info = input_info(index);
      ElementType type = kUndefined;
      if (info != nullptr) Ort::ThrowOnError(Ort::GetApi().GetTensorElementType(info, &type));
      if (type != kUndefined && form.inputs[index] != kUndefined && type != form.inputs[index]) return false;
    }
    return true;
  };
  const auto found = std::ranges::find_if(forms_, fits);
  return found == forms_.end() ? nullptr : &*found;
}

std::optional<Dims> ShapeInference::input(size_t index) const {
  const OrtApi& api = Ort::GetApi();
  const OrtTensorTypeAndShapeInfo* info = input_info(index);
  if (info == nullptr) return std::nullopt;
  size_t rank = 0;
  Ort::ThrowOnError(api.GetDimensionsCount(info, &rank));
  if (rank == 0) return std::nullopt;
  std::vector<int64_t> values(rank);
  std::vector<const char*> names(rank);
  Ort::ThrowOnError(api.GetDimensions(info, values.data(), rank));
  Ort::ThrowOnError(api.GetSymbolicDimensions(info, names.data(), rank));
  Dims dims(rank);
  for (size_t axis = 0; axis < rank; ++axis) {
    dims[axis].value = values[axis];
    if (values[axis] < 0 && names[axis] != nullptr) dims[axis].name = names[axis];
  }
  return dims;
}

std::optional<int64_t> ShapeInference::integer_attribute(const char* name) const {
  const OrtApi& api = Ort::GetApi();
  const OrtOpAttr* attribute = nullptr;
  if (!succeeded(api.ShapeInferContext_GetAttribute(context_, name, &attribute))) return std::nullopt;
  int64_t value = 0;
  size_t size = 0;
  if (!succeeded(api.ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof value, &size))) return std::nullopt;
  return value;
}

void ShapeInference::set_output(size_t index, const Dims& dims) {
  const OrtApi& api = Ort::GetApi();
  // Newer runtimes also take the element type from here.
  const Form* form = this->form();
  if (form == nullptr || form->outputs[index] == kUndefined) return;
  std::vector<std::string> names;
  std::vector<const char*> pointers;
  std::vector<int64_t> values;
  for (const Dim& dim : dims) {
    names.push_back(dim.is_known() ? "" : dim.name.empty() ? fresh_name() : dim.name);
    values.push_back(dim.is_known() ? dim.value : -1);
  }
  for (const std::string& name : names) pointers.push_back(name.c_str());

  OrtTensorTypeAndShapeInfo* raw = nullptr;
  Ort::ThrowOnError(api.CreateTensorTypeAndShapeInfo(&raw));
  const std::unique_ptr<OrtTensorTypeAndShapeInfo, void (*)(OrtTensorTypeAndShapeInfo*)> info(
      raw, [](OrtTensorTypeAndShapeInfo* of) { Ort::GetApi().ReleaseTensorTypeAndShapeInfo(of); });
  Ort::ThrowOnError(api.SetTensorElementType(info.get(), form->outputs[index]));
  Ort::ThrowOnError(api.SetDimensions(info.get(), values.data(), values.size()));
  Ort::ThrowOnError(api.SetSymbolicDimensions(info.get(), pointers.data(), pointers.size()));
  Ort::ThrowOnError(api.ShapeInferContext_SetOutputTypeShape(context_, index, info.get()));
}

}  // namespace onnx_lower::kernels
