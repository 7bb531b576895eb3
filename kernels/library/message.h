// What a kernel says against its node.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace onnx_lower::kernels {

// What is wrong with a node's attributes or inputs. Whoever catches it adds which node that is.
class BadInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename... Parts>
std::string message(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

template <typename... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw BadInput(message(parts...));
}

}  // namespace onnx_lower::kernels
