// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "library/node.h"

#include "library/message.h"
#include "library/onnxruntime_api.h"

namespace onnx_lower::kernels {
namespace {

std::optional<std::vector<float>> floats_called(const OrtKernelInfo* info, const char* name) {
  const OrtApi& api = Ort::GetApi();
  float value = 0;
  if (succeeded(api.KernelInfoGetAttribute_float(info, name, &value))) return std::vector{value};
  size_t count = 0;
  if (!succeeded(api.KernelInfoGetAttributeArray_float(info, name, nullptr, &count))) return std::nullopt;
  std::vector<float> values(count);
  if (count > 0) Ort::ThrowOnError(api.KernelInfoGetAttributeArray_float(info, name, values.data(), &count));
  return values;
}

std::optional<std::vector<int64_t>> integers_called(const OrtKernelInfo* info, const char* name) {
  const OrtApi& api = Ort::GetApi();
  int64_t value = 0;
  if (succeeded(api.KernelInfoGetAttribute_int64(info, name, &value))) return std::vector{value};
  size_t count = 0;
  if (!succeeded(api.KernelInfoGetAttributeArray_int64(info, name, nullptr, &count))) return std::nullopt;
  std::vector<int64_t> values(count);
  if (count > 0) Ort::ThrowOnError(api.KernelInfoGetAttributeArray_int64(info, name, values.data(), &count));
  return values;
}

// What `read` returns for that one of the names which the node has.
template <typename Read>
auto under_one_name(std::initializer_list<const char*> names, const char* suffix, const Read& read) {
  decltype(read("")) found;
  for (const char* name : names) {
    for (const std::string& spelling : {std::string(name), std::string(name) + suffix}) {
      auto values = read(spelling.c_str());
      if (!values) continue;
      if (found) fail("attribute '", spelling, "' gives once more what another one has given");
      found = std::move(values);
    }
  }
  return found;
}

template <typename T>
std::optional<T> only(const std::optional<std::vector<T>>& values, const char* name) {
  if (!values) return std::nullopt;
  if (values->size() != 1) fail("attribute '", name, "' has ", values->size(), " elements instead of one");
  return values->front();
}

}  // namespace

std::string Node::name() const { return Ort::ConstKernelInfo(info_).GetNodeName(); }

bool Node::has_input(size_t index) const {
  const Ort::ConstKernelInfo info(info_);
  return index < info.GetInputCount() && !info.GetInputName(index).empty();
}

ElementType Node::output_type(size_t index) const {
  const Ort::ConstKernelInfo info(info_);
  if (index >= info.GetOutputCount() || info.GetOutputName(index).empty()) return kUndefined;
  return info.GetOutputTypeInfo(index).GetTensorTypeAndShapeInfo().GetElementType();
}

std::optional<std::vector<int64_t>> Node::integers(std::initializer_list<const char*> names) const {
  return under_one_name(names, "_i", [&](const char* name) { return integers_called(info_, name); });
}

std::optional<int64_t> Node::integer(std::initializer_list<const char*> names) const {
  return only(integers(names), *names.begin());
}

std::optional<std::vector<float>> Node::numbers(std::initializer_list<const char*> names) const {
  return under_one_name(names, "_f", [&](const char* name) {
    auto values = floats_called(info_, name);
    if (values && !values->empty()) return values;
    // A list that cannot be read as floats, or that is empty, may be a list of integers.
    if (const auto integers = integers_called(info_, name)) values.emplace(integers->begin(), integers->end());
    return values;
  });
}

std::optional<float> Node::number(std::initializer_list<const char*> names) const {
  return only(numbers(names), *names.begin());
}

}  // namespace onnx_lower::kernels
