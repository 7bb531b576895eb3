// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// One step of training, of any number of tensors. The inputs behind the learning rate and the count
// of steps are all tensors, then all their gradients, then each kind of state that is kept of them;
// the outputs all tensors and then each kind of state.

#include <fmt/format.h>

#include "rules/body.h"

namespace onnx_lower::native_rules::ai_onnx_preview_training_optimizers {
namespace {

constexpr std::string_view domain = "ai.onnx.preview.training";

std::string numbered(std::string_view stem, int tensor) { return fmt::format("{}_{}", stem, tensor); }

// The body of an optimizer that keeps these `states` of each tensor X, of which it makes new ones.
// `step` adds the nodes for one tensor.
template <typename Step>
Lowering optimizer(const CallSite& site, std::string_view op_type, std::initializer_list<std::string_view> states,
                   const Step& step) {
  const int kinds = 2 + static_cast<int>(states.size());
  const int count = (site.input_count() - 2) / kinds;
  if (count < 1 || site.input_count() != 2 + kinds * count)
    return Declined{fmt::format("its inputs are not R, T, and {} of each tensor", kinds)};
  std::vector<std::string> inputs{"R", "T"};
  std::vector<std::string> outputs;
  const auto add_kind = [&](std::string_view kind, std::vector<std::string>& names, std::string_view suffix) {
    for (int tensor = 0; tensor < count; ++tensor) names.push_back(numbered(kind, tensor).append(suffix));
  };
  for (const std::string_view kind : {"X", "G"}) add_kind(kind, inputs, "");
  add_kind("X", outputs, "_new");
  for (const std::string_view kind : states) {
    add_kind(kind, inputs, "");
    add_kind(kind, outputs, "_new");
  }
  Body body(domain, op_type, inputs, outputs, 18);
  for (int tensor = 0; tensor < count; ++tensor) step(body, tensor);
  return body.function();
}

// G + norm_coefficient * X, which is the gradient of the loss + 0.5 * norm_coefficient * ||X||^2.
std::string regularized(const CallSite& site, Body& body, int tensor) {
  const std::string x = numbered("X", tensor);
  const std::string factor = body.scalar_like(site.attribute_float("norm_coefficient", 0), x);
  return body(body.fresh("regularized"), "Add", {body(body.fresh("decay"), "Mul", {factor, x}), numbered("G", tensor)});
}

// R or T, the learning rate or the number of the step, in the type of the tensor.
std::string as_tensor(Body& body, std::string_view name, int tensor) {
  return body(body.fresh(name), "CastLike", {name, numbered("X", tensor)});
}

// output = kept * state + added * value
std::string mean(Body& body, std::string_view output, std::string_view state, double kept, std::string_view value,
                 std::string_view added) {
  const std::string old = body(body.fresh("old"), "Mul", {body.scalar_like(kept, state), state});
  return body(output, "Add", {old, body(body.fresh("added"), "Mul", {added, value})});
}

// sqrt(squares) + epsilon, by which can be divided also where the squares are 0.
std::string damped_root(const CallSite& site, Body& body, int tensor, std::string_view squares) {
  const std::string epsilon = body.scalar_like(site.attribute_float("epsilon", 1e-6F), numbered("X", tensor));
  return body(body.fresh("adaptive"), "Add", {body(body.fresh("root"), "Sqrt", {squares}), epsilon});
}

// Whether this is not the first step.
std::string is_later(Body& body) { return body(body.fresh("later"), "Greater", {"T", body.scalar(0)}); }

// H_new = H + G^2
// X_new = X - R / (1 + T * decay_factor) * G / (sqrt(H_new) + epsilon)
Lowering lower_adagrad(const CallSite& site) {
  return optimizer(site, "Adagrad", {"H"}, [&](Body& body, int tensor) {
    const std::string x = numbered("X", tensor);
    const std::string one = body.scalar_like(1, x);
    const std::string decay = body.scalar_like(site.attribute_float("decay_factor", 0), x);
    const std::string slowing = body(body.fresh("slowing"), "Add",
                                     {one, body(body.fresh("decayed"), "Mul", {as_tensor(body, "T", tensor), decay})});
    const std::string rate = body(body.fresh("rate"), "Div", {as_tensor(body, "R", tensor), slowing});
    const std::string gradient = regularized(site, body, tensor);
    const std::string squares = body(numbered("H", tensor) + "_new", "Add",
                                     {numbered("H", tensor), body(body.fresh("square"), "Mul", {gradient, gradient})});
    const std::string root = damped_root(site, body, tensor, squares);
    // The product comes before the quotient, as in the definition.
    const std::string step = body(body.fresh("step"), "Mul", {rate, gradient});
    body(x + "_new", "Sub", {x, body(body.fresh("change"), "Div", {step, root})});
  });
}

//     V_new = alpha * V + (1 - alpha) * G
//     H_new = beta * H + (1 - beta) * G^2
//     X_new = (1 - norm_coefficient_post) * (X - rate * V_new / (sqrt(H_new) + epsilon))
//
// where the rate is R at the first step, and R * sqrt(1 - beta^T) / (1 - alpha^T) at the others.
Lowering lower_adam(const CallSite& site) {
  const float alpha = site.attribute_float("alpha", 0.9F);
  const float beta = site.attribute_float("beta", 0.999F);
  return optimizer(site, "Adam", {"V", "H"}, [&](Body& body, int tensor) {
    const std::string x = numbered("X", tensor);
    const std::string one = body.scalar_like(1, x);
    const std::string gradient = regularized(site, body, tensor);
    const auto rest_of = [&](double kept) { return body(body.fresh("rest"), "Sub", {one, body.scalar_like(kept, x)}); };
    const std::string mean_gradient =
        mean(body, numbered("V", tensor) + "_new", numbered("V", tensor), alpha, gradient, rest_of(alpha));
    const std::string square = body(body.fresh("square"), "Mul", {gradient, gradient});
    const std::string mean_square =
        mean(body, numbered("H", tensor) + "_new", numbered("H", tensor), beta, square, rest_of(beta));
    const std::string root = damped_root(site, body, tensor, mean_square);
    // At the first step T is 0; 1 stands for it, so that nothing is divided by 0.
    const std::string later = is_later(body);
    const std::string steps = body(body.fresh("steps"), "Where", {later, as_tensor(body, "T", tensor), one});
    const auto rest_of_power = [&](double base) {
      const std::string power = body(body.fresh("power"), "Pow", {body.scalar_like(base, x), steps});
      return body(body.fresh("rest"), "Sub", {one, power});
    };
    const std::string rate = as_tensor(body, "R", tensor);
    const std::string corrected =
        body(body.fresh("corrected"), "Div",
             {body(body.fresh("scaled"), "Mul", {rate, body(body.fresh("root"), "Sqrt", {rest_of_power(beta)})}),
              rest_of_power(alpha)});
    const std::string adjusted = body(body.fresh("adjusted"), "Where", {later, corrected, rate});
    const std::string step = body(body.fresh("step"), "Mul", {adjusted, mean_gradient});
    const std::string next = body(body.fresh("next"), "Sub", {x, body(body.fresh("change"), "Div", {step, root})});
    body(x + "_new", "Mul", {rest_of(site.attribute_float("norm_coefficient_post", 0)), next});
  });
}

// V_new = alpha * V + beta * G, with 1 for beta at the first step
// X_new = X - R * V_new, or of Nesterov X - R * (G + alpha * V_new)
Lowering lower_momentum(const CallSite& site) {
  const bool is_nesterov = site.need_choice("mode", "", {"standard", "nesterov"}) == "nesterov";
  const float alpha = site.attribute_float("alpha", 0);
  return optimizer(site, "Momentum", {"V"}, [&](Body& body, int tensor) {
    const std::string x = numbered("X", tensor);
    const std::string gradient = regularized(site, body, tensor);
    const std::string beta =
        body(body.fresh("beta"), "Where",
             {is_later(body), body.scalar_like(site.attribute_float("beta", 0), x), body.scalar_like(1, x)});
    const std::string momentum =
        mean(body, numbered("V", tensor) + "_new", numbered("V", tensor), alpha, gradient, beta);
    std::string direction = momentum;
    if (is_nesterov) {
      const std::string ahead = body(body.fresh("ahead"), "Mul", {body.scalar_like(alpha, x), momentum});
      direction = body(body.fresh("direction"), "Add", {gradient, ahead});
    }
    body(x + "_new", "Sub", {x, body(body.fresh("step"), "Mul", {as_tensor(body, "R", tensor), direction})});
  });
}

const NativeRule rules[] = {
    {.domain = domain,
     .op_type = "Adagrad",
     .summary = "A step of AdaGrad: the rate of each element sinks with the squares of its gradients.",
     .source = "ONNX Adagrad-1 of ai.onnx.preview.training",
     .attributes = "decay_factor, epsilon, norm_coefficient",
     .lower = lower_adagrad},
    {.domain = domain,
     .op_type = "Adam",
     .summary = "A step of Adam: by the mean gradient, over the root of its mean square.",
     .source = "ONNX Adam-1 of ai.onnx.preview.training",
     .attributes = "alpha, beta, epsilon, norm_coefficient, norm_coefficient_post",
     .lower = lower_adam},
    {.domain = domain,
     .op_type = "Momentum",
     .summary = "A step of gradient descent with momentum, Nesterov's or the plain one.",
     .source = "ONNX Momentum-1 of ai.onnx.preview.training",
     .attributes = "alpha, beta, mode, norm_coefficient",
     .required_attributes = "alpha, beta, mode, norm_coefficient",
     .lower = lower_momentum}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::ai_onnx_preview_training_optimizers
