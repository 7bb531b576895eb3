// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// Weights of a product that nodes unpack each time that the model runs, from codes of a few bits,
// zero points and scales, as exporters leave the packings of GPTQ and AWQ:
//
//     weights[k, n] = (codes[k, n] - zeros[k / block, n]) * scales[k / block, n]
//
// DequantizeLinear says the same of codes that lie in this order, and runtimes join that to a
// product with weights of a few bits.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "legalizer/weights/packed_tensors.h"
#include "model_file/derivation.h"
#include "onnx/onnx_pb.h"

namespace onnx_lower {

// A part of the weights, derived from a constant of the model.
struct WeightPart {
  int element_type = 0;  // of the constant
  Derivation how = {};
};

struct PackedWeights {
  int element_type = 0;
  int64_t columns = 0, rows = 0;  // K and N
  int64_t block_size = 0;
  int64_t bits = 0;             // of a code: 2, 4 or 8
  bool has_sign = false;        // else the codes are numbers from 0 on
  bool are_bytes = false;       // each is an element of a constant: there is arithmetic already
  bool has_real_zeros = false;  // zero points of floating point: only arithmetic has these
  WeightPart codes = {}, scales = {};
  // A zero point for each scale, or one that is the same for all.
  std::optional<WeightPart> zeros = {};
  std::optional<int64_t> zero = {};
  std::vector<const Node*> unpacked_by = {};
};

// Whether the model has a node of an operator that takes bits out of words, or a constant of bytes:
// else nothing is unpacked.
bool may_unpack_weights(const Model& model);
// Whether nodes of the operator may be products of weights.
bool is_product(const Operator& op);

// What makes the weights of this product, whose second input is a value of the
// scope; nothing where they are made in another way.
std::optional<PackedWeights> packed_weights(PackedTensors& tensors, const Model& model, const GraphScope& scope,
                                            const Node& product, const onnx::NodeProto& message);

// In which form the weights are written.
enum class WeightForm : uint8_t {
  blocks,                // DequantizeLinear of codes that are as small as they are
  blocks_without_zeros,  // the same for a runtime whose blocks have no zero points
  blocks_of_bytes,       // of codes in bytes
  bytes,                 // by arithmetic, of codes in bytes
};

// Whether DequantizeLinear may say the weights.
inline bool has_blocks(const PackedWeights& weights) { return !weights.has_real_zeros; }
// Whether there is such a form of the weights, for what is multiplied with them and has this rank.
bool may_have(const PackedWeights& weights, WeightForm form, std::optional<int64_t> rank);
// The first opset that has what the form of these weights needs.
int first_opset(const PackedWeights& weights, WeightForm form);
// A function of the product that has the weights in this form. `rank`: of what is multiplied with
// them, which only blocks_without_zeros asks for.
onnx::FunctionProto with_packed_weights(const onnx::NodeProto& product, PackedWeights weights, WeightForm form,
                                        int64_t rank);

}  // namespace onnx_lower
