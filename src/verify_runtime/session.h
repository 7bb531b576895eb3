// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Models in ONNX Runtime, by its C API.
#pragma once

#include <onnxruntime_c_api.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "verify/comparison.h"
#include "verify_runtime/find_runtime.h"
#include "verify_runtime/tolerance.h"

namespace onnx_lower::verify_runtime {

// What the runtime says.
class RuntimeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A tensor, or a sequence or map of values.
class Value {
 public:
  Value(const OrtApi& api, OrtValue* value) : api_(&api), value_(value) {}
  Value(Value&& other) noexcept : api_(other.api_), value_(std::exchange(other.value_, nullptr)) {}
  Value& operator=(Value&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Value() {
    if (value_ != nullptr) api_->ReleaseValue(value_);
  }

  OrtValue* get() const { return value_; }
  // Adds to `difference` how the other value differs from this one, which is the original's.
  void compare(const Value& other, bool holds_codes, ValueDifference& difference) const;

 private:
  void compare_tensors(const Value& other, bool holds_codes, ValueDifference& difference) const;
  std::vector<Value> parts() const;

  const OrtApi* api_;
  OrtValue* value_;  // null where an optional has no value
};

// An input, and the memory that its tensors lie in.
struct MadeInput {
  std::vector<std::string> data;     // of each tensor; more than one only in a sequence
  std::vector<std::string> strings;  // of a tensor of strings
  std::vector<int64_t> dims;
};

// One model, loaded. Its nodes run as they stand, without the runtime's optimizations: so what each
// value is does not depend on which others are looked at, and fused nodes do not round elsewhere.
class Session {
 public:
  Session(const Runtime& runtime, OrtEnv* environment, const RunnableModel& model);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool has_input(const std::string& name) const;
  std::vector<Value> run(const std::vector<PlannedInput>& plan, std::span<const MadeInput> inputs,
                         const std::vector<ComparedValue>& outputs) const;

 private:
  void load(OrtEnv* environment, const RunnableModel& model, GraphOptimizationLevel level);
  Value value_of(const PlannedInput& plan, const MadeInput& made) const;
  Value tensor_of(const PlannedInput& plan, const MadeInput& made, const std::string& data) const;

  const OrtApi& api_;
  OrtSession* session_ = nullptr;
  OrtMemoryInfo* memory_ = nullptr;
  std::vector<std::string> inputs_;
};

// Whether the runtime gets the model as bytes, and not as a path. The process has another working
// folder meanwhile, where the runtime looks for external data.
bool loads_bytes(const RunnableModel& model);

// Throws RuntimeError where the runtime says that a call has failed.
void check(const OrtApi& api, OrtStatus* status);

}  // namespace onnx_lower::verify_runtime
