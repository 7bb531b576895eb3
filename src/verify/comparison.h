// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What onnx-lower asks of onnx-lower-verify, the program that loads ONNX Runtime, and what it
// answers: two models are run on the same inputs, and their outputs compared. Both are JSON, on
// that program's standard input and output.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace onnx_lower {

// What the elements of an input may be.
struct InputFill {
  enum class Kind : uint8_t {
    ordinary,  // of floats about 1 in size, of 8-bit integers all, of others -9 to 9
    range,     // from `low` to `high`; of integers, both included
    values,    // `values`, one after the other and again from the first on
    words,     // strings of `words`
  };
  Kind kind = Kind::ordinary;
  double low = 0;
  double high = 0;
  std::vector<double> values;
  std::vector<std::string> words;
};
NLOHMANN_JSON_SERIALIZE_ENUM(InputFill::Kind, {{InputFill::Kind::ordinary, "ordinary"},
                                               {InputFill::Kind::range, "range"},
                                               {InputFill::Kind::values, "values"},
                                               {InputFill::Kind::words, "words"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(InputFill, kind, low, high, values, words)

// An input of both models.
struct PlannedInput {
  std::string name;
  int element_type = 0;  // TensorProto.DataType; ONNX Runtime's C API has the same numbers
  bool is_sequence = false;
  std::vector<int64_t> dims;
  InputFill fill;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedInput, name, element_type, is_sequence, dims, fill)

// A model as the runtime is to load it.
struct RunnableModel {
  std::string path;
  std::string name;  // for messages
  // The folder that locations of external data are relative to, for a model whose `path` is not in
  // that folder; empty for others.
  std::string data_folder;
  std::vector<std::string> extra_outputs;  // values of its main graph
  std::string kernel_library;              // with custom operators; empty: none
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RunnableModel, path, name, data_folder, extra_outputs, kernel_library)

struct ComparedValue {
  std::string name;
  // Its integers are codes of quantized numbers: the code beside the right one counts as right,
  // too.
  bool holds_codes = false;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComparedValue, name, holds_codes)

struct ComparisonRequest {
  std::string onnxruntime;  // --onnxruntime; empty: to be searched for
  RunnableModel original, output;
  // Each has all inputs. The first for which the original runs is taken: what sizes go together
  // only the runtime knows.
  std::vector<std::vector<PlannedInput>> tries;
  std::string inputs_file;  // .npz; its arrays take precedence
  std::vector<ComparedValue> values;
  uint64_t seed = 0;
  int runs = 1;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComparisonRequest, onnxruntime, original, output, tries, inputs_file, values, seed,
                                   runs)

// How a value differs between the two models, over all runs.
struct ValueDifference {
  std::string name;
  std::string element_type;  // as ONNX writes it: "float"
  uint64_t elements = 0;     // of all runs
  uint64_t differing = 0;    // beyond the tolerance
  double largest_absolute = 0;
  double largest_relative = 0;  // see verify_runtime/tolerance.h
  double tolerance = 0;         // for largest_relative; 0: equal
  std::string problem;          // what is not a matter of numbers: other shapes, a NaN for a number
  bool is_equal = true;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ValueDifference, name, element_type, elements, differing, largest_absolute,
                                   largest_relative, tolerance, problem, is_equal)

struct ComparisonAnswer {
  enum class Outcome : uint8_t {
    compared,
    no_runtime,
    original_refused,  // the runtime does not load the model
    output_refused,
    original_fails,  // it loads the model, and running it fails with all inputs that were tried
    output_fails,
    wrong_inputs,  // the user's file of inputs
  };
  Outcome outcome = Outcome::compared;
  std::string message;  // why nothing was compared
  std::string version;  // of ONNX Runtime
  std::string library;  // its path
  std::vector<ValueDifference> values;
  std::vector<std::string> shapes;  // of the inputs in the try that was taken: "x: 1x3x64x64"
  int runs = 0;
  double load_milliseconds = 0;  // both models
  double run_milliseconds = 0;   // all runs of both models
};
// cppcheck-suppress unknownMacro
NLOHMANN_JSON_SERIALIZE_ENUM(ComparisonAnswer::Outcome,
                             {{ComparisonAnswer::Outcome::compared, "compared"},
                              {ComparisonAnswer::Outcome::no_runtime, "no_runtime"},
                              {ComparisonAnswer::Outcome::original_refused, "original_refused"},
                              {ComparisonAnswer::Outcome::output_refused, "output_refused"},
                              {ComparisonAnswer::Outcome::original_fails, "original_fails"},
                              {ComparisonAnswer::Outcome::output_fails, "output_fails"},
                              {ComparisonAnswer::Outcome::wrong_inputs, "wrong_inputs"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComparisonAnswer, outcome, message, version, library, values, shapes, runs,
                                   load_milliseconds, run_milliseconds)

}  // namespace onnx_lower
