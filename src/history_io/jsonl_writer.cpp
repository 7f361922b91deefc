// Writes the native format, which jsonl.cpp describes, in the form that its fast path reads: no white space,
// and fields in one order.
#include "history_io/jsonl_writer.h"

#include <fmt/format.h>

#include <utility>

namespace assay {
namespace {

class JsonlWriter {
 public:
  JsonlWriter(const History& history, ByteSink& sink) : h_(history), sink_(sink) {}

  void write() {
    header();
    for (const TxnId t : h_.transactions()) {
      transaction(t);
      line_ += '\n';
      sink_.write(line_);
      line_.clear();
    }
  }

 private:
  void header() {
    line_ = "{\"assay\":1";
    initial_values();
    if (!h_.note().empty()) {
      line_ += ",\"note\":";
      print_json_string(h_.note(), line_);
    }
    if (h_.has_instants() && h_.instant_kind() == InstantKind::Positions)
      line_ += ",\"instants\":\"positions\"";
    line_ += "}\n";
    sink_.write(line_);
    line_.clear();
  }

  // Writes one initial value for all keys if that is enough; otherwise the value of each key that has one.
  void initial_values() {
    const auto fallback = h_.default_initial();
    if (!fallback) line_ += ",\"no_initial\":true";
    bool exceptions = false;
    for (const KeyId k : h_.keys()) {
      const KeyValueId kv = h_.initial_value(k);
      exceptions |= !kv.is_none() && (!fallback || h_.value(kv) != *fallback);
    }
    if (!exceptions) {
      if (fallback && !fallback->is_null()) {
        // An object in "initial" would mean names of keys.
        line_ += fallback->kind == ScalarKind::Row ? ",\"initial_row\":" : ",\"initial\":";
        h_.pool().print_json(*fallback, line_);
      }
      return;
    }
    bool first = true;
    for (const KeyId k : h_.keys()) {
      const KeyValueId kv = h_.initial_value(k);
      if (kv.is_none() || (fallback && h_.value(kv).is_null())) continue;
      line_ += std::exchange(first, false) ? ",\"initial\":[[" : "],[";
      h_.pool().print_json(h_.name(k), line_);
      line_ += ',';
      h_.pool().print_json(h_.value(kv), line_);
    }
    if (!first) line_ += "]]";
  }

  void transaction(TxnId t) {
    line_ += "{\"session\":";
    h_.pool().print_json(h_.name(h_.session(t)), line_);
    line_ += ",\"txn\":";
    if (const auto name = h_.name(t)) h_.pool().print_json(*name, line_);
    else print_json_string(h_.display(t), line_);
    if (h_.outcome(t) == Outcome::Aborted) line_ += ",\"status\":\"aborted\"";
    if (h_.outcome(t) == Outcome::Unknown) line_ += ",\"status\":\"unknown\"";
    if (h_.has_instants()) {
      const Instants at = h_.instants(t);
      instant("begin", at.begin);
      instant("began", at.began);
      instant("committing", at.committing);
      instant("end", at.end);
    }
    line_ += ",\"ops\":[";
    bool first = true;
    for (const OpId op : h_.operations(t)) {
      if (!std::exchange(first, false)) line_ += ',';
      operation(op);
    }
    line_ += "]}";
  }

  void instant(std::string_view name, std::optional<std::int64_t> at) {
    if (at) line_ += fmt::format(",\"{}\":{}", name, *at);
  }

  void operation(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Read: return item("[\"r\",", op);
      case OpKind::Write: return item("[\"w\",", op);
      case OpKind::Append: return item("[\"append\",", op);
      case OpKind::Insert: return item("[\"insert\",", op);
      case OpKind::Delete: {
        line_ += "[\"delete\",";
        h_.pool().print_json(h_.name(h_.key(op)), line_);
        if (const auto found = h_.found(op)) line_ += *found ? ",true" : ",false";
        line_ += ']';
        return;
      }
      case OpKind::ListRead:
      case OpKind::ReadOneOf: {
        line_ += h_.kind(op) == OpKind::ListRead ? "[\"r\"," : "[\"one-of\",";
        h_.pool().print_json(h_.name(h_.key(op)), line_);
        line_ += ",[";
        bool first = true;
        for (const KeyValueId kv : h_.rows(op)) {
          if (!std::exchange(first, false)) line_ += ',';
          h_.pool().print_json(h_.value(kv), line_);
        }
        line_ += "]]";
        return;
      }
      case OpKind::Scan: {
        const KeyBounds bounds = h_.bounds(op);
        line_ += "[\"scan\",";
        h_.pool().print_json(bounds.low, line_);
        line_ += ',';
        h_.pool().print_json(bounds.high, line_);
        line_ += ',';
        rows(op);
        line_ += ']';
        return;
      }
      case OpKind::Select: return with_predicate("[\"select\",", op);
      case OpKind::Update: return with_predicate("[\"update\",", op);
      case OpKind::UpdateMaybe: return with_predicate("[\"update-maybe\",", op);
    }
  }

  void item(std::string_view opening, OpId op) {
    line_ += opening;
    h_.pool().print_json(h_.name(h_.key(op)), line_);
    line_ += ',';
    h_.pool().print_json(h_.value(h_.value(op)), line_);
    line_ += ']';
  }

  void rows(OpId op) {
    line_ += '[';
    bool first = true;
    for (const KeyValueId kv : h_.rows(op)) {
      line_ += std::exchange(first, false) ? "[" : ",[";
      h_.pool().print_json(h_.name(h_.key(kv)), line_);
      line_ += ',';
      h_.pool().print_json(h_.value(kv), line_);
      line_ += ']';
    }
    line_ += ']';
  }

  void with_predicate(std::string_view opening, OpId op) {
    line_ += opening;
    std::size_t at = 0;
    predicate(h_.predicate(op), at);
    line_ += ',';
    rows(op);
    if (h_.kind(op) == OpKind::UpdateMaybe)
      if (const auto count = h_.count(op)) line_ += fmt::format(",{}", *count);
    line_ += ']';
  }

  void predicate(Predicate nodes, std::size_t& at) {
    const PredicateNode& node = nodes[at++];
    line_ += fmt::format("[\"{}\"", spelling(node.op));
    if (!is_connective(node.op)) {
      line_ += ',';
      h_.pool().print_json(node.scalar, line_);
    }
    const bool list = node.op == PredicateOp::In;
    if (list) line_ += ",[";
    for (std::uint32_t i = 0; i < node.operands; ++i) {
      if (!list || i > 0) line_ += ',';
      if (is_connective(node.op)) predicate(nodes, at);
      else h_.pool().print_json(nodes[at++].scalar, line_);
    }
    line_ += list ? "]]" : "]";
  }

  const History& h_;
  ByteSink& sink_;
  std::string line_;
};

}  // namespace

Result<WriteReport> write_jsonl(const History& history, ByteSink& sink, const WriteOptions&) {
  JsonlWriter(history, sink).write();
  return WriteReport{};
}

}  // namespace assay
