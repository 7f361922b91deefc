#include "certify/case_prover.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "base/contract.h"
#include "isolation/real_time.h"

namespace assay::test {
namespace {

// The history as docs/certificates.md sees it, worked out the slow way.
class Facts {
 public:
  Facts(const History& history, bool repeatable) : h_(history), repeatable_(repeatable) {
    for (const TxnId t : h_.transactions()) {
      if (h_.outcome(t) != Outcome::Aborted) alive_.insert(t);
      for (const OpId op : h_.operations(t)) owner_[op] = t;
    }
    while (std::erase_if(
               alive_, [&](TxnId t) { return h_.outcome(t) == Outcome::Unknown && has_wrong_read(t); }) > 0) {
    }
    for (const TxnId t : alive_)
      if (h_.outcome(t) == Outcome::Committed) counting_.insert(t);
    for (bool changed = true; changed;) {
      changed = false;
      for (const OpId op : h_.operations())
        if (is_external(op) && counts(owner(op)) && writers(op).size() == 1 && !writers(op)[0].is_none())
          changed |= counting_.insert(writers(op)[0]).second;
    }
  }

  TxnId owner(OpId op) const { return owner_.at(op); }
  bool alive(TxnId t) const { return alive_.contains(t); }
  bool counts(TxnId t) const { return counting_.contains(t); }

  OpId last_write(TxnId t, KeyId key, OpId before = OpId::none()) const {
    OpId last;
    for (const OpId op : h_.operations(t))
      if (h_.kind(op) == OpKind::Write && h_.key(op) == key && (before.is_none() || op < before)) last = op;
    return last;
  }
  bool writes(TxnId t, KeyId key) const { return !last_write(t, key).is_none(); }

  bool is_external(OpId op) const {
    return h_.kind(op) == OpKind::Read && last_write(owner(op), h_.key(op), op).is_none();
  }
  // Where reads repeat, only the first read of a key is asked about.
  bool is_asked(OpId op) const { return is_external(op) && (!repeatable_ || first_read(op) == op); }

  std::vector<TxnId> writers(OpId op) const {
    std::vector<TxnId> result;
    if (h_.initial_value(h_.key(op)) == h_.value(op)) result.push_back(TxnId::none());
    for (const TxnId t : alive_)
      if (const OpId last = last_write(t, h_.key(op));
          t != owner(op) && !last.is_none() && h_.value(last) == h_.value(op))
        result.push_back(t);
    return result;
  }

  bool is_wrong(OpId op) const {
    if (h_.kind(op) != OpKind::Read) return false;
    if (const OpId own = last_write(owner(op), h_.key(op), op); !own.is_none())
      return h_.value(own) != h_.value(op);
    return writers(op).empty() || (repeatable_ && h_.value(first_read(op)) != h_.value(op));
  }

 private:
  OpId first_read(OpId op) const {
    for (const OpId other : h_.operations(owner(op)))
      if (h_.kind(other) == OpKind::Read && h_.key(other) == h_.key(op)) return other;
    return op;
  }
  bool has_wrong_read(TxnId t) const {
    bool wrong = false;
    for (const OpId op : h_.operations(t)) wrong |= is_wrong(op);
    return wrong;
  }

  const History& h_;
  const bool repeatable_;
  std::map<OpId, TxnId> owner_;
  std::set<TxnId> alive_, counting_;
};

ProofBuilder make_builder(const std::shared_ptr<const Facts>& facts, Level level) {
  return ProofBuilder(
      has_two_points(level), [facts](OpId op) { return facts->writers(op).front(); },
      [facts](OpId op) { return facts->owner(op); }, [facts](OpId op) { return facts->writers(op); },
      [facts](TxnId t) { return facts->counts(t); });
}

class CaseProver {
 public:
  CaseProver(const History& history, Level level, CaseProverOptions options)
      : h_(history),
        level_(level),
        options_(options),
        rules_(row(level).points),
        facts_(std::make_shared<Facts>(history, reads_repeat(level))),
        proof_(make_builder(facts_, level)) {}

  std::optional<Proof> run() {
    for (const OpId op : h_.operations())
      if (facts_->counts(facts_->owner(op)) && facts_->is_wrong(op)) {
        proof_.wrong_read(op);
        return proof_.take();
      }
    if (!saturate()) {
      known_ = edges_;
      if (!ask({})) return std::nullopt;
    }
    return proof_.take();
  }

 private:
  using Case = std::vector<Literal>;
  struct Known {
    Point from, to;
    LineId line;
    bool causal;
  };
  struct ReadFrom {
    OpId op;
    TxnId writer;
    LineId line;    // that says so
    LineId source;  // the same, where there are several possible writers
  };

  // A question: in every case, one of the literals is true.
  struct Question {
    std::vector<Literal> answers;
    OpId read{};  // if it is whom a read is from
  };

  // The clause that refutes a case; nothing if it may be true.
  std::optional<LineId> refute(const Case& supposed) {
    ProofBuilder before = proof_;
    edges_ = known_;
    for (const Literal& literal : supposed) add(literal, proof_.suppose(literal));
    if (const auto closed = saturate()) return closed;
    proof_ = std::move(before);
    return ask(supposed);
  }

  std::optional<LineId> ask(const Case& supposed) {
    const auto question = open_question(supposed);
    if (!question) return std::nullopt;
    std::vector<LineId> refuted;
    for (const Literal& answer : question->answers) {
      Case more = supposed;
      more.push_back(answer);
      const auto clause = refute(more);
      if (!clause) return std::nullopt;
      refuted.push_back(*clause);
    }
    for (const Literal& literal : supposed) proof_.suppose(literal);
    if (!question->read.is_none()) refuted.push_back(proof_.candidates(question->read));
    for (const LineId clause : refuted)
      if (const auto closed = proof_.use(clause)) return closed;
    ASSAY_REQUIRE(false);
    return std::nullopt;
  }

  std::optional<Question> open_question(const Case& supposed) const {
    const auto is_supposed = [&](const Literal& literal) {
      return std::ranges::count(supposed, literal) > 0;
    };
    const auto counts = [&](TxnId t) {
      return facts_->counts(t) || std::ranges::any_of(supposed, [&](const Literal& l) {
               return (l.kind == Rule::Counts || l.kind == Rule::From) && l.txn == t;
             });
    };
    const auto outcome = [&]() -> std::optional<Question> {
      for (const TxnId t : h_.transactions())
        if (facts_->alive(t) && !counts(t) && !is_supposed(Literal::absent(t)))
          return Question{{Literal::counts(t), Literal::absent(t)}};
      return std::nullopt;
    };
    if (options_.outcomes_first)
      if (auto question = outcome()) return question;
    for (const OpId op : h_.operations()) {
      if (!facts_->is_asked(op) || !counts(facts_->owner(op))) continue;
      const auto writers = facts_->writers(op);
      Question question{{}, op};
      for (const TxnId writer : writers) question.answers.push_back(Literal::from(op, writer));
      if (writers.size() == 1 || std::ranges::any_of(question.answers, is_supposed)) continue;
      if (!options_.one_by_one) return question;
      std::erase_if(question.answers, [&](const Literal& from) { return is_supposed(from.contrary()); });
      if (question.answers.size() > 1) return Question{{question.answers[0], question.answers[0].contrary()}};
    }
    if (is_weak(level_)) return outcome();
    for (const bool snapshots : {true, false})
      for (const TxnId a : h_.transactions())
        for (const TxnId b : h_.transactions()) {
          if (snapshots ? a == b || !options_.snapshots_too || !rules_.two_points : a >= b) continue;
          const Literal ab = Literal::before(snapshots ? s(a) : c(a), c(b));
          if (counts(a) && counts(b) && !common_write(a, b).is_none() && !is_supposed(ab) &&
              !is_supposed(ab.contrary()))
            return Question{{ab, ab.contrary()}};
        }
    return outcome();
  }

  OpId common_write(TxnId a, TxnId b) const {
    for (const OpId op : h_.operations(a))
      if (h_.kind(op) == OpKind::Write && facts_->writes(b, h_.key(op))) return op;
    return {};
  }

  // What follows. Returns the line that closed the scope.

  static Point c(TxnId t) { return {t, true}; }
  Point s(TxnId t) const { return {t, !rules_.two_points}; }
  bool counts(TxnId t) const {
    return facts_->alive(t) && (facts_->counts(t) || proof_.established(Literal::counts(t)));
  }

  const Known* edge(Point from, Point to, bool causal = false) const {
    for (const Known& e : edges_)
      if (e.from == from && e.to == to && (e.causal || !causal)) return &e;
    return nullptr;
  }

  template <class State>
  void derive(Point from, Point to, State state, bool causal = false) {
    if (closed_ || edge(from, to, causal)) return;
    edges_.push_back({from, to, state(), causal});
    changed_ = true;
  }

  void add(const Literal& literal, LineId line) {
    if (literal.kind == Rule::Suppose) edges_.push_back({literal.p, literal.q, line, false});
  }

  std::optional<LineId> saturate() {
    closed_.reset();
    for (changed_ = true; changed_ && !closed_;) {
      changed_ = false;
      find_sources();
      state_facts();
      join();
      for (const ReadFrom& read : sources_)
        for (const TxnId a : h_.transactions()) about(read, a);
      for (const TxnId a : h_.transactions())
        for (const TxnId b : h_.transactions()) exclusive(a, b);
    }
    return closed_;
  }

  void find_sources() {
    sources_.clear();
    for (const OpId op : h_.operations()) {
      if (closed_ || !facts_->is_asked(op) || !counts(facts_->owner(op))) continue;
      const auto writers = facts_->writers(op);
      if (std::ranges::count_if(writers,
                                [&](TxnId w) { return !proof_.established(Literal::not_from(op, w)); }) < 2 &&
          writers.size() > 1 && (closed_ = proof_.use(proof_.candidates(op))))
        return;
      for (const TxnId writer : writers) {
        auto line = proof_.established(Literal::from(op, writer));
        if (!line && writers.size() == 1) line = writer.is_none() ? LineId{0} : proof_.reads(op);
        if (!line) continue;
        sources_.push_back({op, writer, *line, writers.size() == 1 ? 0 : *line});
        if (!closed_ && !writer.is_none() && !facts_->counts(writer) &&
            proof_.established(Literal::absent(writer)))
          closed_ = proof_.use(proof_.implies(op, writer));
      }
    }
  }

  void state_facts() {
    for (const ReadFrom& read : sources_)
      if (!read.writer.is_none())
        derive(
            c(read.writer), s(facts_->owner(read.op)), [&] { return read.line; }, true);
    for (const TxnId a : h_.transactions())
      for (const TxnId b : h_.transactions()) {
        if (a == b || !counts(a) || !counts(b)) continue;
        if (rules_.session_order && h_.session(a) == h_.session(b) && h_.position(a) < h_.position(b) &&
            h_.outcome(a) == Outcome::Committed)
          derive(
              c(a), s(b), [&] { return proof_.session(a, b); }, true);
        if (!rules_.real_time.any()) continue;
        for (const Point p : {s(a), c(a)})
          for (const Point q : {s(b), c(b)})
            if (has_real_time(rules_, p.commit, q.commit) &&
                precedes(bounds(h_, p.txn, p.commit, rules_), bounds(h_, q.txn, q.commit, rules_),
                         options_.skew))
              derive(p, q, [&] { return proof_.realtime(p, q); });
      }
  }

  // Whether a path goes on from here to there; between a snapshot and its own commit the builder says why.
  static bool goes_on(Point here, Point there) {
    return here == there || (here.txn == there.txn && !here.commit);
  }

  void join() {
    for (std::size_t i = 0; i < edges_.size() && !closed_; ++i)
      for (std::size_t j = 0; j < edges_.size() && !closed_; ++j) {
        const Known p = edges_[i], q = edges_[j];
        if (!goes_on(p.to, q.from)) continue;
        if (goes_on(q.to, p.from)) closed_ = proof_.refute({p.line, q.line});
        else if (p.from.txn != q.to.txn)
          derive(
              p.from, q.to,
              [&] {
                return proof_.path({p.line, q.line});
              },
              p.causal && q.causal);
      }
  }

  // A line that puts the transaction into the view of a read; 0: none does.
  LineId in_view(TxnId a, const ReadFrom& read) {
    const TxnId reader = facts_->owner(read.op);
    const View view = row(level_).view;
    if (view == View::None) return 0;
    if (view == View::EarlierReads || view == View::Neighbours) {
      for (const ReadFrom& other : sources_)
        if (facts_->owner(other.op) == reader && other.writer == a &&
            (view == View::Neighbours || other.op < read.op))
          return other.line;
      if (view == View::EarlierReads || !rules_.session_order) return 0;
      return h_.session(a) == h_.session(reader) && h_.position(a) < h_.position(reader) &&
                     h_.outcome(a) == Outcome::Committed
                 ? proof_.session(a, reader)
                 : 0;
    }
    const Known* e = edge(c(a), s(reader), view == View::Past);
    return e ? e->line : 0;
  }

  void about(const ReadFrom& read, TxnId a) {
    const TxnId reader = facts_->owner(read.op);
    if (closed_ || a == reader || a == read.writer || !counts(a) || !facts_->writes(a, h_.key(read.op)))
      return;
    if (const LineId view = in_view(a, read)) {
      if (read.writer.is_none()) closed_ = proof_.stale(read.op, a, view, read.source);
      else derive(c(a), c(read.writer), [&] { return proof_.missed(read.op, a, view, read.source); });
    }
    if (closed_ || !rules_.total) return;
    const auto overwritten = [&](LineId newer) {
      derive(s(reader), c(a), [&] { return proof_.overwritten(read.op, a, newer, read.source); });
    };
    if (read.writer.is_none()) overwritten(0);
    else
      for (const Point to : {s(a), c(a)})
        if (const Known* e = edge(c(read.writer), to)) overwritten(e->line);
  }

  void exclusive(TxnId a, TxnId b) {
    if (closed_ || !rules_.exclusive || a == b || !counts(a) || !counts(b) || common_write(a, b).is_none())
      return;
    for (const Point from : {s(a), c(a)})
      for (const Point to : {s(b), c(b)})
        if (const Known* e = edge(from, to))
          derive(c(a), s(b), [&, line = e->line] { return proof_.exclusive(common_write(a, b), b, line); });
  }

  const History& h_;
  const Level level_;
  const CaseProverOptions options_;
  const PointRules rules_;
  const std::shared_ptr<const Facts> facts_;
  ProofBuilder proof_;
  std::vector<Known> known_, edges_;  // without suppositions, and now
  std::vector<ReadFrom> sources_;
  std::optional<LineId> closed_;
  bool changed_ = false;
};

}  // namespace

std::optional<Proof> find_proof_by_cases(const History& history, Level level, CaseProverOptions options) {
  return CaseProver(history, level, options).run();
}

ProofBuilder builder_for(const History& history, Level level) {
  return make_builder(std::make_shared<Facts>(history, reads_repeat(level)), level);
}

}  // namespace assay::test
