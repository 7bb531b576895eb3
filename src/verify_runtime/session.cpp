// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "verify_runtime/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "model_file/wire.h"

namespace onnx_lower::verify_runtime {
namespace {

// The bytes of a file with others behind them, without a copy of the file: its pages are mapped,
// and what is appended lies in the rest of the last one and in pages behind it.
class ExtendedFile {
 public:
  ExtendedFile(const std::string& path, const std::string& appended) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || ::fstat(file, &status) != 0) fail(path, file);
    const auto file_size = static_cast<size_t>(status.st_size);
    size_ = file_size + appended.size();
    reserved_ = size_ + 1;
    bytes_ = ::mmap(nullptr, reserved_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes_ == MAP_FAILED) fail(path, file);
    if (file_size > 0 &&
        ::mmap(bytes_, file_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == MAP_FAILED)
      fail(path, file);
    ::close(file);
    std::memcpy(static_cast<char*>(bytes_) + file_size, appended.data(), appended.size());
  }
  ~ExtendedFile() { ::munmap(bytes_, reserved_); }
  ExtendedFile(const ExtendedFile&) = delete;
  ExtendedFile& operator=(const ExtendedFile&) = delete;

  const void* bytes() const { return bytes_; }
  size_t size() const { return size_; }

 private:
  [[noreturn]] static void fail(const std::string& path, int file) {
    const std::string reason = std::strerror(errno);
    if (file >= 0) ::close(file);
    throw RuntimeError(fmt::format("{}: {}", path, reason));
  }

  void* bytes_ = nullptr;
  size_t size_ = 0, reserved_ = 0;
};

// The field of a ModelProto that makes these values outputs of its main graph.
std::string field_of_outputs(const std::vector<std::string>& names) {
  constexpr uint32_t graph_of_model = 7;
  constexpr uint32_t output_of_graph = 12;
  constexpr uint32_t name_of_value_info = 1;
  std::string graph;
  for (const std::string& name : names) {
    std::string declaration;
    append_field(declaration, name_of_value_info, name);
    append_field(graph, output_of_graph, declaration);
  }
  std::string field;
  if (!names.empty()) append_field(field, graph_of_model, graph);
  return field;
}

// The folder that relative paths are relative to while the object lives.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : before_(::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (::chdir(folder.c_str()) != 0) throw RuntimeError(fmt::format("{}: {}", folder, std::strerror(errno)));
  }
  ~WorkingFolder() {
    if (before_ < 0) return;
    [[maybe_unused]] const int failed = ::fchdir(before_);
    ::close(before_);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

 private:
  int before_;
};

std::string data_folder_of(const RunnableModel& model) {
  const std::filesystem::path beside = std::filesystem::path(model.path).parent_path();
  const std::filesystem::path folder = model.data_folder.empty() ? beside : std::filesystem::path(model.data_folder);
  return std::filesystem::absolute(folder.empty() ? "." : folder).string();
}

class SessionOptions {
 public:
  SessionOptions(const OrtApi& api, GraphOptimizationLevel level, const RunnableModel& model) : api_(api) {
    check(api, api.CreateSessionOptions(&options_));
    check(api, api.SetSessionGraphOptimizationLevel(options_, level));
    if (level == ORT_DISABLE_ALL) {
      // Weights would be laid out anew for faster runs, which takes longer than the few runs do.
      check(api, api.AddSessionConfigEntry(options_, "session.disable_prepacking", "1"));
    }
    if (loads_bytes(model)) {
      // ONNX Runtime before 1.19 does not know the key, and looks in the working folder.
      check(api, api.AddSessionConfigEntry(options_, "session.model_external_initializers_file_folder_path",
                                           data_folder_of(model).c_str()));
    }
    // ONNX Runtime joins a DequantizeLinear of blocks with the product behind it, and rounds what
    // it multiplies them by to 8 bits unless it is told to compute as it is written.
    check(api, api.AddSessionConfigEntry(options_, "session.qdq_matmulnbits_accuracy_level", "1"));
    void* library = nullptr;  // stays loaded until the process ends
    if (!model.kernel_library.empty())
      check(api, api.RegisterCustomOpsLibrary(options_, model.kernel_library.c_str(), &library));
  }
  ~SessionOptions() { api_.ReleaseSessionOptions(options_); }
  SessionOptions(const SessionOptions&) = delete;
  SessionOptions& operator=(const SessionOptions&) = delete;

  const OrtSessionOptions* get() const { return options_; }

 private:
  const OrtApi& api_;
  OrtSessionOptions* options_ = nullptr;
};

struct TensorFacts {
  Elements elements;
  std::vector<int64_t> dims;
};

TensorFacts facts_of(const OrtApi& api, OrtValue* value) {
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api, api.GetTensorTypeAndShape(value, &info));
  TensorFacts facts;
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  size_t rank = 0;
  check(api, api.GetTensorElementType(info, &type));
  check(api, api.GetTensorShapeElementCount(info, &facts.elements.count));
  check(api, api.GetDimensionsCount(info, &rank));
  facts.dims.resize(rank);
  check(api, api.GetDimensions(info, facts.dims.data(), rank));
  api.ReleaseTensorTypeAndShapeInfo(info);
  facts.elements.element_type = type;
  void* data = nullptr;
  if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) check(api, api.GetTensorMutableData(value, &data));
  facts.elements.data = data;
  return facts;
}

std::vector<std::string> strings_of(const OrtApi& api, const OrtValue* value, size_t count) {
  size_t size = 0;
  check(api, api.GetStringTensorDataLength(value, &size));
  std::string all(size, '\0');
  std::vector<size_t> begins(count + 1, size);
  if (count > 0) check(api, api.GetStringTensorContent(value, all.data(), size, begins.data(), count));
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; ++i) strings.push_back(all.substr(begins[i], begins[i + 1] - begins[i]));
  return strings;
}

ONNXType kind_of(const OrtApi& api, const OrtValue* value) {
  ONNXType type = ONNX_TYPE_UNKNOWN;
  if (value != nullptr) check(api, api.GetValueType(value, &type));
  return type;
}

}  // namespace

bool loads_bytes(const RunnableModel& model) { return !model.data_folder.empty() || !model.extra_outputs.empty(); }

void check(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return;
  std::string message = api.GetErrorMessage(status);
  api.ReleaseStatus(status);
  std::ranges::replace(message, '\n', ' ');
  throw RuntimeError(message);
}

std::vector<Value> Value::parts() const {
  size_t count = 0;
  check(*api_, api_->GetValueCount(value_, &count));
  OrtAllocator* allocator = nullptr;
  check(*api_, api_->GetAllocatorWithDefaultOptions(&allocator));
  std::vector<Value> parts;
  for (size_t i = 0; i < count; ++i) {
    OrtValue* part = nullptr;
    check(*api_, api_->GetValue(value_, static_cast<int>(i), allocator, &part));
    parts.emplace_back(*api_, part);
  }
  return parts;
}

void Value::compare_tensors(const Value& other, bool holds_codes, ValueDifference& difference) const {
  const TensorFacts facts = facts_of(*api_, value_);
  const TensorFacts others = facts_of(*api_, other.value_);
  difference.element_type = element_type_name(facts.elements.element_type);
  if (facts.elements.element_type != others.elements.element_type) {
    difference.problem = fmt::format("its type is {}, and {} in the output", difference.element_type,
                                     element_type_name(others.elements.element_type));
  } else if (facts.dims != others.dims) {
    difference.problem = fmt::format("its shape is [{}], and [{}] in the output", fmt::join(facts.dims, ","),
                                     fmt::join(others.dims, ","));
  } else if (facts.elements.element_type == ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
    verify_runtime::compare(strings_of(*api_, value_, facts.elements.count),
                            strings_of(*api_, other.value_, facts.elements.count), difference);
  } else {
    verify_runtime::compare(facts.elements, others.elements, holds_codes, difference);
  }
  difference.is_equal = difference.differing == 0 && difference.problem.empty();
}

void Value::compare(const Value& other, bool holds_codes, ValueDifference& difference) const {
  if (!difference.problem.empty()) return;
  const ONNXType type = kind_of(*api_, value_);
  if (type != kind_of(*other.api_, other.value_)) {
    difference.problem = "it is of another kind: of tensor, sequence, map and optional without a value";
  } else if (type == ONNX_TYPE_TENSOR) {
    compare_tensors(other, holds_codes, difference);
  } else if (type == ONNX_TYPE_SEQUENCE || type == ONNX_TYPE_MAP) {
    const std::vector<Value> own = parts();
    const std::vector<Value> others = other.parts();
    if (own.size() != others.size())
      difference.problem = fmt::format("it has {} elements, and {} in the output", own.size(), others.size());
    for (size_t i = 0; i < std::min(own.size(), others.size()); ++i) own[i].compare(others[i], holds_codes, difference);
  } else if (type != ONNX_TYPE_UNKNOWN) {
    difference.problem = "it is a sparse tensor, or of a type that cannot be compared";
  }
  difference.is_equal = difference.differing == 0 && difference.problem.empty();
}

Session::Session(const Runtime& runtime, OrtEnv* environment, const RunnableModel& model) : api_(*runtime.api) {
  check(api_, api_.CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &memory_));
  try {
    load(environment, model, ORT_DISABLE_ALL);
  } catch (const RuntimeError&) {
    // Some nodes have kernels only when they are fused with others.
    try {
      load(environment, model, ORT_ENABLE_ALL);
    } catch (const RuntimeError&) {
      api_.ReleaseMemoryInfo(memory_);
      throw;
    }
  }
  OrtAllocator* allocator = nullptr;
  check(api_, api_.GetAllocatorWithDefaultOptions(&allocator));
  size_t count = 0;
  check(api_, api_.SessionGetInputCount(session_, &count));
  for (size_t i = 0; i < count; ++i) {
    char* name = nullptr;
    check(api_, api_.SessionGetInputName(session_, i, allocator, &name));
    inputs_.emplace_back(name);
    check(api_, api_.AllocatorFree(allocator, name));
  }
}

Session::~Session() {
  if (session_ != nullptr) api_.ReleaseSession(session_);
  if (memory_ != nullptr) api_.ReleaseMemoryInfo(memory_);
}

void Session::load(OrtEnv* environment, const RunnableModel& model, GraphOptimizationLevel level) {
  const SessionOptions options(api_, level, model);
  if (!loads_bytes(model)) {
    check(api_, api_.CreateSession(environment, model.path.c_str(), options.get(), &session_));
    return;
  }
  const ExtendedFile file(model.path, field_of_outputs(model.extra_outputs));
  const WorkingFolder folder(data_folder_of(model));
  check(api_, api_.CreateSessionFromArray(environment, file.bytes(), file.size(), options.get(), &session_));
}

bool Session::has_input(const std::string& name) const { return std::ranges::find(inputs_, name) != inputs_.end(); }

Value Session::tensor_of(const PlannedInput& plan, const MadeInput& made, const std::string& data) const {
  OrtValue* tensor = nullptr;
  const auto type = static_cast<ONNXTensorElementDataType>(plan.element_type);
  if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING) {
    check(api_, api_.CreateTensorWithDataAsOrtValue(memory_, const_cast<char*>(data.data()), data.size(),
                                                    made.dims.data(), made.dims.size(), type, &tensor));
    return {api_, tensor};
  }
  OrtAllocator* allocator = nullptr;
  check(api_, api_.GetAllocatorWithDefaultOptions(&allocator));
  check(api_, api_.CreateTensorAsOrtValue(allocator, made.dims.data(), made.dims.size(), type, &tensor));
  Value value(api_, tensor);
  std::vector<const char*> strings;
  for (const std::string& text : made.strings) strings.push_back(text.c_str());
  check(api_, api_.FillStringTensor(tensor, strings.data(), strings.size()));
  return value;
}

Value Session::value_of(const PlannedInput& plan, const MadeInput& made) const {
  if (!plan.is_sequence) return tensor_of(plan, made, made.data.front());
  std::vector<Value> tensors;
  std::vector<const OrtValue*> pointers;
  for (const std::string& data : made.data) pointers.push_back(tensors.emplace_back(tensor_of(plan, made, data)).get());
  OrtValue* sequence = nullptr;
  check(api_, api_.CreateValue(pointers.data(), pointers.size(), ONNX_TYPE_SEQUENCE, &sequence));
  return {api_, sequence};
}

std::vector<Value> Session::run(const std::vector<PlannedInput>& plan, std::span<const MadeInput> inputs,
                                const std::vector<ComparedValue>& outputs) const {
  std::vector<Value> values;
  std::vector<const char*> input_names;
  std::vector<const OrtValue*> input_values;
  for (size_t i = 0; i < plan.size(); ++i) {
    if (!has_input(plan[i].name)) continue;
    input_names.push_back(plan[i].name.c_str());
    input_values.push_back(values.emplace_back(value_of(plan[i], inputs[i])).get());
  }
  std::vector<const char*> output_names;
  for (const ComparedValue& output : outputs) output_names.push_back(output.name.c_str());
  std::vector<OrtValue*> results(outputs.size(), nullptr);
  OrtStatus* const status = api_.Run(session_, nullptr, input_names.data(), input_values.data(), input_names.size(),
                                     output_names.data(), output_names.size(), results.data());
  std::vector<Value> made;
  for (OrtValue* const result : results) made.emplace_back(api_, result);
  check(api_, status);
  return made;
}

}  // namespace onnx_lower::verify_runtime
