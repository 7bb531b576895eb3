// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// onnx-lower-verify: runs two models in ONNX Runtime on the same inputs, and compares what they
// compute. onnx-lower, which is linked statically and so cannot load a library, starts it for
// --verify; verify/comparison.h has what the two tell each other.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "verify/comparison.h"
#include "verify_runtime/find_runtime.h"
#include "verify_runtime/made_inputs.h"
#include "verify_runtime/npz_file.h"
#include "verify_runtime/session.h"

namespace onnx_lower::verify_runtime {
namespace {

using Clock = std::chrono::steady_clock;
using Outcome = ComparisonAnswer::Outcome;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Ends the comparison.
struct Stop {
  Outcome outcome;
  std::string message;
};

// Does what may fail in the runtime, and says what it means when it does.
template <typename Work>
auto guarded(Outcome outcome, const Work& work) {
  try {
    return work();
  } catch (const RuntimeError& error) {
    throw Stop{outcome, error.what()};
  }
}

class Comparison {
 public:
  Comparison(const ComparisonRequest& request, const Runtime& runtime, ComparisonAnswer& answer)
      : request_(request), runtime_(runtime), answer_(answer) {
    // What the runtime reports is in its statuses; it would log that, too.
    check(*runtime.api, runtime.api->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "onnx-lower-verify", &environment_));
  }
  ~Comparison() {
    original_.reset();
    output_.reset();
    runtime_.api->ReleaseEnv(environment_);
  }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  void compare() {
    load();
    if (!request_.inputs_file.empty()) read_inputs();
    std::string problem;
    for (const std::vector<PlannedInput>& attempt : request_.tries) {
      try {
        compare_on(attempt);
        return;
      } catch (const RuntimeError& error) {
        if (problem.empty()) problem = error.what();
      }
    }
    throw Stop{Outcome::original_fails, problem};
  }

 private:
  // Both at the same time, as each takes one processor; but not where one needs another working
  // folder.
  void load() {
    const Clock::time_point start = Clock::now();
    std::string problem;
    std::jthread other([&] {
      try {
        if (!loads_bytes(request_.output) && !loads_bytes(request_.original))
          output_ = std::make_unique<Session>(runtime_, environment_, request_.output);
      } catch (const std::exception& error) {
        problem = error.what();
      }
    });
    try {
      original_ = std::make_unique<Session>(runtime_, environment_, request_.original);
    } catch (const RuntimeError& error) {
      other.join();
      throw Stop{Outcome::original_refused, error.what()};
    }
    other.join();
    if (!problem.empty()) throw Stop{Outcome::output_refused, problem};
    if (!output_) {
      output_ = guarded(Outcome::output_refused,
                        [&] { return std::make_unique<Session>(runtime_, environment_, request_.output); });
    }
    answer_.load_milliseconds = milliseconds_since(start);
  }

  void read_inputs() {
    try {
      arrays_ = read_npz(request_.inputs_file);
    } catch (const NpzError& error) {
      throw Stop{Outcome::wrong_inputs, error.what()};
    }
    for (const auto& [name, array] : arrays_) {
      if (original_->has_input(name)) continue;
      throw Stop{Outcome::wrong_inputs, request_.inputs_file + ": the model has no input '" + name + "'"};
    }
  }

  std::vector<MadeInput> inputs_of(std::vector<PlannedInput>& plan, int run) {
    std::vector<MadeInput> inputs = made_inputs(plan, request_.seed, run);
    for (size_t i = 0; i < plan.size(); ++i) {
      const auto given = arrays_.find(plan[i].name);
      if (given == arrays_.end()) continue;
      try {
        inputs[i] = input_of(given->second, plan[i]);
      } catch (const NpzError& error) {
        throw Stop{Outcome::wrong_inputs, request_.inputs_file + ": " + error.what()};
      }
    }
    return inputs;
  }

  std::vector<Value> timed_run(const Session& session, std::vector<PlannedInput>& plan, int run) {
    const std::vector<MadeInput> inputs = inputs_of(plan, run);
    const Clock::time_point start = Clock::now();
    std::vector<Value> values = session.run(plan, inputs, request_.values);
    answer_.run_milliseconds += milliseconds_since(start);
    return values;
  }

  // Does all runs on inputs that are planned so. Throws RuntimeError where the original does not
  // take them.
  void compare_on(std::vector<PlannedInput> plan) {
    answer_.values.clear();
    answer_.run_milliseconds = 0;
    for (const ComparedValue& value : request_.values) answer_.values.emplace_back().name = value.name;
    answer_.runs = plan.empty() || arrays_.size() == plan.size() ? 1 : request_.runs;
    for (int run = 0; run < answer_.runs; ++run) compare_with(timed_run(*original_, plan, run), plan, run);
    for (const PlannedInput& input : plan) note_shape(input);
  }

  void compare_with(const std::vector<Value>& original, std::vector<PlannedInput>& plan, int run) {
    const std::vector<Value> values = guarded(Outcome::output_fails, [&] { return timed_run(*output_, plan, run); });
    for (size_t i = 0; i < values.size(); ++i)
      original[i].compare(values[i], request_.values[i].holds_codes, answer_.values[i]);
  }

  void note_shape(const PlannedInput& input) {
    std::string text = input.name + ": ";
    for (size_t i = 0; i < input.dims.size(); ++i) text += (i == 0 ? "" : "x") + std::to_string(input.dims[i]);
    answer_.shapes.push_back(input.dims.empty() ? text + "scalar" : text);
  }

  const ComparisonRequest& request_;
  const Runtime& runtime_;
  ComparisonAnswer& answer_;
  OrtEnv* environment_ = nullptr;
  std::unique_ptr<Session> original_, output_;
  std::map<std::string, NpyArray> arrays_;
};

ComparisonAnswer answer_to(const ComparisonRequest& request) {
  ComparisonAnswer answer;
  try {
    const Runtime runtime = find_runtime(request.onnxruntime);
    answer.version = runtime.version;
    answer.library = runtime.library;
    Comparison(request, runtime, answer).compare();
  } catch (const NoRuntime& error) {
    answer.outcome = Outcome::no_runtime;
    answer.message = error.what();
  } catch (const Stop& stop) {
    answer.outcome = stop.outcome;
    answer.message = stop.message;
  }
  return answer;
}

}  // namespace
}  // namespace onnx_lower::verify_runtime

int main() {
  using namespace onnx_lower;
  if (isatty(STDIN_FILENO) != 0) {
    std::cerr << "onnx-lower-verify is a part of onnx-lower: write onnx-lower --verify A.onnx B.onnx\n";
    return 2;
  }
  try {
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    const ComparisonAnswer answer = verify_runtime::answer_to(nlohmann::json::parse(text).get<ComparisonRequest>());
    std::cout << nlohmann::json(answer).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::flush;
    // Without the runtime's own end, which takes time and may crash after all is done.
    _exit(0);
  } catch (const std::exception& error) {
    std::cerr << "onnx-lower-verify: " << error.what() << '\n';
    return 1;
  }
}
