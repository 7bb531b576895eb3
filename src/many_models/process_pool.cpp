// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/process_pool.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
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

// False when nobody listens any more, without a signal.
bool send_whole(int socket, const void* bytes, size_t size) {
  const auto* rest = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t count = ::send(socket, rest, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    rest += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// False at the end.
bool receive_whole(int socket, void* bytes, size_t size) {
  return ::recv(socket, bytes, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

// What was written before, and nothing that comes later, of an end that never waits. False at the
// end.
bool read_what_is_there(int descriptor, std::string& text) {
  char block[65536];
  for (;;) {
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN;
    if (count == 0) return false;
    text.append(block, static_cast<size_t>(count));
  }
}

// Of which this program has one end, which never waits, and a process of the pool the other.
class Channel {
 public:
  Channel() = default;
  Channel(Channel&& other) noexcept : ours(std::exchange(other.ours, -1)), theirs(std::exchange(other.theirs, -1)) {}
  Channel& operator=(Channel&& other) noexcept {
    std::swap(ours, other.ours);
    std::swap(theirs, other.theirs);
    return *this;
  }
  ~Channel() {
    close(ours);
    close(theirs);
  }

  bool open_socket() {
    int ends[2];
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 && hold(ends);
  }
  // From them to us.
  bool open_pipe() {
    int ends[2];
    return ::pipe2(ends, O_CLOEXEC) == 0 && hold(ends);
  }
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }

  int ours = -1;
  int theirs = -1;

 private:
  bool hold(const int (&ends)[2]) {
    ours = ends[0];
    theirs = ends[1];
    return ::fcntl(ours, F_SETFL, O_NONBLOCK) == 0;
  }
};

// What a process sends of each task, before the result's bytes.
struct ResultHead {
  uint64_t size = 0;
  uint64_t peak_memory = 0;
  int exit_status = 0;
  bool is_last = false;  // the process ends
};

uint64_t peak_memory_of_this_process() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// From then on it is that of what follows. False where the system does not do it.
bool forget_peak_memory() {
  const int file = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_done = ::write(file, "5", 1) == 1;  // see proc(5)
  ::close(file);
  return is_done;
}

// What the work throws must not come back into the copy of the program that lies below.
[[noreturn]] void do_tasks(const Work& work, int socket) noexcept {
  const uint64_t first_memory = peak_memory_of_this_process();
  for (size_t task = 0; receive_whole(socket, &task, sizeof task);) {
    std::string result;
    ResultHead head;
    head.exit_status = work(task, result);
    head.size = result.size();
    head.peak_memory = peak_memory_of_this_process();
    head.is_last = head.peak_memory > first_memory + ProcessPool::most_growth || !forget_peak_memory();
    if (!send_whole(socket, &head, sizeof head) || !send_whole(socket, result.data(), result.size()) || head.is_last)
      break;
  }
  ::_exit(EXIT_SUCCESS);
}

}  // namespace

struct ProcessPool::Process {
  pid_t id = 0;
  Channel tasks_and_results;
  Channel messages;
  // Of the task that it is at.
  FinishedTask task;
  Clock::time_point start;
  std::optional<Clock::time_point> asked_to_end;
  std::string received;
};

ProcessPool::ProcessPool(Work work, size_t most, std::optional<double> timeout_seconds)
    : work_(std::move(work)), most_(most) {
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

bool ProcessPool::full() const { return busy_.size() >= most_; }
bool ProcessPool::empty() const { return busy_.empty(); }

bool ProcessPool::start(size_t task) {
  for (;;) {
    if (idle_.empty() && !start_process()) return false;
    Process process = std::move(idle_.back());
    idle_.pop_back();
    if (hand_over(task, process)) {
      busy_.push_back(std::move(process));
      return true;
    }
    dismiss(process);  // something has killed it meanwhile
  }
}

// False when there is no room for another beside those that are at a task.
bool ProcessPool::start_process() {
  Process process;
  const pid_t parent = ::getpid();
  process.id = -1;
  // A signal must not find the new process with the handlers of this one.
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &old);
  if (process.tasks_and_results.open_socket() && process.messages.open_pipe()) process.id = ::fork();
  const int error = errno;
  if (process.id == 0) {
    forget_handlers();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(process.messages.theirs, STDERR_FILENO);
    // What this program holds of the others and of this one, so that each sees the end when this
    // program closes it.
    idle_.clear();
    busy_.clear();
    Channel::close(process.tasks_and_results.ours);
    Channel::close(process.messages.ours);
    ::sigprocmask(SIG_SETMASK, &old, nullptr);
    if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    do_tasks(work_, process.tasks_and_results.theirs);
  }
  ::sigprocmask(SIG_SETMASK, &old, nullptr);
  if (process.id < 0) {
    if (!busy_.empty()) return false;
    throw FileError(std::string("no process can be started: ") + std::strerror(error));
  }
  Channel::close(process.tasks_and_results.theirs);
  Channel::close(process.messages.theirs);
  idle_.push_back(std::move(process));
  return true;
}

void ProcessPool::close() {
  closed_ = true;
  for (Process& process : idle_) dismiss(process);
  idle_.clear();
}

bool ProcessPool::hand_over(size_t task, Process& process) const {
  process.task = {};
  process.task.task = task;
  process.task.process = process.id;
  process.start = Clock::now();
  process.received.clear();
  return send_whole(process.tasks_and_results.ours, &task, sizeof task);
}

std::vector<FinishedTask> ProcessPool::wait() {
  std::vector<FinishedTask> finished;
  while (finished.empty() && !busy_.empty()) {
    end_those_that_take_too_long();
    std::vector<pollfd> ends;
    for (const Process& process : busy_) {
      ends.push_back({.fd = process.tasks_and_results.ours, .events = POLLIN, .revents = 0});
      ends.push_back({.fd = process.messages.ours, .events = POLLIN, .revents = 0});
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
    for (size_t i = busy_.size(); i-- > 0;) {
      if (ends[2 * i + 1].revents != 0) read_what_is_there(busy_[i].messages.ours, busy_[i].task.messages);
      if (ends[2 * i].revents == 0 || !take(busy_[i])) continue;
      finished.push_back(std::move(busy_[i].task));
      if (busy_[i].id != 0) idle_.push_back(std::move(busy_[i]));
      busy_.erase(busy_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return finished;
}

// Reads what there is of the result; whether the task is done with. A process that has ended has no
// `id` any more.
bool ProcessPool::take(Process& process) {
  const bool goes_on = read_what_is_there(process.tasks_and_results.ours, process.received);
  ResultHead head;
  if (process.received.size() >= sizeof head) std::memcpy(&head, process.received.data(), sizeof head);
  if (process.received.size() >= sizeof head && process.received.size() - sizeof head >= head.size) {
    // Its messages were written before.
    read_what_is_there(process.messages.ours, process.task.messages);
    process.task.result = process.received.substr(sizeof head);
    process.task.exit_status = head.exit_status;
    process.task.peak_memory = head.peak_memory;
    process.task.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - process.start).count();
    // A result that came just when the time was up is as good as any.
    if (head.is_last || process.asked_to_end || closed_) dismiss(process);
    return true;
  }
  if (goes_on) return false;
  collect(process);
  return true;
}

std::vector<FinishedTask> ProcessPool::stop() {
  close();
  for (const Process& process : busy_) ::kill(process.id, SIGTERM);
  const Clock::time_point end = Clock::now() + grace;
  std::vector<FinishedTask> finished;
  for (Process& process : busy_) {
    siginfo_t ended{};
    while (Clock::now() < end &&
           ::waitid(P_PID, static_cast<id_t>(process.id), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           ended.si_pid == 0) {
      ::usleep(2000);
    }
    if (ended.si_pid == 0) ::kill(process.id, SIGKILL);
    collect(process);
    finished.push_back(std::move(process.task));
  }
  busy_.clear();
  return finished;
}

// Ends one that has no task any more.
void ProcessPool::dismiss(Process& process) {
  ::kill(process.id, SIGKILL);
  while (::waitpid(process.id, nullptr, 0) < 0 && errno == EINTR) continue;
  process.id = 0;
}

// Waits for its end, and says of its task how it ended.
void ProcessPool::collect(Process& process) {
  int status = 0;
  rusage usage{};
  while (::wait4(process.id, &status, 0, &usage) < 0 && errno == EINTR) continue;
  process.id = 0;
  read_what_is_there(process.messages.ours, process.task.messages);
  process.task.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - process.start).count();
  process.task.peak_memory = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  process.task.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  process.task.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  process.task.timed_out = process.asked_to_end.has_value();
}

void ProcessPool::end_those_that_take_too_long() {
  if (!timeout_) return;
  const Clock::time_point now = Clock::now();
  for (Process& process : busy_) {
    if (process.asked_to_end) {
      if (now >= *process.asked_to_end + grace) ::kill(process.id, SIGKILL);
    } else if (now >= process.start + *timeout_) {
      ::kill(process.id, SIGTERM);
      process.asked_to_end = now;
    }
  }
}

int ProcessPool::milliseconds_to_wait() const {
  if (!timeout_) return -1;
  const Clock::time_point now = Clock::now();
  Clock::duration wait = std::chrono::hours(1);
  for (const Process& process : busy_) {
    const Clock::time_point due = process.asked_to_end ? *process.asked_to_end + grace : process.start + *timeout_;
    wait = std::min(wait, std::max(due - now, Clock::duration::zero()));
  }
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
}

}  // namespace onnx_lower
