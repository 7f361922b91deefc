#include "history_io/json_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "history_io/text_scan.h"

namespace assay {
namespace {

using Json = nlohmann::json;

bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The characters of a source, with a count; ends early if one value has too many.
class JsonCharacters {
 public:
  explicit JsonCharacters(ByteSource& source) : source_(source) { show_window(); }

  bool at_end() { return too_long() || (at_ == window_.size() && !more()); }
  char current() const { return window_[at_]; }
  void advance() {
    line_ += window_[at_] == '\n';
    ++at_;
    ++of_this_value_;
  }

  bool skip_blank() {
    while (!at_end() && is_json_blank(current())) advance(), begin_value();
    return !at_end();
  }
  void begin_value() { of_this_value_ = 0; }
  bool too_long() const { return of_this_value_ > Form::kLargest; }
  std::uint64_t line() const { return line_; }

 private:
  bool more() {
    source_.consume(at_);
    at_ = 0;
    const bool got = source_.refill();
    show_window();
    return got;
  }
  void show_window() { window_ = source_.window(); }

  ByteSource& source_;
  std::string_view window_;
  std::size_t at_ = 0, of_this_value_ = 0;
  std::uint64_t line_ = 1;
};

// The iterator that nlohmann's parser reads from.
class JsonCursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonCursor() = default;  // the end
  explicit JsonCursor(JsonCharacters& characters) : characters_(&characters) {}
  char operator*() const { return characters_->current(); }
  JsonCursor& operator++() {
    characters_->advance();
    return *this;
  }
  JsonCursor operator++(int) { return ++*this; }
  bool operator==(const JsonCursor&) const { return characters_->at_end(); }  // only compared to the end
  bool operator!=(const JsonCursor& end) const { return !(*this == end); }

 private:
  JsonCharacters* characters_ = nullptr;
};

class Builder {
 public:
  Builder(JsonCharacters& characters, JsonVisitor& visitor) : characters_(characters), visitor_(visitor) {}

  bool null() {
    return scalar([&] { form_.nil(); });
  }
  bool boolean(bool value) {
    return scalar([&] { form_.boolean(value); });
  }
  bool number_integer(std::int64_t value) {
    return scalar([&] { form_.integer(value); });
  }
  bool number_unsigned(std::uint64_t value) {
    if (value > INT64_MAX) return number_float(0, std::to_string(value));
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(double, const std::string& digits) {
    return scalar([&] { form_.text(DatumKind::Number, digits); });
  }
  bool string(std::string& text) {
    return scalar([&] { form_.text(DatumKind::String, text); });
  }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(std::size_t) { return start(DatumKind::Map); }
  bool start_array(std::size_t) { return start(DatumKind::Vector); }
  bool end_object() { return end(); }
  bool end_array() { return end(); }

  bool key(std::string& text) {
    if (form_.depth() > 0) {
      form_.text(DatumKind::String, text);
      return true;
    }
    if (std::ranges::find(keys_, text) != keys_.end())
      return fail(fmt::format("{} stands twice in the object", excerpt(text)));
    if (keys_.size() == kMostRootKeys) return fail("an object with too many fields");
    keys_.push_back(text);
    place_.key = std::move(text);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& problem) {
    // "[json.exception....] parse error at line 1, column 2: what". Keeps only `what`; the caller knows the
    // line better.
    std::string_view what = problem.what();
    for (const std::string_view before : {"] ", "column "})
      if (const auto at = what.find(before); at != std::string_view::npos)
        what.remove_prefix(at + before.size());
    if (const auto at = what.find(": ");
        at != std::string_view::npos && what.find_first_not_of("0123456789") == at)
      what.remove_prefix(at + 2);
    return fail(std::string(what));
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  static constexpr std::size_t kMostRootKeys = 1000;

  bool fail(std::string what) {
    problem_ = error(std::move(what));
    problem_->place = std::to_string(characters_.line());
    return false;
  }

  template <class Add>
  bool scalar(Add add) {
    if (form_.depth() > 0) return add(), true;
    place_.line = characters_.line();
    form_.clear();
    add();
    return hand_over();
  }

  bool start(DatumKind kind) {
    if (form_.depth() + entered_.size() == Form::kDeepest)
      return fail(fmt::format("the data is nested more than {} deep", Form::kDeepest));
    if (form_.depth() == 0) {
      place_.line = characters_.line();
      if (visitor_.enters(place_, kind)) {
        ASSAY_REQUIRE(kind == DatumKind::Vector || entered_.empty());
        entered_.push_back(kind);
        if (kind == DatumKind::Vector) place_.path.push_back(0);
        characters_.begin_value();
        return true;
      }
      form_.clear();
    }
    form_.open(kind);
    return true;
  }

  bool end() {
    if (form_.depth() > 0) {
      form_.close();
      return form_.depth() > 0 || hand_over();
    }
    if (entered_.back() == DatumKind::Vector) place_.path.pop_back();
    entered_.pop_back();
    step();
    return true;
  }

  bool hand_over() {
    if (auto done = visitor_.value(place_, form_.root()); !done) {
      problem_ = std::move(done).error();
      return false;
    }
    step();
    return true;
  }

  void step() {
    if (!entered_.empty() && entered_.back() == DatumKind::Vector) ++place_.path.back();
    characters_.begin_value();
  }

  JsonCharacters& characters_;
  JsonVisitor& visitor_;
  Form form_;
  JsonPlace place_;
  std::vector<DatumKind> entered_;
  std::vector<std::string> keys_;
  std::optional<Error> problem_;
};

}  // namespace

Result<void> read_json(ByteSource& source, JsonRoots roots, JsonVisitor& visitor) {
  JsonCharacters characters(source);
  Builder builder(characters, visitor);
  bool first = true;
  while (characters.skip_blank()) {
    if (!first && roots == JsonRoots::One)
      return Error{
          "something follows the end of the history", {}, source.name(), std::to_string(characters.line())};
    first = false;
    const std::uint64_t line = characters.line();
    if (Json::sax_parse(JsonCursor(characters), JsonCursor(), &builder, Json::input_format_t::json, false))
      continue;
    if (source.failure()) return *source.failure();
    if (characters.too_long())
      return Error{fmt::format("one value takes more than {} bytes", Form::kLargest),
                   "is a string or a bracket not closed?", source.name(), std::to_string(line)};
    Error problem = *builder.problem();
    if (problem.what.find("unexpected end of input") != std::string::npos ||
        problem.what.find("missing closing quote") != std::string::npos)
      problem = {"the file ends inside a JSON value",
                 "it is cut off; get the whole file again",
                 {},
                 std::to_string(characters.line())};
    problem.file = source.name();
    return problem;
  }
  if (source.failure()) return *source.failure();
  return {};
}

std::optional<std::string_view> peek_json(std::string_view text, std::string_view key) {
  std::size_t at = 0;
  const auto skip_blank = [&] {
    while (at < text.size() && is_json_blank(text[at])) ++at;
  };
  skip_blank();
  if (at < text.size() && text[at] == '[') ++at;
  skip_blank();
  if (at >= text.size() || text[at] != '{') return std::nullopt;
  int depth = 0;
  std::string_view word;  // the last string at the top level of the object
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t begin = ++at;
      while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
      if (at >= text.size()) return std::nullopt;
      if (depth == 1) word = text.substr(begin, at - begin);
    } else if (c == ':' && depth == 1 && word == key) {
      ++at;
      skip_blank();
      return text.substr(std::min(at, text.size()));
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return std::nullopt;
    } else if (c == ',') {
      word = {};
    }
  }
  return std::nullopt;
}

}  // namespace assay
