// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The runtime's C++ API in the version that was asked for when the library was loaded: the library
// is not linked with onnxruntime.
#pragma once

#ifndef ORT_API_MANUAL_INIT
#define ORT_API_MANUAL_INIT
#endif
#include <onnxruntime_cxx_api.h>

#include <cstdint>

namespace onnx_lower::kernels {

// The API version of ONNX Runtime 1.17, the first with shape inference for custom operators; also
// the value of OrtCustomOp::version. Newer functions must not be called: the headers declare them,
// but an old runtime does not have them.
inline constexpr uint32_t kApiVersion = 17;
static_assert(ORT_API_VERSION >= kApiVersion, "the headers of ONNX Runtime are older than 1.17");

// The API reports that something does not exist as a failed look-up.
inline bool succeeded(OrtStatus* status) {
  if (status == nullptr) return true;
  Ort::GetApi().ReleaseStatus(status);
  return false;
}

}  // namespace onnx_lower::kernels
