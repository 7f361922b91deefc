// Rewrites operations of Jepsen's workloads as transactions: what each does to which key.
#include <fmt/format.h>

#include "history_io/jepsen_workload.h"
#include "history_io/text_scan.h"

namespace assay {
namespace {

void keyword(std::string_view name, Form& into) { into.text(DatumKind::Keyword, name); }

void open_op(std::string_view function, Form& into) {
  into.open(DatumKind::Vector);
  keyword(function, into);
}

// [:commit] ends a transaction of several in one operation.
void commit(Form& into) {
  open_op("commit", into);
  into.close();
}

Result<std::pair<Datum, Datum>> two(const std::optional<Datum>& value, std::string_view expected) {
  if (!value || !value->is_sequence() || value->size() != 2)
    return error(fmt::format("expected {}", expected));
  auto part = value->begin();
  const Datum first = *part;
  return std::pair(first, *++part);
}

// As Clojure's `str` does it.
std::string as_string(Datum datum) {
  return datum.is(DatumKind::String) ? std::string(datum.text()) : edn_text(datum);
}

}  // namespace

Result<void> WorkloadReader::emit_event(std::size_t i, const Emit& emit) {
  const Event& event = events_[i];
  const bool ends = event.type != Type::Invoke || event.partner == kNone;
  Form form;
  form.open(DatumKind::Map);
  const Datum map = kept_[i].form.root();
  // A sequential write that failed may have inserted some of its subkeys.
  const bool is_partial = workload_ == JepsenWorkload::Sequential && event.f == "write";
  for (auto field = map.begin(); field != map.end(); ++field) {
    const Datum key = *field, value = *++field;
    if (!key.is_name() || key.text() == "f" || key.text() == "value") continue;
    if (key.text() != "type" && key.text() != "process" && key.text() != "time" && key.text() != "index")
      continue;
    keyword(key.text(), form);
    if (is_partial && key.text() == "type" && event.type == Type::Fail) keyword("info", form);
    else add_copy(value, form);
  }
  keyword("f", form);
  keyword("txn", form);
  if (ends) {
    const auto call = this->call(i);
    if (!call) return call.error();
    keyword("answered", form);
    form.boolean(call->type != Type::Fail);
    keyword("value", form);
    form.open(DatumKind::Vector);
    ASSAY_TRY(micro_ops(*call, form));
    form.close();
  }
  form.close();
  return emit(form.root(), kept_[i].line);
}

Result<void> WorkloadReader::micro_ops(const Call& call, Form& into) {
  if (is_read(call.f) && !call.answer && workload_ != JepsenWorkload::Register) {
    unanswered_ += call.type == Type::Ok;
    return {};
  }
  if (is_read(call.f) && call.type != Type::Ok) return {};
  switch (workload_) {
    case JepsenWorkload::Register:
    case JepsenWorkload::Causal: return register_ops(call, into);
    case JepsenWorkload::Mutex: return mutex_ops(call, into);
    case JepsenWorkload::Set:
    case JepsenWorkload::CausalReverse: return set_ops(call, into);
    case JepsenWorkload::DirtyReads: return row_ops(call, into);
    case JepsenWorkload::Sequential: return sequential_ops(call, into);
    case JepsenWorkload::G2: return g2_ops(call, into);
  }
  return {};
}

// A :cas read the old value and wrote the new one. One that failed changed nothing, for whatever reason; what
// it saw is not known. One of unknown outcome did both or nothing.
Result<void> WorkloadReader::register_ops(const Call& call, Form& into) {
  const auto op = [&](std::string_view function, const std::optional<Datum>& value) {
    open_op(function, into);
    if (call.key) add_copy(*call.key, into);
    else into.text(DatumKind::String, "register");
    if (value) add_copy(*value, into);
    else into.nil();
    into.close();
  };
  if (call.f == "write") {
    op("w", call.asked);
  } else if (call.f == "cas") {
    const auto values = two(call.asked, "a :cas with [old new]");
    if (!values) return values.error();
    if (call.type != Type::Fail) op("r", values->first);
    op("w", values->second);
  } else {
    if (call.answer && (call.answer->is_sequence() || call.answer->is(DatumKind::Set)))
      return error("a read of a register that returned a collection",
                   "name the workload with --jepsen-workload");
    op("r", call.answer);
  }
  return {};
}

Result<void> WorkloadReader::mutex_ops(const Call& call, Form& into) const {
  const bool acquires = call.f == "acquire";
  const auto op = [&](std::string_view function, bool locked) {
    open_op(function, into);
    if (call.key) add_copy(*call.key, into);
    else into.text(DatumKind::String, "mutex");
    into.boolean(locked);
    into.close();
  };
  if (call.type != Type::Fail) op("r", !acquires);
  op("w", acquires);
  return {};
}

// Each element is a register, which counts how often it was added. A read of the set reads all elements that
// can be in it. An element that is twice in an answer but was added once is a value that nobody wrote.
Result<void> WorkloadReader::set_ops(const Call& call, Form& into) {
  const Elements& set = sets_.at(call.key ? edn_text(*call.key) : "");
  const auto open = [&](std::string_view function, Datum element) {
    open_op(function, into);
    if (call.key) {
      into.open(DatumKind::Vector);
      add_copy(*call.key, into);
      add_copy(element, into);
      into.close();
    } else {
      add_copy(element, into);
    }
  };
  if (!is_read(call.f)) {
    open("w", *call.asked);
    into.integer(1);
    into.close();
    return {};
  }
  std::vector<std::int64_t> times(set.datums.size());
  for (const Datum element : *call.answer) ++times[set.index.at(edn_text(element))];
  for (std::size_t e = 0; e < times.size(); ++e) {
    if (!set.counts[e]) continue;
    if (times[e] > 1 && set.adders[e] > 1) {
      times[e] = 1;
      ++repeated_;
    }
    open("r", set.datums[e]);
    if (times[e] == 0) into.nil();
    else into.integer(times[e]);
    into.close();
  }
  return {};
}

// A write sets every row of the table to its value; a read returns all rows.
Result<void> WorkloadReader::row_ops(const Call& call, Form& into) const {
  const bool reads = is_read(call.f);
  if (!reads && !call.asked) return error("a :write without a value");
  const auto op = [&](std::string_view function, std::size_t row, Datum value) {
    open_op(function, into);
    into.integer(static_cast<std::int64_t>(row));
    add_copy(value, into);
    into.close();
  };
  std::size_t row = 0;
  if (reads)
    for (const Datum value : *call.answer) op("r", row++, value);
  else
    while (row < rows_) op("w", row++, *call.asked);
  return {};
}

// A write inserts the subkeys one after another, a read reads them in the opposite order, each in a
// transaction of its own.
Result<void> WorkloadReader::sequential_ops(const Call& call, Form& into) const {
  const auto op = [&](std::string_view function, const std::string& subkey, bool is_there) {
    open_op(function, into);
    into.text(DatumKind::String, subkey);
    if (is_there) into.integer(1);
    else into.nil();
    into.close();
  };
  const auto subkey = [](Datum key, std::size_t i) { return fmt::format("{}_{}", as_string(key), i); };
  if (call.f == "add") {
    const auto parts = two(call.asked, "an :add of [key subkey]");
    if (!parts) return parts.error();
    op("w", as_string(parts->second), true);
  } else if (call.f == "write") {
    if (!call.asked) return error("a :write without a key");
    for (std::size_t i = 0; i < rows_; ++i) {
      if (i > 0) commit(into);
      op("w", subkey(*call.asked, i), true);
    }
  } else {
    const auto parts = two(call.answer, "a read of [key [subkey ...]]");
    if (!parts) return parts.error();
    std::size_t i = rows_;
    for (const Datum found : parts->second) {
      if (i-- < rows_) commit(into);
      const std::string expected = subkey(parts->first, i);
      if (!found.is_nil() && as_string(found) != expected)
        return error(fmt::format("expected the subkey {} or nil, found {}", expected, edn_text(found)));
      op("r", expected, !found.is_nil());
    }
  }
  return {};
}

// An :insert reads that no row of its key is in either table, and then inserts one. So it reads every row
// that the history may insert for the key.
Result<void> WorkloadReader::g2_ops(const Call& call, Form& into) const {
  auto part = call.asked->begin();
  if (call.type != Type::Fail)
    for (const Datum row : g2_rows_.at(edn_text(*part))) {
      open_op("r", into);
      add_copy(row, into);
      into.nil();
      into.close();
    }
  open_op("w", into);
  add_copy(*call.asked, into);
  into.boolean(true);
  into.close();
  return {};
}

}  // namespace assay
