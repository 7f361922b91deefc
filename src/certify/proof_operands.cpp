#include "certify/proof_operands.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {

std::string called(Point p) { return fmt::format("{}{}", p.commit ? 'c' : 's', p.txn.index() + 1); }

Result<void> ProofOperands::exists(TxnId t) const {
  if (t.index() >= h_.transaction_count()) return error("it names a transaction that does not exist");
  if (!reads_.may_have_happened(t)) return error(fmt::format("{} does not count", called(t)));
  return {};
}

Result<void> ProofOperands::counted(TxnId t) const {
  ASSAY_TRY(exists(t));
  if (!lines_.counts(t)) return error(fmt::format("{} does not count", called(t)));
  return {};
}

bool ProofOperands::writes(TxnId t, KeyId key) const {
  if (reads_.writes(t, key)) return true;
  const OpId write = reads_.conditional_write(t, key);
  return !write.is_none() && lines_.took(write);
}

Result<void> ProofOperands::conditional(OpId op) const {
  if (op.index() >= h_.operation_count()) return error("it names an operation that does not exist");
  if (!h_.is_conditional_write(op)) return error(fmt::format("{} is no conditional write", called(h_, op)));
  return {};
}

Result<TxnId> ProofOperands::owner(OpId op) const {
  if (op.index() >= h_.operation_count()) return error("it names an operation that does not exist");
  return reads_.transaction(op);
}

Result<TxnId> ProofOperands::counted_owner(OpId op) const {
  auto t = owner(op);
  if (t) ASSAY_TRY(counted(*t));
  return t;
}

Result<void> ProofOperands::external_read(OpId op) const {
  const auto t = owner(op);
  if (!t) return t.error();
  ASSAY_TRY(exists(*t));
  if (reads_.kind(op) != Reads::Kind::External)
    return error(fmt::format("{} is no external read", called(h_, op)));
  if (reads_.writer(op).kind == Reads::Writer::Kind::None)
    return error(fmt::format("read {} has no possible writer", called(h_, op)));
  return {};
}

Result<void> ProofOperands::possible_writer(OpId op, TxnId writer) const {
  ASSAY_TRY(external_read(op));
  if (!writer.is_none()) ASSAY_TRY(exists(writer));
  if (!reads_.is_possible_writer(op, writer))
    return error(fmt::format("{} is no possible writer of {}",
                             writer.is_none() ? "the initial transaction" : called(writer), called(h_, op)));
  return {};
}

Result<TxnId> ProofOperands::only_writer(OpId op) const {
  ASSAY_TRY(external_read(op));
  const Reads::Writer writer = reads_.writer(op);
  if (writer.kind == Reads::Writer::Kind::Several)
    return error(
        fmt::format("read {} has more than one possible writer, and no line says which", called(h_, op)));
  return writer.txn;
}

Result<ProofOperands::Operands> ProofOperands::operands(const ProofLine& line) const {
  if (auto reader = counted_owner(line.op); !reader) return reader.error();
  const std::span<const LineId> all = line.lines;
  if (!all.empty())
    if (const auto last = lines_.find(all.back());
        last && (*last)->is_source() && (*last)->literal->op == line.op)
      return Operands{(*last)->literal->txn, all.first(all.size() - 1)};
  const auto writer = only_writer(line.op);
  if (!writer) return writer.error();
  return Operands{*writer, all};
}

Result<ProofOperands::Operands> ProofOperands::operands_besides(const ProofLine& line, TxnId other) const {
  auto about = operands(line);
  if (!about) return about;
  ASSAY_TRY(exists(other));
  if (other == about->writer)
    return error(fmt::format("{} is the one that {} reads from", called(other), called(h_, line.op)));
  if (other == reads_.transaction(line.op))
    return error(fmt::format("{} is the reader itself", called(other)));
  if (!writes(other, h_.key(line.op)))
    return error(fmt::format("{} does not write the key of {}", called(other), called(h_, line.op)));
  return about;
}

Result<void> ProofOperands::one_edge(std::span<const LineId> edges, Point from, Point to) const {
  if (edges.size() != 1) return error("it needs exactly one edge");
  const auto e = lines_.edge(edges[0]);
  if (!e) return e.error();
  if (e->from != from || e->to != to)
    return error(fmt::format("line {} is {} < {}, it needs {} < {}", edges[0], called(e->from), called(e->to),
                             called(from), called(to)));
  return {};
}

Result<void> ProofOperands::in_view(const ProofLine& line, std::span<const LineId> edges) const {
  ASSAY_TRY(one_edge(edges, c(line.a), s(reads_.transaction(line.op))));
  const OpenLine& e = **lines_.find(edges[0]);
  const bool direct = e.is_source() || e.kind == Rule::Session;
  const bool earlier = e.is_source() && h_.statement(e.literal->op) < h_.statement(line.op);
  const auto needed = [&](std::string_view what) {
    return error(fmt::format("at {} line {} must be {}", id(level_), e.id, what));
  };
  switch (row(level_).view) {
    case View::None: return error(fmt::format("{} does not have this rule", id(level_)));
    case View::EarlierReads:
      return earlier ? Result<void>() : needed("an earlier read of the same transaction");
    case View::Neighbours: return direct ? Result<void>() : needed("a reads or a session line");
    case View::Past: return e.causal ? Result<void>() : needed("made of reads and session lines");
    case View::Order: return {};
  }
  return {};
}

Result<PointEdge> ProofOperands::joined(const ProofLine& line, bool& causal) const {
  if (line.lines.empty()) return error("it names no edges");
  std::optional<PointEdge> all;
  for (const LineId id : line.lines) {
    auto next = lines_.edge(id);
    if (!next) return next;
    if (all && all->to != next->from)
      return error(fmt::format("line {} begins at {}, not at {}", id, called(next->from), called(all->to)));
    all = PointEdge{all ? all->from : next->from, next->to};
    causal &= (*lines_.find(id))->causal;
  }
  return *all;
}

Result<void> ProofOperands::two_points(const ProofLine& line) const {
  ASSAY_TRY(exists(line.a));
  ASSAY_TRY(exists(line.b));
  if (!rules_.two_points && !(line.a_commits && line.b_commits))
    return error(fmt::format("{} has no snapshots", id(level_)));
  return {};
}

}  // namespace assay
