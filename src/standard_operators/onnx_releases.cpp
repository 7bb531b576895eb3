// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "standard_operators/onnx_releases.h"

#include <algorithm>
#include <array>

#include "onnx/onnx_pb.h"

namespace onnx_lower {
namespace {

using onnx::TensorProto;

// Source: the table of onnx's releases in its docs/Versioning.md.
constexpr std::array<OnnxRelease, 20> releases = {{{3, 7, 1},   {3, 8, 1},   {4, 9, 1},   {5, 10, 1},  {6, 11, 2},
                                                   {7, 12, 2},  {7, 13, 2},  {7, 14, 2},  {8, 15, 2},  {8, 16, 3},
                                                   {8, 17, 3},  {8, 18, 3},  {9, 19, 3},  {9, 20, 4},  {10, 21, 5},
                                                   {10, 22, 5}, {11, 23, 5}, {12, 24, 5}, {13, 25, 5}, {13, 26, 5}}};

}  // namespace

int64_t first_ir_version_with_type(int data_type) {
  switch (data_type) {
    case TensorProto::FLOAT8E4M3FN:
    case TensorProto::FLOAT8E4M3FNUZ:
    case TensorProto::FLOAT8E5M2:
    case TensorProto::FLOAT8E5M2FNUZ:
      return 9;
    case TensorProto::UINT4:
    case TensorProto::INT4:
      return 10;
    case TensorProto::FLOAT4E2M1:
      return 11;
    case TensorProto::FLOAT8E8M0:
      return 12;
    default:
      return data_type > TensorProto::FLOAT8E8M0 ? 13 : 0;
  }
}

const OnnxRelease& newest_release_of_ir(int64_t ir_version) {
  const auto after =
      std::ranges::find_if(releases, [&](const OnnxRelease& release) { return release.ir_version > ir_version; });
  if (after == releases.begin()) return releases.front();
  const OnnxRelease& newest = *(after - 1);
  return newest.ir_version == ir_version || after == releases.end() ? newest : *after;
}

const OnnxRelease* release_with_opset(int64_t opset) {
  const auto found = std::ranges::find_if(releases, [&](const OnnxRelease& release) { return release.opset >= opset; });
  return found == releases.end() ? nullptr : &*found;
}

}  // namespace onnx_lower
