// Writes the history language, which hist.cpp describes: one session after another, in lines of about
// kLineWidth columns.
#include "history_io/hist_writer.h"

#include <fmt/format.h>

#include <utility>

#include "history/describe.h"

namespace assay {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kFlush = 1 << 16;

class HistWriter {
 public:
  HistWriter(const History& history, ByteSink& sink) : h_(history), sink_(sink) {}

  void write() {
    if (!h_.note().empty()) {
      out_ += "@note ";
      print_json_string(h_.note(), out_);
      out_ += '\n';
    }
    if (h_.has_instants() && h_.instant_kind() == InstantKind::Positions) out_ += "@instants positions\n";
    initial_values();
    for (const SessionId s : h_.sessions()) session(s);
    sink_.write(out_);
  }

 private:
  void initial_values() {
    const auto fallback = h_.default_initial();
    // A history without sessions gets this line in any case, so that the text is not empty.
    if (fallback != Scalar::integer(0) || h_.session_count() == 0)
      out_ += fmt::format("@initial {}\n", fallback ? spell(h_.pool(), *fallback) : "none");
    std::string exceptions;
    for (const KeyId k : h_.keys()) {
      const KeyValueId kv = h_.initial_value(k);
      if (kv.is_none() || (fallback && h_.value(kv) == *fallback)) continue;
      exceptions += fmt::format(" {}={}", spell(h_.pool(), h_.name(k)), spell(h_.pool(), h_.value(kv)));
    }
    if (!exceptions.empty()) out_ += fmt::format("@initial ({})\n", exceptions.substr(1));
  }

  void session(SessionId s) {
    std::size_t line_begin = out_.size();
    out_ += spell(h_.pool(), h_.name(s)) + ":";
    bool first = true;
    for (const TxnId t : h_.transactions(s)) {
      if (!std::exchange(first, false)) {
        if (out_.size() - line_begin > kLineWidth) {
          out_ += "\n ";
          line_begin = out_.size();
        }
        out_ += " |";
      }
      transaction(t);
      if (out_.size() > kFlush) {
        sink_.write(out_);
        out_.clear();
        line_begin = 0;
      }
    }
    out_ += '\n';
  }

  void transaction(TxnId t) {
    annotation(t);
    for (const OpId op : h_.operations(t)) {
      out_ += ' ';
      describe(h_, op, out_);
    }
    if (h_.operations(t).empty()) out_ += " ()";
    if (h_.outcome(t) == Outcome::Aborted) out_ += '!';
    if (h_.outcome(t) == Outcome::Unknown) out_ += '?';
  }

  void annotation(TxnId t) {
    const auto name = h_.name(t);
    const Instants at = h_.instants(t);
    if (!name && !at.any()) return;
    const auto print = [&](std::optional<std::int64_t> instant) {
      return instant ? fmt::format("{}", *instant) : "";
    };
    out_ += " <";
    if (name) out_ += spell(h_.pool(), *name);
    if (name && at.any()) out_ += ' ';
    if (at.any()) {
      out_ += "@" + print(at.begin);
      if (at.began) out_ += "," + print(at.began);
      out_ += "..";
      if (at.committing) out_ += print(at.committing) + ",";
      out_ += print(at.end);
    }
    out_ += '>';
  }

  const History& h_;
  ByteSink& sink_;
  std::string out_;
};

}  // namespace

Result<WriteReport> write_hist(const History& history, ByteSink& sink, const WriteOptions&) {
  HistWriter(history, sink).write();
  return WriteReport{};
}

}  // namespace assay
