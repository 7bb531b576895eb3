// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "many_models/interruption.h"

#include <unistd.h>

#include <cstddef>
#include <iterator>

namespace onnx_lower {
namespace {

volatile std::sig_atomic_t noted = 0;

void note(int signal) { noted = signal; }

}  // namespace

Interruption::Interruption() : old_() {
  noted = 0;
  struct sigaction action {};
  action.sa_handler = note;  // without SA_RESTART: whoever waits is to wake up
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(signals); ++i) {
    ::sigaction(signals[i], nullptr, &old_[i]);
    if (old_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (size_t i = 0; i < std::size(signals); ++i) ::sigaction(signals[i], &old_[i], nullptr);
}

int Interruption::signal() { return noted; }

void Interruption::end_program() {
  const int signal = noted;
  std::signal(signal, SIG_DFL);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace onnx_lower
