#include "history/digest.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace assay {
namespace {

bool is_plain(OpKind kind) {
  return kind == OpKind::Read || kind == OpKind::Write || kind == OpKind::Append || kind == OpKind::ListRead;
}

class Speller {
 public:
  explicit Speller(const History& history) : h_(history), session_number_(history.session_count()) {}

  // Passes the text to `take`, one transaction at a time.
  template <class Take>
  void spell(Take take) {
    for (const TxnId t : h_.transactions()) {
      head(t);
      for (const OpId op : h_.operations(t)) operation(op);
      take(std::string_view(text_));
      text_.clear();
    }
    initial_values();
    take(std::string_view(text_));
  }

 private:
  void head(TxnId t) {
    std::size_t& session = session_number_[h_.session(t).index()];
    if (session == 0) session = ++sessions_;
    text_ += "session ";
    number(session);
    constexpr std::string_view outcomes[] = {" committed", " aborted", " unknown"};
    text_ += outcomes[static_cast<std::size_t>(h_.outcome(t))];
    const Instants at = h_.instants(t);
    instant(" begin ", at.begin);
    instant(" began ", at.began);
    instant(" committing ", at.committing);
    instant(" end ", at.end);
    text_ += '\n';
  }

  void instant(std::string_view name, std::optional<std::int64_t> at) {
    if (!at) return;
    text_ += name;
    number(*at);
  }

  void operation(OpId op) {
    const OpKind kind = h_.kind(op);
    others_ |= !is_plain(kind);
    constexpr std::string_view names[] = {"r",      "w",    "append", "r",      "one-of",      "insert",
                                          "delete", "scan", "select", "update", "update-maybe"};
    text_ += "[\"";
    text_ += names[static_cast<std::size_t>(kind)];
    text_ += '"';
    if (is_one_key(kind)) argument(h_.name(h_.key(op)));
    if (kind == OpKind::Scan) {
      argument(h_.bounds(op).low);
      argument(h_.bounds(op).high);
    }
    if (has_predicate(kind)) {
      std::size_t at = 0;
      text_ += ',';
      predicate(h_.predicate(op), at);
    }
    if (has_rows(kind)) rows(op);
    else if (kind != OpKind::Delete) argument(h_.value(h_.value(op)));
    if (kind == OpKind::Delete)
      if (const auto found = h_.found(op)) text_ += *found ? ",true" : ",false";
    if (kind == OpKind::UpdateMaybe)
      if (const auto count = h_.count(op)) text_ += ',', number(*count);
    text_ += kind == OpKind::Read && h_.value(op) == h_.initial_value(h_.key(op)) ? "] initial\n" : "]\n";
  }

  void rows(OpId op) {
    const bool keyed = !is_one_key(h_.kind(op));
    text_ += ",[";
    bool first = true;
    for (const KeyValueId kv : h_.rows(op)) {
      if (!std::exchange(first, false)) text_ += ',';
      if (keyed) pair(h_.key(kv), kv);
      else h_.pool().print_json(h_.value(kv), text_);
    }
    text_ += ']';
  }

  void predicate(Predicate nodes, std::size_t& at) {
    const PredicateNode& node = nodes[at++];
    text_ += "[\"";
    text_ += spelling(node.op);
    text_ += '"';
    if (!is_connective(node.op)) argument(node.scalar);
    const bool list = node.op == PredicateOp::In;
    if (list) text_ += ",[";
    for (std::uint32_t i = 0; i < node.operands; ++i) {
      if (!list || i > 0) text_ += ',';
      if (is_connective(node.op)) predicate(nodes, at);
      else h_.pool().print_json(nodes[at++].scalar, text_);
    }
    text_ += list ? "]]" : "]";
  }

  // A single read shows whether it returned the initial value. Rows and predicates may depend on the initial
  // value of any key, so a history with these lists them all.
  void initial_values() {
    if (!others_) return;
    std::vector<std::string> lines;
    for (const KeyId key : h_.keys()) {
      const KeyValueId kv = h_.initial_value(key);
      if (kv.is_none() || h_.value(kv).is_null()) continue;
      text_ = "initial ";
      pair(key, kv);
      lines.push_back(std::exchange(text_, {}) + "\n");
    }
    std::sort(lines.begin(), lines.end());
    for (const std::string& line : lines) text_ += line;
  }

  void pair(KeyId key, KeyValueId kv) {
    text_ += '[';
    h_.pool().print_json(h_.name(key), text_);
    argument(h_.value(kv));
    text_ += ']';
  }

  void argument(Scalar scalar) {
    text_ += ',';
    h_.pool().print_json(scalar, text_);
  }

  template <class N>
  void number(N n) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  }

  const History& h_;
  std::vector<std::size_t> session_number_;  // 0: no transaction of it printed yet
  std::size_t sessions_ = 0;
  bool others_ = false;  // operations other than reads, writes and appends
  std::string text_;
};

}  // namespace

std::uint64_t digest(const History& history) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  Speller(history).spell([&](std::string_view text) {
    std::uint64_t h = hash;  // a local copy, which stays in a register
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    hash = h;
  });
  return hash;
}

std::string digest_text(const History& history) {
  std::string all;
  Speller(history).spell([&](std::string_view text) { all += text; });
  return all;
}

}  // namespace assay
