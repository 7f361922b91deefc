// Assay for C++: read or build a history of transactions, judge whether it satisfies isolation levels,
// explain violations, check evidence. docs/library.md has examples.
//
//     const assay::Result<assay::History> history = assay::read_history("h.jsonl");
//     const assay::Result<assay::Findings> findings = assay::judge(*history, "ser, si");
//     for (const assay::Finding& f : findings->levels()) show(f.level, assay::word(f.verdict));
//
// Nothing here prints, ends the process or throws (but std::bad_alloc, where your strings find no memory).
// What can fail returns a Result: a value, or an Error that says what is wrong and what to do.
//
// This file is all of it: each function calls the C interface (assay_c.h), so a program can be linked with
// the static or with the shared library, whatever standard library that was built with. The names are in an
// inline namespace, because the library has types of its own in namespace assay.
#pragma once

#include <assay/assay_c.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace assay {
inline namespace v0 {

// --- errors ----------------------------------------------------------------------------------------------

struct Error {
  enum class Kind {
    BadInput = ASSAY_BAD_INPUT,  // a file, a history, a name
    Misuse = ASSAY_MISUSE,       // the call itself
    Stopped = ASSAY_STOPPED,     // a limit was reached, or somebody asked to stop
    NoMemory = ASSAY_NO_MEMORY,
    Refuted = ASSAY_REFUTED,      // a certificate does not show what it claims
    Unchecked = ASSAY_UNCHECKED,  // a certificate could not be checked, or says nothing about this history
    Defect = ASSAY_DEFECT,        // a mistake of Assay
  };
  Kind kind;
  std::string message;  // everything in one line
  std::string what, remedy, file, place;
};

// A value or an error. Reading the value where there is none is undefined, as with std::optional.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T&& operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<T> value_;
  std::unique_ptr<Error> error_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::make_unique<Error>(std::move(error))) {}

  bool has_value() const { return error_ == nullptr; }
  explicit operator bool() const { return has_value(); }
  const Error& error() const { return *error_; }

 private:
  std::unique_ptr<Error> error_;
};

namespace detail {

inline Error take(assay_status status, assay_error* error) {
  Error taken{static_cast<Error::Kind>(status), {}, {}, {}, {}, {}};
  if (error != nullptr)
    taken = {static_cast<Error::Kind>(status),
             error->message,
             error->what,
             error->remedy,
             error->file,
             error->place};
  assay_error_free(error);
  return taken;
}

inline std::string take(assay_bytes bytes) {
  std::string text(bytes.data == nullptr ? "" : bytes.data, bytes.size);
  assay_bytes_free(&bytes);
  return text;
}

template <auto function>
struct Free {
  template <class T>
  void operator()(T* handle) const {
    function(handle);
  }
};

template <class T, auto function>
using Handle = std::unique_ptr<T, Free<function>>;

inline const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return found;
}

}  // namespace detail

// --- limits and callbacks --------------------------------------------------------------------------------

enum class Verdict { Holds = ASSAY_HOLDS, Violated = ASSAY_VIOLATED, Undecided = ASSAY_UNDECIDED };

inline const char* word(Verdict verdict) {
  constexpr const char* words[] = {"holds", "violated", "undecided"};
  return words[static_cast<int>(verdict)];
}

struct Finding {
  std::string level;  // its id: "ser"
  Verdict verdict;
  std::string anomaly;  // where it is violated: "write-skew"
  std::string reason;   // why it is undecided
  double seconds;
  std::optional<std::size_t> explanation;  // where it is violated: its place in Findings::explanations()

  static Finding from(const assay_finding& f) {
    return {f.level,
            static_cast<Verdict>(f.verdict),
            f.anomaly == nullptr ? "" : f.anomaly,
            f.reason == nullptr ? "" : f.reason,
            f.seconds,
            f.explanation < 0 ? std::nullopt : std::optional<std::size_t>(f.explanation)};
  }
};

struct Progress {
  std::string_view task, stage;  // "ser", "searching"
  std::uint64_t done, total;     // total 0: not known
  double seconds;
};

struct Options {
  double seconds_per_level = 0;  // 0: no limit. Then a level is undecided; the next one has time of its own
  double seconds = 0;            // for the whole call, without explanations; 0: no limit
  double explain_seconds = 0;    // for making explanations small; 0: ten, or as long as judging took
  std::uint64_t megabytes = 0;   // of resident memory of this process; 0: no limit
  std::int64_t skew = 0;         // nanoseconds by which clocks may differ, for the levels of real time
  unsigned threads = 1;          // searches at once where one takes long
  bool explain = true;
  std::stop_token stop{};  // what is not decided when it is asked to stop is undecided
  // Both are called in the thread that made the call and must not throw.
  std::function<void(const Progress&)> on_progress{};  // about once in a millisecond
  std::function<void(const Finding&)> on_verdict{};    // as verdicts are found, without their explanations
};

namespace detail {

// The functions of the options, called from C. Lives as long as the call.
class Callbacks {
 public:
  explicit Callbacks(const Options& options) : options_(options) {
    c_.size = sizeof c_;
    c_.seconds_per_level = options.seconds_per_level;
    c_.seconds = options.seconds;
    c_.explain_seconds = options.explain_seconds;
    c_.megabytes = options.megabytes;
    c_.skew = options.skew;
    c_.threads = options.threads;
    c_.no_explanations = !options.explain;
    c_.user = this;
    if (options.on_progress || options.stop.stop_possible()) c_.on_progress = show;
    if (options.on_verdict) c_.on_verdict = tell;
  }
  Callbacks(const Callbacks&) = delete;
  Callbacks& operator=(const Callbacks&) = delete;

  const assay_options* c() const { return &c_; }

 private:
  static int show(const assay_progress* p, void* user) noexcept {
    const Options& options = static_cast<Callbacks*>(user)->options_;
    if (options.on_progress) options.on_progress({p->task, p->stage, p->done, p->total, p->seconds});
    return options.stop.stop_requested() ? 1 : 0;
  }
  static void tell(const assay_finding* finding, void* user) noexcept {
    static_cast<Callbacks*>(user)->options_.on_verdict(Finding::from(*finding));
  }

  const Options& options_;
  assay_options c_{};
};

}  // namespace detail

// --- histories -------------------------------------------------------------------------------------------

// What the clients of a database did and saw. Copies are the same history; it never changes.
class History {
 public:
  struct Counts {
    std::uint64_t sessions, transactions, operations, keys;
  };
  Counts counts() const {
    const assay_counts c = assay_history_counts(handle_.get());
    return {c.sessions, c.transactions, c.operations, c.keys};
  }
  std::string format() const { return assay_history_format(handle_.get()); }  // an id; "" if it was built

  explicit History(assay_history* handle) : handle_(handle, assay_history_free) {}
  const assay_history* c() const { return handle_.get(); }

 private:
  std::shared_ptr<assay_history> handle_;
};

// `format`: an id of docs/formats.md; empty: recognised by content. Of the options only limits, stop and
// on_progress count.
inline Result<History> read_history(const std::string& path, const std::string& format = {},
                                    const Options& options = {}) {
  const detail::Callbacks callbacks(options);
  assay_history* history = nullptr;
  assay_error* error = nullptr;
  const assay_status status =
      assay_read_file(path.c_str(), detail::or_null(format), callbacks.c(), &history, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return History(history);
}

inline Result<History> read_bytes(std::string_view bytes, const std::string& format = {},
                                  const Options& options = {}) {
  const detail::Callbacks callbacks(options);
  assay_history* history = nullptr;
  assay_error* error = nullptr;
  const assay_status status =
      assay_read_bytes(bytes.data(), bytes.size(), detail::or_null(format), callbacks.c(), &history, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return History(history);
}

struct Written {
  std::string bytes;                  // empty where they went to a file
  std::vector<std::string> left_out;  // what the format has no words for; with `lossy` only
};

// `format`: empty: by the extension of the path.
inline Result<Written> write_history(const History& history, const std::string& path,
                                     const std::string& format = {}, bool lossy = false) {
  assay_bytes left_out{};
  assay_error* error = nullptr;
  const assay_status status =
      assay_write_file(history.c(), path.c_str(), detail::or_null(format), lossy, &left_out, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return Written{{}, detail::lines(detail::take(left_out))};
}

inline Result<Written> write_bytes(const History& history, const std::string& format, bool lossy = false) {
  assay_bytes bytes{}, left_out{};
  assay_error* error = nullptr;
  const assay_status status =
      assay_write_bytes(history.c(), format.c_str(), lossy, &bytes, &left_out, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  std::string text = detail::take(bytes);
  return Written{std::move(text), detail::lines(detail::take(left_out))};
}

// --- building a history ----------------------------------------------------------------------------------

// A key, or what was read or written: nothing (no version), a boolean, a number, a string, or a row of
// columns.
class Value {
 public:
  Value(std::nullptr_t) { c_.kind = ASSAY_NULL; }
  Value(bool boolean) {
    c_.kind = ASSAY_BOOLEAN;
    c_.integer = boolean;
  }
  template <class Integer>
  requires(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>) Value(Integer integer) {
    if (std::is_unsigned_v<Integer> && static_cast<std::uint64_t>(integer) > INT64_MAX) {
      *this = number(std::to_string(integer));
      return;
    }
    c_.kind = ASSAY_INTEGER;
    c_.integer = static_cast<std::int64_t>(integer);
  }
  Value(std::string text) : text_(std::move(text)) { c_.kind = ASSAY_STRING; }
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}
  // Any JSON number, as "0.1" or one of fifty digits; numbers are exact.
  static Value number(std::string text) {
    Value value(std::move(text));
    value.c_.kind = ASSAY_NUMBER;
    return value;
  }
  static Value row(std::initializer_list<std::pair<std::string, Value>> columns) {
    return row(std::vector<std::pair<std::string, Value>>(columns));
  }
  static Value row(std::vector<std::pair<std::string, Value>> columns) {
    Value value(nullptr);
    value.columns_ = std::move(columns);
    value.c_.kind = ASSAY_ROW;
    return value;
  }

  // Points into this value, and of a row into `fields`.
  assay_value c(std::vector<assay_field>& fields) const {
    assay_value value = c_;
    value.text = text_.data();
    value.size = text_.size();
    if (value.kind != ASSAY_ROW) return value;
    std::vector<assay_field> none;
    for (const auto& [column, of_column] : columns_) fields.push_back({column.c_str(), of_column.c(none)});
    value.fields = fields.data();
    value.size = fields.size();
    return value;
  }

 private:
  assay_value c_{};
  std::string text_;
  std::vector<std::pair<std::string, Value>> columns_;
};

struct Row {
  Value key, value;
};

class Predicate;
// `operation`: = != < <= > >= between in like null (docs/formats.md).
Predicate where(std::string column, std::string operation, std::vector<Value> constants = {});

// What a statement asks of rows: where("colour", "=", {"red"}) && !where("size", "null").
class Predicate {
 public:
  struct Node {
    std::optional<std::string> operation;  // nothing: a constant
    std::uint32_t operands = 0;
    std::string column;
    Value constant = nullptr;
  };

  friend Predicate where(std::string column, std::string operation, std::vector<Value> constants) {
    Predicate made;
    made.nodes_.push_back(
        {std::move(operation), static_cast<std::uint32_t>(constants.size()), std::move(column), nullptr});
    for (Value& constant : constants) made.nodes_.push_back({std::nullopt, 0, {}, std::move(constant)});
    return made;
  }
  friend Predicate operator&&(const Predicate& a, const Predicate& b) { return join("and", {&a, &b}); }
  friend Predicate operator||(const Predicate& a, const Predicate& b) { return join("or", {&a, &b}); }
  friend Predicate operator!(const Predicate& a) { return join("not", {&a}); }

  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static Predicate join(const char* operation, std::initializer_list<const Predicate*> parts) {
    Predicate made;
    made.nodes_.push_back({operation, static_cast<std::uint32_t>(parts.size()), {}, nullptr});
    for (const Predicate* part : parts)
      made.nodes_.insert(made.nodes_.end(), part->nodes_.begin(), part->nodes_.end());
    return made;
  }

  std::vector<Node> nodes_;
};

enum class Outcome { Committed = ASSAY_COMMITTED, Aborted = ASSAY_ABORTED, Unknown = ASSAY_UNKNOWN };

// Nanoseconds of the client's clock.
struct Instants {
  std::optional<std::int64_t> begin{}, began{}, committing{}, end{};
};

struct Transaction {
  Value session;         // an integer or a string; a session's transactions are given in their order
  Value name = nullptr;  // an integer or a string, unique in the history
  Outcome outcome = Outcome::Committed;
  Instants instants{};
};

// Operations belong to the transaction that the next finish() closes. The first mistake ends the building:
// calls after it do nothing, and build() says what it was.
class HistoryBuilder {
 public:
  HistoryBuilder() : handle_(assay_builder_new()) {
    if (handle_ == nullptr) problem_ = {Error::Kind::NoMemory, "there is not enough memory", {}, {}, {}, {}};
  }

  // What every key, or this one, starts with; without it no version.
  HistoryBuilder& set_initial(const Value& value) { return set_initial(nullptr, value); }
  HistoryBuilder& set_initial_of(const Value& key, const Value& value) { return set_initial(&key, value); }

  HistoryBuilder& read(const Value& key, const Value& value) { return simple(ASSAY_READ, key, value); }
  HistoryBuilder& write(const Value& key, const Value& value) { return simple(ASSAY_WRITE, key, value); }
  HistoryBuilder& append(const Value& key, const Value& element) {
    return simple(ASSAY_APPEND, key, element);
  }
  HistoryBuilder& insert(const Value& key, const Value& value) { return simple(ASSAY_INSERT, key, value); }
  HistoryBuilder& read_list(const Value& key, const std::vector<Value>& elements) {
    return with_values(ASSAY_LIST_READ, key, elements);
  }
  // A read that returned one of these.
  HistoryBuilder& read_one_of(const Value& key, const std::vector<Value>& values) {
    return with_values(ASSAY_ONE_OF, key, values);
  }
  HistoryBuilder& remove(const Value& key, std::optional<bool> met_row = std::nullopt) {
    assay_operation op = operation(ASSAY_DELETE);
    op.met_row = !met_row ? ASSAY_NOT_KNOWN : *met_row ? ASSAY_YES : ASSAY_NO;
    Pieces pieces;
    op.key = pieces.value(key);
    return add(op);
  }
  // All keys from `low` to `high`, both included.
  HistoryBuilder& scan(const Value& low, const Value& high, const std::vector<Row>& rows) {
    assay_operation op = operation(ASSAY_SCAN);
    Pieces pieces;
    op.low = pieces.value(low);
    op.high = pieces.value(high);
    return add_rows(op, rows, pieces);
  }
  HistoryBuilder& select(const Predicate& predicate, const std::vector<Row>& rows) {
    return with_predicate(operation(ASSAY_SELECT), predicate, rows);
  }
  // `rows`: what each matching row became.
  HistoryBuilder& update(const Predicate& predicate, const std::vector<Row>& rows) {
    return with_predicate(operation(ASSAY_UPDATE), predicate, rows);
  }
  // `rows`: what each became where it matched; `changed`: how many did.
  HistoryBuilder& update_maybe(const Predicate& predicate, const std::vector<Row>& rows,
                               std::optional<std::uint64_t> changed = std::nullopt) {
    assay_operation op = operation(ASSAY_UPDATE_MAYBE);
    if (changed) op.changed = &*changed;
    return with_predicate(op, predicate, rows);
  }

  HistoryBuilder& finish(const Transaction& t) {
    const auto pointer = [](const std::optional<std::int64_t>& at) { return at ? &*at : nullptr; };
    Pieces pieces;
    assay_transaction c{};
    c.session = pieces.value(t.session);
    c.name = pieces.value(t.name);
    c.outcome = static_cast<assay_outcome>(t.outcome);
    c.begin = pointer(t.instants.begin);
    c.began = pointer(t.instants.began);
    c.committing = pointer(t.instants.committing);
    c.end = pointer(t.instants.end);
    return call([&](assay_error** error) { return assay_builder_finish(handle_.get(), &c, error); });
  }

  // Many transactions at once, as arrays of numbers (assay_c.h).
  HistoryBuilder& add_columns(const assay_columns& columns) {
    return call(
        [&](assay_error** error) { return assay_builder_add_columns(handle_.get(), &columns, error); });
  }

  // `name`: what messages and reports call the history. The builder is empty then.
  Result<History> build(const std::string& name = "history") {
    assay_history* history = nullptr;
    call([&](assay_error** error) {
      return assay_builder_build(handle_.get(), name.c_str(), &history, error);
    });
    if (problem_) return *std::exchange(problem_, std::nullopt);
    return History(history);
  }

 private:
  // What the rows among the values of an operation point to.
  struct Pieces {
    std::vector<std::unique_ptr<std::vector<assay_field>>> fields;
    assay_value value(const Value& of) {
      fields.push_back(std::make_unique<std::vector<assay_field>>());
      return of.c(*fields.back());
    }
  };

  static assay_operation operation(assay_operation_kind kind) {
    assay_operation op{};
    op.kind = kind;
    return op;
  }

  template <class Call>
  HistoryBuilder& call(const Call& function) {
    if (problem_) return *this;
    assay_error* error = nullptr;
    const assay_status status = function(&error);
    if (status != ASSAY_OK) problem_ = detail::take(status, error);
    return *this;
  }

  HistoryBuilder& add(const assay_operation& op) {
    return call([&](assay_error** error) { return assay_builder_add(handle_.get(), &op, error); });
  }

  HistoryBuilder& set_initial(const Value* key, const Value& value) {
    Pieces pieces;
    assay_value of{};
    if (key != nullptr) of = pieces.value(*key);
    const assay_value initial = pieces.value(value);
    return call([&](assay_error** error) {
      return assay_builder_set_initial(handle_.get(), key == nullptr ? nullptr : &of, &initial, error);
    });
  }

  HistoryBuilder& simple(assay_operation_kind kind, const Value& key, const Value& value) {
    assay_operation op = operation(kind);
    Pieces pieces;
    op.key = pieces.value(key);
    op.value = pieces.value(value);
    return add(op);
  }

  HistoryBuilder& with_values(assay_operation_kind kind, const Value& key, const std::vector<Value>& values) {
    assay_operation op = operation(kind);
    Pieces pieces;
    op.key = pieces.value(key);
    std::vector<assay_value> all;
    for (const Value& value : values) all.push_back(pieces.value(value));
    op.values = all.data();
    op.value_count = all.size();
    return add(op);
  }

  HistoryBuilder& with_predicate(assay_operation op, const Predicate& predicate,
                                 const std::vector<Row>& rows) {
    Pieces pieces;
    std::vector<assay_predicate_node> nodes;
    for (const Predicate::Node& node : predicate.nodes())
      nodes.push_back({node.operation ? node.operation->c_str() : nullptr, node.operands, node.column.c_str(),
                       pieces.value(node.constant)});
    op.predicate = nodes.data();
    op.predicate_count = nodes.size();
    return add_rows(op, rows, pieces);
  }

  HistoryBuilder& add_rows(assay_operation op, const std::vector<Row>& rows, Pieces& pieces) {
    std::vector<assay_row> all;
    for (const Row& row : rows) all.push_back({pieces.value(row.key), pieces.value(row.value)});
    op.rows = all.data();
    op.row_count = all.size();
    return add(op);
  }

  detail::Handle<assay_builder, assay_builder_free> handle_;
  std::optional<Error> problem_;
};

// --- judging ---------------------------------------------------------------------------------------------

enum class Form {
  Text = ASSAY_TEXT,           // as assay check prints it
  FullText = ASSAY_FULL_TEXT,  // as assay explain prints it
  Json = ASSAY_JSON,           // one line; docs/report.md
  Html = ASSAY_HTML,           // one page that needs nothing else
  Dot = ASSAY_DOT,             // for Graphviz
  JUnit = ASSAY_JUNIT,         // XML for continuous integration
};

// Why levels are violated.
struct Explanation {
  std::string levels;   // "ser, si"
  std::string anomaly;  // "lost-update"
  std::string title;    // "Lost update on x"
  bool minimal;         // nothing can be left out of the part; false: time was up
  std::string text;     // the whole story
  std::string json;     // the same as data; docs/report.md
  History part;         // the few transactions of the history that still violate the levels
};

struct Refused {
  std::string level, reason;
};

// What was found out about a history, which it keeps alive. Copies are the same findings; they never change.
class Findings {
 public:
  std::vector<Finding> levels() const {  // in the order that was asked for
    std::vector<Finding> all;
    for (std::size_t i = 0; i < assay_findings_count(c()); ++i) {
      assay_finding finding;
      assay_findings_get(c(), i, &finding);
      all.push_back(Finding::from(finding));
    }
    return all;
  }
  // Levels that this history cannot be judged at.
  std::vector<Refused> refused() const {
    std::vector<Refused> all;
    for (std::size_t i = 0; i < assay_refused_count(c()); ++i)
      all.push_back({assay_refused_level(c(), i), assay_refused_reason(c(), i)});
    return all;
  }
  // What a reader of the verdicts should know: that the history tests nothing, for instance.
  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < assay_note_count(c()); ++i) all.push_back(assay_note(c(), i));
    return all;
  }

  explicit Findings(assay_findings* handle) : handle_(handle, assay_findings_free) {}
  const assay_findings* c() const { return handle_.get(); }

 private:
  std::shared_ptr<assay_findings> handle_;
};

// `levels`: ids or names with commas between them, or "all", which leaves out the levels of real time where
// the history has no clocks. Where a limit is reached a level is undecided: that is no error.
inline Result<Findings> judge(const History& history, const std::string& levels = "ser",
                              const Options& options = {}) {
  const detail::Callbacks callbacks(options);
  assay_findings* findings = nullptr;
  assay_error* error = nullptr;
  const assay_status status = assay_judge(history.c(), levels.c_str(), callbacks.c(), &findings, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return Findings(findings);
}

inline Result<std::string> print(const Findings& findings, Form form,
                                 std::optional<std::size_t> explanation = std::nullopt) {
  assay_bytes text{};
  assay_error* error = nullptr;
  const std::int64_t which = explanation ? static_cast<std::int64_t>(*explanation) : ASSAY_EVERYTHING;
  const assay_status status = assay_print(findings.c(), static_cast<assay_form>(form), which, &text, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return detail::take(text);
}

// Each once, though it may be why several levels are violated.
inline Result<std::vector<Explanation>> explain(const Findings& findings) {
  std::vector<Explanation> all;
  for (std::size_t i = 0; i < assay_explanation_count(findings.c()); ++i) {
    assay_explanation told;
    assay_explanation_get(findings.c(), i, &told);
    auto text = print(findings, Form::FullText, i), json = print(findings, Form::Json, i);
    if (!text) return text.error();
    if (!json) return json.error();
    assay_history* part = nullptr;
    assay_error* error = nullptr;
    const assay_status status = assay_explanation_part(findings.c(), i, &part, &error);
    if (status != ASSAY_OK) return detail::take(status, error);
    all.push_back({told.levels, told.anomaly, told.title, told.minimal != 0, *std::move(text),
                   *std::move(json), History(part)});
  }
  return all;
}

// --- evidence --------------------------------------------------------------------------------------------

// The evidence for all verdicts, as docs/certificates.md says.
inline Result<std::string> certificate(const Findings& findings) {
  assay_bytes text{};
  assay_error* error = nullptr;
  const assay_status status = assay_certificate(findings.c(), &text, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  return detail::take(text);
}

struct Claim {
  std::string level;
  Verdict verdict;  // holds or violated
  std::int64_t skew;
};

// What the certificate shows of the history, checked by code that shares nothing with the search. It keeps no
// limits: time is linear in the history and the certificate for most levels.
inline Result<std::vector<Claim>> certify(const History& history, std::string_view certificate) {
  assay_claims* claims = nullptr;
  assay_error* error = nullptr;
  const assay_status status =
      assay_certify(history.c(), certificate.data(), certificate.size(), &claims, &error);
  if (status != ASSAY_OK) return detail::take(status, error);
  const detail::Handle<assay_claims, assay_claims_free> owned(claims);
  std::vector<Claim> all;
  for (std::size_t i = 0; i < assay_claims_count(claims); ++i) {
    assay_claim claim;
    assay_claims_get(claims, i, &claim);
    all.push_back({claim.level, static_cast<Verdict>(claim.verdict), claim.skew});
  }
  return all;
}

// --- what there is ---------------------------------------------------------------------------------------

inline std::string version() { return assay_version(); }
inline std::string commit() { return assay_commit(); }

}  // namespace v0
}  // namespace assay
