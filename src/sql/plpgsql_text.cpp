#include "sql/plpgsql_text.h"

#include <algorithm>
#include <cctype>

#include "sql/script.h"
#include "sql/words.h"

namespace assay::sql {
namespace {

class BodyScanner {
 public:
  explicit BodyScanner(std::string_view body) : body_(body) {}

  std::vector<StatementStart> run() {
    next();
    while (!over()) statement();
    return std::move(starts_);
  }

 private:
  bool over() const { return begin_ >= body_.size(); }
  bool is(std::string_view word) const { return word_ == word; }

  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  // The next token: a word in lower case, something quoted, or one character.
  void next() {
    begin_ = end_;
    while (begin_ < body_.size()) {
      const bool comment = body_.substr(begin_).starts_with("--") || body_.substr(begin_).starts_with("/*");
      if (comment) begin_ = end_of_quiet(body_, begin_);
      else if (is_blank(body_[begin_])) ++begin_;
      else break;
    }
    end_ = begin_;
    if (over()) return word_.clear();
    if (const std::size_t quiet = end_of_quiet(body_, begin_); quiet != begin_) end_ = quiet;
    else if (in_name(body_[begin_]))
      while (end_ < body_.size() && in_name(body_[end_])) ++end_;
    else ++end_;
    word_ = lowered(body_.substr(begin_, end_ - begin_));
  }

  // Up to one of these words, outside of brackets and of CASE expressions, and past it.
  void past(std::string_view word) {
    int brackets = 0, cases = 0;
    for (; !over(); next()) {
      if (is("(") || is("[")) ++brackets;
      else if (is(")") || is("]")) --brackets;
      if (brackets == 0 && cases == 0 && is(word)) break;
      if (is("case")) ++cases;
      else if (is("end") && cases > 0) --cases;
    }
    next();
  }

  // `name type := value;` up to BEGIN.
  void declarations() {
    while (!over() && !is("begin")) {
      if (!is("declare")) {
        const std::string name(body_.substr(begin_, end_ - begin_));
        next();
        const bool holds_no_value = is("alias") || is("cursor") || is("no") || is("scroll");
        if (!holds_no_value && std::ranges::find(variables_, name) == variables_.end())
          variables_.push_back(name);
        past(";");
      } else {
        next();
      }
    }
  }

  void label() {
    while (is("<")) {
      while (!over() && !is(">")) next();
      next(), next();
    }
  }

  void statement() {
    if (is("#")) {  // #variable_conflict: a line of its own
      end_ = std::min(body_.find('\n', begin_), body_.size());
      return next();
    }
    const StatementStart here{begin_, variables_};
    label();
    if (is("declare") || is("begin")) {
      scopes_.push_back(variables_.size());
      if (is("declare")) declarations();
      return next();
    }
    if (is("exception")) {
      starts_.push_back(here);
      return next();
    }
    if (is("else")) return next();
    if (is("elsif") || is("elseif") || is("when")) return past("then");
    if (is("end")) return end();
    starts_.push_back(here);
    if (is("if")) return past("then");
    if (is("loop")) return next();
    if (is("for") || is("foreach") || is("while")) return past("loop");
    if (is("case")) {
      next();
      int cases = 0;
      for (; !over() && !(cases == 0 && is("when")); next()) cases += is("case") ? 1 : is("end") ? -1 : 0;
      return;
    }
    past(";");
  }

  void end() {
    const StatementStart here{begin_, variables_};
    next();
    const bool block = !is("if") && !is("loop") && !is("case");
    if (!block) {
      next();  // a CASE here opens nothing
      return past(";");
    }
    starts_.push_back(here);
    if (!scopes_.empty()) {
      variables_.resize(std::min(variables_.size(), scopes_.back()));
      scopes_.pop_back();
    }
    past(";");
  }

  std::string_view body_;
  std::size_t begin_ = 0, end_ = 0;  // of the token at hand
  std::string word_;
  std::vector<std::string> variables_;
  std::vector<std::size_t> scopes_;  // how many variables there were before each open block
  std::vector<StatementStart> starts_;
};

}  // namespace

std::vector<StatementStart> statement_starts(std::string_view body) { return BodyScanner(body).run(); }

}  // namespace assay::sql
