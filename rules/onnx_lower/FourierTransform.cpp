// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// PyTorch's and TensorFlow's Fourier transforms along any axes, by one DFT for each of them.
// Complex numbers are pairs in a last dimension.
//
// A real result is the real part of the transform of one side of the spectrum, in which all
// frequencies count twice that have a negative counterpart. The transforms of one side of a signal,
// whose spectrum is real, are those of one side of a spectrum with the other sign and norm:
//
//     hfft(x) = irfft(conj(x)), ihfft(x) = conj(rfft(x)), "forward" for "backward"
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "rules/body.h"

namespace onnx_lower::native_rules::onnx_lower_FourierTransform {
namespace {

class FourierTransform {
 public:
  explicit FourierTransform(const CallSite& site)
      : site_(site),
        asked_(site.need_choice("kind", "fft", {"fft", "ifft", "rfft", "irfft", "hfft", "ihfft"})),
        is_of_half_signal_(asked_.ends_with("hfft")),
        kind_(!is_of_half_signal_ ? asked_
              : asked_ == "hfft"  ? "irfft"
                                  : "rfft"),
        of_complex_(site.attribute_int("of_complex", 0) != 0),
        rank_(site.need_rank(0) - (of_complex_ ? 1 : 0)),
        is_inverse_(kind_.starts_with("i")),
        body_("onnx_lower", "FourierTransform", {"x", "sizes", "axes", "norm"}, {"y"}, 17) {
    if ((kind_ == "irfft" && !of_complex_) || (kind_ == "rfft" && of_complex_))
      decline(fmt::format("it is an {} of {} numbers", asked_, of_complex_ ? "complex" : "real"));
    find_axes();
    body_.grows_with(axes_.size());
  }

  Lowering lowering() {
    std::string value = of_complex_ ? "x" : body_.unsqueeze("x", {-1}, "numbers");
    if (asked_ == "hfft") value = conjugate(value);
    // The one-sided transform is the first one forth and the last one back.
    const size_t last = axes_.size() - 1;
    if (kind_ == "rfft") value = transformed(value, last, true);
    for (size_t place = 0; place < axes_.size(); ++place) {
      const bool is_one_sided = place == last && (kind_ == "rfft" || kind_ == "irfft");
      if (!is_one_sided) value = transformed(value, place, false);
    }
    if (kind_ == "irfft") value = real_signal(value, last);
    if (asked_ == "ihfft") value = conjugate(value);
    body_("y", "Identity", {scaled(value)});
    return body_.function();
  }

 private:
  std::string conjugate(const std::string& value) {
    body_.constant_like("signs", tensor_of(onnx::TensorProto::DOUBLE, {2}, std::vector<double>{1.0, -1.0}), "x");
    return body_("conjugate", "Mul", {value, "signs"});
  }

  void find_axes() {
    if (site_.has_input(1)) sizes_ = site_.need_ints(1);
    if (site_.has_input(2)) {
      axes_ = site_.need_ints(2);
    } else if (site_.attribute("axes") != nullptr) {
      axes_ = site_.attribute_ints("axes", {});
    } else if (!sizes_.empty()) {
      for (int64_t place = 0; place < static_cast<int64_t>(sizes_.size()); ++place)
        axes_.push_back(place - static_cast<int64_t>(sizes_.size()));
    } else {
      axes_ = numbers_below(rank_);
    }
    for (int64_t& axis : axes_) axis = need_axis(axis, rank_);
    Ints sorted = axes_;
    std::ranges::sort(sorted);
    if (axes_.empty() || std::ranges::adjacent_find(sorted) != sorted.end()) decline("its axes are none, or repeated");
    if (sizes_.empty()) sizes_.assign(axes_.size(), -1);
    if (sizes_.size() != axes_.size()) decline("it has not one size for each axis");
  }

  // The axis is put behind all others, and those become one: OpenVINO transforms the second axis of
  // a DFT of opset 20, whichever the node says.
  std::string transformed(const std::string& value, size_t place, bool is_one_sided) {
    Ints swapped(static_cast<size_t>(rank_ + 1));
    for (size_t axis = 0; axis < swapped.size(); ++axis) swapped[axis] = static_cast<int64_t>(axis);
    std::swap(swapped[static_cast<size_t>(axes_[place])], swapped[static_cast<size_t>(rank_ - 1)]);
    const bool is_in_place = axes_[place] == rank_ - 1;
    const std::string turned = is_in_place ? value : body_.transpose(value, swapped, "turned");
    const std::string shape = body_.made("shape", "Shape", {turned});
    const std::string all = body_.ints({-1}, "all");
    const std::string ends = body_.slice(shape, rank_ - 1, rank_ + 1, 0, "ends");
    const std::string flat_shape = body_.made("flat_shape", "Concat", {all, ends}, {{"axis", 0}});
    std::string flat = body_.made("flat", "Reshape", {turned, flat_shape});
    // OpenVINO reads beyond a real signal that is to become longer.
    const std::optional<int64_t> own = site_.dim(0, static_cast<int>(axes_[place]));
    const bool is_padded = is_one_sided && own && sizes_[place] > *own;
    if (is_padded) flat = body_.made("padded", "Pad", {flat, body_.ints({0, 0, 0, 0, sizes_[place] - *own, 0})});
    Values inputs{flat};
    if (sizes_[place] > 0 && !is_padded) inputs = {flat, body_.scalar(sizes_[place], "length")};
    const std::string lines = body_.made(
        "lines", "DFT", inputs, {{"axis", 1}, {"inverse", is_inverse_ ? 1 : 0}, {"onesided", is_one_sided ? 1 : 0}});
    const std::string others = body_.slice(shape, 0, rank_ - 1, 0, "others");
    const std::string new_ends = body_.ints({-1, 2}, "new_ends");
    const std::string whole_shape = body_.made("whole_shape", "Concat", {others, new_ends}, {{"axis", 0}});
    const std::string result = body_.made("transformed", "Reshape", {lines, whole_shape});
    return is_in_place ? result : body_.transpose(result, swapped, "turned_back");
  }

  std::string real_signal(std::string value, size_t place) {
    const int axis = static_cast<int>(axes_[place]);
    const int64_t given = site_.need_dim(0, axis);
    if (sizes_[place] < 0) sizes_[place] = 2 * (given - 1);
    const int64_t length = sizes_[place];
    if (length < 1) decline("one frequency makes up no signal");
    const int64_t used = std::min(given, length / 2 + 1);
    if (used < given) value = body_.slice(value, 0, used, axis, "one_side");
    std::vector<double> weights(list_size({used}), 2.0);
    weights.front() = 1.0;
    if (length % 2 == 0 && used == length / 2 + 1) weights.back() = 1.0;
    Ints shape(static_cast<size_t>(rank_ + 1), 1);
    shape[static_cast<size_t>(axis)] = used;
    body_.constant_like("weights", tensor_of(onnx::TensorProto::DOUBLE, shape, weights), "x");
    body_("both_sides", "Mul", {value, "weights"});
    const std::string signal = transformed("both_sides", place, false);
    return body_.made("signal", "Gather", {signal, body_.scalar(0, "real_part")}, {{"axis", rank_}});
  }

  // DFT divides what goes back by the number of elements, and nothing else.
  std::string scaled(const std::string& value) {
    const std::string norm = site_.need_text(3, "backward");
    const bool is_default = norm == "backward" || norm.empty();
    if (!is_default && norm != "forward" && norm != "ortho") decline(fmt::format("its normalization is '{}'", norm));
    if (is_of_half_signal_ ? norm == "forward" : is_default) return value;
    std::string number = count_of_elements();
    if (norm == "ortho") number = body_.made("root", "Sqrt", {number});
    const std::string typed = body_.made("factor", "CastLike", {number, "x"});
    return body_.made("scaled", is_inverse_ ? "Mul" : "Div", {value, typed});
  }

  // Gives the number of elements of all transformed axes, double.
  std::string count_of_elements() {
    double known = 1.0;
    Ints unknown;
    for (size_t place = 0; place < axes_.size(); ++place) {
      const auto size = sizes_[place] > 0 ? std::optional(sizes_[place]) : site_.dim(0, static_cast<int>(axes_[place]));
      if (size) {
        known *= static_cast<double>(*size);
      } else {
        unknown.push_back(axes_[place]);
      }
    }
    std::string count =
        body_.constant(body_.fresh("count"), tensor_of(onnx::TensorProto::DOUBLE, {}, std::vector<double>{known}));
    if (unknown.empty()) return count;
    const std::string sizes = body_.made("sizes", "Gather", {body_.made("shape", "Shape", {"x"}), body_.ints(unknown)});
    const std::string numbers = body_.made("numbers", "Cast", {sizes}, {{"to", 11}});
    const std::string product = body_.made("product", "ReduceProd", {numbers}, {{"keepdims", 0}});
    return body_.made("all", "Mul", {product, count});
  }

  const CallSite& site_;
  const std::string asked_;
  const bool is_of_half_signal_;
  const std::string kind_;
  const bool of_complex_;
  const int rank_;  // without the pairs
  const bool is_inverse_;
  Ints axes_, sizes_;  // a size below 0: that of the input
  Body body_;
};

Lowering lower(const CallSite& site) { return FourierTransform(site).lowering(); }

const NativeRule rule{.domain = "onnx_lower",
                      .op_type = "FourierTransform",
                      .summary = "Fourier transforms along any axes, of real numbers or of complex ones as pairs.",
                      .source = "torch.fft and tf.signal",
                      .attributes = "axes, kind, of_complex",
                      .inputs = "x, sizes, axes, norm",
                      .needed_inputs = 1,
                      .most_inputs = 4,
                      .lower = lower};
const NativeRule::Registration registration{rule};

}  // namespace
}  // namespace onnx_lower::native_rules::onnx_lower_FourierTransform
