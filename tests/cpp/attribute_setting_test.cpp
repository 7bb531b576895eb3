// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "command_line/option_values.h"
#include "error.h"

namespace onnx_lower {
namespace {

using onnx::AttributeProto;

AttributeProto value(const std::string& text) { return parse_attribute_setting("custom::F.a=" + text).attribute; }

template <typename Repeated>
auto list(const Repeated& values) {
  return std::vector<typename Repeated::value_type>(values.begin(), values.end());
}

}  // namespace

TEST_CASE("--set names an operator") {
  const AttributeSetting setting = parse_attribute_setting("rknn_cst::cstThreshold.threshold=0.1");
  CHECK(setting.domain == "rknn_cst");
  CHECK(setting.op_type == "cstThreshold");
  CHECK(setting.node_name.empty());
  CHECK(setting.attribute.name() == "threshold");
  CHECK(setting.attribute.f() == 0.1f);
  CHECK(setting.text == "rknn_cst::cstThreshold.threshold=0.1");
}

TEST_CASE("--set with dots in the domain and in the operator") {
  const AttributeSetting setting = parse_attribute_setting("org.pytorch.aten::add.out.alpha=2");
  CHECK(setting.domain == "org.pytorch.aten");
  CHECK(setting.op_type == "add.out");
  CHECK(setting.attribute.name() == "alpha");
}

TEST_CASE("--set for the default domain") {
  CHECK(parse_attribute_setting("ai.onnx::Foo.alpha=2").domain.empty());
  CHECK(parse_attribute_setting("::Foo.alpha=2").domain.empty());
}

TEST_CASE("--set names a node, whose name may hold dots and equals signs") {
  for (const std::string name : {"thr1", "/model/thr.1", "a=b", "x::y", "with space"}) {
    const AttributeSetting setting = parse_attribute_setting("node:" + name + ".threshold=0.5");
    CHECK(setting.node_name == name);
    CHECK(setting.op_type.empty());
    CHECK(setting.attribute.name() == "threshold");
  }
}

TEST_CASE("integers") {
  CHECK(value("1").type() == AttributeProto::INT);
  CHECK(value("-3").i() == -3);
  CHECK(value("+3").i() == 3);
  CHECK(value("9223372036854775807").i() == std::numeric_limits<int64_t>::max());
  CHECK_THROWS_AS(value("9223372036854775808"), UsageError);
}

TEST_CASE("floats") {
  CHECK(value("1.5").type() == AttributeProto::FLOAT);
  CHECK(value("1e-3").f() == 1e-3f);
  CHECK(value("1.").f() == 1.0f);
  CHECK(value("-.5").f() == -0.5f);
  CHECK(std::isinf(value("inf").f()));
  CHECK(value("-inf").f() < 0);
  CHECK(std::isnan(value("nan").f()));
  CHECK_THROWS_AS(value("1e99"), UsageError);
  CHECK_THROWS_AS(value("1e999"), UsageError);
}

TEST_CASE("strings") {
  CHECK(value("tanh").type() == AttributeProto::STRING);
  CHECK(value("tanh").s() == "tanh");
  CHECK(value("\"1\"").s() == "1");
  CHECK(value("'a,b'").s() == "a,b");
  CHECK(value("\"\"").s().empty());
  CHECK(value("\"\"").type() == AttributeProto::STRING);
  CHECK(value(R"("say \"yes\"")").s() == "say \"yes\"");
  CHECK(value("a=b").s() == "a=b");
  CHECK(value("x.y").s() == "x.y");
}

TEST_CASE("lists") {
  CHECK(list(value("1,1").ints()) == std::vector<int64_t>{1, 1});
  CHECK(value("1,1").type() == AttributeProto::INTS);
  CHECK(list(value("[ 1, 2 ]").ints()) == std::vector<int64_t>{1, 2});
  CHECK(value("[3]").type() == AttributeProto::INTS);
  CHECK(list(value("0.1,2").floats()) == std::vector<float>{0.1f, 2.0f});
  CHECK(value("0.1,2").type() == AttributeProto::FLOATS);
  CHECK(list(value("a,'b,c'").strings()) == std::vector<std::string>{"a", "b,c"});
  CHECK(value("a,b").type() == AttributeProto::STRINGS);
}

TEST_CASE("what is no setting is refused") {
  for (const char* text : {"", "custom::F", "custom::F.a", "F.a=1", "custom::F=1", "custom::.a=1", "=1", ".a=1",
                           "node:.a=1", "custom::F.1a=1", "custom::F.a=", "custom::F.a=\"open", "custom::F.a=1,",
                           "custom::F.a=,1", "custom::F.a=[]", "custom::F.a=1,b", "custom::F.a=\"x\"y"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_attribute_setting(text), UsageError);
  }
}

TEST_CASE("--keep names a domain or an operator") {
  CHECK(parse_operator_pattern("--keep", "custom").domain == "custom");
  CHECK(parse_operator_pattern("--keep", "custom::F").op_type == "F");
  CHECK(parse_operator_pattern("--keep", "::F").domain.empty());
  CHECK_THROWS_AS(parse_operator_pattern("--keep", ""), UsageError);
  CHECK_THROWS_AS(parse_operator_pattern("--keep", "custom::"), UsageError);
}

}  // namespace onnx_lower
