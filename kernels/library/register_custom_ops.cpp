// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The one function that the library exports, and the adapters from the declarations
// here to the runtime's.
#include <algorithm>
#include <exception>
#include <list>
#include <map>
#include <mutex>

#include "library/operator.h"

namespace onnx_lower::kernels {
namespace {

// A kernel, and how error messages name its node.
struct BoundKernel {
  std::string node;
  std::unique_ptr<Kernel> kernel;
};

// One form of an operator under one of its names, as the runtime's API represents it. It lives as
// long as the library, since sessions refer to it.
struct CustomOp : OrtCustomOp {
  const KernelName& name;
  const Operator& definition;
  const Form& form;

  // `runtime` is the minor version of ONNX Runtime: 17 for 1.17.
  CustomOp(const KernelName& name, const Operator& definition, const Form& form, int runtime);

 private:
  void declare_inputs_and_outputs();
  void declare_kernel();
  void declare_shape_inference();
};

// Runtimes before this version dereference null when they infer shapes for a node with an absent
// input in the middle.
constexpr int kInfersBesideAbsentInputs = 24;

const CustomOp& self(const OrtCustomOp* op) { return *static_cast<const CustomOp*>(op); }

// Runs `work`, and returns what it throws as a status of the runtime; null when it does not throw.
template <typename Work>
OrtStatus* status_of(const Work& work) {
  try {
    work();
    return nullptr;
  } catch (const Ort::Exception& error) {
    return Ort::GetApi().CreateStatus(error.GetOrtErrorCode(), error.what());
  } catch (const BadInput& error) {
    return Ort::GetApi().CreateStatus(ORT_INVALID_ARGUMENT, error.what());
  } catch (const std::exception& error) {
    return Ort::GetApi().CreateStatus(ORT_RUNTIME_EXCEPTION, error.what());
  }
}

OrtCustomOpInputOutputCharacteristic characteristic(size_t index, size_t required) {
  return index < required ? INPUT_OUTPUT_REQUIRED : INPUT_OUTPUT_OPTIONAL;
}

bool is_among(const std::vector<size_t>& all, size_t index) { return std::ranges::find(all, index) != all.end(); }

CustomOp::CustomOp(const KernelName& name, const Operator& definition, const Form& form, int runtime)
    : OrtCustomOp{}, name(name), definition(definition), form(form) {
  version = kApiVersion;
  GetName = [](const OrtCustomOp* op) { return self(op).name.op_type; };
  GetExecutionProviderType = [](const OrtCustomOp* op) { return self(op).definition.execution_provider; };
  GetStartVersion = [](const OrtCustomOp*) { return 1; };
  GetEndVersion = [](const OrtCustomOp*) { return INT32_MAX; };
  declare_inputs_and_outputs();
  declare_kernel();
  const bool may_lack_one_in_the_middle = definition.required_inputs + 1 < form.inputs.size();
  if (definition.infer_shapes != nullptr && (!may_lack_one_in_the_middle || runtime >= kInfersBesideAbsentInputs))
    declare_shape_inference();
}

void CustomOp::declare_inputs_and_outputs() {
  GetInputTypeCount = [](const OrtCustomOp* op) { return self(op).form.inputs.size(); };
  GetInputType = [](const OrtCustomOp* op, size_t index) { return self(op).form.inputs[index]; };
  GetOutputTypeCount = [](const OrtCustomOp* op) { return self(op).form.outputs.size(); };
  GetOutputType = [](const OrtCustomOp* op, size_t index) { return self(op).form.outputs[index]; };
  GetInputCharacteristic = [](const OrtCustomOp* op, size_t index) {
    return characteristic(index, self(op).definition.required_inputs);
  };
  GetOutputCharacteristic = [](const OrtCustomOp* op, size_t index) {
    return characteristic(index, self(op).definition.required_outputs);
  };
  GetInputMemoryType = [](const OrtCustomOp* op, size_t index) {
    return is_among(self(op).form.on_host, index) ? OrtMemTypeCPUInput : OrtMemTypeDefault;
  };
  GetVariadicInputMinArity = [](const OrtCustomOp*) { return 1; };
  GetVariadicInputHomogeneity = [](const OrtCustomOp*) { return 1; };
  GetVariadicOutputMinArity = [](const OrtCustomOp*) { return 1; };
  GetVariadicOutputHomogeneity = [](const OrtCustomOp*) { return 1; };
}

void CustomOp::declare_kernel() {
  CreateKernelV2 = [](const OrtCustomOp* op, const OrtApi*, const OrtKernelInfo* info, void** kernel) {
    return status_of([&] {
      const Node node(info);
      const KernelName& name = self(op).name;
      auto bound = std::make_unique<BoundKernel>();
      bound->node = message(name.domain, "::", name.op_type, " '", node.name(), "': ");
      try {
        bound->kernel = self(op).definition.make(node);
      } catch (const BadInput& error) {
        fail(bound->node, error.what());
      }
      *kernel = bound.release();
    });
  };
  KernelComputeV2 = [](void* kernel, OrtKernelContext* context) {
    return status_of([&] {
      const auto& bound = *static_cast<const BoundKernel*>(kernel);
      Call call(context);
      try {
        bound.kernel->run(call);
      } catch (const BadInput& error) {
        fail(bound.node, error.what());
      }
    });
  };
  KernelDestroy = [](void* kernel) { delete static_cast<BoundKernel*>(kernel); };
}

// The runtime ignores the status. Shapes that cannot be inferred stay unknown, and the kernel
// reports what is wrong.
void CustomOp::declare_shape_inference() {
  InferOutputShapeFn = [](const OrtCustomOp* op, OrtShapeInferContext* context) -> OrtStatus* {
    OrtStatus* status = status_of([&] {
      ShapeInference shapes(context, self(op).definition.forms);
      self(op).definition.infer_shapes(shapes);
    });
    if (status != nullptr) Ort::GetApi().ReleaseStatus(status);
    return nullptr;
  };
}

// All operators, by domain.
struct Domains {
  std::list<CustomOp> ops;
  std::map<std::string, Ort::CustomOpDomain> by_name;

  explicit Domains(int runtime) {
    for (const KernelName& name : kernel_names()) {
      const std::string domain = name.domain == std::string_view("ai.onnx") ? "" : name.domain;
      const auto [place, is_new] = by_name.try_emplace(domain, nullptr);
      if (is_new) place->second = Ort::CustomOpDomain(domain.c_str());
      for (const RegisteredOperator& registered : registered_operators()) {
        if (registered.file != name.file) continue;
        for (const Form& form : registered.definition.forms)
          place->second.Add(&ops.emplace_back(name, registered.definition, form, runtime));
      }
    }
  }
};

// Made once for all sessions, and never freed: a session that lives until the process ends still
// refers to it, when the runtime may have been unloaded.
const Domains& domains(int runtime) {
  static const auto* const all = new Domains(runtime);
  return *all;
}

}  // namespace
}  // namespace onnx_lower::kernels

// The runtime calls this when it loads the library. Fails on runtimes older than 1.17.
extern "C" __attribute__((visibility("default"))) OrtStatus* ORT_API_CALL
RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* api_base) {
  using namespace onnx_lower::kernels;
  const OrtApi* api = api_base->GetApi(kApiVersion);
  if (api == nullptr) {
    const OrtApi* oldest = api_base->GetApi(1);
    return oldest == nullptr
               ? nullptr
               : oldest->CreateStatus(ORT_NOT_IMPLEMENTED, "the onnx-lower kernels need ONNX Runtime 1.17 or newer");
  }
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  Ort::InitApi(api);
  return status_of([&] {
    // The version looks like "1.17.3".
    const std::string version = api_base->GetVersionString();
    const int runtime = std::stoi(version.substr(version.find('.') + 1));
    for (const auto& [domain, ops] : domains(runtime).by_name) Ort::ThrowOnError(api->AddCustomOpDomain(options, ops));
  });
}
