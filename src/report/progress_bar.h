// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Shows the progress of long work on a line of the terminal, which is drawn again and again.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace onnx_lower {

enum class ProgressUnit { items, bytes };

// Draws on standard error, at most ten times a second, and only if that is a terminal that
// can draw. The line is erased when the object is destroyed, so that other output is the same
// with and without it.
class ProgressBar {
 public:
  // `wanted` is false for -q. A `total` of 0 means that the total is not known yet.
  ProgressBar(std::string label, uint64_t total, ProgressUnit unit, bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void set_total(uint64_t total) { total_ = total; }
  void advance(uint64_t count) { advance_to(done_ + count); }
  void advance_to(uint64_t done);
  // One more of the items has failed. The next advance() shows it.
  void count_failure() { ++failed_; }

  // Erases the line, so that a message can be printed. The next advance() draws it again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string label_;
  uint64_t total_;
  ProgressUnit unit_;
  uint64_t done_ = 0;
  uint64_t failed_ = 0;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_draw_;  // work that ends before it is too short for a bar
};

// "weights.bin  [=====>    ]  52% 2.1 of 4.0 GB", no wider than `width` columns. `more` stands
// behind that.
std::string progress_line(std::string_view label, uint64_t done, uint64_t total, ProgressUnit unit, size_t width,
                          std::string_view more = {});

// ", 2 failed, 3 min left": what is known beside the share that is done. The rest is reckoned from
// the time that the part took which is done, and not before that took some seconds.
std::string progress_details(uint64_t done, uint64_t total, uint64_t failed, double seconds);

}  // namespace onnx_lower
