// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "available_cpus.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

// "200000 100000" (microseconds of CPU time in each period) are 2 CPUs; "max" and -1 are no limit.
int quota_in(std::istream& text) {
  double quota = 0;
  double period = 0;
  if (!(text >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::ceil(quota / period));
}

int quota_of(const fs::path& group) {
  if (std::ifstream second_version(group / "cpu.max"); second_version) return quota_in(second_version);
  std::ifstream quota(group / "cpu.cfs_quota_us");
  std::ifstream period(group / "cpu.cfs_period_us");
  std::stringstream both;
  both << quota.rdbuf() << ' ' << period.rdbuf();
  return quota_in(both);
}

int smaller_limit(int left, int right) { return left == 0 ? right : right == 0 ? left : std::min(left, right); }

}  // namespace

int cgroup_cpus(std::string_view self, const fs::path& root) {
  int limit = 0;
  std::istringstream lines{std::string(self)};
  // "0::/path" for version 2, "4:cpu,cpuacct:/path" for version 1.
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers != ",," && controllers.find(",cpu,") == std::string::npos) continue;
    const fs::path mounted = controllers == ",," ? root : root / "cpu";
    fs::path group = mounted / fs::path(line.substr(second + 1)).relative_path();
    // Inside a container the path may be the host's, and the container's own group is mounted at
    // the root.
    for (;; group = group.parent_path()) {
      limit = smaller_limit(limit, quota_of(group));
      if (group == mounted || !group.has_relative_path()) break;
    }
    limit = smaller_limit(limit, quota_of(mounted));
  }
  return limit;
}

int available_cpus() {
  cpu_set_t allowed;
  int cpus = static_cast<int>(std::thread::hardware_concurrency());
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) cpus = CPU_COUNT(&allowed);
  std::ifstream self("/proc/self/cgroup");
  std::stringstream text;
  text << self.rdbuf();
  return std::max(1, smaller_limit(cpus, cgroup_cpus(text.view(), "/sys/fs/cgroup")));
}

}  // namespace onnx_lower
