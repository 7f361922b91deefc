#include "history_io/edn.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "history/scalar.h"
#include "history_io/text_scan.h"
#include "history_io/utf8.h"

namespace assay {
namespace {

bool is_edn_blank(char c) { return c == ' ' || c == ',' || (c >= '\t' && c <= '\r'); }

using CharacterSet = std::array<bool, 256>;
constexpr CharacterSet characters(std::string_view members) {
  CharacterSet set{};
  for (const char c : members) set[static_cast<unsigned char>(c)] = true;
  return set;
}
constexpr CharacterSet with_letters(CharacterSet set) {
  for (int c = 'a'; c <= 'z'; ++c)
    set[static_cast<std::size_t>(c)] = set[static_cast<std::size_t>(c - 'a' + 'A')] = true;
  for (std::size_t c = 0x80; c < 0x100; ++c) set[c] = true;
  return set;
}

constexpr CharacterSet kEndsToken = characters(" ,\t\n\v\f\r\"()[]{};");
constexpr CharacterSet kBeginsSymbol = with_letters(characters(".*+!-_?$%&=<>/|"));
constexpr CharacterSet kInKeyword = with_letters(characters(".*+!-_?$%&=<>/|:#'0123456789"));

bool ends_token(char c) { return kEndsToken[static_cast<unsigned char>(c)]; }
bool may_begin_symbol(char c) { return kBeginsSymbol[static_cast<unsigned char>(c)]; }

char closing_of(DatumKind kind) {
  return kind == DatumKind::List ? ')' : kind == DatumKind::Vector ? ']' : '}';
}

std::string show(char c) { return excerpt({&c, 1}); }

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
  }
  put(0x80 | (code & 0x3f));
}

// Clojure's other spellings of an integer: 017, 0x1f, 2r101, each with an optional sign and suffix N.
std::optional<std::int64_t> clojure_integer(std::string_view word) {
  const bool is_negative = word.starts_with('-');
  if (is_negative || word.starts_with('+')) word.remove_prefix(1);
  int base = 8;
  if (word.starts_with("0x") || word.starts_with("0X")) {
    base = 16;
    word.remove_prefix(2);
  } else if (const std::size_t r = word.find_first_of("rR"); r != std::string_view::npos) {
    const auto [end, problem] = std::from_chars(word.data(), word.data() + r, base);
    if (problem != std::errc() || end != word.data() + r || base < 2 || base > 36) return std::nullopt;
    word.remove_prefix(r + 1);
  } else if (!word.starts_with('0')) {
    return std::nullopt;
  }
  if (base < 24 && word.ends_with('N')) word.remove_suffix(1);
  if (word.empty() || word.front() == '-') return std::nullopt;
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return is_negative ? -number : number;
}

// [+-]digits with an optional fraction and exponent: a number in EDN without its suffix.
bool is_number(std::string_view text) {
  std::size_t i = text.starts_with('-') || text.starts_with('+');
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - begin;
  };
  const std::size_t first = i;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && text[first] == '0')) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0) return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

// Parses the first form of `text`. Open containers, tags and discards are on an explicit stack, so no input
// can overflow the call stack.
class Parser {
 public:
  enum class Found { Form, Nothing, Unfinished, Wrong };

  Parser(std::string_view text, bool is_all, Form& form) : text_(text), is_all_(is_all), form_(form) {}

  // Returns Nothing if the text ends, or a closing bracket follows, before a form begins.
  Found run() {
    form_.clear();
    while (true) {
      skip_blank();
      if (at_ == text_.size()) return is_all_ && open_.empty() ? Found::Nothing : Found::Unfinished;
      const char c = text_[at_];
      if ((c == ')' || c == ']' || c == '}') && open_.empty()) return Found::Nothing;
      const Found found = element(c);
      if (found != Found::Nothing) return found;
    }
  }

  std::size_t at() const { return at_; }
  const std::string& problem() const { return problem_; }

 private:
  enum class Open : std::uint8_t { Container, Tag, Discard };
  struct Level {
    Open what;
    std::size_t form_size;
    std::string_view names{};  // the namespace of a map's keys, where it has one: #:name{...}
  };

  Found wrong(std::string problem) {
    problem_ = std::move(problem);
    return Found::Wrong;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (is_edn_blank(text_[at_])) {
        ++at_;
      } else {
        return;
      }
    }
  }

  // Returns Nothing while the form is not complete.
  Found element(char c) {
    switch (c) {
      case '(': return open(DatumKind::List, 1);
      case '[': return open(DatumKind::Vector, 1);
      case '{': return open(DatumKind::Map, 1);
      case ')':
      case ']':
      case '}': return close(c);
      case '"': return string();
      case '#': return dispatch();
      case '\'':
      case '`':
      case '~':
      case '@': return prefix(1, Open::Tag);      // quotes and the like: keep the form that follows
      case '^': return prefix(1, Open::Discard);  // metadata: drop the form that follows
      case '\\': return token(1);
      default: return token(0);
    }
  }

  Found push(Open what) {
    if (open_.size() == Form::kDeepest)
      return wrong(fmt::format("the data is nested more than {} deep", Form::kDeepest));
    open_.push_back({what, form_.size()});
    return Found::Nothing;
  }

  Found prefix(std::size_t size, Open what) {
    at_ += size;
    return push(what);
  }

  Found open(DatumKind kind, std::size_t bracket_size, std::string_view names = {}) {
    at_ += bracket_size;
    const Found found = push(Open::Container);
    open_.back().names = names;
    if (found == Found::Nothing) form_.open(kind);
    return found;
  }

  Found close(char bracket) {
    if (open_.back().what != Open::Container)
      return wrong("expected a form after # and before " + show(bracket));
    if (const char expected = closing_of(form_.innermost()); bracket != expected)
      return wrong(fmt::format("expected {} but found {}", show(expected), show(bracket)));
    if (form_.innermost() == DatumKind::Map && form_.innermost_size() % 2 != 0)
      return wrong("a map has a key without a value");
    ++at_;
    form_.close();
    open_.pop_back();
    return completed();
  }

  // Called when a form has been added: closes the tags before it, and removes it if it is to be discarded.
  Found completed() {
    while (!open_.empty() && open_.back().what == Open::Tag) open_.pop_back();
    if (open_.empty()) return Found::Form;
    if (open_.back().what == Open::Discard) {
      form_.truncate(open_.back().form_size);
      open_.pop_back();
    }
    return Found::Nothing;
  }

  Found dispatch() {
    if (at_ + 1 == text_.size()) return Found::Unfinished;
    const char next = text_[at_ + 1];
    if (next == '{') return open(DatumKind::Set, 2);
    switch (next) {
      case '_':
      case '^': return prefix(2, Open::Discard);
      case '(': return open(DatumKind::List, 2);
      case '\'':
      case '=':
      case '?': return prefix(2, Open::Tag);
      case '"': return regular_expression();
      case '<': return unreadable();
      case ':': return namespaced_map();
      case '#': return token(2);
      default: return tag();
    }
  }

  Found tag() {
    const char next = text_[at_ + 1];
    const std::size_t end = token_end(at_ + 1);
    if (end == text_.size()) return Found::Unfinished;
    if (end == at_ + 1 || !may_begin_symbol(next))
      return wrong("expected a tag after # but found " + show(next));
    at_ = end;
    return push(Open::Tag);
  }

  Found other(std::size_t end) {
    form_.text(DatumKind::Other, text_.substr(at_, end - at_));
    at_ = end;
    return completed();
  }

  // #"a\"b": escapes differ from those in strings, but here too \" does not end the text.
  Found regular_expression() {
    std::size_t end = at_ + 2;
    while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    return end >= text_.size() ? Found::Unfinished : other(end + 1);
  }

  // #<Atom@7: #<Foo 1>>
  Found unreadable() {
    std::size_t open = 0;
    for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
      if (text_[end] == '<') ++open;
      if (text_[end] == '>' && --open == 0) return other(end + 1);
    }
    return Found::Unfinished;
  }

  // #:name{:a 1} is {:name/a 1}. A keyword without a namespace is written :_/a there.
  Found namespaced_map() {
    const std::size_t end = token_end(at_ + 2);
    std::size_t map = end;
    while (map < text_.size() && is_edn_blank(text_[map])) ++map;
    if (map == text_.size()) return Found::Unfinished;
    std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    if (name.starts_with(':')) name.remove_prefix(1);
    if (text_[map] != '{' || name.empty()) return wrong("expected a name and a map after #:");
    at_ = map;
    return open(DatumKind::Map, 1, name);
  }

  bool is_key_of_namespaced_map() const {
    return !open_.empty() && open_.back().what == Open::Container && !open_.back().names.empty() &&
           form_.innermost_size() % 2 == 0;
  }

  void keyword(std::string_view name) {
    if (is_key_of_namespaced_map()) {
      if (name.starts_with("_/")) {
        name.remove_prefix(2);
      } else if (name.find('/') == std::string_view::npos) {
        scratch_ = open_.back().names;
        scratch_ += '/';
        scratch_ += name;
        name = scratch_;
      }
    }
    form_.text(DatumKind::Keyword, name);
  }

  std::size_t token_end(std::size_t from) const {
    while (from < text_.size() && !ends_token(text_[from])) ++from;
    return from;
  }

  // The first `prefix` characters belong to the token whatever they are; after \ the next one does too.
  Found token(std::size_t prefix) {
    const bool character = prefix == 1;
    const std::size_t least = at_ + prefix + (character ? 1 : 0);
    if (least > text_.size()) return Found::Unfinished;
    const std::size_t end = token_end(least);
    if (end == text_.size() && (!is_all_ || !open_.empty())) return Found::Unfinished;
    const std::string_view word = text_.substr(at_, end - at_);
    if (character) form_.text(DatumKind::Character, word.substr(1));
    else if (prefix == 2) form_.text(DatumKind::Symbol, word);
    else if (!plain_token(word)) return Found::Wrong;
    at_ = end;
    return completed();
  }

  bool plain_token(std::string_view word) {
    const char c = word.front();
    const bool is_signed = (c == '-' || c == '+') && word.size() > 1 && is_digit(word[1]);
    if (is_digit(c) || is_signed) return number(word);
    if (c == ':') {
      if (is_edn_keyword(word)) keyword(word.substr(1));
      else form_.text(DatumKind::Other, word);
    } else if (word == "nil") {
      form_.nil();
    } else if (word == "true" || word == "false") {
      form_.boolean(word == "true");
    } else if (may_begin_symbol(c)) {
      form_.text(DatumKind::Symbol, word);
    } else {
      return wrong("unexpected " + show(c)), false;
    }
    return true;
  }

  // The fast path: nearly all numbers are short and plain.
  bool short_number(std::string_view word) {
    if (word.size() > 18 || (word.front() == '0' && word.size() > 1)) return false;
    std::int64_t value = 0;
    for (const char c : word) {
      if (!is_digit(c)) return false;
      value = value * 10 + (c - '0');
    }
    form_.integer(value);
    return true;
  }

  bool number(std::string_view word) {
    if (short_number(word)) return true;
    std::string_view digits = word;
    if (digits.back() == 'N' || digits.back() == 'M') digits.remove_suffix(1);
    const bool whole = digits.find_first_of(".eE") == std::string_view::npos;
    if (!is_number(digits) || (word.back() == 'N' && !whole)) {
      if (const auto number = clojure_integer(word)) form_.integer(*number);
      else form_.text(DatumKind::Other, word);
      return true;
    }
    if (digits.front() == '+') digits.remove_prefix(1);
    std::int64_t integer = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
    if (failure == std::errc() && end == digits.data() + digits.size()) form_.integer(integer);
    else form_.text(DatumKind::Number, digits);
    return true;
  }

  Found string() {
    const std::size_t begin = at_ + 1;
    const std::size_t end = text_.find_first_of("\"\\", begin);
    if (end == std::string_view::npos) return Found::Unfinished;
    if (text_[end] == '"') {
      form_.text(DatumKind::String, text_.substr(begin, end - begin));
      at_ = end + 1;
      return completed();
    }
    return escaped_string(begin);
  }

  Found escaped_string(std::size_t i) {
    scratch_.clear();
    bool is_text = true;
    while (i < text_.size() && text_[i] != '"') {
      if (text_[i] != '\\') {
        scratch_ += text_[i++];
        continue;
      }
      // The longest escape and the closing quote are in the window, or the form is not complete.
      if (i + 13 > text_.size() && !is_all_) return Found::Unfinished;
      if (i + 1 == text_.size()) return Found::Unfinished;
      const std::size_t known = std::string_view("tnrbf\"\\/").find(text_[i + 1]);
      if (known != std::string_view::npos) {
        scratch_ += "\t\n\r\b\f\"\\/"[known];
        i += 2;
      } else if (text_[i + 1] == 'u' ? !unicode_escape(i) : !octal_escape(i)) {
        is_text = false;  // no text that a history can hold, but its end is clear
        scratch_.append(text_.substr(i, 2));
        i += 2;
      }
    }
    if (i >= text_.size()) return Found::Unfinished;
    form_.text(is_text ? DatumKind::String : DatumKind::Other, scratch_);
    at_ = i + 1;
    return completed();
  }

  // \0 to \377 at i. Returns false if it is none.
  bool octal_escape(std::size_t& i) {
    std::uint32_t code = 0;
    const char* const first = text_.data() + i + 1;
    const char* const last = text_.data() + std::min(i + 4, text_.size());
    const auto [end, problem] = std::from_chars(first, last, code, 8);
    if (problem != std::errc() || end == first || code > 0377) return false;
    append_utf8(code, scratch_);
    i = static_cast<std::size_t>(end - text_.data());
    return true;
  }

  // \uXXXX at i, or a surrogate pair of two such escapes. Returns false if it is none.
  bool unicode_escape(std::size_t& i) {
    const auto unit = [&](std::size_t from, std::uint32_t& code) {
      const char* first = text_.data() + from;
      return std::from_chars(first, first + 4, code, 16).ptr == first + 4;
    };
    std::uint32_t code = 0, low = 0;
    if (i + 6 > text_.size() || !unit(i + 2, code)) return false;
    std::size_t size = 6;
    if (code >= 0xd800 && code < 0xdc00 && i + 12 <= text_.size() && text_[i + 6] == '\\' &&
        text_[i + 7] == 'u' && unit(i + 8, low) && low >= 0xdc00 && low < 0xe000) {
      code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
      size = 12;
    }
    if (code >= 0xd800 && code < 0xe000) return false;
    append_utf8(code, scratch_);
    i += size;
    return true;
  }

  std::string_view text_;
  bool is_all_;  // `text_` reaches the end of the file
  Form& form_;
  std::size_t at_ = 0;
  std::vector<Level> open_;
  std::string scratch_;
  std::string problem_;
};

}  // namespace

Error EdnReader::at_line(std::uint64_t line, std::string what, std::string remedy) const {
  return {std::move(what), std::move(remedy), source_.name(), std::to_string(line)};
}

Error EdnReader::cut_off() const {
  if (source_.failure()) return *source_.failure();
  return at_line(form_line_, "the file ends inside what begins here",
                 "it is cut off; get the whole file again");
}

void EdnReader::consume(std::size_t n) {
  const std::string_view bytes = source_.window().substr(0, n);
  line_ += static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  source_.consume(n);
}

// Skips blanks and comments. Returns false at the end of the file.
bool EdnReader::skip_blank() {
  bool in_comment = false;
  while (true) {
    const std::string_view window = source_.window();
    std::size_t i = 0;
    while (i < window.size() && (in_comment || is_edn_blank(window[i]) || window[i] == ';')) {
      in_comment = window[i] == ';' || (in_comment && window[i] != '\n');
      ++i;
    }
    const bool found = i < window.size();
    consume(i);
    if (found) return true;
    if (!source_.refill()) return false;
  }
}

Result<bool> EdnReader::next(Form& form) {
  while (skip_blank()) {
    const char c = source_.window().front();
    if (where_ == Where::Behind)
      return at_line(line_, fmt::format("{} after the end of the sequence of operations", show(c)),
                     "a file holds one vector of operations, or operations one after the other");
    if (where_ == Where::Start && (c == '[' || c == '(')) {
      where_ = Where::Inside;
      closing_ = c == '[' ? ']' : ')';
      opened_line_ = line_;
      consume(1);
      continue;
    }
    if (where_ == Where::Start) where_ = Where::Lines;
    if (c == ')' || c == ']' || c == '}') {
      if (where_ != Where::Inside || c != closing_) return at_line(line_, "unexpected " + show(c));
      where_ = Where::Behind;
      consume(1);
      continue;
    }
    auto found = parse(form);
    if (!found || *found) return found;
  }
  if (where_ == Where::Inside) {
    form_line_ = opened_line_;
    return cut_off();
  }
  if (source_.failure()) return *source_.failure();
  return false;
}

// Returns false if there are only discarded forms before the next bracket or the end.
Result<bool> EdnReader::parse(Form& form) {
  form_line_ = line_;
  while (true) {
    const std::string_view window = source_.window().substr(0, Form::kLargest);
    const bool too_large = window.size() < source_.window().size();
    Parser parser(window, at_end_ && !too_large, form);
    const auto found = parser.run();
    if (found == Parser::Found::Unfinished) {
      if (too_large)
        return at_line(form_line_, fmt::format("one form takes more than {} bytes", Form::kLargest),
                       "is a string or a bracket not closed?");
      if (at_end_) return cut_off();
      at_end_ = !source_.refill();
      if (source_.failure()) return *source_.failure();
      continue;
    }
    const std::string_view read = window.substr(0, parser.at());
    const auto line_of = [&](std::size_t at) {
      return line_ + static_cast<std::uint64_t>(
                         std::count(window.begin(), window.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    if (const auto invalid = first_invalid_utf8(read))
      return at_line(line_of(*invalid), "a byte that is not UTF-8");
    if (found == Parser::Found::Wrong) return at_line(line_of(parser.at()), parser.problem());
    consume(parser.at());
    return found == Parser::Found::Form;
  }
}

bool is_edn_keyword(std::string_view text) {
  if (text.size() < 2 || text[0] != ':' || text[1] == ':' || text[1] == '/' || text[1] == '#') return false;
  return std::ranges::all_of(text.substr(1),
                             [](char c) { return kInKeyword[static_cast<unsigned char>(c)]; });
}

void print_edn_string(std::string_view text, std::string& out) {
  // Clojure reads all escapes that JSON strings use.
  print_json_string(text, out);
}

}  // namespace assay
