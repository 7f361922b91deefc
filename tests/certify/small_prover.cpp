#include "certify/small_prover.h"

#include <algorithm>

#include "certify/certify.h"

namespace assay::test {
namespace {

class Prover {
 public:
  Prover(const History& history, Level level)
      : h_(history), level_(level), snapshots_(has_two_points(level)) {}

  std::optional<Proof> run() {
    for (const OpId op : h_.operations())
      if (add({.kind = Kind::WrongRead, .op = op})) return proof_;
    saturate();
    for (bool changed = true; changed && !done_;) {
      changed = false;
      for (const TxnId a : h_.transactions())
        for (const TxnId b : h_.transactions())
          if (!done_ && !has(c(a), c(b)) && !has(c(b), c(a))) changed |= refute_supposition(a, b);
    }
    return done_ ? std::optional(proof_) : std::nullopt;
  }

 private:
  using Kind = Rule;
  struct Known {
    Point from, to;
    LineId id;
  };

  Point c(TxnId t) const { return {t, true}; }
  Point s(TxnId t) const { return {t, !snapshots_}; }
  bool has(Point from, Point to) const {
    return std::ranges::any_of(edges_, [&](const Known& e) { return e.from == from && e.to == to; });
  }

  // Keeps the line if certify() has nothing against it but that the proof is not complete.
  bool add(ProofLine line) {
    if (done_) return false;
    line.id = static_cast<LineId>(proof_.empty() ? 1 : proof_.back().id + 1);
    proof_.push_back(std::move(line));
    const auto result = certify(h_, level_, proof_);
    done_ = result.has_value();
    const bool kept = done_ || result.error().what.find("does not end in") != std::string::npos;
    if (!kept) proof_.pop_back();
    return kept;
  }

  bool add_edge(ProofLine line, Point from, Point to) {
    const bool direct = line.kind == Kind::Session || line.kind == Kind::Reads;
    if ((!direct && has(from, to)) || !add(std::move(line)) || done_) return false;
    edges_.push_back({from, to, proof_.back().id});
    return true;
  }

  bool close(ProofLine line) {
    closed_ |= add(std::move(line));
    return closed_;
  }

  bool is_read(OpId op) const { return h_.kind(op) == OpKind::Read || h_.kind(op) == OpKind::ListRead; }

  // The value that tells who wrote what was read; nothing for the initial version of a list.
  KeyValueId value_read(TxnId reader, OpId read) const {
    if (h_.kind(read) == OpKind::Read) return h_.value(read);
    std::size_t own = 0;
    for (const OpId op : h_.operations(reader)) {
      if (op == read) break;
      own += h_.kind(op) == OpKind::Append && h_.key(op) == h_.key(read);
    }
    const auto list = h_.rows(read);
    return own < list.size() ? list[list.size() - own - 1] : KeyValueId::none();
  }

  TxnId writer(TxnId reader, OpId read) const {
    const KeyValueId value = value_read(reader, read);
    for (const TxnId t : h_.transactions()) {
      if (h_.outcome(t) == Outcome::Aborted) continue;
      for (const OpId op : h_.operations(t))
        if (!is_read(op) && h_.value(op) == value) return t;
    }
    return TxnId::none();
  }

  // Until nothing new follows, or the scope is closed.
  void saturate() {
    closed_ = false;
    facts();
    for (bool changed = true; changed && !closed_ && !done_;) {
      changed = false;
      while (paths()) changed = true;
      for (const TxnId r : h_.transactions())
        for (const OpId op : h_.operations(r))
          for (const TxnId a : h_.transactions()) changed |= about(r, op, a);
    }
  }

  void facts() {
    if (!edges_.empty()) return;
    for (const TxnId a : h_.transactions()) {
      for (const TxnId b : h_.transactions()) add_edge({.kind = Kind::Session, .a = a, .b = b}, c(a), s(b));
      add_edge({.kind = Kind::Own, .a = a}, s(a), c(a));
      for (const OpId op : h_.operations(a))
        if (is_read(op)) add_edge({.kind = Kind::Reads, .op = op}, c(writer(a, op)), s(a));
    }
    while (paths()) {  // of reads and sessions alone, which cc asks for
    }
    for (const OpId op : h_.operations())
      for (const TxnId a : h_.transactions())
        for (const TxnId b : h_.transactions())
          add_edge({.kind = Kind::Observed, .a = a, .b = b, .op = op}, c(a), c(b));
  }

  bool paths() {
    bool changed = false;
    for (std::size_t i = 0; i < edges_.size() && !closed_; ++i)
      for (std::size_t j = 0; j < edges_.size() && !closed_; ++j) {
        const Known p = edges_[i], q = edges_[j];
        if (p.to != q.from) continue;
        if (p.from == q.to) close({.kind = Kind::Refute, .lines = {p.id, q.id}});
        else changed |= add_edge({.kind = Kind::Path, .lines = {p.id, q.id}}, p.from, q.to);
      }
    return changed;
  }

  bool about(TxnId r, OpId op, TxnId a) {
    bool changed = false;
    const bool read = is_read(op);
    if (read) changed |= add_edge({.kind = Kind::Overwritten, .a = a, .op = op}, s(r), c(a));
    for (std::size_t i = 0; i < edges_.size() && !closed_ && !done_; ++i) {
      const Known e = edges_[i];
      if (read && e.from == c(a) && e.to == s(r)) {
        changed |=
            add_edge({.kind = Kind::Missed, .a = a, .op = op, .lines = {e.id}}, c(a), c(writer(r, op)));
        close({.kind = Kind::Stale, .a = a, .op = op, .lines = {e.id}});
      }
      if (closed_ || done_) return true;
      if (read && e.to == c(a) && e.from == c(writer(r, op)))
        changed |= add_edge({.kind = Kind::Overwritten, .a = a, .op = op, .lines = {e.id}}, s(r), c(a));
      if (!read && e.from == s(r) && e.to == c(a))
        changed |= add_edge({.kind = Kind::Exclusive, .a = r, .b = a, .op = op, .lines = {e.id}}, c(r), s(a));
    }
    return changed;
  }

  bool refute_supposition(TxnId a, TxnId b) {
    const auto proof = proof_;
    const auto edges = edges_;
    if (!add_edge({.kind = Kind::Suppose, .a = a, .b = b}, c(a), c(b))) return false;
    saturate();
    edges_ = edges;
    if (done_) return true;
    if (!closed_) {
      proof_ = proof;
      return false;
    }
    edges_.push_back({c(b), c(a), proof_.back().id});
    saturate();
    return true;
  }

  const History& h_;
  const Level level_;
  const bool snapshots_;
  Proof proof_;
  std::vector<Known> edges_;
  bool closed_ = false, done_ = false;
};

}  // namespace

std::optional<Proof> find_proof(const History& history, Level level) { return Prover(history, level).run(); }

}  // namespace assay::test
