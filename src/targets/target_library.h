// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The targets by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "targets/target_file.h"

namespace onnx_lower {

using Targets = std::vector<std::shared_ptr<const TargetFile>>;

// What holds where the user names no target: what ONNX Runtime and OpenVINO both take of what rules
// make.
constexpr std::string_view default_target = "default";

// "onnxruntime-1.17", or "onnxruntime" for the newest version that is there, or a file's path where
// the text holds a '/' or ends in .target.
// Throws UsageError when there is no such target, FileError and InvalidInput as the file gives
// reason to.
std::shared_ptr<const TargetFile> find_target(const std::string& text);

// A list of these with commas between.
Targets find_targets(const std::string& texts);

// Those of such a list that are files.
std::vector<std::string> target_files_in(const std::string& texts);

// All that are compiled in, but the default one.
std::vector<TargetFile> built_in_targets();

// The first of which the file says that, as of `only_static_shapes`; null when none does.
const TargetFile* first_with(std::span<const std::shared_ptr<const TargetFile>> targets, bool TargetFile::*property);

// The element types that one of them reads rightly as raw data only: bit N is TensorProto.DataType
// N.
uint64_t types_as_raw_data(std::span<const std::shared_ptr<const TargetFile>> targets);

// What all of them take: the versions of a domain, those of ai.onnx for models that have to be
// lowered, the IR versions.
VersionRange common_opsets(std::span<const std::shared_ptr<const TargetFile>> targets, std::string_view domain);
VersionRange common_opsets_of_lowered(std::span<const std::shared_ptr<const TargetFile>> targets);
VersionRange common_ir_versions(std::span<const std::shared_ptr<const TargetFile>> targets);

}  // namespace onnx_lower
