// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The wish of the user, or of the machine's batch system, that a run ends: SIGINT, SIGTERM, SIGHUP.
#pragma once

#include <csignal>

namespace onnx_lower {

// While one exists, these signals are noted and do nothing else; there is at most one. A signal
// that was ignored when the program began (nohup, a job in the background) stays ignored.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

  // The signal that came, or 0.
  static int signal();

  // Ends the program as the signal would have, so that a shell or a batch system sees what
  // happened.
  [[noreturn]] static void end_program();

 private:
  struct sigaction old_[3];
};

}  // namespace onnx_lower
