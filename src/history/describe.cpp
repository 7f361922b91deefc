#include "history/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace assay {
namespace {

// Words that have a meaning of their own in `.hist`.
constexpr std::array<std::string_view, 11> kReserved{"null", "true", "false", "none", "and",    "or",
                                                     "not",  "is",   "in",    "like", "between"};

// A byte order mark at the beginning of a file is skipped, so a word that begins with one is quoted.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_bare_word(std::string_view text) {
  if (text.empty() || text.starts_with(kByteOrderMark) ||
      std::ranges::find(kReserved, text) != kReserved.end())
    return false;
  const auto letter = [](unsigned char c) { return std::isalpha(c) || c == '_' || c >= 0x80; };
  return letter(static_cast<unsigned char>(text[0])) && std::ranges::all_of(text, [&](unsigned char c) {
           return letter(c) || std::isdigit(c) || c == '-' || c == '/';
         });
}

void print(const ScalarPool& pool, Scalar scalar, std::string& out) {
  if (scalar.is_string() && is_bare_word(pool.text(scalar))) {
    out += pool.text(scalar);
  } else if (scalar.kind == ScalarKind::Row) {
    const char* separator = "";
    out += '{';
    for (const RowField field : pool.fields(scalar)) {
      out += separator;
      print(pool, field.column, out);
      out += ':';
      print(pool, field.value, out);
      separator = ",";
    }
    out += '}';
  } else {
    pool.print_json(scalar, out);
  }
}

class Describer {
 public:
  Describer(const History& history, std::string& out) : h_(history), pool_(history.pool()), out_(out) {}

  void operation(OpId op) {
    switch (h_.kind(op)) {
      case OpKind::Read: return item("r(", op);
      case OpKind::Write: return item("w(", op);
      case OpKind::Append: return item("append(", op);
      case OpKind::Insert: return item("insert(", op);
      case OpKind::Delete: {
        out_ += "delete(";
        print(pool_, h_.name(h_.key(op)), out_);
        if (const auto found = h_.found(op)) out_ += *found ? ",true" : ",false";
        out_ += ')';
        return;
      }
      case OpKind::ListRead:
      case OpKind::ReadOneOf:
        out_ += h_.kind(op) == OpKind::ListRead ? "r(" : "one-of(";
        print(pool_, h_.name(h_.key(op)), out_);
        out_ += ',';
        rows(op, false);
        out_ += ')';
        return;
      case OpKind::Scan: {
        const KeyBounds bounds = h_.bounds(op);
        out_ += "scan(";
        print(pool_, bounds.low, out_);
        out_ += ',';
        print(pool_, bounds.high, out_);
        out_ += ',';
        rows(op, true);
        out_ += ')';
        return;
      }
      case OpKind::Select: return with_predicate("select(", op);
      case OpKind::Update: return with_predicate("update(", op);
      case OpKind::UpdateMaybe: return with_predicate("update-maybe(", op);
    }
  }

  void predicate(Predicate nodes) {
    std::size_t at = 0;
    predicate(nodes, at);
  }

 private:
  void item(std::string_view opening, OpId op) {
    out_ += opening;
    print(pool_, h_.name(h_.key(op)), out_);
    out_ += ',';
    print(pool_, h_.value(h_.value(op)), out_);
    out_ += ')';
  }

  void rows(OpId op, bool with_keys) {
    const char* separator = "[";
    for (const KeyValueId kv : h_.rows(op)) {
      out_ += separator;
      if (with_keys) {
        print(pool_, h_.name(h_.key(kv)), out_);
        out_ += '=';
      }
      print(pool_, h_.value(kv), out_);
      separator = " ";
    }
    out_ += h_.rows(op).empty() ? "[]" : "]";
  }

  void with_predicate(std::string_view opening, OpId op) {
    out_ += opening;
    predicate(h_.predicate(op));
    out_ += ',';
    rows(op, true);
    if (h_.kind(op) == OpKind::UpdateMaybe)
      if (const auto count = h_.count(op)) out_ += fmt::format(",{}", *count);
    out_ += ')';
  }

  // Puts every connective inside another one in parentheses, so that a reader gets the same tree back.
  void predicate(Predicate nodes, std::size_t& at) {
    const PredicateNode& node = nodes[at++];
    if (!is_connective(node.op)) return comparison(node, nodes, at);
    if (node.op == PredicateOp::Not) out_ += "not ";
    for (std::uint32_t i = 0; i < node.operands; ++i) {
      if (i > 0) out_ += fmt::format(" {} ", spelling(node.op));
      const bool nested = is_connective(nodes[at].op);
      if (nested) out_ += '(';
      predicate(nodes, at);
      if (nested) out_ += ')';
    }
  }

  void comparison(const PredicateNode& node, Predicate nodes, std::size_t& at) {
    print(pool_, node.scalar, out_);
    if (node.op == PredicateOp::IsNull) {
      out_ += " is null";
      return;
    }
    out_ += fmt::format(" {} ", spelling(node.op));
    if (node.op == PredicateOp::In) out_ += '[';
    for (std::uint32_t i = 0; i < node.operands; ++i) {
      if (i > 0) out_ += node.op == PredicateOp::Between ? " and " : " ";
      print(pool_, nodes[at++].scalar, out_);
    }
    if (node.op == PredicateOp::In) out_ += ']';
  }

  const History& h_;
  const ScalarPool& pool_;
  std::string& out_;
};

}  // namespace

void describe(const History& history, OpId op, std::string& out) { Describer(history, out).operation(op); }

std::string describe(const History& history, OpId op) {
  std::string out;
  describe(history, op, out);
  return out;
}

std::string describe(const History& history, Predicate predicate) {
  std::string out;
  Describer(history, out).predicate(predicate);
  return out;
}

std::string spell(const ScalarPool& pool, Scalar scalar) {
  std::string out;
  print(pool, scalar, out);
  return out;
}

}  // namespace assay
