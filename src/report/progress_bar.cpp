// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/progress_bar.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/terminal.h"
#include "source_text/characters.h"

namespace onnx_lower {
namespace {

constexpr auto interval = std::chrono::milliseconds(100);
constexpr const char* clear_line = "\r\x1b[K";

size_t terminal_width() {
  winsize size{};
  // The last column is left free: some terminals wrap when it is written to.
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return size.ws_col - size_t{1};
  return 79;
}

std::string amount(uint64_t done, uint64_t total, ProgressUnit unit) {
  if (unit == ProgressUnit::items) return total == 0 ? fmt::format("{}", done) : fmt::format("{} of {}", done, total);
  const auto largest = static_cast<double>(std::max(done, total));
  const auto [scale, name] = largest >= 1e9 ? std::pair(1e9, "GB") : std::pair(1e6, "MB");
  const std::string now = fmt::format("{:.1f}", static_cast<double>(done) / scale);
  return total == 0 ? fmt::format("{} {}", now, name)
                    : fmt::format("{} of {:.1f} {}", now, static_cast<double>(total) / scale, name);
}

// The beginning of a label is cut: if the label is a path, its end is more telling.
std::string shortened(std::string_view label, size_t width) {
  if (columns(label) <= width) return std::string(label);
  if (width < 2) return {};
  while (columns(label) > width - 1 || continues_character(label.front())) label.remove_prefix(1);
  return "…" + std::string(label);
}

}  // namespace

std::string progress_details(uint64_t done, uint64_t total, uint64_t failed, double seconds) {
  constexpr double least_seconds = 3;
  std::string details = failed == 0 ? "" : fmt::format(", {} failed", failed);
  if (done == 0 || done >= total || seconds < least_seconds) return details;
  const double left = seconds * static_cast<double>(total - done) / static_cast<double>(done);
  if (left < 100) return details + fmt::format(", {:.0f} s left", std::ceil(left));
  const double minutes = left / 60;
  return details + (minutes < 100 ? fmt::format(", {:.0f} min left", std::ceil(minutes))
                                  : fmt::format(", {:.1f} h left", minutes / 60));
}

std::string progress_line(std::string_view label, uint64_t done, uint64_t total, ProgressUnit unit, size_t width,
                          std::string_view more) {
  constexpr size_t bar_width = 24;
  done = total == 0 ? done : std::min(done, total);
  std::string end = amount(done, total, unit) + std::string(more);
  if (total != 0) {
    const double part = static_cast<double>(done) / static_cast<double>(total);
    end = fmt::format("{:3}% {}", static_cast<int>(part * 100), end);
    const auto filled = static_cast<size_t>(part * bar_width);
    const std::string bar =
        fmt::format("[{:=<{}}{:<{}}]", "", filled, filled < bar_width ? ">" : "", bar_width - filled);
    // The bar is left out where there is no room for it and a few letters of the label.
    if (columns(end) + bar.size() + 12 <= width) end = bar + " " + end;
  }
  if (columns(end) + 3 > width) return shortened(end, width);
  return shortened(label, width - columns(end) - 2) + "  " + end;
}

ProgressBar::ProgressBar(std::string label, uint64_t total, ProgressUnit unit, bool wanted)
    : label_(std::move(label)),
      total_(total),
      unit_(unit),
      enabled_(wanted && terminal_can_draw()),
      next_draw_(Clock::now() + interval) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::advance_to(uint64_t done) {
  done_ = done;
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_draw_) return;
  next_draw_ = now + interval;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  draw(clear_line + progress_line(label_, done_, total_, unit_, terminal_width(),
                                  progress_details(done_, total_, failed_, seconds)));
}

void ProgressBar::clear() {
  if (drawn_) draw(clear_line);
  drawn_ = false;
}

}  // namespace onnx_lower
