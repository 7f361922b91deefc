// Writes proofs: numbers the lines, states each fact once, and connects edges.
//
// Callers give edges between points of transactions. If one edge ends in s(T) and the next begins in c(T),
// the builder inserts the line `own T`. At a level with one point such lines vanish, and `exclusive` becomes
// the edge that it was derived from. So a proof for one level can be rewritten for any stronger one (adapt).
//
// If a transaction counts only because an open line says so, a line that names it must come after that line.
// The builder records this dependency.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "verdict/proof.h"

namespace assay {

class ProofBuilder {
 public:
  using WriterOf = std::function<TxnId(OpId)>;  // of a read with one writer; none() for the initial one
  using ReaderOf = std::function<TxnId(OpId)>;
  using CandidatesOf = std::function<std::vector<TxnId>(OpId)>;  // all possible writers of a read
  using Counts = std::function<bool(TxnId)>;                     // in every execution
  using ConditionalWrite =
      std::function<OpId(TxnId, OpId)>;  // of this transaction, to the key of this operation; or none()

  // Only histories with open reads, transactions of unknown outcome or conditional writes need the last
  // three.
  ProofBuilder(
      bool two_points, WriterOf writer_of, ReaderOf reader_of, CandidatesOf candidates_of = {},
      Counts counts = [](TxnId) { return true; },
      ConditionalWrite conditional_write = [](TxnId, OpId) { return OpId::none(); })
      : two_points_(two_points),
        writer_of_(std::move(writer_of)),
        reader_of_(std::move(reader_of)),
        candidates_of_(std::move(candidates_of)),
        counts_(std::move(counts)),
        conditional_write_(std::move(conditional_write)) {}

  // Facts. Each is stated once, while no supposition is open.
  LineId session(TxnId a, TxnId b);
  LineId reads(OpId op);  // a read with one possible writer
  LineId observed(OpId op, TxnId a, TxnId b);
  LineId shows(OpId list, TxnId a);
  LineId realtime(Point p, Point q);
  LineId overwritten_initial(OpId op, TxnId a);
  // The rules overwritten() and exclusive() when the list read `shown_by` shows the order of the writers. A
  // read of the initial version needs no list.
  LineId overwritten_fact(OpId op, TxnId a, OpId shown_by);
  LineId exclusive_fact(OpId write, TxnId a, TxnId b, OpId shown_by);
  // Clauses, for use().
  LineId candidates(OpId op);
  LineId implies(OpId op, TxnId writer);
  // The clauses of a conditional write: the writers that its read can be from if it took place, and if it did
  // not.
  LineId matched(OpId write, std::vector<Literal> sources);
  LineId unmatched(OpId write, std::vector<Literal> sources);

  LineId path(std::vector<LineId> lines);  // a single edge is its own path
  // `from` is a line that names the writer of op; 0 if op has one possible writer.
  LineId missed(OpId op, TxnId a, LineId edge, LineId from = 0);
  // Both also accept an edge to s(a) or s(b), and `exclusive` one from c(a): the builder adds `own` to get
  // the edge that the rule requires. The edge is 0 exactly if op is from the initial transaction.
  LineId overwritten(OpId op, TxnId a, LineId edge, LineId from = 0);
  LineId exclusive(OpId write, TxnId b, LineId edge);  // edge: s(a) < c(b)

  LineId suppose(Literal literal);
  LineId suppose(TxnId a, TxnId b) { return suppose(Literal::before(commit(a), commit(b))); }

  // Unit propagation: if all literals of the clause but one are refuted, that one is established (see
  // established()). If all are, closes the scope and returns the closing line.
  std::optional<LineId> use(LineId clause);
  // An open line that establishes the literal. A line that says that a read is from W also establishes that W
  // and the reader count.
  std::optional<LineId> established(Literal literal) const;

  LineId refute(std::vector<LineId> cycle);
  LineId stale(OpId op, TxnId a, LineId edge, LineId from = 0);
  // `clauses`: the candidates of reads of one key whose transactions write it. Of the literals that are not
  // refuted, there are fewer writers than clauses.
  LineId crowded(std::vector<LineId> clauses);
  LineId wrong_count(OpId write, bool too_many, std::vector<LineId> lines);
  LineId wrong_read(OpId op);

  const Proof& proof() const { return proof_; }
  // The proof without the lines that the last one does not need, renumbered from 1.
  Proof take();

 private:
  friend Proof adapt(const Proof& proof, ProofBuilder builder);

  struct Ends {
    Point from, to;
  };
  struct Key {
    Rule kind;
    std::uint32_t a, b, c;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const;
  };

  Point snapshot(TxnId t) const { return {t, !two_points_}; }
  static Point commit(TxnId t) { return {t, true}; }
  Point own_point(Point p) const { return {p.txn, p.commit || !two_points_}; }

  bool supposing() const { return !supposed_.empty(); }
  bool says_whom_it_is_from(LineId line, OpId op) const;
  TxnId writer(OpId op, LineId from) const;
  Ends ends(const Literal& literal) const;
  std::vector<Literal> said(const Literal& literal) const;
  std::optional<LineId> refuting(const Literal& literal) const;
  void add_grounds(const ProofLine& line, std::vector<LineId>& needs) const;

  LineId add(ProofLine line, std::optional<Literal> literal, std::vector<LineId> needs = {});
  LineId add_edge(ProofLine line, Point p, Point q) { return add(std::move(line), Literal::before(p, q)); }
  LineId close(ProofLine line, std::vector<LineId> needs = {});
  void forget(LineId id);
  template <class State>
  LineId known(const Key& key, State state);  // states the fact unless it is stated already
  LineId fact(ProofLine line, Literal literal);
  LineId clause(ProofLine line, std::vector<Literal> literals);
  LineId own(TxnId t);
  LineId up_to_commit(LineId edge);
  std::vector<LineId> joined(std::vector<LineId> lines, bool round);

  bool two_points_;
  WriterOf writer_of_;
  ReaderOf reader_of_;
  CandidatesOf candidates_of_;
  Counts counts_;
  ConditionalWrite conditional_write_;
  Proof proof_;
  std::vector<Ends> ends_{{}};                       // by line: its edge; numbers begin at 1
  std::vector<std::optional<Literal>> literal_{{}};  // by line: what it establishes
  std::unordered_map<Key, LineId, KeyHash> facts_;
  std::map<Literal, std::vector<LineId>> known_;  // the open lines that establish it
  std::map<OpId, std::vector<LineId>> from_;      // the open lines that name the writer of a read
  std::vector<std::vector<LineId>> needs_{{}};    // by line: the lines that it depends on
  std::map<LineId, std::vector<Literal>> clauses_;
  std::vector<Literal> supposed_;  // the suppositions of the open scope
  LineId scope_ = 0;               // its first line
  LineId used_ = 0;                // the line that use() added last
};

// Rewrites a proof for a stronger level, which may have another number of points. Not from psi to two points,
// where an order of commits says less. The possible writers of the reads must be the same at both levels;
// those at rc may differ from those elsewhere.
Proof adapt(const Proof& proof, ProofBuilder builder);

}  // namespace assay
