// Reads the history language for people and tests; docs/hist-format.md has the whole grammar.
//
//     @initial 0
//     S1: r(x,0) w(x,1) | r(x,1)          # | separates transactions
//     S2: <17 @1000..1250> r(x,0) w(x,2)? # a name, times, and an unknown outcome
//
// White space and line breaks have no meaning; `name:` begins or continues a session. The language can
// express everything that the native format can. A hand-written cursor over the window reads it in one pass.
// Only predicates nest, and their depth is bounded.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "history/builder.h"
#include "history_io/format_rows.h"
#include "history_io/hist_cursor.h"
#include "history_io/hist_writer.h"

namespace assay {
namespace {

class HistReader {
 public:
  explicit HistReader(ByteSource& source) : source_(source), in_(source) {
    builder_.set_initial(Scalar::integer(0));
  }

  Result<History> read() {
    while (true) {
      in_.skip_space();
      const int c = in_.peek();
      if (c < 0) break;
      switch (c) {
        case '@':
          ASSAY_TRY(end_of_session());
          ASSAY_TRY(directive());
          break;
        case '|':
          in_.skip();
          ASSAY_TRY(end_of_transaction());
          wanted_ = true;
          break;
        case '<':
        case '(': ASSAY_TRY(c == '<' ? annotation() : empty_transaction()); break;
        case '!':
        case '?': ASSAY_TRY(outcome(c == '!' ? Outcome::Aborted : Outcome::Unknown)); break;
        default: ASSAY_TRY(session_or_operation());
      }
    }
    ASSAY_TRY(end_of_session());
    if (source_.failure()) return *source_.failure();
    if (!seen_anything_)
      return in_.wrong("no session in the file", "a session is S1: r(x,0) w(x,1) | r(x,1)");
    auto history = std::move(builder_).build();
    if (!history) return in_.wrong(history.error().what, history.error().remedy);
    return history;
  }

 private:
  // --- Words and values ---

  std::string_view word() {
    text_.clear();
    while (is_hist_word(in_.peek())) {
      if (in_.peek() == '.' && in_.peek_second() == '.') break;  // the ".." between instants
      text_ += static_cast<char>(in_.peek());
      in_.skip();
    }
    return text_;
  }

  Result<std::string_view> non_empty_word(std::string_view what) {
    if (word().empty()) return in_.expected(what);
    if (!simdjson::validate_utf8(text_)) return in_.wrong("not valid UTF-8");
    return std::string_view(text_);
  }

  Result<Scalar> quoted() {
    text_.clear();
    in_.skip();
    while (!in_.accept('"')) {
      const int c = in_.peek();
      if (c < 0 || c == '\n') return in_.expected("the closing \" of a string");
      in_.skip();
      if (c != '\\') {
        text_ += static_cast<char>(c);
        continue;
      }
      const int escaped = in_.peek();
      if (escaped < 0) continue;
      in_.skip();
      switch (escaped) {
        case 'n': text_ += '\n'; break;
        case 't': text_ += '\t'; break;
        case 'r': text_ += '\r'; break;
        case 'u': {
          unsigned code = 0;
          for (int i = 0; i < 4; ++i) {
            const int digit = in_.peek();
            const std::size_t value =
                std::string_view("0123456789abcdef").find(static_cast<char>(std::tolower(digit)));
            if (digit < 0 || value == std::string_view::npos)
              return in_.expected("four hexadecimal digits after \\u");
            code = code * 16 + static_cast<unsigned>(value);
            in_.skip();
          }
          if (code >= 0x80)
            return in_.wrong("\\u is for control characters only", "write the character itself");
          text_ += static_cast<char>(code);
          break;
        }
        case '"':
        case '\\': text_ += static_cast<char>(escaped); break;
        default: return in_.wrong(fmt::format("unknown escape \\{} in a string", static_cast<char>(escaped)));
      }
    }
    if (!simdjson::validate_utf8(text_)) return in_.wrong("not valid UTF-8");
    return builder_.pool().string(text_);
  }

  // null, true, false, a number, a "string", {a row}, or a bare word, which is a string.
  Result<Scalar> value() {
    in_.skip_space();
    if (in_.peek() == '"') return quoted();
    if (in_.peek() == '{') return row();
    auto text = non_empty_word("a value");
    if (!text) return std::move(text).error();
    if (*text == "null") return Scalar::null();
    if (*text == "true" || *text == "false") return Scalar::boolean(*text == "true");
    const char first = (*text)[0];
    if ((first >= '0' && first <= '9') || first == '-' || first == '+') {
      const auto number = builder_.pool().number(*text);
      if (!number) return in_.wrong(fmt::format("not a number: {}", *text), "quote it if it is a string");
      return *number;
    }
    return builder_.pool().string(*text);
  }

  Result<Scalar> row() {
    in_.skip();
    std::vector<RowField> fields;
    for (in_.skip_space(); !in_.accept('}'); in_.skip_space()) {
      auto column = scalar_name("a column");
      if (!column) return column;
      if (!column->is_string()) return in_.wrong("a column must be a word or a string");
      if (std::ranges::find(fields, *column, &RowField::column) != fields.end())
        return in_.wrong("a row that names a column twice");
      in_.skip_space();
      if (!in_.accept(':')) return in_.expected("':' after a column");
      in_.skip_space();
      if (in_.peek() == '{') return in_.wrong("a row inside a row");
      auto content = value();
      if (!content) return content;
      fields.push_back({*column, *content});
      in_.skip_space();
      in_.accept(',');
    }
    return builder_.pool().row(std::move(fields));
  }

  // The name of a key, session or transaction: an integer or a string.
  Result<Scalar> scalar_name(std::string_view what) {
    in_.skip_space();
    if (in_.peek() != '"' && !is_hist_word(in_.peek())) return in_.expected(what);
    auto result = value();
    if (!result) return result;
    if (!result->is_integer() && !result->is_string())
      return in_.wrong(fmt::format("expected {}: an integer, a word or a string", what));
    return result;
  }

  Result<KeyId> key() {
    auto name = scalar_name("a key");
    if (!name) return std::move(name).error();
    return builder_.key(*name);
  }

  Result<void> punctuation(char c, std::string_view where) {
    in_.skip_space();
    if (!in_.accept(c)) return in_.expected(fmt::format("'{}' {}", c, where));
    return {};
  }

  // --- Directives ---

  Result<void> directive() {
    in_.skip();
    const std::string name(word());
    seen_anything_ = true;
    if (name == "note") {
      in_.skip_space();
      if (in_.peek() != '"') return in_.expected("a string after @note");
      auto text = quoted();
      if (!text) return std::move(text).error();
      builder_.set_note(std::string(builder_.pool().text(*text)));
      return {};
    }
    if (name == "instants") return instant_kind();
    if (name != "initial")
      return in_.wrong(fmt::format("unknown directive @{}", name), "@initial, @note or @instants");
    in_.skip_space();
    if (in_.accept('(')) return initial_of_keys();
    if (in_.accept_word("none")) {
      builder_.set_initial(std::nullopt);
      return {};
    }
    auto everywhere = value();
    if (!everywhere) return std::move(everywhere).error();
    builder_.set_initial(*everywhere);
    return {};
  }

  Result<void> instant_kind() {
    in_.skip_space();
    const bool positions = in_.accept_word("positions");
    if (!positions && !in_.accept_word("nanoseconds"))
      return in_.expected("nanoseconds or positions after @instants");
    builder_.set_instant_kind(positions ? InstantKind::Positions : InstantKind::Nanoseconds);
    return {};
  }

  Result<void> initial_of_keys() {
    for (in_.skip_space(); !in_.accept(')'); in_.skip_space()) {
      auto row = key_and_value();
      if (!row) return std::move(row).error();
      builder_.set_initial(row->key, row->value);
      in_.accept(',');
    }
    return {};
  }

  Result<KeyAndValue> key_and_value() {
    auto k = key();
    if (!k) return std::move(k).error();
    ASSAY_TRY(punctuation('=', "between a key and its value"));
    auto content = value();
    if (!content) return std::move(content).error();
    return KeyAndValue{*k, *content};
  }

  // --- Transactions ---

  Result<void> session_or_operation() {
    in_.skip_space();
    const bool is_quoted = in_.peek() == '"';
    if (!is_quoted && !is_hist_word(in_.peek()))
      return in_.unexpected("a session such as S1:, or an operation such as r(x,1)");
    std::string name;
    Scalar session;
    if (is_quoted) {
      auto text = quoted();
      if (!text) return std::move(text).error();
      session = *text;
    } else {
      auto text = non_empty_word("a name");
      if (!text) return std::move(text).error();
      name = *text;
      const auto number = builder_.pool().number(name);
      session = number && number->is_integer() ? *number : builder_.pool().string(name);
    }
    in_.skip_space();
    if (in_.accept(':')) {
      ASSAY_TRY(end_of_session());
      seen_anything_ = true;
      head_.session = builder_.session(session);
      return {};
    }
    if (is_quoted) return in_.expected("':' after the name of a session");
    ASSAY_TRY(begin_content());
    ASSAY_TRY(punctuation('(', "after the name of an operation"));
    ASSAY_TRY(operation(name));
    ASSAY_TRY(punctuation(')', "at the end of an operation"));
    content_line_ = in_.line();
    return {};
  }

  // Called before each part of a transaction's content: checks that content is allowed here.
  Result<void> begin_content() {
    if (head_.session.is_none()) return in_.wrong("an operation before the first session", "begin with S1:");
    if (closed_)
      return in_.wrong("an operation after the outcome of its transaction", "separate transactions by |");
    started_ = true;
    return {};
  }

  Result<void> empty_transaction() {
    in_.skip();
    ASSAY_TRY(begin_content());
    ASSAY_TRY(punctuation(')', "of an empty transaction"));
    content_line_ = in_.line();
    closed_ = true;
    return {};
  }

  Result<void> outcome(Outcome outcome) {
    if (!started_ || head_.outcome != Outcome::Committed)
      return in_.unexpected("a transaction before its outcome");
    in_.skip();
    content_line_ = in_.line();
    head_.outcome = outcome;
    closed_ = true;
    return {};
  }

  Result<void> end_of_transaction() {
    if (!started_) return in_.wrong("a transaction without operations", "an empty transaction is ()");
    auto finished = builder_.finish(head_);
    if (!finished) return in_.wrong_at(content_line_, finished.error().what, finished.error().remedy);
    head_ = {.session = head_.session};
    started_ = closed_ = wanted_ = false;
    return {};
  }

  Result<void> end_of_session() {
    if (started_ || wanted_) ASSAY_TRY(end_of_transaction());
    return {};
  }

  // <17 @1000,1010..1200,1250>: the name, and begin,began..committing,end; each is optional.
  Result<void> annotation() {
    in_.skip();
    if (started_) return in_.wrong("the name of a transaction after its operations", "<...> comes first");
    ASSAY_TRY(begin_content());
    in_.skip_space();
    if (in_.peek() != '@' && in_.peek() != '>') {
      auto name = scalar_name("the name of a transaction");
      if (!name) return std::move(name).error();
      head_.name = *name;
      in_.skip_space();
    }
    if (in_.accept('@')) {
      Instants& at = head_.instants;
      ASSAY_TRY(instant(at.begin));
      if (in_.accept(',')) ASSAY_TRY(instant(at.began));
      if (!in_.accept('.') || !in_.accept('.')) return in_.expected("'..' between the instants");
      ASSAY_TRY(instant(at.end));
      if (in_.accept(',')) {
        at.committing = std::exchange(at.end, std::nullopt);
        ASSAY_TRY(instant(at.end));
      }
    }
    ASSAY_TRY(punctuation('>', "after the name and the instants of a transaction"));
    content_line_ = in_.line();
    return {};
  }

  Result<void> instant(std::optional<std::int64_t>& into) {
    if (!is_hist_word(in_.peek()) || in_.peek() == '.') return {};
    auto text = non_empty_word("an instant");
    if (!text) return std::move(text).error();
    const auto number = builder_.pool().number(*text);
    if (!number || !number->is_integer())
      return in_.wrong(fmt::format("not an instant: {}", *text), "integer nanoseconds");
    into = number->as_integer();
    return {};
  }

  // --- Operations ---

  Result<void> operation(const std::string& name) {
    if (name == "r") return item_or_list_read();
    if (name == "w") return item(&HistoryBuilder::write);
    if (name == "append") return item(&HistoryBuilder::append);
    if (name == "one-of") return read_one_of();
    if (name == "insert") return item(&HistoryBuilder::insert);
    if (name == "delete") return remove();
    if (name == "scan") return scan();
    if (name == "select" || name == "update" || name == "update-maybe") return with_predicate(name);
    return in_.wrong(fmt::format("unknown operation {}", name),
                     "r, w, append, one-of, insert, delete, scan, select, update or update-maybe");
  }

  Result<KeyId> key_and_comma() {
    auto k = key();
    if (!k) return k;
    ASSAY_TRY(punctuation(',', "after a key"));
    return k;
  }

  Result<void> item(void (HistoryBuilder::*add)(KeyId, Scalar)) {
    auto k = key_and_comma();
    if (!k) return std::move(k).error();
    auto content = value();
    if (!content) return std::move(content).error();
    (builder_.*add)(*k, *content);
    return {};
  }

  Result<void> item_or_list_read() {
    auto k = key_and_comma();
    if (!k) return std::move(k).error();
    in_.skip_space();
    if (!in_.accept('[')) {
      auto content = value();
      if (!content) return std::move(content).error();
      builder_.read(*k, *content);
      return {};
    }
    auto elements = values();
    if (!elements) return std::move(elements).error();
    builder_.list_read(*k, *elements);
    return {};
  }

  // Values up to the closing bracket.
  Result<std::vector<Scalar>> values() {
    std::vector<Scalar> elements;
    ASSAY_TRY(list([&]() -> Result<void> {
      auto element = value();
      if (!element) return std::move(element).error();
      elements.push_back(*element);
      return {};
    }));
    return elements;
  }

  Result<void> read_one_of() {
    auto k = key_and_comma();
    if (!k) return std::move(k).error();
    ASSAY_TRY(punctuation('[', "before the values"));
    auto possible = values();
    if (!possible) return std::move(possible).error();
    builder_.read_one_of(*k, *possible);
    return {};
  }

  // Elements up to the closing bracket, separated by white space or commas.
  template <class Element>
  Result<void> list(Element element) {
    for (in_.skip_space(); !in_.accept(']'); in_.skip_space()) {
      ASSAY_TRY(element());
      in_.skip_space();
      in_.accept(',');
    }
    return {};
  }

  Result<void> remove() {
    auto k = key();
    if (!k) return std::move(k).error();
    in_.skip_space();
    std::optional<bool> found;
    if (in_.accept(',')) {
      auto flag = value();
      if (!flag) return std::move(flag).error();
      if (flag->kind != ScalarKind::Boolean)
        return in_.wrong("a delete says true or false: whether a row was there");
      found = flag->bits != 0;
    }
    builder_.remove(*k, found);
    return {};
  }

  Result<void> rows() {
    ASSAY_TRY(punctuation(',', "before the rows"));
    ASSAY_TRY(punctuation('[', "before the rows"));
    rows_.clear();
    return list([&]() -> Result<void> {
      auto row = key_and_value();
      if (!row) return std::move(row).error();
      rows_.push_back(*row);
      return {};
    });
  }

  Result<void> scan() {
    auto low = scalar_name("the lower bound of a scan");
    if (!low) return std::move(low).error();
    ASSAY_TRY(punctuation(',', "between the bounds of a scan"));
    auto high = scalar_name("the upper bound of a scan");
    if (!high) return std::move(high).error();
    ASSAY_TRY(rows());
    builder_.scan({*low, *high}, rows_);
    return {};
  }

  Result<void> with_predicate(const std::string& name) {
    nodes_.clear();
    ASSAY_TRY(alternatives(0));
    ASSAY_TRY(rows());
    if (name == "select") builder_.select(nodes_, rows_);
    if (name == "update") builder_.update(nodes_, rows_);
    if (name != "update-maybe") return {};
    std::optional<std::uint64_t> count;
    in_.skip_space();
    if (in_.accept(',')) {
      auto number = value();
      if (!number) return std::move(number).error();
      if (!number->is_integer() || number->as_integer() < 0)
        return in_.wrong("the count of an update-maybe must be a number");
      count = number->bits;
    }
    builder_.update_maybe(nodes_, rows_, count);
    return {};
  }

  // --- Predicates: or < and < not < comparison ---

  Result<void> alternatives(int depth) { return chain(PredicateOp::Or, "or", depth); }

  Result<void> chain(PredicateOp op, std::string_view connective, int depth) {
    if (depth >= kDeepestPredicate) return in_.wrong("a predicate that is nested too deeply");
    const std::size_t at = nodes_.size();
    std::uint32_t operands = 0;
    do {
      if (op == PredicateOp::Or) ASSAY_TRY(chain(PredicateOp::And, "and", depth));
      else ASSAY_TRY(negation(depth));
      ++operands;
    } while (accept_word(connective));
    if (operands > 1)
      nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(at), {op, operands, Scalar::null()});
    return {};
  }

  Result<void> negation(int depth) {
    if (accept_word("not")) {
      if (depth >= kDeepestPredicate) return in_.wrong("a predicate that is nested too deeply");
      nodes_.push_back({PredicateOp::Not, 1, Scalar::null()});
      return negation(depth + 1);
    }
    in_.skip_space();
    if (in_.accept('(')) {
      ASSAY_TRY(alternatives(depth + 1));
      return punctuation(')', "at the end of a predicate in parentheses");
    }
    return comparison();
  }

  Result<void> comparison() {
    auto column = scalar_name("a column");
    if (!column) return std::move(column).error();
    if (!column->is_string()) return in_.wrong("a column must be a word or a string");
    const std::size_t at = nodes_.size();
    in_.skip_space();
    std::string name;
    while (in_.peek() == '<' || in_.peek() == '=' || in_.peek() == '>' || in_.peek() == '!') {
      name += static_cast<char>(in_.peek());
      in_.skip();
    }
    if (name.empty()) name = word();
    if (name == "is") name = word_after_space();
    const PredicateSpelling* spelled = find_predicate(name);
    if (spelled == nullptr || is_connective(spelled->op))
      return in_.wrong(fmt::format("unknown comparison '{}'", name),
                       "= != < <= > >= between in like, or is null");

    nodes_.push_back({spelled->op, 0, *column});
    if (spelled->op == PredicateOp::In) {
      ASSAY_TRY(punctuation('[', "before the constants of in"));
      ASSAY_TRY(list([&] { return constant(); }));
    } else if (spelled->op == PredicateOp::Between) {
      ASSAY_TRY(constant());
      if (!accept_word("and")) return in_.expected("'and' between the bounds");
      ASSAY_TRY(constant());
    } else if (spelled->op != PredicateOp::IsNull) {
      ASSAY_TRY(constant());
    }
    nodes_[at].operands = static_cast<std::uint32_t>(nodes_.size() - at - 1);
    return {};
  }

  Result<void> constant() {
    in_.skip_space();
    if (in_.peek() == '{') return in_.wrong("a row is no constant of a predicate");
    auto content = value();
    if (!content) return std::move(content).error();
    nodes_.push_back({PredicateOp::Constant, 0, *content});
    return {};
  }

  std::string word_after_space() {
    in_.skip_space();
    return std::string(word());
  }

  bool accept_word(std::string_view text) {
    in_.skip_space();
    return in_.accept_word(text);
  }

  ByteSource& source_;
  HistCursor in_;
  HistoryBuilder builder_;
  bool seen_anything_ = false;

  TransactionHead head_;            // of the current transaction
  bool started_ = false;            // it has content
  bool closed_ = false;             // it is complete
  bool wanted_ = false;             // after |: a transaction must follow
  std::uint64_t content_line_ = 1;  // the last line of its content so far

  std::string text_;
  std::vector<KeyAndValue> rows_;
  std::vector<PredicateNode> nodes_;
};

Result<History> read_hist(ByteSource& source) { return HistReader(source).read(); }

// After comments, the text must begin with a directive, or with a name and a colon.
bool looks_like_hist(std::string_view text) {
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos) return false;
    text.remove_prefix(start);
    if (text[0] != '#') break;
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return true;  // only comments so far
    text.remove_prefix(newline);
  }
  if (text.starts_with("@initial") || text.starts_with("@note") || text.starts_with("@instants")) return true;
  std::size_t i = 0;
  if (text[0] == '"') {
    i = text.find('"', 1);
    if (i == std::string_view::npos) return false;
    ++i;
  } else {
    while (i < text.size() && is_hist_word(static_cast<unsigned char>(text[i]))) ++i;
  }
  while (i < text.size() && text[i] == ' ') ++i;
  return i > 0 && i < text.size() && text[i] == ':';
}

}  // namespace

const Format format_rows::hist{.id = "hist",
                               .description = "the one-line history language, S1: r(x,0) w(x,1) | r(x,1)",
                               .extension = ".hist",
                               .looks_like = looks_like_hist,
                               .read = read_hist,
                               .write = write_hist};

}  // namespace assay
