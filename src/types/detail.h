// How much of a value's type somebody needs.
#pragma once

namespace onnx_lower {

// Each includes those before it. A declared type that says as much is taken as it is, without inference; the less is asked, the cheaper.
enum class Detail { element_type, shape, dimensions };

}  // namespace onnx_lower
