// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The runtime's C++ API, bound at run time to the version that it was asked for: the library links
// no onnxruntime.
#pragma once

#ifndef ORT_API_MANUAL_INIT
#define ORT_API_MANUAL_INIT
#endif
#include <onnxruntime_cxx_api.h>

#include <cstdint>

namespace onnx_lower::kernels {

// That of ONNX Runtime 1.17, the first with shape inference for custom operators, and what
// OrtCustomOp::version says. Nothing newer may be called: the headers declare it, and an old
// runtime has nothing behind it.
inline constexpr uint32_t kApiVersion = 17;
static_assert(ORT_API_VERSION >= kApiVersion, "the headers of ONNX Runtime are older than 1.17");

// A refused look-up is the API's way to say that there is no such thing.
inline bool succeeded(OrtStatus* status) {
  if (status == nullptr) return true;
  Ort::GetApi().ReleaseStatus(status);
  return false;
}

}  // namespace onnx_lower::kernels
