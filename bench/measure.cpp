// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Runs a program and prints what it took: measure LOG PROGRAM ARGUMENT...
//
// The benchmark is a Python script, and a process that Python starts is charged with Python's own
// memory: the kernel keeps the peak across exec. This program is small enough not to matter, and
// close enough to the other to time milliseconds.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: measure LOG PROGRAM ARGUMENT...\n", stderr);
    return 2;
  }
  const int log = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (log < 0) {
    std::perror(argv[1]);
    return 4;
  }
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  rusage usage = {};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
    std::perror("measure");
    return 1;
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  std::printf("{\"status\": %d, \"seconds\": %.6f, \"cpu\": %.6f, \"peak_kb\": %ld}\n", exit_status, wall.count(),
              seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
}
