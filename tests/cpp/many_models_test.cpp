// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "available_cpus.h"
#include "catch.h"
#include "many_models/content_hash.h"
#include "many_models/find_models.h"
#include "many_models/interruption.h"
#include "many_models/process_pool.h"
#include "many_models/record.h"
#include "model_file/interner.h"
#include "temporary_folder.h"

namespace onnx_lower {
namespace {

namespace fs = std::filesystem;

using Works = std::vector<std::function<int(std::string&)>>;

Work one_of(const Works& works) {
  return [&works](size_t task, std::string& result) { return works[task](result); };
}

std::map<size_t, FinishedTask> run_all(ProcessPool& pool, size_t tasks) {
  std::map<size_t, FinishedTask> finished;
  const auto take = [&] {
    for (FinishedTask& one : pool.wait()) finished.emplace(one.task, std::move(one));
  };
  for (size_t i = 0; i < tasks; ++i) {
    while (pool.full()) take();
    REQUIRE(pool.start(i));
  }
  while (!pool.empty()) take();
  return finished;
}

// Has as many bytes in memory for a moment, from the system: the heap may have some that it has
// kept.
void touch(size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  CHECK(memory != MAP_FAILED);
  ::munmap(memory, bytes);
}

}  // namespace

TEST_CASE("each piece of work gives its status, its result and its messages") {
  const std::string large(1'000'000, 'x');
  const Works works{[](std::string& result) {
                      result = "first";
                      return 0;
                    },
                    [&](std::string& result) {
                      result = large;
                      fputs(large.c_str(), stderr);
                      return 7;
                    },
                    [](std::string&) -> int {
                      fputs("before it dies", stderr);
                      ::raise(SIGKILL);
                      ::_exit(0);
                    },
                    [](std::string&) -> int {
                      std::signal(SIGABRT, SIG_DFL);  // the test program has a handler
                      ::abort();
                    },
                    [](std::string&) -> int { ::_exit(3); },
                    [](std::string& result) {
                      result = "last";
                      return 1;
                    }};
  for (const size_t processes : {1, 3}) {
    ProcessPool pool(one_of(works), processes, std::nullopt);
    const auto done = run_all(pool, works.size());
    REQUIRE(done.size() == works.size());
    CHECK(done.at(0).result == "first");
    CHECK(done.at(0).messages.empty());
    CHECK(done.at(0).exit_status == 0);
    CHECK(done.at(0).signal == 0);
    CHECK(done.at(0).peak_memory > 0);
    CHECK(done.at(1).exit_status == 7);
    CHECK(done.at(1).result == large);
    CHECK(done.at(1).messages == large);
    CHECK(done.at(2).signal == SIGKILL);
    CHECK(done.at(2).result.empty());
    CHECK(done.at(2).messages == "before it dies");
    CHECK(done.at(3).signal == SIGABRT);
    CHECK(done.at(4).exit_status == 3);
    CHECK(done.at(4).signal == 0);
    CHECK(done.at(4).result.empty());
    CHECK(done.at(5).result == "last");
    CHECK(done.at(5).messages.empty());
  }
}

TEST_CASE("a process does one task after another, and what it has learnt stays") {
  int learnt = 0;
  ProcessPool pool(
      [&](size_t, std::string& result) {
        result = std::to_string(++learnt);
        return 0;
      },
      1, std::nullopt);
  const auto done = run_all(pool, 3);
  CHECK(done.at(2).process == done.at(0).process);
  CHECK(done.at(0).result == "1");
  CHECK(done.at(2).result == "3");
  CHECK(learnt == 0);
}

TEST_CASE("the peak of memory is that of one task, and what a task has made larger by much ends with it") {
  constexpr size_t much = ProcessPool::most_growth * 2;
  const Works works{[](std::string&) { return 0; },
                    [](std::string&) {
                      touch(ProcessPool::most_growth / 2);
                      return 0;
                    },
                    [](std::string&) { return 0; },
                    [](std::string&) {
                      touch(much);
                      return 0;
                    },
                    [](std::string&) { return 0; }};
  ProcessPool pool(one_of(works), 1, std::nullopt);
  const auto done = run_all(pool, works.size());
  CHECK(done.at(1).process == done.at(0).process);
  CHECK(done.at(1).peak_memory >= ProcessPool::most_growth / 2);
  CHECK(done.at(3).process == done.at(0).process);
  CHECK(done.at(3).peak_memory >= much);
  CHECK(done.at(4).process != done.at(0).process);
  CHECK(done.at(4).peak_memory < done.at(3).peak_memory);
  CHECK(done.at(2).peak_memory < done.at(1).peak_memory);
}

TEST_CASE("a process that something has killed while it was idle is replaced") {
  ProcessPool pool([](size_t, std::string&) { return 0; }, 1, std::nullopt);
  const auto first = run_all(pool, 1);
  REQUIRE(::kill(first.at(0).process, SIGKILL) == 0);
  siginfo_t ended{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(first.at(0).process), &ended, WEXITED | WNOWAIT) == 0);
  const auto second = run_all(pool, 1);
  CHECK(second.at(0).signal == 0);
  CHECK(second.at(0).exit_status == 0);
  CHECK(second.at(0).process != first.at(0).process);
}

TEST_CASE("what takes too long is stopped, and the next begins anew") {
  const Works works{[](std::string&) {
                      ::sleep(60);
                      return 0;
                    },
                    [](std::string&) {
                      ::usleep(20'000);
                      return 0;
                    }};
  ProcessPool pool(one_of(works), 1, 0.2);
  const auto finished = run_all(pool, works.size());
  CHECK(finished.at(0).timed_out);
  CHECK(finished.at(0).signal == SIGTERM);
  CHECK(finished.at(0).milliseconds < 10'000);
  CHECK_FALSE(finished.at(1).timed_out);
  CHECK(finished.at(1).exit_status == 0);
}

TEST_CASE("what does not listen is killed") {
  ProcessPool pool(
      [](size_t, std::string&) {
        std::signal(SIGTERM, SIG_IGN);
        for (;;) ::pause();
        return 0;
      },
      1, 0.1);
  REQUIRE(pool.start(0));
  const auto finished = pool.wait();
  REQUIRE(finished.size() == 1);
  CHECK(finished[0].signal == SIGKILL);
  CHECK(finished[0].timed_out);
}

TEST_CASE("a pool that goes ends its processes, those at a task and those that wait for one") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  {
    ProcessPool pool(
        [&](size_t task, std::string&) {
          ::close(ends[0]);
          if (task > 0) ::sleep(60);
          return 0;
        },
        2, std::nullopt);
    REQUIRE(pool.start(1));
    REQUIRE(pool.start(0));
    REQUIRE(pool.wait().size() == 1);
    ::close(ends[1]);
  }
  char byte = 0;
  CHECK(::read(ends[0], &byte, 1) == 0);  // nobody holds the other end any more
  ::close(ends[0]);
}

TEST_CASE("a signal is noted, and wakes who waits") {
  const Interruption interruption;
  const pid_t self = ::getpid();
  ProcessPool pool(
      [&](size_t, std::string&) {
        ::usleep(50'000);
        ::kill(self, SIGTERM);
        ::sleep(60);
        return 0;
      },
      1, std::nullopt);
  REQUIRE(pool.start(0));
  CHECK(pool.wait().empty());
  CHECK(Interruption::signal() == SIGTERM);
  CHECK(pool.stop().size() == 1);
  CHECK(pool.empty());
}

TEST_CASE("models are found below a folder, in order, and links do not lead in circles") {
  const TemporaryFolder folder("many-models");
  const fs::path zoo = folder.path() / "zoo";
  const fs::path elsewhere = folder.path() / "elsewhere";
  for (const fs::path& directory : {zoo / "b", zoo / "a" / "deep", zoo / "out", zoo / "b" / ".onnx-lower", elsewhere})
    fs::create_directories(directory);
  for (const fs::path& file : {zoo / "z.onnx", zoo / "b" / "m.onnx", zoo / "a" / "deep" / "m.onnx",
                               zoo / "a" / "m.onnx.data", zoo / "a" / "text.onnxtxt", zoo / "out" / "no.onnx",
                               zoo / "b" / ".onnx-lower" / "no.onnx", elsewhere / "e.onnx"})
    std::ofstream(file) << "x";
  fs::create_directory_symlink(zoo, zoo / "a" / "up");
  fs::create_directory_symlink(elsewhere, zoo / "link");
  fs::create_directory_symlink(zoo / "link", elsewhere / "back");
  fs::create_symlink(zoo / "z.onnx", zoo / "same.onnx");
  fs::create_symlink("nowhere", zoo / "dangling.onnx");
  fs::create_directory(zoo / "folder.onnx");
  CHECK(find_models(zoo, zoo / "out") ==
        std::vector<std::string>{"a/deep/m.onnx", "b/m.onnx", "dangling.onnx", "link/e.onnx", "same.onnx", "z.onnx"});
}

TEST_CASE("the CPUs of a control group") {
  const TemporaryFolder folder("many-models");
  const fs::path& root = folder.path();
  const auto write = [&](const fs::path& path, const char* text) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  };
  CHECK(cgroup_cpus("0::/a/b\n", root) == 0);
  write("a/b/cpu.max", "max 100000\n");
  CHECK(cgroup_cpus("0::/a/b\n", root) == 0);
  write("a/cpu.max", "250000 100000\n");
  CHECK(cgroup_cpus("0::/a/b\n", root) == 3);
  write("a/b/cpu.max", "150000 100000\n");
  CHECK(cgroup_cpus("0::/a/b\n", root) == 2);
  write("cpu.max", "100000 100000\n");  // as a container sees its own
  CHECK(cgroup_cpus("0::/unseen/path\n", root) == 1);
  fs::remove(root / "cpu.max");
  write("cpu/job/cpu.cfs_quota_us", "400000\n");
  write("cpu/job/cpu.cfs_period_us", "100000\n");
  CHECK(cgroup_cpus("5:memory:/x\n4:cpu,cpuacct:/job\n", root) == 4);
  write("cpu/job/cpu.cfs_quota_us", "-1\n");
  CHECK(cgroup_cpus("4:cpu,cpuacct:/job\n", root) == 0);
  CHECK(available_cpus() >= 1);
}

TEST_CASE("contents with the same hash are the same") {
  const TemporaryFolder folder("many-models");
  const std::string content = std::string(300000, 'a') + "b";
  std::ofstream(folder.path() / "file") << content;
  CHECK(content_hash_of_file((folder.path() / "file").string()) == content_hash(content));
  CHECK(content_hash("ab") != content_hash("ba"));
  // Shards and locks of different machines and releases have to agree.
  CHECK(hash_of("") == 0x2d06800538d394c2u);
}

TEST_CASE("a record says what it was given, and a damaged one is none") {
  const TemporaryFolder folder("many-models");
  const std::string output = (folder.path() / std::string(250, 'n')).string();
  CHECK_FALSE(read_record(output));
  const RecordedFile file{.path = {},
                          .identity = {.size = 1, .inode = 2, .modified = 3, .changed = 4},
                          .settled = true,
                          .content_hash = "5"};
  RecordedFile external = file;
  external.path = "w.bin";
  external.content_hash.clear();
  write_record(output, {.key = "key",
                        .input = file,
                        .output = file,
                        .external_inputs = {external},
                        .external_outputs = {},
                        .result = R"({"status":"lowered"})"});
  const auto read = read_record(output);
  REQUIRE(read);
  CHECK(read->key == "key");
  CHECK(read->input.identity == file.identity);
  CHECK(read->input.content_hash == "5");
  REQUIRE(read->external_inputs.size() == 1);
  CHECK(read->external_inputs[0].path == "w.bin");
  CHECK(read->result == R"({"status":"lowered"})");

  const fs::path record = fs::directory_iterator(folder.path() / record_folder_name)->path();
  std::string text(fs::file_size(record), '\0');
  std::ifstream(record).read(text.data(), static_cast<std::streamsize>(text.size()));
  for (size_t length = 0; length + 1 < text.size(); length += 7) {
    std::ofstream(record, std::ios::trunc) << text.substr(0, length);
    CHECK_FALSE(read_record(output));
  }
}

}  // namespace onnx_lower
