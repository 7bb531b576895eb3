// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// How many CPUs this process may keep busy.
#pragma once

#include <filesystem>
#include <string_view>

namespace onnx_lower {

// The CPUs that it may run on (affinity), or fewer where its control group has a smaller quota of
// time, as containers have. At least 1.
int available_cpus();

// The quota of a control group and of those above it, in CPUs rounded up; 0 when there is none.
// `self` is the text of /proc/self/cgroup, `root` where the groups are mounted.
int cgroup_cpus(std::string_view self, const std::filesystem::path& root);

}  // namespace onnx_lower
