#include "sql/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "sql/words.h"

namespace assay::sql {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::string_view kMark = "transaction:";

// `-- transaction: name(a int, b)`: what stands behind the mark.
std::optional<std::string_view> heading(std::string_view comment) {
  if (!comment.starts_with("--")) return std::nullopt;
  comment = trimmed(comment.substr(2));
  if (!lowered(comment.substr(0, kMark.size())).starts_with(kMark)) return std::nullopt;
  return trimmed(comment.substr(kMark.size()));
}

Result<Script> parse_heading(std::string_view text) {
  Script script;
  const auto open = text.find('(');
  script.name = std::string(trimmed(text.substr(0, open)));
  if (script.name.empty() || !std::ranges::all_of(script.name, [](char c) { return is_word(c) || c == '-'; }))
    return error("a transaction without a name", "-- transaction: name(parameter type, ...)");
  if (open == std::string_view::npos) return script;
  if (text.back() != ')') return error("a transaction's parameters do not end with )", "close the bracket");
  script.numbered = true;
  const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i < inside.size() && inside[i] == '(') ++depth;
    if (i < inside.size() && inside[i] == ')') --depth;
    if (i < inside.size() && (inside[i] != ',' || depth > 0)) continue;
    std::string_view part = trimmed(inside.substr(start, i - start));
    start = i + 1;
    if (part.empty() && i == inside.size() && script.parameters.empty()) break;
    if (!part.empty() && (part[0] == ':' || part[0] == '$')) part.remove_prefix(1);
    std::size_t end = 0;
    while (end < part.size() && is_word(part[end])) ++end;
    if (end == 0) return error("a parameter without a name", "-- transaction: name(parameter type, ...)");
    script.parameters.push_back({lowered(part.substr(0, end)), std::string(trimmed(part.substr(end)))});
  }
  script.declared = script.parameters.size();
  return script;
}

class Splitter {
 public:
  explicit Splitter(std::string_view file) : file_(file) { scripts_.emplace_back(); }

  Result<std::vector<Script>> run() {
    while (i_ < file_.size()) {
      const std::size_t quiet = end_of_quiet(file_, i_);
      if (quiet != i_) {
        ASSAY_TRY(quietly(quiet));
      } else {
        step();
      }
    }
    return std::move(scripts_);
  }

 private:
  Script& script() { return scripts_[current_]; }
  bool in_transaction() const { return current_ > 0; }

  void copy(std::size_t to) {
    line_ += static_cast<std::size_t>(std::count(file_.begin() + static_cast<std::ptrdiff_t>(i_),
                                                 file_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    script().text += file_.substr(i_, to - i_);
    i_ = to;
  }

  Result<void> quietly(std::size_t to) {
    const auto mark = heading(file_.substr(i_, to - i_));
    if (!mark) return copy(to), Result<void>();
    auto next = parse_heading(*mark);
    if (!next) {
      next.error().place = std::to_string(line_);
      return next.error();
    }
    next->first_line = line_;
    question_marks_ = statements_ = 0;
    scripts_.push_back(std::move(next).value());
    current_ = scripts_.size() - 1;
    begins_ = true;
    i_ = to;
    return {};
  }

  void placeholder(std::string name) {
    auto& all = script().parameters;
    auto found = std::ranges::find(all, name, &Script::Parameter::name);
    if (found == all.end()) found = all.insert(all.end(), {std::move(name), ""});
    script().text += fmt::format("${}", found - all.begin() + 1);
  }

  // `?` and `%s`: each stands for the next parameter.
  void next_placeholder(std::size_t length) {
    const auto index = question_marks_++;
    placeholder(index < script().declared ? script().parameters[index].name : fmt::format("p{}", index + 1));
    i_ += length;
  }

  char before() const { return i_ == 0 ? ' ' : file_[i_ - 1]; }

  std::string_view word_at(std::size_t from) const {
    std::size_t end = from;
    while (end < file_.size() && is_word(file_[end])) ++end;
    return file_.substr(from, end - from);
  }

  // CREATE of anything that stays: no transaction program does that.
  bool is_definition() const {
    const std::string_view create = word_at(i_);
    if (lowered(create) != "create") return false;
    const std::size_t what = file_.find_first_not_of(" \t\r\n", i_ + create.size());
    return what != file_.npos && !lowered(word_at(what)).starts_with("temp");
  }
  void back_to_schema() {
    current_ = 0;
    const auto lines = static_cast<std::size_t>(std::ranges::count(script().text, '\n'));
    script().text += std::string(line_ - 1 - lines, '\n') + ';';  // what follows stands in its own line
  }

  // One piece of code.
  void step() {
    const char c = file_[i_];
    const char next = i_ + 1 < file_.size() ? file_[i_ + 1] : '\0';
    if (c == '\\') return command();
    if (in_transaction() && begins_ && is_definition()) back_to_schema();
    if (!in_transaction()) {
      copy(i_ + 1);
      if (c == ';') pass_over_data();
      return;
    }
    if (c == ';') ++statements_;
    begins_ = c == ';' || (begins_ && std::isspace(static_cast<unsigned char>(c)));
    if (c == ':' && (next == ':' || next == '=')) return copy(i_ + 2);
    if (c == ':' && is_word(next) && !std::isdigit(static_cast<unsigned char>(next))) {
      const std::string_view name = word_at(i_ + 1);
      placeholder(lowered(name));
      i_ += 1 + name.size();
      return;
    }
    if (c == '?') return next_placeholder(1);
    if (c == '%' && next == 's' && word_at(i_ + 1).size() == 1) return next_placeholder(2);
    if (c == '%' && next == '(') {
      const std::string_view name = word_at(i_ + 2);
      if (file_.substr(i_ + 2 + name.size()).starts_with(")s")) {
        placeholder(lowered(name));
        i_ += 4 + name.size();
        return;
      }
    }
    if (c == '$' && !script().numbered && std::isdigit(static_cast<unsigned char>(next)) &&
        !is_word(before())) {
      const std::string_view number = word_at(i_ + 1);
      placeholder(fmt::format("p{}_{}", statements_ + 1, number));
      i_ += 1 + number.size();
      return;
    }
    copy(i_ + 1);
  }

  // Behind `COPY t FROM stdin;` a dump has rows, up to a line with a dot. Their lines stay, empty.
  void pass_over_data() {
    std::string_view end = script().text;
    end = end.substr(end.size() - std::min<std::size_t>(end.size(), 11));
    if (lowered(end) != "from stdin;") return;
    const std::size_t last = std::min(file_.find("\n\\.", i_), file_.size());
    const std::size_t to = std::min(last + 3, file_.size());
    const auto lines = static_cast<std::size_t>(std::ranges::count(file_.substr(i_, to - i_), '\n'));
    script().text += std::string(lines, '\n');
    line_ += lines;
    i_ = to;
  }

  // \gset ends a query. Whoever asks for the scripts decides about the others.
  void command() {
    const std::size_t end = std::min(file_.find('\n', i_), file_.size());
    const std::string_view line = trimmed(file_.substr(i_, end - i_));
    i_ = end;
    if (!in_transaction() || (line != "\\gset" && line != "\\gset ;")) {
      script().commands.push_back({std::string(line), line_});
      if (line.starts_with("\\g") || line.starts_with("\\watch")) script().text += ';';  // it sends the query
      return;
    }
    script().stored.push_back(script().text.size());
    script().text += ';';
    ++statements_;
    begins_ = true;
  }

  std::string_view file_;
  std::vector<Script> scripts_;
  std::size_t i_ = 0, line_ = 1;
  std::size_t current_ = 0;  // of the scripts; the first is what stands outside of transactions
  bool begins_ = true;       // a statement
  std::size_t question_marks_ = 0, statements_ = 0;  // both restart with each transaction
};

}  // namespace

std::size_t end_of_quiet(std::string_view text, std::size_t i) {
  const auto after = [&](std::string_view what, std::size_t from) {
    const auto found = text.find(what, from);
    return found == std::string_view::npos ? text.size() : found + what.size();
  };
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("--")) {
    const auto end = text.find('\n', i);
    return end == std::string_view::npos ? text.size() : end;
  }
  if (rest.starts_with("/*")) {
    int depth = 0;  // they nest
    for (; i < text.size(); ++i) {
      if (text.substr(i).starts_with("/*")) ++depth, ++i;
      else if (text.substr(i).starts_with("*/") && (++i, --depth == 0)) return i + 1;
    }
    return text.size();
  }
  if (rest.starts_with("'")) {
    const bool escapes =
        i > 0 && (text[i - 1] == 'E' || text[i - 1] == 'e') && (i < 2 || !is_word(text[i - 2]));
    for (++i; i < text.size(); ++i) {
      if (escapes && text[i] == '\\') ++i;
      else if (text[i] == '\'') return i + 1;
    }
    return text.size();
  }
  if (rest.starts_with("\"")) return after("\"", i + 1);
  if (rest.starts_with("$") && (i == 0 || !is_word(text[i - 1]))) {
    std::size_t end = i + 1;
    while (end < text.size() && is_word(text[end])) ++end;
    const bool number = i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
    if (end < text.size() && text[end] == '$' && !number) return after(text.substr(i, end + 1 - i), end + 1);
  }
  return i;
}

Result<std::vector<Script>> split_scripts(std::string_view file) { return Splitter(file).run(); }

}  // namespace assay::sql
