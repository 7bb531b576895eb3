// SPDX-FileCopyrightText: 2026 The onnx-lower authors
// SPDX-License-Identifier: Apache-2.0

#include "targets/target_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "domain.h"
#include "error.h"
#include "rules/values/element_type.h"
#include "source_text/characters.h"
#include "source_text/source_position.h"
#include "standard_operators/operator_table.h"

namespace onnx_lower {
namespace {

// A limit, in bytes, on the lists of a file once they are written out where conditions name them. A
// file that people write comes to a few thousand.
constexpr size_t most_written_out = 1 << 18;

// The line without a comment at its end. A '#' in a string does not begin a comment.
std::string_view without_comment(std::string_view line) {
  if (line.find('#') == std::string_view::npos) return line;
  char quote = 0;
  for (size_t index = 0; index < line.size(); ++index) {
    const char c = line[index];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      return line.substr(0, index);
    }
  }
  return line;
}

// A condition that no input has one of these types; empty where none can have one. Of inputs that
// must have the same type, the condition names one. A node without such inputs may make such a
// value, which the nodes that read it then refuse.
std::string condition_on_types(const OperatorVersion& version, uint64_t lacking) {
  std::vector<uint8_t> asked;
  std::string text;
  for (const OperatorParameter& input : version.inputs) {
    const uint64_t types = input.types & lacking;
    const bool is_same = input.type_variable != 0 && std::ranges::find(asked, input.type_variable) != asked.end();
    if (types == 0 || is_same) continue;
    asked.push_back(input.type_variable);
    std::string names;
    for (int type = 0; type < 62; ++type) {
      if ((types >> type & 1) != 0) names += fmt::format("{}{}", names.empty() ? "" : ", ", element_type_name(type));
    }
    text += fmt::format("{}not dtype({}) in ({})", text.empty() ? "" : " and ", input.name, names);
  }
  return text;
}

}  // namespace

// Reads the conditions of a file, whose lines have been found.
class ConditionReader {
 public:
  explicit ConditionReader(const TargetFile& file) : file_(file) {}

  void read_conditions(std::string_view domain, std::string_view op_type, std::vector<OperatorLine>& lines) {
    for (OperatorLine& line : lines) {
      if (line.unread_at == 0) continue;
      const std::string_view all = file_.text;
      const size_t end = std::min(all.find('\n', line.unread_at), all.size());
      line.condition =
          parse_condition(trimmed(without_comment(all.substr(line.unread_at, end - line.unread_at))), domain, op_type);
      line.text = fmt::format("where {}", line.condition->text());
      line.unread_at = 0;
    }
  }

 protected:
  [[noreturn]] void fail(size_t offset, const std::string& message) const {
    throw InvalidInput(message_at(file_.text, file_.path_, offset, message));
  }
  [[noreturn]] void fail_at(std::string_view part, const std::string& message) const {
    fail(static_cast<size_t>(part.data() - file_.text.data()), message);
  }

  Condition parse_condition(std::string_view text, std::string_view domain, std::string_view op_type) const {
    const std::string whole = with_lists(text);
    try {
      Condition condition = Condition::parse(whole);
      check_names(condition, text, domain, op_type);
      return condition;
    } catch (const ConditionError& error) {
      fail_at(text, fmt::format("the condition does not read, at '{}': {}",
                                whole.substr(std::min(error.offset(), whole.size()), 20), error.what()));
    }
  }

 private:
  // A name that no version of the operator has is a mistake: as it is never known, the condition
  // would never refuse a node.
  void check_names(const Condition& condition, std::string_view text, std::string_view domain,
                   std::string_view op_type) const {
    const std::span<const OperatorVersion> versions = operator_versions(domain, op_type);
    if (versions.empty()) return;
    const auto is_parameter = [&](const std::string& name) {
      if (name.starts_with("input_") || name.starts_with("output_")) return true;
      return std::ranges::any_of(versions, [&](const OperatorVersion& version) {
        return std::ranges::find(version.inputs, name, &OperatorParameter::name) != version.inputs.end() ||
               std::ranges::find(version.outputs, name, &OperatorParameter::name) != version.outputs.end();
      });
    };
    for (const Condition::Name& name : condition.value_names()) {
      if (!is_parameter(name.name))
        fail_at(text, fmt::format("{} has no input or output '{}'", operator_name(domain, op_type), name.name));
    }
    const auto is_input = [&](std::string_view name) {
      return std::ranges::any_of(versions, [&](const OperatorVersion& version) {
        return std::ranges::find(version.inputs, name, &OperatorParameter::name) != version.inputs.end();
      });
    };
    for (const Condition::Name& name : condition.attribute_names()) {
      if (name.name.starts_with(prefix_of_elements) &&
          is_input(std::string_view(name.name).substr(prefix_of_elements.size())))
        continue;
      const bool is_known = std::ranges::any_of(
          versions, [&](const OperatorVersion& version) { return version.attribute(name.name) != nullptr; });
      if (!is_known) fail_at(text, fmt::format("{} has no attribute '{}'", operator_name(domain, op_type), name.name));
    }
  }

  // The condition with the lists written out for their names.
  std::string with_lists(std::string_view text) const {
    std::string result;
    char quote = 0;
    for (size_t index = 0; index < text.size();) {
      const char c = text[index];
      if (quote == 0 && continues_name(c)) {
        size_t end = index;
        while (end < text.size() && continues_name(text[end])) ++end;
        const std::string_view word = text.substr(index, end - index);
        const auto found = file_.lists_.find(word);
        if (found == file_.lists_.end()) {
          result += word;
        } else {
          file_.written_out_ += found->second.size();
          if (file_.written_out_ > most_written_out)
            fail_at(word, fmt::format("the lists of the file, each as often as conditions name it, are longer than {} "
                                      "bytes together",
                                      most_written_out));
          result += found->second;
        }
        index = end;
        continue;
      }
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (c == quote) {
        quote = 0;
      }
      result += c;
      ++index;
    }
    return result;
  }

 protected:
  const TargetFile& file_;
};

// Reads the lines about operators of a file whose other lines have been read.
class OperatorLineReader : public ConditionReader {
 public:
  using ConditionReader::ConditionReader;

  // Reads those lines about this operator that have not been read yet.
  void read_lines(std::string_view domain, std::string_view op_type) {
    const std::string_view all = file_.text;
    for (TargetFile::UnreadLine& unread : file_.unread_lines_) {
      const std::string_view name = all.substr(unread.name, unread.name_size);
      if (domain.empty() ? name != op_type : parts_of(name) != std::pair(domain, op_type)) continue;
      if (unread.line == 0) continue;
      const std::string_view line = all.substr(unread.begin);
      rest_ = trimmed(without_comment(line.substr(0, line.find('\n'))));
      line_ = std::exchange(unread.line, 0);
      LineKind kind = LineKind::plain;
      const std::string_view op = take_operator(kind);  // which finds the kind
      parse_operator(op, kind);
    }
  }

 protected:
  enum class LineKind { plain, made, rather, right };

  static std::pair<std::string_view, std::string_view> parts_of(std::string_view name) {
    const size_t colons = name.find("::");
    if (colons == std::string_view::npos) return {{}, name};
    return {normalized_domain(name.substr(0, colons)), name.substr(colons + 2)};
  }

  // Takes the operator that the line is about, and sets `kind` by the word before it.
  std::string_view take_operator(LineKind& kind) {
    const std::string_view first = take_word();
    if (first == "made") kind = LineKind::made;
    if (first == "rather") kind = LineKind::rather;
    if (first == "right") kind = LineKind::right;
    return kind == LineKind::plain ? first : take_word();
  }

  std::string_view take_word() {
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blanks));
    rest_.remove_prefix(word.size());
    const size_t next = rest_.find_first_not_of(blanks);
    rest_.remove_prefix(next == std::string_view::npos ? rest_.size() : next);
    return word;
  }

  // Parses "7..25", "19", "19.." or "..13"; nothing when the text is none of these.
  static std::optional<VersionRange> range_of(std::string_view text) {
    const auto number = [](std::string_view digits) {
      const std::optional<int64_t> value = number_in<int64_t>(digits);
      return value && *value >= 0 ? value : std::nullopt;
    };
    VersionRange range;
    const size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
      const std::optional<int64_t> only = number(text);
      if (!only) return std::nullopt;
      return VersionRange{*only, *only};
    }
    if (text.size() == 2) return std::nullopt;
    const std::string_view before = text.substr(0, dots), after = text.substr(dots + 2);
    const std::optional<int64_t> first = before.empty() ? range.first : number(before);
    const std::optional<int64_t> last = after.empty() ? range.last : number(after);
    if (!first || !last || *last < *first) return std::nullopt;
    return VersionRange{*first, *last};
  }

  // Parses [made | rather | right] OPERATOR [VERSIONS] CONDITION, where the condition may
  // be never or always.
  void parse_operator(std::string_view name, LineKind kind) {
    const auto [domain, op_type] = parts_of(name);
    if (op_type.empty() || !std::ranges::all_of(op_type, continues_name))
      fail_at(name, fmt::format("'{}' is no operator: write Relu, or com.microsoft::Gelu", name));
    if (is_standard_domain(domain) && operator_versions(domain, op_type).empty()) {
      std::string advice;
      for (const std::string_view similar : similar_operators(domain, op_type))
        advice += fmt::format("{} {}", advice.empty() ? "; near it is" : ",", similar);
      fail_at(name, fmt::format("onnx has no operator {}{}", operator_name(domain, op_type), advice));
    }
    OperatorLine line;
    line.line = line_;
    line.only_made = kind == LineKind::made;
    line.is_preference = kind == LineKind::rather || kind == LineKind::right;
    line.is_wrong = kind == LineKind::right;
    const std::string_view before = rest_;
    if (const std::optional<VersionRange> versions = range_of(take_word())) {
      line.versions = *versions;
    } else {
      rest_ = before;
    }
    if (rest_.empty()) fail_at(name, "expected a condition behind the operator, or never, or always");
    if (rest_ == "never" && line.is_wrong) fail_at(rest_, "expected a condition: right is said of some nodes");
    if (rest_ == "never") {
      line.never = true;
      line.text = "never";
      // No node fulfils this, and so each is said in other operators where a rule can.
      if (line.is_preference) line.condition = Condition::parse("opset() < 1");
    } else if (rest_ == "always") {
      line.text = "always";
    } else {
      line.unread_at = static_cast<size_t>(rest_.data() - file_.text.data());
    }
    file_.domains_[std::string(domain)][std::string(op_type)].push_back(std::move(line));
  }

  std::string_view rest_;  // the rest of the line
  int line_ = 0;
};

class TargetFileParser : public OperatorLineReader {
 public:
  TargetFileParser(TargetFile& file, bool all_lines) : OperatorLineReader(file), parsed_(file), reads_all_(all_lines) {}

  void check_text() const {
    if (const size_t wrong = find_non_text(parsed_.text); wrong != std::string_view::npos)
      fail(wrong, "this is no text");
  }

  void parse() {
    for (const std::string_view whole : split(parsed_.text, '\n')) {
      ++line_;
      if (parsed_.title.empty() && whole.starts_with('#')) parsed_.title = trimmed(whole.substr(1));
      rest_ = trimmed(without_comment(whole));
      if (!rest_.empty()) parse_line();
    }
  }

 private:
  void parse_line() {
    const std::string_view all = rest_;
    LineKind kind = LineKind::plain;
    const std::string_view first = take_operator(kind);
    // "rather types raw": types that are mostly read correctly otherwise, too.
    if (kind == LineKind::rather && first == "types" && rest_.starts_with("raw")) return parse_types(all);
    if (kind != LineKind::plain) return note_operator(all, first, kind);
    if (first == "opset") return parse_opsets();
    if (first == "ir") return parse_ir(all);
    if (first == "functions") return void(parsed_.takes_functions = parse_choice(first, "yes", "no"));
    if (first == "nodes" && rest_ == "some") return void(parsed_.needs_nodes = true);
    if (first == "nodes") return void(parsed_.only_made_nodes = parse_choice(first, "made", "all"));
    if (first == "others") return void(parsed_.takes_others = parse_choice(first, "always", "never"));
    if (first == "source") return void(parsed_.from_documents = parse_choice(first, "documents", "probe"));
    if (first == "shapes") return parse_shapes(first);
    if (first == "types") return parse_types(all);
    if (first == "outputs") return void(parsed_.needs_made_outputs = parse_choice(first, "made", "any"));
    if (first == "inputs") return void(parsed_.only_filled_inputs = parse_choice(first, "filled", "any"));
    if (first == "let") return parse_let(all);
    note_operator(all, first, kind);
  }

  void note_operator(std::string_view line, std::string_view name, LineKind kind) {
    if (reads_all_) return parse_operator(name, kind);
    const auto offset = [&](std::string_view part) { return static_cast<size_t>(part.data() - parsed_.text.data()); };
    parsed_.unread_lines_.push_back({offset(line), offset(name), name.size(), line_});
    if (const std::string_view domain = parts_of(name).first; !domain.empty()) parsed_.domains_[std::string(domain)];
  }

  // Parses opset 7..25, or opset 15..25 where CONDITION, or opset lowered 7..17, or opset
  // ai.onnx.ml 1..5, or opset ai.onnx.ml none, or opset com.microsoft 1.
  void parse_opsets() {
    std::string_view word = take_word();
    std::string_view domain = "ai.onnx";
    if (rest_.starts_with("where ")) return parse_opsets_where(word);
    if (word == "lowered") {
      word = take_word();
      const std::optional<VersionRange> range = range_of(word);
      if (!range || !rest_.empty()) fail_at(word, "expected the versions, as in opset lowered 7..17");
      parsed_.opsets_of_lowered = *range;
      return;
    }
    if (!rest_.empty()) {
      domain = word;
      word = take_word();
    }
    std::optional<VersionRange> range = word == "none" ? VersionRange{1, 0} : range_of(word);
    if (!range || !rest_.empty()) fail_at(word, "expected the versions, as in 7..21, or none");
    parsed_.opsets[std::string(normalized_domain(domain))] = *range;
  }

  void parse_opsets_where(std::string_view word) {
    const std::optional<VersionRange> range = range_of(word);
    if (!range) fail_at(word, "expected the versions, as in 7..21");
    take_word();
    const std::string_view text = rest_;
    Condition condition = parse_condition(text, "", "");
    if (!condition.value_names().empty() || !condition.attribute_names().empty())
      fail_at(text, "a model has no inputs or attributes that can be asked about: ask as in model_output(int64)");
    parsed_.opsets_where.push_back({*range, std::move(condition)});
  }

  // Parses shapes static, or shapes ranked, or shapes declared, or shapes declared inside, or
  // shapes unnamed inside.
  void parse_shapes(std::string_view keyword) {
    const std::string_view word = take_word();
    bool TargetFile::*said = word == "static" && rest_.empty()         ? &TargetFile::only_static_shapes
                             : word == "ranked" && rest_.empty()       ? &TargetFile::only_known_ranks
                             : word == "declared" && rest_.empty()     ? &TargetFile::needs_shapes
                             : word == "declared" && rest_ == "inside" ? &TargetFile::needs_shapes_inside
                             : word == "unnamed" && rest_ == "inside"  ? &TargetFile::needs_unnamed_inside
                                                                       : nullptr;
    if (said == nullptr)
      fail_at(word.empty() ? keyword : word,
              "expected shapes static, or shapes ranked, or shapes declared, perhaps with inside, or shapes unnamed "
              "inside");
    parsed_.*said = true;
  }

  // Parses types not in (bfloat16), types raw (bool), or types float (double).
  void parse_types(std::string_view line) {
    const auto expected = [&](std::string_view at) {
      fail_at(
          at,
          "expected the element types that it has none of, as in types not in (bfloat16), or reads as raw data only, "
          "as in types raw (bool), or computes as float, as in types float (double)");
    };
    const std::string_view word = take_word();
    const bool is_lacking = word == "not";
    if (is_lacking ? take_word() != "in" : word != "raw" && word != "float") expected(line);
    uint64_t& types = is_lacking ? parsed_.lacking_types : word == "raw" ? parsed_.raw_types : parsed_.float_types;
    if (!rest_.starts_with('(') || !rest_.ends_with(')')) expected(line);
    for (const std::string_view part : split(rest_.substr(1, rest_.size() - 2), ',')) {
      const std::string_view name = trimmed(part);
      const std::optional<int> type = element_type_of(name);
      if (!type) expected(name);
      types |= uint64_t{1} << *type;
    }
  }

  void parse_ir(std::string_view line) {
    const std::optional<VersionRange> range = range_of(take_word());
    if (!range || !rest_.empty()) fail_at(line, "expected the IR versions, as in ir 3..10");
    parsed_.ir_versions = *range;
  }

  // Parses KEYWORD WORD, where the word is one of two; returns whether it is the first.
  bool parse_choice(std::string_view keyword, std::string_view first, std::string_view second) {
    const std::string_view word = take_word();
    if ((word != first && word != second) || !rest_.empty())
      fail_at(word.empty() ? keyword : word, fmt::format("expected {0} {1}, or {0} {2}", keyword, first, second));
    return word == first;
  }

  // Parses let floats = (float, double).
  void parse_let(std::string_view line) {
    const std::string_view name = take_word();
    const std::string_view sign = take_word();
    const bool is_name = !name.empty() && std::ranges::all_of(name, continues_name);
    if (!is_name || sign != "=" || !rest_.starts_with('(') || !rest_.ends_with(')'))
      fail_at(line, "expected a name and a list, as in let floats = (float, double)");
    if (!parsed_.lists_.emplace(name, rest_).second) fail_at(name, fmt::format("'{}' stands for a list already", name));
  }

  TargetFile& parsed_;
  bool reads_all_;
};

TargetFile TargetFile::parse(std::string name, std::string text, std::string path, bool all_operators) {
  TargetFile file;
  file.name = std::move(name);
  file.text = std::move(text);
  file.path_ = std::move(path);
  TargetFileParser parser(file, all_operators);
  if (all_operators) parser.check_text();
  parser.parse();
  if (!all_operators) return file;
  for (auto& [domain, operators] : file.domains_) {
    for (auto& [op_type, lines] : operators) parser.read_conditions(domain, op_type, lines);
  }
  return file;
}

const std::vector<OperatorLine>* TargetFile::lines(std::string_view domain, std::string_view op_type) const {
  if (!unread_lines_.empty()) OperatorLineReader(*this).read_lines(domain, op_type);
  const auto of_domain = domains_.find(domain);
  if (of_domain == domains_.end()) return nullptr;
  const auto found = of_domain->second.find(std::string(op_type));
  if (found == of_domain->second.end()) return nullptr;
  ConditionReader(*this).read_conditions(domain, op_type, found->second);
  return &found->second;
}

std::vector<const OperatorLine*> TargetFile::lines_about(std::string_view domain, std::string_view op_type,
                                                         const OperatorVersion* version, bool made) const {
  std::vector<const OperatorLine*> said;
  const std::vector<OperatorLine>* all = made || !only_made_nodes ? lines(domain, op_type) : nullptr;
  if (all == nullptr) return said;
  for (const OperatorLine& line : *all) {
    if (version != nullptr && !line.versions.contains(version->since_version)) continue;
    if (made || !line.only_made) said.push_back(&line);
  }
  return said;
}

void TargetFile::for_each_line(
    const std::function<void(std::string_view, std::string_view, const OperatorLine&)>& visit) const {
  for (const auto& [domain, operators] : domains_) {
    for (const auto& [op_type, lines] : operators) {
      for (const OperatorLine& line : lines) visit(domain, op_type, line);
    }
  }
}

const OperatorLine* TargetFile::line_about_types(const OperatorVersion& version) const {
  if (lacking_types == 0) return nullptr;
  const auto [found, is_new] = lines_about_types_.try_emplace(&version);
  if (is_new) {
    if (const std::string text = condition_on_types(version, lacking_types); !text.empty()) {
      OperatorLine& line = found->second.emplace();
      line.condition = Condition::parse(text);
      line.text = fmt::format("where {}", text);
    }
  }
  return found->second ? &*found->second : nullptr;
}

bool TargetFile::refuses(std::string_view domain, std::string_view op_type, const OperatorVersion* version,
                         bool made) const {
  if (only_made_nodes && !made) return false;
  if (std::ranges::find(lacking_domains, domain) != lacking_domains.end()) return true;
  const std::vector<const OperatorLine*> said = lines_about(domain, op_type, version, made);
  if (said.empty() && is_standard_domain(domain)) {
    const auto versions = opsets.find(domain);
    return !takes_others || (versions != opsets.end() && versions->second.is_empty());
  }
  return std::ranges::any_of(said, [](const OperatorLine* line) { return line->never && !line->is_preference; });
}

}  // namespace onnx_lower
