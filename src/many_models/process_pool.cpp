// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/process_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "error.h"
#include "many_models/interruption.h"

namespace onnx_lower {
namespace {

// How long a process may take to end when it was asked to, before it is killed.
constexpr auto grace = std::chrono::seconds(2);

// As a program that has just begun.
void forget_handlers() {
  for (const int signal : Interruption::signals) std::signal(signal, SIG_DFL);
}

void write_whole(int descriptor, const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;  // nobody listens any more
    written += static_cast<size_t>(count);
  }
}

// False at the end.
bool read_more(int descriptor, std::string& text) {
  char block[65536];
  const ssize_t count = ::read(descriptor, block, sizeof block);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(block, static_cast<size_t>(count));
  return count > 0;
}

class Pipe {
 public:
  Pipe() = default;
  Pipe(Pipe&& other) noexcept
      : read_end(std::exchange(other.read_end, -1)), write_end(std::exchange(other.write_end, -1)) {}
  Pipe& operator=(Pipe&& other) noexcept {
    std::swap(read_end, other.read_end);
    std::swap(write_end, other.write_end);
    return *this;
  }
  ~Pipe() {
    close(read_end);
    close(write_end);
  }

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = ends[0];
    write_end = ends[1];
    return true;
  }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  int read_end = -1;
  int write_end = -1;
};

// What the work throws must not come back into the copy of the program that lies below.
[[noreturn]] void work_and_end(const Work& work, int results) noexcept {
  std::string result;
  const int status = work(result);
  write_whole(results, result);
  ::_exit(status);
}

}  // namespace

struct ProcessPool::Running {
  FinishedProcess what;
  Clock::time_point start;
  std::optional<Clock::time_point> asked_to_end;
  Pipe results;
  Pipe messages;
};

ProcessPool::ProcessPool(size_t most, std::optional<double> timeout_seconds) : most_(most) {
  if (timeout_seconds) {
    timeout_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*timeout_seconds));
  }
  // Two descriptors for each process.
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

ProcessPool::~ProcessPool() { stop(); }

bool ProcessPool::full() const { return running_.size() >= most_; }
bool ProcessPool::empty() const { return running_.empty(); }

bool ProcessPool::start(size_t task, const Work& work) {
  Running running;
  running.what.task = task;
  const pid_t parent = ::getpid();
  pid_t process = -1;
  // A signal must not find the new process with the handlers of this one.
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &old);
  if (running.results.open() && running.messages.open()) process = ::fork();
  const int error = errno;
  if (process == 0) {
    forget_handlers();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(running.messages.write_end, STDERR_FILENO);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    work_and_end(work, running.results.write_end);
  }
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  if (process < 0) {
    if (!running_.empty()) return false;
    throw FileError(std::string("no process can be started: ") + std::strerror(error));
  }
  running.what.process = process;
  running.start = Clock::now();
  Pipe::close(running.results.write_end);
  Pipe::close(running.messages.write_end);
  running_.push_back(std::move(running));
  return true;
}

std::vector<FinishedProcess> ProcessPool::wait() {
  std::vector<FinishedProcess> finished;
  while (finished.empty() && !running_.empty()) {
    end_those_that_take_too_long();
    std::vector<pollfd> ends;
    for (const Running& running : running_) {
      ends.push_back({.fd = running.results.read_end, .events = POLLIN, .revents = 0});
      ends.push_back({.fd = running.messages.read_end, .events = POLLIN, .revents = 0});
    }
    // Between a look at the note and the wait no signal may slip in.
    sigset_t noted_signals;
    sigset_t old;
    sigemptyset(&noted_signals);
    for (const int signal : Interruption::signals) sigaddset(&noted_signals, signal);
    ::sigprocmask(SIG_BLOCK, &noted_signals, &old);
    const int wait = milliseconds_to_wait();
    const timespec most = {.tv_sec = wait / 1000, .tv_nsec = wait % 1000 * 1'000'000L};
    const int ready =
        Interruption::signal() != 0 ? -1 : ::ppoll(ends.data(), ends.size(), wait < 0 ? nullptr : &most, &old);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    if (Interruption::signal() != 0) return finished;
    if (ready <= 0) continue;
    for (size_t i = running_.size(); i-- > 0;) {
      Running& running = running_[i];
      if (ends[2 * i].revents != 0 && !read_more(running.results.read_end, running.what.result))
        Pipe::close(running.results.read_end);
      if (ends[2 * i + 1].revents != 0 && !read_more(running.messages.read_end, running.what.messages))
        Pipe::close(running.messages.read_end);
      if (running.results.read_end >= 0 || running.messages.read_end >= 0) continue;
      finished.push_back(finish(running));
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return finished;
}

std::vector<FinishedProcess> ProcessPool::stop() {
  for (const Running& running : running_) ::kill(running.what.process, SIGTERM);
  const Clock::time_point end = Clock::now() + grace;
  std::vector<FinishedProcess> finished;
  for (Running& running : running_) {
    siginfo_t ended{};
    while (Clock::now() < end &&
           ::waitid(P_PID, static_cast<id_t>(running.what.process), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           ended.si_pid == 0) {
      ::usleep(2000);
    }
    if (ended.si_pid == 0) ::kill(running.what.process, SIGKILL);
    finished.push_back(finish(running));
  }
  running_.clear();
  return finished;
}

FinishedProcess ProcessPool::finish(Running& running) {
  FinishedProcess what = std::move(running.what);
  int status = 0;
  rusage usage{};
  while (::wait4(what.process, &status, 0, &usage) < 0 && errno == EINTR) continue;
  what.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - running.start).count();
  what.peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  what.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  what.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  what.timed_out = running.asked_to_end.has_value();
  return what;
}

void ProcessPool::end_those_that_take_too_long() {
  if (!timeout_) return;
  const Clock::time_point now = Clock::now();
  for (Running& running : running_) {
    if (running.asked_to_end) {
      if (now >= *running.asked_to_end + grace) ::kill(running.what.process, SIGKILL);
    } else if (now >= running.start + *timeout_) {
      ::kill(running.what.process, SIGTERM);
      running.asked_to_end = now;
    }
  }
}

int ProcessPool::milliseconds_to_wait() const {
  if (!timeout_) return -1;
  const Clock::time_point now = Clock::now();
  Clock::duration wait = std::chrono::hours(1);
  for (const Running& running : running_) {
    const Clock::time_point due = running.asked_to_end ? *running.asked_to_end + grace : running.start + *timeout_;
    wait = std::min(wait, std::max(due - now, Clock::duration::zero()));
  }
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

}  // namespace onnx_lower
