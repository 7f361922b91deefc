#include "history_io/elle_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "history_io/text_scan.h"

namespace assay {
namespace {

Error at(Error problem, std::uint64_t line) {
  if (problem.place.empty()) problem.place = std::to_string(line);
  return problem;
}

std::string_view describe(DatumKind kind) {
  switch (kind) {
    case DatumKind::Nil: return "nil";
    case DatumKind::Boolean: return "a boolean";
    case DatumKind::Integer: return "an integer";
    case DatumKind::Number: return "a number";
    case DatumKind::String: return "a string";
    case DatumKind::Keyword: return "a keyword";
    case DatumKind::Symbol: return "a symbol";
    case DatumKind::Character: return "a character";
    case DatumKind::List: return "a list";
    case DatumKind::Vector: return "a vector";
    case DatumKind::Map: return "a map";
    case DatumKind::Set: return "a set";
    case DatumKind::Other: return "nothing that a history can hold";
  }
  return {};
}

bool given(const std::optional<Datum>& field) { return field && !field->is_nil(); }
bool says_answered(const std::optional<Datum>& field) {
  return field && field->is(DatumKind::Boolean) && field->boolean();
}
bool named(const std::optional<Datum>& field, std::string_view name) {
  return field && field->is_name() && field->text() == name;
}

// Whether the value looks like the micro-operations of a transaction, valid or not.
bool holds_micro_ops(Datum value) {
  if (!value.is_sequence() || value.size() == 0) return false;
  for (const Datum op : value) {
    if (!op.is_sequence() || op.size() < 2 || !(*op.begin()).is_name()) return false;
    const std::string_view function = (*op.begin()).text();
    if (function != "r" && function != "w" && function != "append" && function != "commit") return false;
  }
  return true;
}

}  // namespace

Result<void> ElleReader::collect(Datum map, Fields& fields) const {
  const auto field = [&](std::string_view name) -> std::optional<Datum>* {
    if (name == "type") return &fields.type;
    if (name == "process") return &fields.process;
    if (name == "f") return &fields.f;
    if (name == "value") return &fields.value;
    if (name == "time") return &fields.time;
    if (name == "index") return &fields.index;
    if (name == "txn") return &fields.txn;
    if (name == "session") return &fields.session;
    if (name == "began") return &fields.began;
    if (name == "committing") return &fields.committing;
    if (name == "end") return &fields.end;
    if (name == "answered") return &fields.answered;
    return nullptr;
  };
  for (auto i = map.begin(); i != map.end(); ++i) {
    const Datum key = *i;
    const Datum value = *++i;
    std::optional<Datum>* const known = key.is_name() ? field(key.text()) : nullptr;
    if (known == nullptr) continue;
    if (*known) return error(fmt::format("\"{}\" stands twice in the operation", key.text()));
    *known = value;
  }
  return {};
}

Result<void> ElleReader::operation(Datum map, std::uint64_t line) {
  if (!map.is(DatumKind::Map))
    return at(error(fmt::format("expected an operation, which is a map, but found {}", describe(map.kind()))),
              line);
  Fields fields;
  if (auto done = collect(map, fields); !done) return at(std::move(done).error(), line);
  const auto type = type_of(fields);
  if (!type) return at(type.error(), line);

  std::optional<std::int64_t> process;
  if (given(fields.process)) {
    if (fields.process->is(DatumKind::Number)) return at(error("the process is not a 64-bit integer"), line);
    if (!fields.process->is(DatumKind::Integer)) {
      if (auto done = nemesis(fields); !done) return at(std::move(done).error(), line);
      return {};
    }
    process = fields.process->integer();
  }
  if (auto done = client_operation(map, fields, *type, process, line); !done)
    return at(std::move(done).error(), line);
  return {};
}

// Reads an operation of a transaction at once, and keeps one of another workload for the end of the file.
Result<void> ElleReader::client_operation(Datum map, const Fields& fields, Type type,
                                          std::optional<std::int64_t> process, std::uint64_t line) {
  if (process && !is_rewriting_) ASSAY_TRY(check_order(fields, *process));
  const std::string f(fields.f && fields.f->is_name() ? fields.f->text() : "");
  const Invocation* open = &anonymous_;
  if (process) {
    const auto found = invocations_.find(*process);
    open = found == invocations_.end() ? nullptr : &found->second;
  }
  const bool completes = type != Type::Invoke && open != nullptr && open->line != 0;
  const bool is_txn = !given(fields.f) || f == "txn" || (fields.value && holds_micro_ops(*fields.value));
  if (is_txn || completes) {
    any_transaction_ = true;
    if (!is_rewriting_ && !workload_.empty())
      return error(fmt::format("a transaction, while line {} is an operation of another workload",
                               workload_.first_line()),
                   "a history has one workload");
    return transaction(fields, type, process, line);
  }
  if (!fields.f->is_name()) return error(fmt::format(":f is {}", describe(fields.f->kind())));
  if (std::ranges::find(options_.ignored, f) != options_.ignored.end()) {
    ++ignored_[f];
    return {};
  }
  if (any_transaction_)
    return unknown_function(f, options_.workload.empty() ? "append or wr" : options_.workload);
  workload_.add(map, line);
  return {};
}

// The lines of a process are the order of its session, so they must be in the order of their indices.
Result<void> ElleReader::check_order(const Fields& fields, std::int64_t process) {
  if (!fields.index || !fields.index->is(DatumKind::Integer)) return {};
  const std::int64_t index = fields.index->integer();
  std::optional<std::int64_t>& latest = invocations_[process].index;
  if (latest && index < *latest)
    return error(
        fmt::format("the :index {} of process {} comes after its :index {}", index, process, *latest),
        "the file is not in the order of events; sort it by :index");
  latest = index;
  return {};
}

Result<ElleReader::Type> ElleReader::type_of(const Fields& fields) const {
  if (!fields.type) return error("an operation without :type", "expected :invoke, :ok, :fail or :info");
  if (named(fields.type, "invoke")) return Type::Invoke;
  if (named(fields.type, "ok")) return Type::Ok;
  if (named(fields.type, "fail")) return Type::Fail;
  if (named(fields.type, "info")) return Type::Info;
  return error(fields.type->is_name() ? fmt::format("unknown :type {}", excerpt(fields.type->text()))
                                      : fmt::format("the :type is {}", describe(fields.type->kind())),
               "expected :invoke, :ok, :fail or :info");
}

// Ignores operations of other threads of the test, except those that our own writer adds.
Result<void> ElleReader::nemesis(const Fields& fields) {
  const bool is_own = named(fields.f, "note") || named(fields.f, "instants") || named(fields.f, "sessions");
  if (!is_own) ++others_[fields.f && fields.f->is_name() ? std::string(fields.f->text()) : "nil"];
  if (named(fields.f, "note") && fields.value && fields.value->is(DatumKind::String))
    builder_.set_note(std::string(fields.value->text()));
  if (named(fields.f, "instants") && fields.value) ASSAY_TRY(declare_instants(*fields.value));
  if (named(fields.f, "sessions") && fields.value && fields.value->is_sequence())
    for (const Datum session : *fields.value) {
      const auto name = label(session, ":sessions");
      if (!name) return name.error();
      builder_.session(*name);
    }
  return {};
}

Result<void> ElleReader::declare_instants(Datum value) {
  const std::string_view kind = value.is_name() ? value.text() : "";
  if (kind != "none" && kind != "nanoseconds" && kind != "positions")
    return error("unknown :instants", "expected :nanoseconds, :positions or :none");
  declared_ = kind == "none" ? Declared::None : Declared::Times;
  builder_.set_instant_kind(kind == "positions" ? InstantKind::Positions : InstantKind::Nanoseconds);
  return {};
}

Result<void> ElleReader::transaction(const Fields& fields, Type type, std::optional<std::int64_t> process,
                                     std::uint64_t line) {
  Invocation* open = &anonymous_;
  if (process) {
    const auto found = invocations_.find(*process);
    open = found == invocations_.end() ? nullptr : &found->second;
  }
  const bool completes = type != Type::Invoke && open != nullptr && open->line != 0;
  (process ? any_process_ : any_anonymous_) = true;
  if (any_process_ && any_anonymous_)
    return error("some operations have a :process and some have none", "give it to all of them or to none");
  if (type == Type::Invoke)
    return invoke(fields, process ? invocations_[*process] : anonymous_, process, line);

  ASSAY_TRY(complete(fields, type, completes ? open : nullptr, process, line));
  if (!completes) return {};
  open->line = 0;
  return {};
}

Result<void> ElleReader::invoke(const Fields& fields, Invocation& invocation,
                                std::optional<std::int64_t> process, std::uint64_t line) {
  if (invocation.line != 0)
    return process ? error(fmt::format("process {} invokes a transaction while that of line {} is still open",
                                       *process, invocation.line))
                   : error(fmt::format("a second invocation while that of line {} is still open",
                                       invocation.line),
                           "without :process, a transaction must end before the next begins");
  auto begin = integer(fields.time, ":time");
  if (!begin) return std::move(begin).error();
  invocation.begin = *begin;
  invocation.position = note_event(fields, Type::Invoke, *begin, line);
  auto called = name(fields);
  if (!called) return std::move(called).error();
  invocation.name = *called;
  invocation.has_value = given(fields.value);
  invocation.answered = says_answered(fields.answered);
  if (invocation.has_value) ASSAY_TRY(micro_ops(*fields.value, invocation.ops));
  auto belongs = session(fields, process);
  if (!belongs) return std::move(belongs).error();
  invocation.session = *belongs;
  invocation.line = line;
  return {};
}

Result<void> ElleReader::complete(const Fields& fields, Type type, Invocation* invocation,
                                  std::optional<std::int64_t> process, std::uint64_t line) {
  const MicroOps* ops = &completed_;
  if (given(fields.value)) {
    ASSAY_TRY(micro_ops(*fields.value, completed_));
    if (invocation != nullptr && invocation->has_value) ASSAY_TRY(same_shape(invocation->ops, completed_));
  } else if (type != Type::Ok && invocation != nullptr && invocation->has_value) {
    ops = &invocation->ops;
  } else {
    return error("a transaction without :value",
                 "expected a vector of micro-operations such as [[:r x nil]]");
  }

  TransactionHead head;
  if (invocation != nullptr) {
    head.session = invocation->session;
    head.instants.begin = invocation->begin;
  } else {
    auto belongs = session(fields, process);
    if (!belongs) return std::move(belongs).error();
    head.session = *belongs;
  }
  head.outcome = type == Type::Ok     ? Outcome::Committed
                 : type == Type::Fail ? Outcome::Aborted
                                      : Outcome::Unknown;
  const auto instant = [&](std::optional<std::int64_t>& into, const std::optional<Datum>& field,
                           std::string_view called) -> Result<void> {
    auto value = integer(field, called);
    if (!value) return std::move(value).error();
    into = *value;
    return {};
  };
  ASSAY_TRY(instant(head.instants.began, fields.began, ":began"));
  ASSAY_TRY(instant(head.instants.committing, fields.committing, ":committing"));
  if (type == Type::Info) ASSAY_TRY(instant(head.instants.end, fields.end, ":end"));
  else ASSAY_TRY(instant(head.instants.end, fields.time, ":time"));
  Instants positions;
  const std::int64_t position =
      note_event(fields, type, type == Type::Info ? std::nullopt : head.instants.end, line);
  if (type != Type::Info) positions.end = position;
  if (invocation != nullptr) positions.begin = invocation->position;
  else if (type == Type::Ok) clock_.has_no_invocation(line);
  auto called = name(fields);
  if (!called) return std::move(called).error();
  head.name = *called;
  const bool answered = type == Type::Ok || says_answered(fields.answered);
  return close(*ops, answered, head, positions, line);
}

std::int64_t ElleReader::note_event(const Fields& fields, Type type, std::optional<std::int64_t> time,
                                    std::uint64_t line) {
  std::optional<std::int64_t> index;
  if (fields.index && fields.index->is(DatumKind::Integer)) index = fields.index->integer();
  return clock_.event(type, time, index, line);
}

Result<void> ElleReader::close(const MicroOps& ops, bool answered, TransactionHead head,
                               const Instants& positions, std::uint64_t line) {
  if (!are_in_order(head.instants)) {
    clock_.times_go_backwards(line);
    if (!backwards_)
      backwards_ = at(
          error("the instants of a transaction go backwards", "begin <= began <= committing <= end"), line);
    head.instants = {};
  }
  int parts = 1;
  positions_.push_back(positions);
  for (const MicroOp& op : ops.ops) {
    if (op.function == Function::Commit) {
      // The next transaction ran at some time within the same operation.
      TransactionHead part = head;
      if (part.name) part.name = part_name(*part.name, parts++);
      ASSAY_TRY(builder_.finish(part));
      positions_.push_back(positions);
      continue;
    }
    const KeyId key = builder_.key(op.key);
    switch (op.function) {
      case Function::Write: builder_.write(key, op.value); break;
      case Function::Append: builder_.append(key, op.value); break;
      case Function::Commit: break;
      case Function::Read:
        if (op.seen == Seen::Value) builder_.read(key, op.value);
        else if (op.seen == Seen::List)
          builder_.list_read(key, std::span(ops.elements).subspan(op.begin, op.end - op.begin));
        else if (op.seen == Seen::Nil && answered) builder_.read_nothing(key);
        else if (head.outcome == Outcome::Committed)
          return error("a read without the value it returned in an :ok transaction",
                       "nil means that it saw nothing");
        break;
    }
  }
  if (parts > 1) head.name = part_name(*head.name, parts);
  return builder_.finish(head);
}

// The name of one of the transactions in an operation.
Scalar ElleReader::part_name(Scalar operation, int part) {
  return builder_.pool().string(fmt::format("{}/{}", builder_.pool().to_json(operation), part));
}

Result<History> ElleReader::finish() && {
  if (!workload_.empty()) {
    is_rewriting_ = true;
    ASSAY_TRY(workload_.rewrite([&](Datum map, std::uint64_t line) { return operation(map, line); }));
    builder_.set_initial(workload_.initial());
  } else if (!options_.workload.empty() && !is_transactional_workload(options_.workload)) {
    return error(
        fmt::format("there are no operations of the workload {}, only transactions", options_.workload),
        "leave out --jepsen-workload");
  }
  std::vector<Invocation*> open;
  for (auto& [process, invocation] : invocations_)
    if (invocation.line != 0) open.push_back(&invocation);
  if (anonymous_.line != 0) open.push_back(&anonymous_);
  std::ranges::sort(open, {}, &Invocation::line);
  for (const Invocation* invocation : open) {
    const TransactionHead head{
        .session = invocation->session,
        .name = invocation->name,
        .outcome = Outcome::Unknown,
        .instants = {.begin = invocation->begin, .began = {}, .committing = {}, .end = {}}};
    const MicroOps nothing;
    const Instants positions{.begin = invocation->position, .began = {}, .committing = {}, .end = {}};
    if (auto done = close(invocation->has_value ? invocation->ops : nothing, invocation->answered, head,
                          positions, invocation->line);
        !done)
      return at(std::move(done).error(), invocation->line);
  }
  if (builder_.transaction_count() == 0)
    return error("the file holds no transactions",
                 "expected operations with an integer :process and :f :txn");
  if (declared_ == Declared::Times && backwards_) return *backwards_;
  decide_instants();
  add_remarks();
  return std::move(builder_).build();
}

void ElleReader::add_remarks() {
  const auto listed = [](const std::map<std::string, std::size_t>& counts) {
    std::string text;
    for (const auto& [f, count] : counts) text += fmt::format("{}:{} {}", text.empty() ? "" : ", ", f, count);
    return text;
  };
  for (const std::string& remark : workload_.remarks()) builder_.add_remark(remark);
  if (!others_.empty())
    builder_.add_remark("operations of the nemesis and other processes, not judged: " + listed(others_));
  if (!ignored_.empty()) builder_.add_remark("operations left out with --jepsen-ignore: " + listed(ignored_));
}

void ElleReader::decide_instants() {
  if (declared_ == Declared::Nothing)
    builder_.add_remark(
        clock_.has_usable_times() ? "the order in real time is that of the times of the events"
        : clock_.has_usable_order()
            ? "the order in real time is that of the events in the file: " + clock_.times_problem()
            : "there is no order in real time: " + clock_.order_problem());
  if (declared_ == Declared::Times || (declared_ == Declared::Nothing && clock_.has_usable_times())) return;
  const bool positions = declared_ == Declared::Nothing && clock_.has_usable_order();
  builder_.set_instants(positions ? std::span<const Instants>(positions_) : std::span<const Instants>());
  if (positions) builder_.set_instant_kind(InstantKind::Positions);
  if (declared_ == Declared::Nothing)
    builder_.set_instants_reason(positions ? clock_.times_problem() : clock_.order_problem());
}

Result<void> ElleReader::micro_ops(Datum value, MicroOps& into) {
  into.ops.clear();
  into.elements.clear();
  if (!value.is_sequence())
    return error(fmt::format("the :value of a transaction is {}", describe(value.kind())),
                 "expected a vector of micro-operations such as [[:r x nil]]");
  for (const Datum datum : value) {
    auto op = micro_op(datum, into.elements);
    if (!op) return std::move(op).error();
    into.ops.push_back(*op);
  }
  return {};
}

Result<ElleReader::MicroOp> ElleReader::micro_op(Datum datum, std::vector<Scalar>& elements) {
  if (!datum.is_sequence() || datum.size() == 0 || !(*datum.begin()).is_name())
    return error("expected a micro-operation", "[:r key value], [:w key value] or [:append key element]");
  auto part = datum.begin();
  const std::string_view function = (*part).text();
  MicroOp op{Function::Read, Seen::Missing, {}, {}, 0, 0};
  if (function == "w") op.function = Function::Write;
  else if (function == "append") op.function = Function::Append;
  else if (function == "commit" && is_rewriting_) {
    op.function = Function::Commit;
    return op;
  } else if (function != "r")
    return error(fmt::format("unknown micro-operation {}", excerpt(function)), "expected :r, :w or :append");
  const bool complete = datum.size() == 3 || (op.function == Function::Read && datum.size() == 2);
  if (!complete)
    return error(fmt::format("a micro-operation {} with {} parts", function, datum.size()),
                 "expected the function, the key and the value");

  const Datum key = *++part;
  auto name = this->key(key);
  if (!name) return std::move(name).error();
  if (!name->is_integer() && !name->is_string())
    return error(fmt::format("a key that is {}", describe(key.kind())),
                 "keys are integers, strings, keywords or vectors of them");
  op.key = *name;
  if (datum.size() == 2) return op;

  const Datum value = *++part;
  op.seen = value.is_nil() ? Seen::Nil : Seen::Value;
  if (op.function == Function::Read && value.is_sequence()) {
    op.seen = Seen::List;
    op.begin = static_cast<std::uint32_t>(elements.size());
    for (const Datum element : value) {
      auto one = scalar(element);
      if (!one) return std::move(one).error();
      elements.push_back(*one);
    }
    op.end = static_cast<std::uint32_t>(elements.size());
    return op;
  }
  auto one = scalar(value);
  if (!one) return std::move(one).error();
  op.value = *one;
  return op;
}

// Checks that a completion repeats its invocation, with the reads filled in.
Result<void> ElleReader::same_shape(const MicroOps& invoked, const MicroOps& completed) const {
  bool same = invoked.ops.size() == completed.ops.size();
  for (std::size_t i = 0; same && i < invoked.ops.size(); ++i) {
    const MicroOp &a = invoked.ops[i], &b = completed.ops[i];
    same = a.function == b.function && a.key == b.key && (a.function == Function::Read || a.value == b.value);
  }
  if (!same) return error("the completion does other micro-operations than its invocation");
  return {};
}

// A vector is a key by its text: [1 :x].
Result<Scalar> ElleReader::key(Datum datum) {
  any_vector_key_ |= datum.is_sequence();
  any_bracket_string_ |= datum.is(DatumKind::String) && datum.text().starts_with('[');
  if (any_vector_key_ && any_bracket_string_)
    return error("some keys are vectors, and others are strings that begin with [",
                 "they could not be told apart; rename the strings");
  return datum.is_sequence() ? builder_.pool().string(edn_text(datum)) : scalar(datum);
}

Result<Scalar> ElleReader::scalar(Datum datum) {
  switch (datum.kind()) {
    case DatumKind::Nil: return Scalar::null();
    case DatumKind::Boolean: return Scalar::boolean(datum.boolean());
    case DatumKind::Integer: return Scalar::integer(datum.integer());
    case DatumKind::Number:
      if (const auto number = builder_.pool().number(datum.text())) return *number;
      return error(fmt::format("the number {} is out of range", excerpt(datum.text())));
    case DatumKind::Keyword:
      keyword_ = ':';
      keyword_ += datum.text();
      return builder_.pool().string(keyword_);
    case DatumKind::String:
      any_string_ = true;
      if (has_keywords_ && datum.text().starts_with(':'))
        return error(
            fmt::format("the string {} could not be told apart from a keyword", excerpt(datum.text())),
            "rename it");
      break;
    case DatumKind::Symbol: any_symbol_ = true; break;
    default:
      return error(fmt::format("a key or value that is {}", describe(datum.kind())),
                   "expected an integer, a string or a keyword");
  }
  if (any_string_ && any_symbol_)
    return error("both strings and symbols are keys or values",
                 "they could not be told apart; use one of them");
  return builder_.pool().string(datum.text());
}

Result<Scalar> ElleReader::label(Datum datum, std::string_view field) {
  if (datum.is(DatumKind::Integer)) return Scalar::integer(datum.integer());
  if (datum.is(DatumKind::String)) return builder_.pool().string(datum.text());
  return error(fmt::format("{} is {}", field, describe(datum.kind())), "expected an integer or a string");
}

Result<std::optional<std::int64_t>> ElleReader::integer(const std::optional<Datum>& datum,
                                                        std::string_view field) const {
  if (!given(datum)) return std::optional<std::int64_t>();
  if (!datum->is(DatumKind::Integer))
    return error(fmt::format("{} is {}", field, describe(datum->kind())), "expected a 64-bit integer");
  return std::optional(datum->integer());
}

Result<SessionId> ElleReader::session(const Fields& fields, std::optional<std::int64_t> process) {
  if (given(fields.session)) {
    const auto name = label(*fields.session, ":session");
    if (!name) return name.error();
    return builder_.session(*name);
  }
  return process ? builder_.session(Scalar::integer(*process)) : builder_.new_session();
}

Result<std::optional<Scalar>> ElleReader::name(const Fields& fields) {
  if (fields.txn) {
    if (fields.txn->is_nil()) return std::optional<Scalar>();
    const auto name = label(*fields.txn, ":txn");
    if (!name) return name.error();
    return std::optional(*name);
  }
  auto index = integer(fields.index, ":index");
  if (!index) return std::move(index).error();
  if (!*index) return std::optional<Scalar>();
  return std::optional(Scalar::integer(**index));
}

}  // namespace assay
