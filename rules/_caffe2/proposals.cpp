// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// What Caffe2 does with the proposals of the levels of a feature pyramid: it collects the best of
// all levels, and distributes them to the levels of their sizes.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "rules/body.h"

namespace onnx_lower::native_rules::_caffe2_proposals {
namespace {

std::vector<std::string> numbered(std::string_view stem, int64_t count) {
  std::vector<std::string> names;
  for (int64_t number = 0; number < count; ++number) names.push_back(fmt::format("{}_{}", stem, number));
  return names;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

int64_t levels_of(const CallSite& site, std::string_view least, std::string_view most, int64_t last) {
  const int64_t count = site.attribute_int(most, last) - site.attribute_int(least, 2) + 1;
  if (count < 1) decline(fmt::format("{} is above {}", least, most));
  return count;
}

// Makes `name`, the proposals of all levels, the best first.
void append_collected(Body& body, const CallSite& site, int64_t levels, std::string_view name) {
  if (site.input_count() != 2 * levels) decline(fmt::format("it has not {} inputs, two for each level", 2 * levels));
  body("all_rois", "Concat", numbered("rois", levels), {{"axis", 0}});
  std::vector<std::string> lists;
  for (const std::string& probabilities : numbered("probabilities", levels))
    lists.push_back(body.reshape(probabilities, {-1}, "list"));
  body("all_probabilities", "Concat", lists, {{"axis", 0}});
  body("count", "Shape", {"all_probabilities"});
  const int64_t limit = site.attribute_int("rpn_post_nms_topN", 2000);
  std::string number = "count";
  if (limit > 0) number = body("number", "Min", {"count", body.ints({limit}, "limit")});
  body.node({"best_probabilities", "best"}, "TopK", {"all_probabilities", number}, {{"axis", 0}});
  body(name, "Gather", {"all_rois", "best"});
}

// Makes `rois_of_0` and so on, the rows of `rois` of each level, and `restore`: where each row of
// `rois` is among all of these.
void append_distributed(Body& body, const CallSite& site, int64_t levels, const std::string& rois,
                        bool first_is_image) {
  const int64_t least = site.attribute_int("roi_min_level", 2);
  const float plus = site.attribute_int("legacy_plus_one", 1) != 0 ? 1.0f : 0.0f;
  const auto side = [&](int64_t column) {
    const int64_t from = first_is_image ? column + 1 : column;
    const std::string low = body.made("low", "Gather", {rois, body.scalar(from)}, {{"axis", 1}});
    const std::string high = body.made("high", "Gather", {rois, body.scalar(from + 2)}, {{"axis", 1}});
    const std::string span = body.made("span", "Sub", {high, low});
    return body.made("side", "Add", {span, body.float_scalar(plus, "plus")});
  };
  const std::string width = side(0), height = side(1);
  body("area", "Mul", {width, height});
  body("size", "Sqrt", {"area"});
  const double canonical = static_cast<double>(site.attribute_int("roi_canonical_scale", 224));
  body("relative_size", "Div", {"size", body.float_scalar(canonical, "canonical")});
  body("positive_size", "Add", {"relative_size", body.float_scalar(1e-6, "little")});
  body("logarithm", "Log", {"positive_size"});
  body("steps", "Div", {"logarithm", body.float_scalar(std::log(2.0), "of_two")});
  const double level = static_cast<double>(site.attribute_int("roi_canonical_level", 4));
  body("free_place", "Add", {"steps", body.float_scalar(level, "canonical_level")});
  body("free_level", "Floor", {"free_place"});
  body("level", "Clip",
       {"free_level", body.float_scalar(static_cast<double>(least), "least_level"),
        body.float_scalar(static_cast<double>(least + levels - 1), "most_level")});
  std::vector<std::string> orders;
  for (int64_t number = 0; number < levels; ++number) {
    const std::string is_of_level =
        body.made("is_of_level", "Equal", {"level", body.float_scalar(static_cast<double>(least + number), "number")});
    const std::string places = body.made("places", "NonZero", {is_of_level});
    const std::string rows = body.reshape(places, {-1}, "rows");
    orders.push_back(rows);
    body(fmt::format("rois_of_{}", number), "Gather", {rois, rows});
  }
  const std::string order = body("order", "Concat", orders, {{"axis", 0}});
  body("row_count", "Shape", {order});
  body.node({"sorted_rows", "inverse"}, "TopK", {order, "row_count"}, {{"axis", 0}, {"largest", 0}});
  body("restore", "Cast", {"inverse"}, {{"to", 6}});
}

Lowering collect(const CallSite& site) {
  const int64_t levels = levels_of(site, "rpn_min_level", "rpn_max_level", 6);
  Body body("_caffe2", "CollectRpnProposals", joined(numbered("rois", levels), numbered("probabilities", levels)),
            {"rois"}, 18);
  append_collected(body, site, levels, "rois");
  return body.function();
}

Lowering distribute(const CallSite& site) {
  const int64_t levels = levels_of(site, "roi_min_level", "roi_max_level", 5);
  if (site.output_count() != levels + 1) return Declined{fmt::format("it has not {} outputs", levels + 1)};
  const int64_t columns = site.need_dim(0, 1);
  if (columns != 4 && columns != 5) return Declined{"its rows have not 4 or 5 columns"};
  Body body("_caffe2", "DistributeFpnProposals", {"rois"}, joined(numbered("rois_of", levels), {"restore"}), 18);
  append_distributed(body, site, levels, "rois", columns == 5);
  return body.function();
}

Lowering collect_and_distribute(const CallSite& site) {
  const int64_t collected = levels_of(site, "rpn_min_level", "rpn_max_level", 6);
  const int64_t levels = levels_of(site, "roi_min_level", "roi_max_level", 5);
  if (site.output_count() != levels + 2) return Declined{fmt::format("it has not {} outputs", levels + 2)};
  Body body("_caffe2", "CollectAndDistributeFpnRpnProposals",
            joined(numbered("rois", collected), numbered("probabilities", collected)),
            joined(joined({"rois"}, numbered("rois_of", levels)), {"restore"}), 18);
  append_collected(body, site, collected, "rois");
  append_distributed(body, site, levels, "rois", true);
  return body.function();
}

const std::array<NativeRule, 3> rules{
    NativeRule{.domain = "_caffe2",
               .op_type = "CollectRpnProposals",
               .summary = "The best proposals of all levels of a feature pyramid, the best first.",
               .source = "Caffe2's CollectRpnProposals (collect_and_distribute_fpn_rpn_proposals_op.cc)",
               .also = "ai.onnx::CollectRpnProposals, org.pytorch._caffe2::CollectRpnProposals",
               .attributes = "rpn_max_level, rpn_min_level, rpn_post_nms_topN",
               .lower = collect},
    NativeRule{.domain = "_caffe2",
               .op_type = "DistributeFpnProposals",
               .summary = "The proposals of each level of a feature pyramid, by their sizes, and where each is.",
               .source = "Caffe2's DistributeFpnProposals (collect_and_distribute_fpn_rpn_proposals_op.cc)",
               .also = "ai.onnx::DistributeFpnProposals, org.pytorch._caffe2::DistributeFpnProposals",
               .attributes = "legacy_plus_one, roi_canonical_level, roi_canonical_scale, roi_max_level, roi_min_level",
               .inputs = "rois",
               .needed_inputs = 1,
               .most_inputs = 1,
               .lower = distribute},
    NativeRule{.domain = "_caffe2",
               .op_type = "CollectAndDistributeFpnRpnProposals",
               .summary = "The best proposals of all levels of a feature pyramid, and those of each level.",
               .source = "Caffe2's operator of that name (collect_and_distribute_fpn_rpn_proposals_op.cc)",
               .also = "ai.onnx::CollectAndDistributeFpnRpnProposals, "
                       "org.pytorch._caffe2::CollectAndDistributeFpnRpnProposals",
               .attributes = "legacy_plus_one, roi_canonical_level, roi_canonical_scale, roi_max_level, roi_min_level, "
                             "rpn_max_level, rpn_min_level, rpn_post_nms_topN",
               .lower = collect_and_distribute}};
const NativeRule::Registration registration{rules};

}  // namespace
}  // namespace onnx_lower::native_rules::_caffe2_proposals
