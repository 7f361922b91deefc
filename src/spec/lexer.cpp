#include "spec/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::spec {
namespace {

constexpr std::array<std::string_view, 33> kKeywords{
    "acyclic",   "all",        "and",     "anomaly",     "as",     "axiom",  "empty", "false",    "forbids",
    "framework", "in",         "include", "irreflexive", "let",    "level",  "lone",  "max",      "no",
    "nonempty",  "not",        "on",      "one",         "or",     "order",  "rec",   "relation", "some",
    "total",     "transitive", "true",    "with",        "within", "witness"};

// Longest first, so that the first that fits is the one that is meant.
constexpr std::array<std::string_view, 25> kSymbols{"<=>", "^-1", "^+", "^*", "=>", "!=", "<=", "(", ")",
                                                    "[",   "]",   "{",  "}",  ":",  ";",  ",",  "=", "|",
                                                    "&",   "\\",  ".",  "*",  "+",  "?",  "-"};

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9') || c == '\'' || c == '-'; }

class Lexer {
 public:
  Lexer(std::string_view text, std::shared_ptr<const std::string> file)
      : rest_(text), here_{std::move(file)} {}

  Result<std::vector<Token>> run() {
    std::vector<Token> tokens;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) {
      std::string comment = std::exchange(comment_, {});
      auto token = next();
      if (!token) return std::move(token).error();
      token->comment = std::move(comment);
      tokens.push_back(std::move(token).value());
    }
    tokens.push_back({Token::Kind::End, "the end of the file", here_});
    return tokens;
  }

 private:
  void advance(std::size_t count) {
    for (const char c : rest_.substr(0, count)) {
      ++here_.column;
      if (c != '\n') continue;
      ++here_.line;
      here_.column = 1;
    }
    rest_.remove_prefix(count);
  }

  // Keeps the comment that ends in the line above what follows; one behind a token belongs to nothing.
  void skip_blanks() {
    std::size_t lines = here_.line == 1 && here_.column == 1 ? 1 : 0;
    while (!rest_.empty()) {
      if (rest_[0] == '#') {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        if (lines != 1) comment_.clear();
        if (lines > 0) comment_ += comment_line(rest_.substr(1, end - 1));
        lines = 0;
        advance(end);
      } else if (std::string_view(" \t\r\n").find(rest_[0]) != std::string_view::npos) {
        lines += rest_[0] == '\n' ? 1 : 0;
        advance(1);
      } else {
        break;
      }
    }
    if (lines > 1) comment_.clear();
  }

  std::string comment_line(std::string_view line) const {
    while (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with(' ') || line.ends_with('\r')) line.remove_suffix(1);
    return (comment_.empty() ? "" : " ") + std::string(line);
  }

  Token take(Token::Kind kind, std::size_t count) {
    Token token{kind, std::string(rest_.substr(0, count)), here_};
    advance(count);
    return token;
  }

  Result<Token> next() {
    if (begins_name(rest_[0])) {
      const auto end = std::ranges::find_if_not(rest_, continues_name) - rest_.begin();
      Token token = take(Token::Kind::Name, static_cast<std::size_t>(end));
      if (is_keyword(token.text)) token.kind = Token::Kind::Keyword;
      return token;
    }
    if (rest_[0] == '"') return string();
    for (const std::string_view symbol : kSymbols)
      if (rest_.starts_with(symbol)) return take(Token::Kind::Symbol, symbol.size());
    return error_at(here_, fmt::format("{} means nothing here", quoted_character()));
  }

  Result<Token> string() {
    const std::size_t end = rest_.find_first_of("\"\n", 1);
    if (end == std::string_view::npos || rest_[end] == '\n')
      return error_at(here_, "the text is not closed", "add a \"");
    Token token = take(Token::Kind::String, end + 1);
    token.text = token.text.substr(1, end - 1);
    return token;
  }

  // One character of UTF-8 may be several bytes.
  std::string quoted_character() const {
    std::size_t size = 1;
    while (size < rest_.size() && (static_cast<unsigned char>(rest_[size]) & 0xC0) == 0x80) ++size;
    const bool control = static_cast<unsigned char>(rest_[0]) < 0x20;
    return control ? "a control character" : fmt::format("'{}'", rest_.substr(0, size));
  }

  std::string_view rest_;
  Place here_;
  std::string comment_;
};

}  // namespace

bool is_keyword(std::string_view word) { return std::ranges::find(kKeywords, word) != kKeywords.end(); }

Result<std::vector<Token>> tokens_of(std::string_view text, std::shared_ptr<const std::string> file) {
  return Lexer(text, std::move(file)).run();
}

}  // namespace assay::spec
