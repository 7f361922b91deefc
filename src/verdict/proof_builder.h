// Writes proofs: numbers the lines, states each fact once, and joins edges.
//
// Edges are given between the points of transactions; where one ends in s(T) and the next begins in c(T), the line
// `own T` is put between. For a level with one point such lines vanish, and `exclusive` is the edge it was made from:
// so a proof for a level can be written again for any stronger one (adapt).
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

  ProofBuilder(bool two_points, WriterOf writer_of, ReaderOf reader_of)
      : two_points_(two_points), writer_of_(std::move(writer_of)), reader_of_(std::move(reader_of)) {}

  // Facts; stated once while no supposition is open.
  LineId session(TxnId a, TxnId b);
  LineId reads(OpId op);
  LineId observed(OpId op, TxnId a, TxnId b);
  LineId overwritten_initial(OpId op, TxnId a);
  // The same two rules as below, where the list read `shown_by` shows the order of the writers. No list is needed for a
  // read of the initial version.
  LineId overwritten_fact(OpId op, TxnId a, OpId shown_by);
  LineId exclusive_fact(OpId write, TxnId a, TxnId b, OpId shown_by);

  LineId path(std::vector<LineId> lines);  // a single edge is its own path
  LineId missed(OpId op, TxnId a, LineId edge);
  // These two accept an edge up to s(a) or s(b), and `exclusive` one from c(a): `own` makes it what the rule asks for.
  LineId overwritten(OpId op, TxnId a, LineId edge);
  LineId exclusive(OpId write, TxnId b, LineId edge);  // edge: s(a) < c(b)
  LineId suppose(TxnId a, TxnId b);
  // Uses a clause all but one of whose literals are refuted: the last one becomes an edge. If all are, the scope is
  // closed, and that line returned.
  std::optional<LineId> use(LineId clause);

  LineId refute(std::vector<LineId> cycle);
  LineId stale(OpId op, TxnId a, LineId edge);
  LineId wrong_read(OpId op);

  const Proof& proof() const { return proof_; }
  // The lines that the last one needs, numbered from 1.
  Proof take();

 private:
  struct Ends {
    Point from, to;
  };
  struct Key {
    ProofLine::Kind kind;
    std::uint32_t a, b, c;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const;
  };

  Point snapshot(TxnId t) const { return {t, !two_points_}; }
  static Point commit(TxnId t) { return {t, true}; }
  using Literal = std::pair<TxnId, TxnId>;  // c(first) < c(second)

  bool supposing() const { return !supposed_.empty(); }
  static bool is_between_commits(const Ends& ends);
  LineId add(ProofLine line, Ends ends, std::vector<LineId> needs = {});
  LineId close(ProofLine line, std::vector<LineId> needs = {});
  template <class State>
  LineId known(const Key& key, State state);  // states it now if it has not been
  LineId fact(ProofLine line, Ends ends);
  LineId own(TxnId t);
  LineId up_to_commit(LineId edge);
  std::vector<LineId> joined(std::vector<LineId> lines, bool round);

  bool two_points_;
  WriterOf writer_of_;
  ReaderOf reader_of_;
  Proof proof_;
  std::vector<Ends> ends_{{}};  // by line; numbers begin at 1
  std::unordered_map<Key, LineId, KeyHash> facts_;
  std::map<Literal, std::vector<LineId>> known_;  // the open lines that say so
  std::vector<std::vector<LineId>> needs_{{}};    // by line: what it rests on
  std::map<LineId, std::vector<Literal>> clauses_;
  std::vector<Literal> supposed_;  // in the open scope
  LineId scope_ = 0;               // its first line
};

// The same proof for a stronger level, which may have another number of points.
Proof adapt(const Proof& proof, ProofBuilder builder);

}  // namespace assay
