// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

// The nsample nearest points of each query in its own batch: (nsample, xyz, offset[, new_xyz,
// new_offset]) → idx, dist, or with nsample as an attribute and without the first input. Points and
// queries lie one after another, and the offsets say where each batch ends. Nearest first, ties to
// the lower index; where a batch has too few points, the row ends in index -1 and distance 100000,
// since a squared distance has to be below 1e10.
// Also: pointops::knnquery, pointops::knn_query
#include "custom/knnquery.h"

#include "library/k_d_tree.h"

namespace onnx_lower::kernels {
namespace {

template <typename T>
class Search {
 public:
  // A float16 has too few digits for the square of a distance.
  using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;

  // If `queries` is null, the points themselves are the queries.
  Search(const Call& call, const Cloud& cloud, const Cloud* queries, int64_t samples)
      : call_(call), cloud_(cloud), queries_(queries), samples_(samples), points_(coordinates(cloud.points)) {
    if (queries != nullptr) query_points_ = coordinates(queries->points);
  }

  // `idx` and `dist` have a row for each query; `dist` may be null.
  void go(int32_t* idx, T* dist) {
    build_trees();
    const Cloud& queries = queries_ != nullptr ? *queries_ : cloud_;
    const std::vector<Point<Real>>& places = queries_ != nullptr ? query_points_ : points_;
    const std::vector<int64_t> order = order_of_queries(queries.points.shape[0]);
    call_.parallel_for(std::ssize(order), kQueriesAtOnce, [&](int64_t from, int64_t to) {
      std::vector<Neighbour<Real>> nearest;
      for (int64_t i = from; i < to; ++i) {
        const int64_t query = order[i];
        const size_t batch = std::ranges::upper_bound(queries.ends, query) - queries.ends.begin();
        const KdTree<Real>& tree = *trees_[batch];
        nearest.assign(std::min(samples_, tree.size()), Neighbour<Real>(kSquaredLimit, 0));
        if (is_finite(places[query])) tree.search(places[query], nearest);
        write_row(nearest, idx + query * samples_, dist == nullptr ? nullptr : dist + query * samples_);
      }
    });
  }

 private:
  static constexpr int64_t kQueriesAtOnce = 256, kLargeBatch = 1 << 14;

  static std::vector<Point<Real>> coordinates(const Tensor& tensor) {
    std::vector<Point<Real>> points(tensor.shape[0]);
    const T* from = tensor.as<T>();
    for (Point<Real>& point : points) {
      for (Real& coordinate : point) coordinate = static_cast<Real>(widen(*from++));
    }
    return points;
  }

  // The trees of large batches are built one after another, by all threads together; those of the
  // other batches by one thread each.
  void build_trees() {
    const auto batches = static_cast<int64_t>(cloud_.ends.size());
    const auto serially = [](int64_t count, const std::function<void(int64_t)>& work) {
      for (int64_t i = 0; i < count; ++i) work(i);
    };
    const auto together = [this](int64_t count, const std::function<void(int64_t)>& work) {
      call_.parallel_for(count, 1, [&](int64_t i, int64_t) { work(i); });
    };
    trees_.resize(batches);
    const auto build = [this](int64_t batch, const typename KdTree<Real>::ForEach& for_each) {
      const int64_t begin = cloud_.begin(batch);
      trees_[batch].emplace(points_.data() + begin, cloud_.size(batch), begin, for_each);
    };
    for (int64_t batch = 0; batch < batches; ++batch) {
      if (cloud_.size(batch) >= kLargeBatch) build(batch, together);
    }
    call_.parallel_for(batches, 1, [&](int64_t batch, int64_t) {
      if (!trees_[batch]) build(batch, serially);
    });
  }

  // Queries are answered in the order in which a tree has them as points, so that each finds in the
  // caches what the last one used. Points that are in no tree come last.
  std::vector<int64_t> order_of_queries(int64_t count) const {
    std::vector<int64_t> order;
    order.reserve(count);
    if (queries_ != nullptr) {
      for (int64_t i = 0; i < count; ++i) order.push_back(i);
      return order;
    }
    for (const auto& tree : trees_) {
      for (int64_t i = 0; i < tree->size(); ++i) order.push_back(tree->index(i));
    }
    for (int64_t i = 0; i < count && std::ssize(order) < count; ++i) {
      if (!is_finite(points_[i])) order.push_back(i);
    }
    return order;
  }

  void write_row(const std::vector<Neighbour<Real>>& nearest, int32_t* idx, T* dist) const {
    for (int64_t sample = 0; sample < samples_; ++sample) {
      const bool is_there = sample < std::ssize(nearest) && squared_distance(nearest[sample]) < kSquaredLimit;
      idx[sample] = is_there ? index_of(nearest[sample]) : -1;
      const Real squared = is_there ? squared_distance(nearest[sample]) : Real(kSquaredLimit);
      if (dist != nullptr) dist[sample] = narrow<T>(std::sqrt(squared));
    }
  }

  const Call& call_;
  const Cloud& cloud_;
  const Cloud* queries_;
  int64_t samples_;
  std::vector<Point<Real>> points_, query_points_;
  std::vector<std::optional<KdTree<Real>>> trees_;
};

class KnnQuery : public Kernel {
 public:
  explicit KnnQuery(const Node& node) : samples_(samples_attribute(node)) {}

  void run(Call& call) const override {
    const NeighbourQuestion question = read_question(call, samples_);
    const int64_t count = question.of_queries().points.shape[0];
    with_type<float, double, Half>(question.cloud.points.type, [&]<typename T>(T) {
      auto* idx = call.output<int32_t>(0, {count, question.samples});
      T* dist = call.output<T>(1, {count, question.samples});
      const Cloud* queries = question.queries ? &*question.queries : nullptr;
      Search<T>(call, question.cloud, queries, question.samples).go(idx, dist);
    });
  }

 private:
  std::optional<int64_t> samples_;
};

Cloud read_cloud(const Call& call, size_t points_input, std::string_view points_name, size_t offset_input,
                 std::string_view offset_name) {
  Cloud cloud{.points = call.input(points_input, points_name, 2), .ends = {}};
  const Shape& shape = cloud.points.shape;
  if (shape[1] != 3) {
    fail("dimension 1 of ", points_name, " (input ", points_input, ") is ", shape[1],
         ", not 3: points have three coordinates");
  }
  if (shape[0] > INT32_MAX)
    fail("dimension 0 of ", points_name, " (input ", points_input, ") is ", shape[0], ", which no int32 can number");
  const Tensor offset = call.input(offset_input, offset_name, 1);
  with_type<int32_t, int64_t>(
      offset.type, [&]<typename T>(T) { cloud.ends.assign(offset.as<T>(), offset.as<T>() + offset.size()); });
  for (size_t batch = 0; batch < cloud.ends.size(); ++batch) {
    if (cloud.size(batch) < 0) {
      fail("element ", batch, " of ", offset_name, " (input ", offset_input, ") is ", cloud.ends[batch],
           ", before the end of the batch before it, ", cloud.begin(batch));
    }
    if (cloud.ends[batch] > shape[0]) {
      fail("element ", batch, " of ", offset_name, " (input ", offset_input, ") is ", cloud.ends[batch], ", but input ",
           points_input, " has only ", shape[0], " points");
    }
  }
  return cloud;
}

void infer_shapes(ShapeInference& shapes) {
  auto samples = shapes.integer_attribute("nsample");
  if (!samples) samples = shapes.integer_attribute("nsample_i");
  const size_t points_input = samples ? 0 : 1;
  auto queries = shapes.input(points_input + 2);
  if (!queries) queries = shapes.input(points_input);
  if (!queries || queries->size() != 2) return;
  // Only the shape of idx is set: the node may lack the other output.
  shapes.set_output(0, {queries->front(), samples ? Dim(*samples) : Dim()});
}

std::vector<Form> forms() {
  std::vector<Form> all;
  for (ElementType real : {kFloat, kDouble, kHalf}) {
    for (ElementType end : {kInt32, kInt64}) {
      // With nsample as an attribute, the last input is always absent.
      all.push_back({.inputs = {real, end, real, end, end}, .outputs = {kInt32, real}, .on_host = {1, 3}});
      for (ElementType count : {kInt64, kInt32})
        all.push_back({.inputs = {count, real, end, real, end}, .outputs = {kInt32, real}, .on_host = {0, 2, 4}});
    }
  }
  return all;
}

const Registration registration(ONNX_LOWER_KERNEL, knnquery(make_kernel<KnnQuery>, nullptr));

}  // namespace

NeighbourQuestion read_question(const Call& call, std::optional<int64_t> samples_attribute) {
  const int64_t samples = samples_attribute ? *samples_attribute : call.integer_input(0, "nsample");
  if (samples <= 0) fail("nsample (input 0) is ", samples, ", not positive");
  // The indices of the inputs, which follow nsample if that is an input.
  const size_t xyz = samples_attribute ? 0 : 1, offset = xyz + 1, new_xyz = xyz + 2, new_offset = xyz + 3;
  NeighbourQuestion question{samples, read_cloud(call, xyz, "xyz", offset, "offset"), {}};
  if (call.has_input(new_xyz) != call.has_input(new_offset))
    fail("new_xyz (input ", new_xyz, ") and new_offset (input ", new_offset, ") must be given together");
  if (call.has_input(new_xyz)) {
    question.queries = read_cloud(call, new_xyz, "new_xyz", new_offset, "new_offset");
    if (question.queries->ends.size() != question.cloud.ends.size()) {
      fail("offset (input ", offset, ") has ", question.cloud.ends.size(), " batches, but new_offset (input ",
           new_offset, ") has ", question.queries->ends.size());
    }
  }
  const Cloud& queries = question.of_queries();
  const int64_t last = queries.ends.empty() ? 0 : queries.ends.back(), count = queries.points.shape[0];
  if (last != count) {
    fail("query ", last, " of ", count, " (input ", question.queries ? new_xyz : xyz,
         ") is in no batch: the last one ends at ", last, " (input ", question.queries ? new_offset : offset, ")");
  }
  return question;
}

std::optional<int64_t> samples_attribute(const Node& node) {
  const auto samples = node.integer({"nsample"});
  if (samples && *samples <= 0) fail("attribute 'nsample' is ", *samples, ", not positive");
  return samples;
}

Operator knnquery(std::unique_ptr<Kernel> (*kernel)(const Node&), const char* execution_provider) {
  return {.required_inputs = 2,
          .required_outputs = 1,
          .forms = forms(),
          .make = kernel,
          .infer_shapes = infer_shapes,
          .execution_provider = execution_provider};
}

}  // namespace onnx_lower::kernels
