// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Pieces of work in processes other than this one, several at once.
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

struct FinishedTask {
  size_t task = 0;
  pid_t process = 0;    // in which it was done
  int exit_status = 0;  // -1 when a signal ended the process
  int signal = 0;       // that ended the process; 0: none did
  bool timed_out = false;
  std::string result;    // what its work returned; empty when it did not come so far
  std::string messages;  // what it wrote to standard error
  double milliseconds = 0;
  uint64_t peak_memory = 0;  // bytes, of the process while it was at this task
};

// Does one task in a process of the pool. Returns its exit status, and in `result` what the pool
// hands on.
using Work = std::function<int(size_t task, std::string& result)>;

// The processes are copies of this one (fork), made while it has but one thread; they end when it
// does. Each does one task after another, for which all that `work` has learnt meanwhile is at
// hand. What kills a process fails the task that it was at, and no other. A process that a task has
// made larger by more than `most_growth` ends with it, so that its memory is given back.
class ProcessPool {
 public:
  static constexpr uint64_t most_growth = 64 << 20;  // bytes

  ProcessPool(Work work, size_t most, std::optional<double> timeout_seconds);
  ~ProcessPool();  // ends those that still run
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  // Whether as many tasks are under way as may be, and whether none is.
  bool full() const;
  bool empty() const;

  // Only when not full. False when there is no room for another process until a task is done;
  // throws FileError when none is under way either.
  bool start(size_t task);

  // No other task is going to be started: a process without one ends, and gives its memory to those
  // that still have one.
  void close();

  // Waits until one or more tasks are done, and gives them. Nothing when none is under way, or a
  // signal came (see interruption.h).
  std::vector<FinishedTask> wait();

  // Ends all processes, and gives the tasks that they were at.
  std::vector<FinishedTask> stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Process;

  bool start_process();
  bool hand_over(size_t task, Process& process) const;
  bool take(Process& process);
  static void collect(Process& process);
  static void dismiss(Process& process);
  void end_those_that_take_too_long();
  int milliseconds_to_wait() const;

  Work work_;
  size_t most_;
  std::optional<Clock::duration> timeout_;
  bool closed_ = false;
  std::vector<Process> idle_;
  std::vector<Process> busy_;
};

}  // namespace onnx_lower
