// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of work, each in a process of its own, several at once.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace onnx_lower {

struct FinishedProcess {
  size_t task = 0;
  pid_t process = 0;
  int exit_status = 0;  // -1 when a signal ended it
  int signal = 0;       // 0 when it ended by itself
  bool timed_out = false;
  std::string result;    // what its work returned; empty when it did not come so far
  std::string messages;  // what it wrote to standard error
  double milliseconds = 0;
  uint64_t peak_memory = 0;  // bytes
};

// What a process is to return: its exit status, and in `result` what the pool hands on.
using Work = std::function<int(std::string& result)>;

// The processes are copies of this one (fork), made while it has but one thread; they end when it does. What they take is given back when they end, and
// what kills one kills no other.
class ProcessPool {
 public:
  ProcessPool(size_t most, std::optional<double> timeout_seconds);
  ~ProcessPool();  // ends those that still run
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  bool full() const;
  bool empty() const;

  // Only when not full. False when there is no room for another process until one of those that run has ended; throws FileError when none runs either.
  bool start(size_t task, const Work& work);

  // Waits until one or more have ended, and gives them. Nothing when none runs, or a signal came (see interruption.h).
  std::vector<FinishedProcess> wait();

  // Asks all to end, makes sure that they do, and gives them.
  std::vector<FinishedProcess> stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Running;

  FinishedProcess finish(Running& running);
  void end_those_that_take_too_long();
  int milliseconds_to_wait() const;

  size_t most_;
  std::optional<Clock::duration> timeout_;
  std::vector<Running> running_;
};

}  // namespace onnx_lower
