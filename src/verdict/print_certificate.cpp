#include <charconv>
#include <optional>

#include "history/statements.h"
#include "verdict/certificate.h"
#include "verdict/operation_place.h"

namespace assay {
namespace {

constexpr std::size_t kPointsPerLine = 20;

class Printer {
 public:
  explicit Printer(const History& history)
      : whole_(history), h_(&history), has_rows_(has_rows_or_predicates(history)) {}

  std::string print(const Certificate& certificate) {
    out_ = "assay-certificate 1\nhistory ";
    for (int shift = 60; shift >= 0; shift -= 4)
      out_ += "0123456789abcdef"[certificate.history >> shift & 15];
    out_ += '\n';
    for (const Section& section : certificate.sections) {
      const auto* execution = std::get_if<Execution>(&section.evidence);
      out_ += "level ";
      out_ += id(section.level);
      if (row(section.level).needs_instants()) {
        out_ += " skew";
        word(section.skew);
      }
      out_ += execution ? " holds" : " violated";
      if (!section.found_by.empty()) out_ += "  # found by " + section.found_by;
      out_ += '\n';
      completion(section.completion);
      if (execution) explanation(*execution);
      else proof(std::get<Proof>(section.evidence));
      for (const Case& other : section.other_cases) {
        out_ += "case\n";
        completion(other.completion);
        proof(other.proof);
      }
      out_ += "end\n";
    }
    return std::move(out_);
  }

 private:
  // From here on operations are those of the items.
  void completion(const Completion& completion) {
    for (const Truth& truth : completion.truths) row_line(truth.took ? "took" : "left", truth.row());
    for (const Invisible& row : completion.rows) row_line("row", row);
    for (const Invisible& read : completion.reads) row_line("read", read);
    if (!has_rows_ || (items_ && made_ == completion)) return;
    auto items = itemize_asked(whole_, completion);
    ASSAY_REQUIRE(items);
    items_ = std::move(items).value();
    made_ = completion;
    h_ = &items_->history;
  }

  void row_line(std::string_view word, Invisible row) {
    out_ += word;
    operation(whole_, row.op);
    this->word(row.key.index() + 1);
    out_ += '\n';
  }

  void proof(const Proof& proof) {
    for (const ProofLine& line : proof) proof_line(line);
  }

  void explanation(const Execution& execution) {
    points(execution.order);
    for (const Source& source : execution.from) {
      out_ += "from";
      operation(source.read);
      writer(source.writer);
      out_ += '\n';
    }
  }

  void points(const Order& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i % kPointsPerLine == 0) out_ += i == 0 ? "order" : "\norder";
      out_ += order[i].commit ? " c" : " s";
      number(order[i].txn.index() + 1);
    }
    if (!order.empty()) out_ += '\n';
  }

  void proof_line(const ProofLine& line) {
    const RuleRow& form = row(line.kind);
    number(line.id);
    out_ += ' ';
    out_ += form.word;
    for (const char operand : form.operands) {
      switch (operand) {
        case 'a': word(line.a.index() + 1); break;
        case 'b': word(line.b.index() + 1); break;
        case 'p': point(line.first()); break;
        case 'q': point(line.second()); break;
        case 'w': writer(line.a); break;
        case 'c': word(line.clause); break;
        case '*':
          for (const LineId other : line.lines) word(other);
          break;
        default: operation(line.op);
      }
    }
    out_ += '\n';
  }

  void operation(OpId op) { operation(*h_, op); }
  void operation(const History& h, OpId op) {
    ASSAY_REQUIRE(op.index() < h.operation_count());
    const TxnId t = transaction_of(h, op);
    word(t.index() + 1);
    out_ += '.';
    number(op.index() - h.operations(t).first.index() + 1);
  }

  // A commit is written as the number of its transaction alone.
  void point(Point p) {
    out_ += p.commit ? " " : " s";
    number(p.txn.index() + 1);
  }

  void writer(TxnId t) {
    if (t.is_none()) out_ += " initial";
    else word(t.index() + 1);
  }

  template <class Number>
  void word(Number n) {
    out_ += ' ';
    number(n);
  }

  template <class Number>
  void number(Number n) {
    char digits[24];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  }

  const History& whole_;
  const History* h_;  // the history whose operations the evidence names
  const bool has_rows_;
  std::optional<Items> items_;
  Completion made_;
  std::string out_;
};

}  // namespace

std::string print(const Certificate& certificate, const History& history) {
  return Printer(history).print(certificate);
}

}  // namespace assay
