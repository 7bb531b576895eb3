// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Node messages that are used again: a message keeps the memory of what it held before, and most nodes of a model look alike.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "onnx/onnx_pb.h"

namespace onnx_lower {

class MessagePool {
 public:
  // A message of any content, which goes back when the loan ends. The pool must outlive it.
  class Loan {
   public:
    explicit Loan(MessagePool& pool) : pool_(pool) {
      if (pool.free_.empty()) pool.free_.push_back(std::make_unique<onnx::NodeProto>());
      message_ = std::move(pool.free_.back());
      pool.free_.pop_back();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() { pool_.free_.push_back(std::move(message_)); }

    onnx::NodeProto& operator*() const { return *message_; }

   private:
    MessagePool& pool_;
    std::unique_ptr<onnx::NodeProto> message_;
  };

  Loan borrow() { return Loan(*this); }

 private:
  std::vector<std::unique_ptr<onnx::NodeProto>> free_;
};

}  // namespace onnx_lower
