// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Finds targets by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "targets/target_file.h"

namespace onnx_lower {

using Targets = std::vector<std::shared_ptr<const TargetFile>>;

// The target if the user names none: what both ONNX Runtime and OpenVINO support, for
// nodes that rules make.
constexpr std::string_view default_target = "default";

// What the user calls it.
constexpr std::string_view any_target = "any";

// Finds "onnxruntime-1.17"; or by another name of the runtime ("ort"), the newest version that it
// allows, or else the nearest older one, which TargetFile::found_as says then; or a file, if the
// text holds a '/' or ends in .target. Throws UsageError when there is no such target; FileError or
// InvalidInput when the file cannot be read or is not valid.
std::shared_ptr<const TargetFile> find_target(const std::string& text);

// Finds the targets in a list with commas.
Targets find_targets(const std::string& texts);

// What --without says: operators (domain and name, "" for ai.onnx) and whole domains (no name) that
// the output may not have, whatever else runtimes take. `text`: as the user gave it.
struct WithoutOperator {
  std::string domain;
  std::string op_type;
};
std::shared_ptr<const TargetFile> target_without(const std::vector<WithoutOperator>& operators,
                                                 const std::string& text);

// Those of the targets that are runtimes, and those that are restrictions.
Targets runtimes_of(const Targets& targets);
Targets restrictions_of(const Targets& targets);

// The targets of such a list that are files.
std::vector<std::string> target_files_in(const std::string& texts);

// All targets that are compiled in, except the default one.
std::vector<TargetFile> built_in_targets();
std::vector<std::string> built_in_target_names();

// The first target with this property, such as `only_static_shapes`; null when none has it.
const TargetFile* first_with(std::span<const std::shared_ptr<const TargetFile>> targets, bool TargetFile::*property);

// The element types that at least one target reads correctly only as raw data: bit
// N is TensorProto.DataType N.
uint64_t types_as_raw_data(std::span<const std::shared_ptr<const TargetFile>> targets);

// What all targets support: the versions of a domain, the versions of ai.onnx for models that have
// to be lowered, and the IR versions.
VersionRange common_opsets(std::span<const std::shared_ptr<const TargetFile>> targets, std::string_view domain);
VersionRange common_opsets_of_lowered(std::span<const std::shared_ptr<const TargetFile>> targets);
VersionRange common_ir_versions(std::span<const std::shared_ptr<const TargetFile>> targets);

}  // namespace onnx_lower
