// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "report/beyond_rules.h"

#include <algorithm>
#include <iterator>

namespace onnx_lower {
namespace {

struct BeyondRules {
  std::string_view domain;
  std::string_view op_type;  // "*": every one of the domain
  std::string_view why;
};

constexpr std::string_view generates =
    "it searches for a text with the decoder that its attribute holds, step by step, with a cache that the runtime "
    "manages: export the decoder alone, and generate outside of the model, as onnxruntime-genai does";
constexpr std::string_view text =
    "it works on strings, for which ONNX has next to no operators: do this step outside of the model";
constexpr std::string_view compiled =
    "it holds what was compiled for one device, and not what that computes: lower the model from before the "
    "compilation";
constexpr std::string_view cached =
    "it reads and writes a cache in pages that the runtime manages: export the attention with a cache as inputs and "
    "outputs (past_key, present_key)";
constexpr std::string_view reordered =
    "it keeps the keys of its cache in an order that only the kernels of a GPU read: export the attention as Attention "
    "or MultiHeadAttention, with a past and a present";
constexpr std::string_view sparse =
    "its first input is a sparse tensor, for which ONNX has no operators: hold it as a dense tensor, and multiply by "
    "MatMul";
constexpr std::string_view packed_by_runtime =
    "its weights are packed as ONNX Runtime's own products read them: quantize the model again, to MatMulNBits";
constexpr std::string_view kernel_alone =
    "nothing but a kernel for one kind of GPU says where it rounds to 8 bits: export the model with "
    "LongformerAttention, and quantize the products around it by QuantizeLinear and DequantizeLinear";
constexpr std::string_view extension =
    "it is an operator of onnxruntime-extensions, mostly a tokenizer or a step on images: do it outside of the model, "
    "or "
    "register that library in ONNX Runtime, and keep it";

constexpr std::string_view complex =
    "its complex numbers become pairs of real ones only where all that make and read them are in the model's own "
    "graph, "
    "and are Fourier transforms, view_as_real, real, imag, abs, angle, conj, complex, products, quotients and sums: "
    "export the model with torch.view_as_real, or its kind, behind the last of these";

constexpr BeyondRules operators[] = {
    {"com.microsoft", "BeamSearch", generates},
    {"com.microsoft", "GreedySearch", generates},
    {"com.microsoft", "Sampling", generates},
    {"com.microsoft", "WhisperBeamSearch", generates},
    {"com.microsoft", "Tokenizer", text},
    {"com.microsoft", "EPContext", compiled},
    {"com.microsoft", "PagedAttention", cached},
    {"com.microsoft", "BifurcationDetector", generates},
    {"com.microsoft", "SparsePagedAttention", cached},
    {"com.microsoft", "Snpe", compiled},
    {"com.microsoft", "DecoderMaskedSelfAttention", reordered},
    {"com.microsoft", "SparseToDenseMatMul", sparse},
    {"com.microsoft", "MatMulFpQ4", packed_by_runtime},
    {"com.microsoft", "QOrderedLongformerAttention", kernel_alone},
    {"ai.onnx.contrib", "*", extension},
    {"com.microsoft.extensions", "*", extension},
    {"aten", "fft_fft", complex},
    {"aten", "fft_fft2", complex},
    {"aten", "fft_fftn", complex},
    {"aten", "fft_ifft", complex},
    {"aten", "fft_ifft2", complex},
    {"aten", "fft_ifftn", complex},
    {"aten", "fft_rfft", complex},
    {"aten", "fft_rfft2", complex},
    {"aten", "fft_rfftn", complex},
    {"aten", "fft_irfft", complex},
    {"aten", "fft_irfft2", complex},
    {"aten", "fft_irfftn", complex},
    {"aten", "fft_hfft", complex},
    {"aten", "fft_hfft2", complex},
    {"aten", "fft_hfftn", complex},
    {"aten", "fft_ihfft", complex},
    {"aten", "fft_ihfft2", complex},
    {"aten", "fft_ihfftn", complex},
    {"aten", "view_as_real", complex},
    {"aten", "view_as_complex", complex},
    {"", "FFT", complex},
    {"", "FFT2D", complex},
    {"", "IFFT", complex},
    {"", "IFFT2D", complex},
    {"", "RFFT", complex},
    {"", "RFFT2D", complex},
    {"", "IRFFT", complex},
    {"", "IRFFT2D", complex},
};

}  // namespace

std::string_view why_beyond_rules(std::string_view domain, std::string_view op_type) {
  const auto* found = std::ranges::find_if(operators, [&](const BeyondRules& each) {
    return each.domain == domain && (each.op_type == "*" || each.op_type == op_type);
  });
  return found == std::end(operators) ? std::string_view() : found->why;
}

}  // namespace onnx_lower
