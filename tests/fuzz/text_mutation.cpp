// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzz/text_mutation.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace onnx_lower::fuzz {
namespace {

// Words are two blanks or a line apart.
constexpr std::string_view numbers = R"words(
0  1  -1  18  0.5  1e39  -0.0  1e-46  9223372036854775807  -9223372036854775809  1e999  nan  inf  007  0x1F  2.  .5
99999999999999999999999  1e5
)words";

constexpr std::string_view model_words = R"words(
<  >  (  )  {  }  [  ]  =>  =  ,  :  @  #  "  ?  ir_version  opset_import  domain  overload  agraph  float  float16
int64  bool  string  tensor  graph  seq(float[N])  optional(float)  sparse_tensor(float[3])  value_float
value_ints  axis  to  then_branch  else_branch  body  Constant  CastLike  Cast  Add  Where  If  Loop  Identity
Gelu  LayerNormalization  Split  SequenceConstruct  custom.my_add  rknn_cst.cstThreshold  com.microsoft.FastGelu
aten.hypot  local.F  local.F:one  doc_string  producer_name  metadata_props  ""  "ai.onnx" : 18  "custom" : 1
)words";

constexpr std::string_view rule_words = R"words(
<  >  (  )  {  }  [  ]  =>  =  ,  :  @  @alpha  @dtype_of_x  @rank_of_x  @dims_of_x  @dim_0_of_x  @dim_m1_of_x
@value_of_x  dtype_of_x  dims_of_y  value_of_axes  "where"  "let"  ["where": "rank(x) == 2"]
["let": "a = range(rank(x)); b = a[0]"]  @a
["where": "constant(axes) and dtype(x) in (float, double)"]  domain  opset_import  overload  # Source: a paper
float  int  ints  floats  string  strings  tensor  Constant  CastLike  Cast  Add  Where  If  Loop  Identity  Gelu
Split  SequenceConstruct  acme.F  custom.my_add  com.microsoft.FastGelu  value_float  value_int  value_ints  to
axis  alpha  alpha: float  alpha: float = 1.0  (x, , y)  y, , z  ""
)words";

constexpr std::string_view condition_words = R"words(
a = 1; b = range(k) + [1]  ;  =  +  -  *  /  //  %  [  ]  axes[0]  range(2)  min(k, 1)  max(scales)  if  else
and  or  not  in  (  )  ,  ==  !=  <  <=  >  >=  rank  rank(x)  dtype(x)  dim(x, 0)  dim(x, -1)  dim(x, 9)
constant(x)  constant(axes)  present(x)  present(bias)  length(axes)  length(scales)  opset()  float  double
float16  bfloat16  int8  uint4  string  bool  alpha  k  axes  scales  approximate  tensor  x  scalar  sequence
'tanh'  "none"  '  "
)words";

constexpr std::string_view manifest_words = R"words(
{  }  [  ]  :  ,  "input"  "output"  "id"  "set"  "keep"  "attach"  "rules"  "target_opset"  "target"
"allow_unlowered"  "external_data"  "allow_external_paths"  "check"  "report"  "jobs"  "expand"  "a.onnx"
"../b.onnx"  "/c.onnx"  "-"  ""  "embed"  "custom::F.alpha=1"  "node:n.k=[1,2]"  "custom::F"  true  false  null
"\u0000"  "\ud800"
)words";

constexpr std::string_view target_words = R"words(
#  opset  ir  functions  let  nodes made  others never  shapes static  shapes ranked  shapes declared
shapes declared inside  shapes unnamed inside  inputs filled  outputs made  types not in (bfloat16)  types raw (bool, uint32)
source documents  opset lowered 7..17  opset 7..18  opset ai.onnx.ml none  ir 3..8  functions no  let
floats = (float, float16)  in floats  never  always  where  made  rather  right  surely  Cast  Erf  Gelu  Loop  If
Softmax  LayerNormalization  Constant  Reshape  Shape  Unique  Neg  Clip  Mish  Relu  Add  Range  Identity  Mul  Sub
Div  Exp  Where  Tanh  ReduceMean  Sqrt  Pow  com.microsoft::FastGelu  custom::F  13  13..18  18..  ..9
dtype(X) in (float, double)  dtype(input_0) == float  rank(input) == 2  axis == -1  not present(Mean)
constant(shape)  attribute(value)  nonnegative(input_0)  positive(M)  zero(B)  stretched(A)  known(cond)  static(Y)  ranked(outputs)  behind(X, Transpose)  holds(Loop, If)
model_output(int64)  model_output(Y)  made_by(A, Relu, Shape)  read_by(Y, Sub, Exp)  read_by(Y)  iteration(M)  accumulated(X)
dim(input, -1) == 4  and  or  not  (  )  ,  ==  !=  <  ::  ..
)words";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || (c & 0x80) != 0;
}

// Words, runs of white space, strings in quotes, and everything else character by character.
// Together they are the text.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    if (is_word(text[begin])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[begin] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      if (end < text.size()) ++end;
    } else if (text[begin] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    }
    tokens.emplace_back(text.substr(begin, end - begin));
    begin = end;
  }
  return tokens;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min({text.find("  ", begin), text.find('\n', begin), text.size()});
    if (end > begin) words.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string mutated(std::string_view input, std::string_view other, Random& random,
                    const std::vector<std::string>& words) {
  static const std::vector<std::string> number_words = words_of(numbers);
  std::vector<std::string> tokens = tokens_of(input);
  const std::vector<std::string> other_tokens = tokens_of(other);
  const auto some_token = [&]() -> std::string {
    if (!other_tokens.empty() && random.chance(50)) return random.pick(other_tokens);
    if (!tokens.empty() && random.chance(30)) return random.pick(tokens);
    return random.chance(15) ? random.pick(number_words) : random.pick(words);
  };
  const auto place = [&] { return tokens.begin() + static_cast<ptrdiff_t>(random.below(tokens.size())); };
  for (size_t changes = 1 + random.below(4); changes > 0; --changes) {
    if (tokens.empty()) tokens.push_back(some_token());
    switch (random.below(8)) {
      case 0:
        tokens.erase(place());
        break;
      case 1:
        *place() = some_token();
        break;
      case 2:
        tokens.insert(place(), some_token());
        break;
      case 3:
        std::swap(*place(), *place());
        break;
      case 4: {  // a part of it, or of the other one, once more
        const std::vector<std::string>& source = other_tokens.empty() || random.chance(50) ? tokens : other_tokens;
        const size_t begin = random.below(source.size());
        const size_t count = 1 + random.below(std::min<size_t>(source.size() - begin, 60));
        const std::vector<std::string> part(source.begin() + static_cast<ptrdiff_t>(begin),
                                            source.begin() + static_cast<ptrdiff_t>(begin + count));
        tokens.insert(place(), part.begin(), part.end());
        break;
      }
      case 5: {  // a part is gone
        const size_t begin = random.below(tokens.size());
        const size_t count = 1 + random.below(std::min<size_t>(tokens.size() - begin, 20));
        const auto first = tokens.begin() + static_cast<ptrdiff_t>(begin);
        tokens.erase(first, first + static_cast<ptrdiff_t>(count));
        break;
      }
      case 6: {  // many of them
        const auto at = place();
        const std::string token = *at;
        tokens.insert(at, size_t{1} << random.below(random.chance(10) ? 12 : 5), token);
        break;
      }
      default: {  // one character
        std::string& token = *place();
        const auto c = static_cast<char>(random.number());
        if (token.empty() || random.chance(50)) {
          token.insert(random.below(token.size() + 1), 1, c);
        } else {
          token[random.below(token.size())] = c;
        }
        break;
      }
    }
  }
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

}  // namespace

std::string mutated_model_text(std::string_view input, std::string_view other, Random& random) {
  static const std::vector<std::string> words = words_of(model_words);
  return mutated(input, other, random, words);
}
std::string mutated_rule_text(std::string_view input, std::string_view other, Random& random) {
  static const std::vector<std::string> words = words_of(rule_words);
  return mutated(input, other, random, words);
}
std::string mutated_condition(std::string_view input, std::string_view other, Random& random) {
  static const std::vector<std::string> words = words_of(condition_words);
  return mutated(input, other, random, words);
}
std::string mutated_manifest(std::string_view input, std::string_view other, Random& random) {
  static const std::vector<std::string> words = words_of(manifest_words);
  return mutated(input, other, random, words);
}
std::string mutated_target_text(std::string_view input, std::string_view other, Random& random) {
  static const std::vector<std::string> words = words_of(target_words);
  return mutated(input, other, random, words);
}

}  // namespace onnx_lower::fuzz
