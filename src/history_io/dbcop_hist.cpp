// Reads and writes dbcop's text format for histories written by hand:
//     // session 1
//     [x:=1 y==2] [z==?]!
//     ---
//     [x==1]
// := is a write, == a read, ? means "uninitialized", and ! follows an uncommitted transaction. A line of
// dashes separates sessions, which are numbered from 1. A variable is a word of letters, digits and
// underscores; a plain number is the integer key, as in dbcop's JSON.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "history_io/dbcop_initial.h"
#include "history_io/format_rows.h"
#include "history_io/text_scan.h"
#include "history_io/utf8.h"

namespace assay {
namespace {

constexpr Expressible kDbcopHist{
    .format = "dbcop-hist",
    .keys = {ScalarKind::Integer, ScalarKind::String},
    .empty_transactions = false,
};

bool is_space_or_tab(char c) { return c == ' ' || c == '\t'; }
bool in_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<signed char>(c) < 0;
}

bool is_plain_number(std::string_view word) {
  std::int64_t ignored = 0;
  return std::ranges::all_of(word, is_digit) && (word.size() == 1 || word.front() != '0') &&
         std::from_chars(word.data(), word.data() + word.size(), ignored).ec == std::errc();
}

bool is_separator(std::string_view line) {
  return !line.empty() && line.find_first_not_of('-') == std::string_view::npos;
}

class DbcopHistReader {
 public:
  explicit DbcopHistReader(ByteSource& source) : source_(source) {}

  Result<History> run() {
    session_ = history_.history().new_session();
    std::string_view line;
    while (source_.next_line(line)) {
      if (first_invalid_utf8(line)) return source_.at_line("a byte that is not UTF-8");
      rest_ = trim(line);
      if (is_separator(rest_)) {
        session_ = history_.history().new_session();
        continue;
      }
      while (!rest_.empty() && !rest_.starts_with("//")) {
        if (auto done = transaction(); !done) return source_.at_line(done.error().what, done.error().remedy);
        rest_ = trim(rest_);
      }
    }
    if (source_.failure()) return *source_.failure();
    return std::move(history_).build();
  }

 private:
  Result<void> transaction() {
    if (!take("["))
      return error(fmt::format("expected '[' before {}", what_follows()), "a transaction is [x:=1 y==2]");
    while (true) {
      const bool separated = is_space_or_tab(rest_.empty() ? '\0' : rest_.front());
      rest_ = trim(rest_);
      if (take("]")) break;
      if (rest_.empty()) return error("the line ends inside a transaction", "expected ']'");
      if (!separated && !first_event_)
        return error(fmt::format("expected a space or ']' before {}", what_follows()));
      ASSAY_TRY(event());
      first_event_ = false;
    }
    first_event_ = true;
    const bool committed = !take("!");
    return history_.history().finish(
        {.session = session_, .outcome = committed ? Outcome::Committed : Outcome::Aborted});
  }

  Result<void> event() {
    const std::string_view variable = word();
    if (variable.empty()) return error(fmt::format("expected a variable or ']' before {}", what_follows()));
    const bool writes = take(":=");
    if (!writes && !take("=="))
      return error(fmt::format("expected := or == before {}", what_follows()),
                   "an event is x:=1, x==1 or x==?");
    const KeyId key = history_.history().key(is_plain_number(variable) ? *pool().number(variable)
                                                                       : pool().string(variable));
    if (!writes && take("?")) {
      history_.read(key, Scalar::null());
      return {};
    }
    const std::string_view version = word();
    if (version.empty() || !std::ranges::all_of(version, is_digit))
      return error(
          fmt::format("expected a version before {}", version.empty() ? what_follows() : excerpt(version)),
          writes ? "a number" : "a number or ?");
    const Scalar value = *pool().number(version);
    writes ? history_.write(key, value) : history_.read(key, value);
    return {};
  }

  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  std::string_view word() {
    const auto end = std::ranges::find_if_not(rest_, in_word);
    const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(word.size());
    return word;
  }

  std::string what_follows() const {
    if (rest_.empty()) return "the end of the line";
    return excerpt(rest_.substr(0, 1));
  }

  ScalarPool& pool() { return history_.history().pool(); }

  ByteSource& source_;
  DbcopBuilder history_;
  SessionId session_;
  std::string_view rest_;  // of the current line
  bool first_event_ = true;
};

bool looks_like_dbcop_hist(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = trim(line);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with("//") || is_separator(line)) continue;
    if (!line.starts_with('[')) return false;
    line = trim(line.substr(1));
    const auto size = static_cast<std::size_t>(std::ranges::find_if_not(line, in_word) - line.begin());
    line.remove_prefix(size);
    return size > 0 && (line.starts_with(":=") || line.starts_with("=="));
  }
  return false;
}

Result<History> read_dbcop_hist(ByteSource& source) { return DbcopHistReader(source).run(); }

bool is_variable(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return in_word(c) && static_cast<signed char>(c) >= 0; });
}

// Rejects keys that dbcop would read differently.
Result<void> check_variables(const History& history) {
  for (const TxnId txn : history.transactions())
    for (const OpId op : history.operations(txn)) {
      const Scalar key = history.name(history.key(op));
      if (key.is_string() && !is_variable(history.pool().text(key)))
        return error(fmt::format("dbcop-hist cannot express the key {} (first at transaction {})",
                                 history.pool().to_json(key), history.display(txn)),
                     "a key is a word of letters, digits and _");
    }
  return {};
}

Result<WriteReport> write_dbcop_hist(const History& history, ByteSink& sink, const WriteOptions& options) {
  auto report = express_dbcop(history, kDbcopHist, options);
  if (!report) return report;
  ASSAY_TRY(check_variables(history));
  std::string text;
  for (const SessionId s : history.sessions()) {
    if (s.index() > 0) sink.write("---\n");
    for (const TxnId txn : history.transactions(s)) {
      if (history.operations(txn).empty()) continue;
      text = "[";
      for (const OpId op : history.operations(txn)) {
        if (text.size() > 1) text += ' ';
        const Scalar value = history.value(history.value(op));
        text += history.display(history.key(op));
        text += history.kind(op) == OpKind::Write ? ":=" : "==";
        text += value.is_null() ? "?" : history.display(value);
      }
      text += history.outcome(txn) == Outcome::Committed ? "]\n" : "]!\n";
      sink.write(text);
    }
  }
  return report;
}

}  // namespace

const Format format_rows::dbcop_hist{
    .id = "dbcop-hist",
    .description = "dbcop's text: [x:=1 y==2 z==?]",
    .extension = "",
    .looks_like = looks_like_dbcop_hist,
    .read = read_dbcop_hist,
    .write = write_dbcop_hist,
};

}  // namespace assay
