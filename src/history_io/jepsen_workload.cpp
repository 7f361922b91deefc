// Recognises Jepsen's workloads, and collects what the rewriting needs to know of the whole history.
#include "history_io/jepsen_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "history_io/text_scan.h"

namespace assay {
namespace {

using enum JepsenWorkload;

struct WorkloadRow {
  JepsenWorkload workload;
  std::string_view name;
  std::array<std::string_view, 3> functions;
};
constexpr std::array kWorkloads{
    WorkloadRow{Register, "register", {"read", "write", "cas"}},
    WorkloadRow{Causal, "causal", {"read", "write", "read-init"}},
    WorkloadRow{Mutex, "mutex", {"acquire", "release"}},
    WorkloadRow{Set, "set", {"add", "read"}},
    WorkloadRow{CausalReverse, "causal-reverse", {"write", "read"}},
    WorkloadRow{DirtyReads, "dirty-reads", {"write", "read"}},
    WorkloadRow{Sequential, "sequential", {"write", "read", "add"}},
    WorkloadRow{G2, "g2", {"insert"}},
};

constexpr std::array<std::pair<std::string_view, JepsenWorkload>, 9> kOtherNames{{
    {"cas-register", Register},
    {"linearizable-register", Register},
    {"set-full", Set},
    {"sets", Set},
    {"comments", CausalReverse},
    {"adya", G2},
    {"lock", Mutex},
    {"dirty-read", DirtyReads},
    {"adya-g2", G2},
}};

constexpr std::array<std::string_view, 6> kTransactional{"append",      "list-append", "wr",
                                                         "rw-register", "txn",         "long-fork"};

// Workloads that cannot be judged, and the functions that they are recognised by.
struct RefusedWorkload {
  std::string_view name;
  std::string_view reason;
  std::array<std::string_view, 5> functions{};
};
constexpr std::array kRefused{
    RefusedWorkload{"bank", "a transfer writes balances that its client does not learn", {"transfer"}},
    RefusedWorkload{"counter", "an increment writes a value that its client does not learn", {}},
    RefusedWorkload{"monotonic", "an increment of unknown outcome writes a value that nobody knows", {"inc"}},
    RefusedWorkload{"queue", "it is about queues, not about values of keys", {"enqueue", "dequeue", "drain"}},
    RefusedWorkload{"kafka",
                    "it is about logs, not about values of keys",
                    {"send", "poll", "assign", "subscribe", "crash"}},
    RefusedWorkload{"unique-ids", "its operations read and write nothing", {"generate"}},
};

constexpr std::string_view kNextStep =
    "record transactions that read and write values, as Jepsen's append and wr do; docs/jepsen.md lists the "
    "workloads that are judged";

Error refusal(const RefusedWorkload& row) {
  return error(fmt::format("the workload {} cannot be judged: {}", row.name, row.reason),
               std::string(kNextStep));
}

const RefusedWorkload* refused(std::string_view name) {
  const auto found = std::ranges::find(kRefused, name, &RefusedWorkload::name);
  return found == kRefused.end() ? nullptr : &*found;
}

std::optional<JepsenWorkload> workload_named(std::string_view name) {
  for (const WorkloadRow& row : kWorkloads)
    if (row.name == name) return row.workload;
  for (const auto& [other, workload] : kOtherNames)
    if (other == name) return workload;
  return std::nullopt;
}

const WorkloadRow& row_of(JepsenWorkload workload) {
  return *std::ranges::find(kWorkloads, workload, &WorkloadRow::workload);
}

bool has_function(const WorkloadRow& row, std::string_view f) {
  return std::ranges::find(row.functions, f) != row.functions.end();
}

Error at_line(Error problem, std::uint64_t line) {
  if (problem.place.empty()) problem.place = std::to_string(line);
  return problem;
}

std::string names_of_workloads() {
  std::string names;
  for (const WorkloadRow& row : kWorkloads) (names += names.empty() ? "" : ", ") += row.name;
  return names;
}

}  // namespace

bool is_transactional_workload(std::string_view name) {
  return std::ranges::find(kTransactional, name) != kTransactional.end();
}

Result<void> check_workload_name(std::string_view name) {
  if (is_transactional_workload(name) || workload_named(name)) return {};
  if (const RefusedWorkload* row = refused(name)) return refusal(*row);
  return error(fmt::format("unknown workload {}", excerpt(name)),
               fmt::format("one of append, wr, long-fork, {}", names_of_workloads()));
}

Error unknown_function(std::string_view function, std::string_view workload) {
  return error(
      fmt::format("operations :f :{} are not part of the workload {}", function, workload),
      fmt::format("if they change no data, leave them out with --jepsen-ignore {}; otherwise name the "
                  "workload with --jepsen-workload",
                  function));
}

void WorkloadReader::add(Datum operation, std::uint64_t line) {
  kept_.push_back({{}, line});
  add_copy(operation, kept_.back().form);
}

std::string_view WorkloadReader::name() const { return row_of(workload_).name; }

Scalar WorkloadReader::initial() const {
  switch (workload_) {
    case Causal: return Scalar::integer(0);
    case Mutex: return Scalar::boolean(false);
    case DirtyReads: return Scalar::integer(-1);
    default: return Scalar::null();
  }
}

Result<void> WorkloadReader::rewrite(const Emit& emit) {
  ASSAY_TRY(read_events());
  ASSAY_TRY(pair_events());
  ASSAY_TRY(choose());
  ASSAY_TRY(check_functions());
  ASSAY_TRY(find_keys());
  ASSAY_TRY(survey());
  remarks_.push_back(fmt::format("the operations are those of the workload {}{}", name(),
                                 independent_ ? ", with independent keys" : ""));
  if (workload_ == DirtyReads)
    remarks_.push_back("each read is assumed to return the rows in the same order");
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (auto done = emit_event(i, emit); !done) return at_line(std::move(done).error(), kept_[i].line);
  if (unanswered_ > 0)
    remarks_.push_back(fmt::format("{} reads that succeeded do not say what they saw", unanswered_));
  if (repeated_ > 0)
    remarks_.push_back(
        fmt::format("{} elements are more than once in a read, and were added more than once", repeated_));
  return {};
}

Result<void> WorkloadReader::read_events() {
  for (const Kept& kept : kept_) {
    Event event{Type::Invoke, {}, {}, {}};
    const Datum map = kept.form.root();
    for (auto i = map.begin(); i != map.end(); ++i) {
      const Datum key = *i, value = *++i;
      if (!key.is_name()) continue;
      if (key.text() == "type") {
        event.type = value.text() == "ok"     ? Type::Ok
                     : value.text() == "fail" ? Type::Fail
                     : value.text() == "info" ? Type::Info
                                              : Type::Invoke;
      } else if (key.text() == "f" && value.is_name()) {
        event.f = value.text();
      } else if (key.text() == "process" && value.is(DatumKind::Integer)) {
        event.process = value.integer();
      } else if (key.text() == "value" && !value.is_nil()) {
        event.value = value;
      }
    }
    events_.push_back(event);
  }
  return {};
}

Result<void> WorkloadReader::pair_events() {
  std::map<std::optional<std::int64_t>, std::size_t> open;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    Event& event = events_[i];
    if (event.type == Type::Invoke) {
      open[event.process] = i;  // ElleReader reports a second invocation of a process
      continue;
    }
    const auto found = open.find(event.process);
    if (found == open.end()) continue;
    Event& invocation = events_[found->second];
    if (invocation.f != event.f)
      return at_line(error(fmt::format("a :{} completes the :{} of line {}", event.f, invocation.f,
                                       kept_[found->second].line)),
                     kept_[i].line);
    invocation.partner = i;
    event.partner = found->second;
    open.erase(found);
  }
  return {};
}

Result<void> WorkloadReader::choose() {
  if (!options_.workload.empty()) {
    if (const auto named = workload_named(options_.workload)) {
      workload_ = *named;
      return {};
    }
    return at_line(unknown_function(events_.front().f, options_.workload), first_line());
  }
  return recognise();
}

Result<void> WorkloadReader::recognise() {
  const auto any = [&](std::string_view f) {
    return std::ranges::find(events_, f, &Event::f) != events_.end();
  };
  for (const RefusedWorkload& row : kRefused)
    for (const std::string_view f : row.functions)
      if (!f.empty() && any(f)) return refusal(row);
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (std::ranges::none_of(kWorkloads,
                             [&](const WorkloadRow& row) { return has_function(row, events_[i].f); }))
      return at_line(error(fmt::format("no known workload has operations :f :{}", events_[i].f),
                           fmt::format("if they change no data, leave them out with --jepsen-ignore {}; "
                                       "docs/jepsen.md lists the workloads that are judged",
                                       events_[i].f)),
                     kept_[i].line);
  workload_ = Register;
  if (any("insert")) workload_ = G2;
  else if (any("acquire") || any("release")) workload_ = Mutex;
  else if (any("read-init")) workload_ = Causal;
  else if (any("cas")) workload_ = Register;
  else {
    // What do reads return: a scalar, a collection, rows?
    bool collection = false, with_nil = false, echo = false, rows = false, number = false, other = false;
    for (const Event& event : events_) {
      if (event.type != Type::Ok || event.f != "read" || !event.value) continue;
      Datum answer = *event.value;
      const auto asked = event.partner == kNone ? std::nullopt : events_[event.partner].value;
      if (asked && answer.is_sequence() && answer.size() == 2) {
        const bool is_pair = asked->is_sequence();
        echo |= !is_pair && same_datum(*asked, *answer.begin());
        auto second = answer.begin();
        answer = *++second;
        if (answer.is_nil()) continue;
      }
      if (answer.is_sequence() || answer.is(DatumKind::Set)) {
        collection = true;
        for (const Datum element : answer) {
          with_nil |= element.is_nil();
          rows |= element.is(DatumKind::Map);
        }
      } else {
        number |= answer.is(DatumKind::Integer);
        other = true;
      }
    }
    const bool adds = any("add");
    if (rows) return refusal(*refused("monotonic"));
    if (adds && number) return refusal(*refused("counter"));
    if (collection && other)
      return error("some reads return a collection and others a value",
                   "name the workload with --jepsen-workload");
    if (collection && (echo || with_nil)) workload_ = Sequential;
    else if (adds) workload_ = Set;
    else if (collection)
      return error(
          "reads of this workload return collections, which mean different things in different "
          "workloads",
          "say which it is: --jepsen-workload causal-reverse (or comments) where a read returns the "
          "values that were written, dirty-reads where it returns the rows of a table");
  }
  return {};
}

Result<void> WorkloadReader::check_functions() const {
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (!has_function(row_of(workload_), events_[i].f))
      return at_line(unknown_function(events_[i].f, name()), kept_[i].line);
  return {};
}

// Whether the values are [key value]: jepsen.independent.
Result<void> WorkloadReader::find_keys() {
  if (workload_ == DirtyReads || workload_ == Sequential || workload_ == G2) return {};
  const auto pair = [](const std::optional<Datum>& value) {
    return value && value->is_sequence() && value->size() == 2;
  };
  // An invocation of a read says it: [key nil] or nothing.
  for (const Event& event : events_)
    if (event.type == Type::Invoke && is_read(event.f)) {
      auto second = pair(event.value) ? std::optional(event.value->begin()) : std::nullopt;
      independent_ = second && (*++*second).is_nil();
      return {};
    }
  independent_ = std::ranges::all_of(events_, [&](const Event& event) {
    if (event.type == Type::Info || event.type == Type::Fail) return true;
    if (!pair(event.value)) return false;
    auto part = event.value->begin();
    const Datum first = *part, second = *++part;
    if (workload_ == Set || workload_ == CausalReverse)
      return !is_read(event.f) ||
             (!first.is_sequence() && (second.is_sequence() || second.is(DatumKind::Set)));
    return event.f != "cas" || second.is_sequence();
  });
  return {};
}

Result<WorkloadReader::Call> WorkloadReader::call(std::size_t i) const {
  const Event& event = events_[i];
  Call call{event.type, event.f, {}, {}, {}};
  if (event.type == Type::Invoke) call.type = Type::Info;  // it never ended
  call.asked =
      event.partner == kNone || event.type == Type::Invoke ? event.value : events_[event.partner].value;
  if (event.type == Type::Ok) call.answer = event.value;
  if (!call.asked && event.type == Type::Ok) call.asked = event.value;
  if (independent_) {
    const auto unpack = [&](std::optional<Datum>& value) -> Result<void> {
      if (!value) return {};
      if (!value->is_sequence() || value->size() != 2)
        return error("expected [key value], as in the other operations");
      auto part = value->begin();
      if (call.key && !same_datum(*call.key, *part))
        return error("the completion has another key than its invocation");
      call.key = *part;
      const Datum second = *++part;
      value = second.is_nil() ? std::nullopt : std::optional(second);
      return {};
    };
    ASSAY_TRY(unpack(call.asked));
    ASSAY_TRY(unpack(call.answer));
    if (!call.key) return error("an operation without a key", "expected [key value]");
  }
  if (!is_read(call.f) && call.answer && call.asked && !same_datum(*call.asked, *call.answer))
    return error("the completion has another value than its invocation");
  return call;
}

Result<void> WorkloadReader::survey() {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].type == Type::Invoke && events_[i].partner != kNone) continue;
    const auto done = [&]() -> Result<void> {
      const auto call = this->call(i);
      if (!call) return call.error();
      switch (workload_) {
        case Set:
        case CausalReverse: return survey_set(*call);
        case DirtyReads: return survey_rows(*call);
        case Sequential: return survey_sequential(*call);
        case G2: return survey_g2(*call);
        default: return {};
      }
    }();
    if (!done) return at_line(done.error(), kept_[i].line);
  }
  return {};
}

Result<void> WorkloadReader::survey_set(const Call& call) {
  Elements& set = sets_[call.key ? edn_text(*call.key) : ""];
  const auto note = [&](Datum element) {
    const auto [at, is_new] = set.index.try_emplace(edn_text(element), set.datums.size());
    if (is_new) {
      set.datums.push_back(element);
      set.counts.push_back(false);
      set.adders.push_back(0);
    }
    return at->second;
  };
  if (!is_read(call.f)) {
    if (!call.asked) return error(fmt::format("a :{} without a value", call.f));
    const std::size_t element = note(*call.asked);
    if (call.type != Type::Fail) ++set.adders[element];
    if (call.type == Type::Ok) set.counts[element] = true;
    return {};
  }
  if (!call.answer) return {};
  if (!call.answer->is_sequence() && !call.answer->is(DatumKind::Set))
    return error("a read of a set that is no collection");
  for (const Datum element : *call.answer) set.counts[note(element)] = true;
  return {};
}

Result<void> WorkloadReader::survey_rows(const Call& call) {
  if (!is_read(call.f) || !call.answer) return {};
  if (!call.answer->is_sequence()) return error("a read that returns no vector of rows");
  if (rows_ == 0) rows_ = call.answer->size();
  if (rows_ != call.answer->size())
    return error(fmt::format("a read of {} rows, while another returned {}", call.answer->size(), rows_));
  return {};
}

Result<void> WorkloadReader::survey_sequential(const Call& call) {
  if (!is_read(call.f) || !call.answer) return {};
  const Datum answer = *call.answer;
  if (!answer.is_sequence() || answer.size() != 2) return error("expected a read of [key [subkey ...]]");
  auto second = answer.begin();
  const Datum subkeys = *++second;
  if (!subkeys.is_sequence()) return error("expected a read of [key [subkey ...]]");
  if (rows_ == 0) rows_ = subkeys.size();
  if (rows_ != subkeys.size())
    return error(fmt::format("a read of {} subkeys, while another returned {}", subkeys.size(), rows_));
  return {};
}

Result<void> WorkloadReader::survey_g2(const Call& call) {
  const auto wrong = [] {
    return error("expected an :insert of [key [a-id b-id]], where one of the ids is nil");
  };
  if (!call.asked || !call.asked->is_sequence() || call.asked->size() != 2) return wrong();
  auto part = call.asked->begin();
  const Datum key = *part, ids = *++part;
  if (!ids.is_sequence() || ids.size() != 2) return wrong();
  auto id = ids.begin();
  const bool first = (*id).is_nil(), second = (*++id).is_nil();
  if (first == second) return wrong();
  std::vector<Datum>& rows = g2_rows_[edn_text(key)];
  if (call.type != Type::Fail) rows.push_back(*call.asked);
  return {};
}

}  // namespace assay
