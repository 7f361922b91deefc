// Writes proofs: numbers the lines, states each fact once, and joins edges.
//
// Edges are given between the points of transactions; where one ends in s(T) and the next begins in c(T), the
// line `own T` is put between. For a level with one point such lines vanish, and `exclusive` is the edge it
// was made from: so a proof for a level can be written again for any stronger one (adapt).
//
// A line that names a transaction which counts only because an open line says so must come after that line;
// the builder remembers that it rests on it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <unordered_map>

#include "verdict/proof.h"

namespace assay {

class ProofBuilder {
 public:
  using WriterOf = std::function<TxnId(OpId)>;  // of a read that has one; none: the initial transaction
  using ReaderOf = std::function<TxnId(OpId)>;
  using CandidatesOf = std::function<std::vector<TxnId>(OpId)>;  // all possible writers of a read
  using Counts = std::function<bool(TxnId)>;                     // by definition, whatever is supposed
  using ConditionalWrite =
      std::function<OpId(TxnId, OpId)>;  // by which it may have written the key of the operation; or none

  // The last two are needed only where reads have several possible writers, or transactions of unknown
  // outcome need not count.
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

  // Facts; stated once while no supposition is open.
  LineId session(TxnId a, TxnId b);
  LineId reads(OpId op);  // a read with one possible writer
  LineId observed(OpId op, TxnId a, TxnId b);
  LineId shows(OpId list, TxnId a);
  LineId realtime(Point p, Point q);
  LineId overwritten_initial(OpId op, TxnId a);
  // The same two rules as below, where the list read `shown_by` shows the order of the writers. No list is
  // needed for a read of the initial version.
  LineId overwritten_fact(OpId op, TxnId a, OpId shown_by);
  LineId exclusive_fact(OpId write, TxnId a, TxnId b, OpId shown_by);
  // Clauses, to be used.
  LineId candidates(OpId op);
  LineId implies(OpId op, TxnId writer);
  // Of a conditional write: whom its read is from if it took place, or if it did not.
  LineId matched(OpId write, std::vector<Literal> sources);
  LineId unmatched(OpId write, std::vector<Literal> sources);

  LineId path(std::vector<LineId> lines);  // a single edge is its own path
  // `from` is a line that says whom op is from; 0 where op has one possible writer.
  LineId missed(OpId op, TxnId a, LineId edge, LineId from = 0);
  // These two accept an edge up to s(a) or s(b), and `exclusive` one from c(a): `own` makes it what the rule
  // asks for. The edge is 0 where op is from the initial transaction, and only there.
  LineId overwritten(OpId op, TxnId a, LineId edge, LineId from = 0);
  LineId exclusive(OpId write, TxnId b, LineId edge);  // edge: s(a) < c(b)

  LineId suppose(Literal literal);
  LineId suppose(TxnId a, TxnId b) { return suppose(Literal::before(commit(a), commit(b))); }

  // Uses a clause all but one of whose literals are refuted: the last one is established (see established()).
  // If all are, the scope is closed, and that line returned.
  std::optional<LineId> use(LineId clause);
  // An open line that says so. That a read is from W says too that W counts, and its reader.
  std::optional<LineId> established(Literal literal) const;

  LineId refute(std::vector<LineId> cycle);
  LineId stale(OpId op, TxnId a, LineId edge, LineId from = 0);
  LineId wrong_count(OpId write, bool too_many, std::vector<LineId> lines);
  LineId wrong_read(OpId op);

  const Proof& proof() const { return proof_; }
  // The lines that the last one needs, numbered from 1.
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
  LineId known(const Key& key, State state);  // states it now if it has not been
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
  std::vector<Ends> ends_{{}};                       // by line; numbers begin at 1
  std::vector<std::optional<Literal>> literal_{{}};  // by line: what it establishes
  std::unordered_map<Key, LineId, KeyHash> facts_;
  std::map<Literal, std::vector<LineId>> known_;  // the open lines that say so
  std::map<OpId, std::vector<LineId>> from_;      // the open lines that say whom a read is from
  std::vector<std::vector<LineId>> needs_{{}};    // by line: what it rests on
  std::map<LineId, std::vector<Literal>> clauses_;
  std::vector<Literal> supposed_;  // in the open scope
  LineId scope_ = 0;               // its first line
  LineId used_ = 0;                // the line of what use() left last
};

// The same proof for a stronger level, which may have another number of points; not from psi to two points,
// where an order of commits says less. The possible writers of the reads must be the same at both, which rc's
// need not be elsewhere.
Proof adapt(const Proof& proof, ProofBuilder builder);

}  // namespace assay
