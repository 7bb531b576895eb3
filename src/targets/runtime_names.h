// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What people call runtimes: short names of those that have a target, and names of those that have
// none.
#pragma once

#include <string>
#include <string_view>

namespace onnx_lower {

// A name as --target was given it: "ORT-1.22" is ONNX Runtime, version 1.22.
struct RuntimeName {
  // As targets spell it: "onnxruntime". A name that is not known is in lower case.
  std::string runtime;
  std::string version;  // "1.22"; empty where none was given
};

RuntimeName parse_runtime_name(std::string_view text);

// What is known of a runtime without a target, and what to give in its place, as a clause; empty
// for a name that is not known.
std::string_view advice_without_target(const RuntimeName& name);

}  // namespace onnx_lower
