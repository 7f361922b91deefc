// Checks a proof that a level is violated. Each line must follow from the history, the level and the open
// lines, and the last one must close a scope without suppositions. The rules are the table of
// docs/certificates.md; each has a function of its name here. The cost of a line is the number of lines that
// it names, or of literals of the clause that it states or uses.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/certify.h"
#include "certify/clocks.h"
#include "certify/proof_operands.h"
#include "certify/shown_lists.h"

namespace assay {
namespace {

class ProofCheck : private ProofOperands {
 public:
  ProofCheck(const History& history, Level level, std::int64_t skew)
      : ProofOperands(history, level), skew_(skew), shown_(h_, reads_) {}

  Result<void> run(const Proof& proof) {
    LineId last = 0;
    for (const ProofLine& line : proof) {
      const auto fail = [&](Error e) {
        e.what = fmt::format("line {} ({}): {}", line.id, name(line.kind), e.what);
        return e;
      };
      if (proved_) return fail(error("the proof has ended before it"));
      if (line.id <= last) return fail(error("the numbers of lines must increase"));
      last = line.id;
      if (auto result = check(line); !result) return fail(std::move(result).error());
    }
    if (!proved_) return error("the proof does not end in a contradiction without suppositions");
    return {};
  }

 private:
  using Kind = Rule;

  Result<void> check(const ProofLine& line) {
    switch (line.kind) {
      case Kind::Session: return session(line);
      case Kind::Reads: return reads(line);
      case Kind::Own: return own(line);
      case Kind::Path: return path(line);
      case Kind::Missed: return missed(line);
      case Kind::Overwritten: return overwritten(line);
      case Kind::Exclusive: return exclusive(line);
      case Kind::Observed: return observed(line);
      case Kind::Realtime: return realtime(line);
      case Kind::Candidates: return candidates(line);
      case Kind::Implies: return implies(line);
      case Kind::Shows: return shows(line);
      case Kind::Matched:
      case Kind::Unmatched: return decided(line);
      case Kind::Suppose: return suppose(line);
      case Kind::From:
      case Kind::NotFrom: return suppose_source(line);
      case Kind::Counts:
      case Kind::Absent: return suppose_outcome(line);
      case Kind::Took:
      case Kind::Left: return suppose_truth(line);
      case Kind::Unit: return unit(line);
      case Kind::Refute: return refute(line);
      case Kind::Stale: return stale(line);
      case Kind::Falsified: return falsified(line);
      case Kind::Crowded: return crowded(line);
      case Kind::TooMany:
      case Kind::TooFew: return wrong_count(line);
      case Kind::WrongRead: return wrong(line);
    }
    return error("there is no such kind of line");
  }

  Result<void> establish(const ProofLine& line, Point from, Point to, bool causal = false) {
    lines_.open(line, Literal::before(from, to), causal);
    return {};
  }

  // Lines that establish an edge.

  Result<void> session(const ProofLine& line) {
    ASSAY_TRY(counted(line.a));
    ASSAY_TRY(exists(line.b));
    if (!rules_.session_order) return error(fmt::format("{} has no session order", id(level_)));
    if (h_.session(line.a) != h_.session(line.b) || h_.position(line.a) >= h_.position(line.b))
      return error(fmt::format("{} does not precede {} in a session", called(line.a), called(line.b)));
    if (h_.outcome(line.a) == Outcome::Unknown)
      return error(fmt::format("the outcome of {} is unknown", called(line.a)));
    return establish(line, c(line.a), s(line.b), true);
  }

  Result<void> reads(const ProofLine& line) {
    if (auto reader = counted_owner(line.op); !reader) return reader.error();
    const auto w = only_writer(line.op);
    if (!w) return w.error();
    if (w->is_none()) return error(fmt::format("{} reads the initial version", called(h_, line.op)));
    lines_.open(line, Literal::from(line.op, *w));
    return {};
  }

  Result<void> own(const ProofLine& line) {
    ASSAY_TRY(exists(line.a));
    if (!rules_.two_points) return error(fmt::format("{} has no snapshots", id(level_)));
    return establish(line, s(line.a), c(line.a));
  }

  Result<void> path(const ProofLine& line) {
    bool causal = true;
    const auto all = joined(line, causal);
    if (!all) return all.error();
    return establish(line, all->from, all->to, causal);
  }

  Result<void> missed(const ProofLine& line) {
    const auto about = operands_besides(line, line.a);
    if (!about) return about.error();
    if (about->writer.is_none())
      return error(fmt::format("{} reads the initial version: that is stale", called(h_, line.op)));
    ASSAY_TRY(in_view(line, about->edges));
    return establish(line, c(line.a), c(about->writer));
  }

  Result<void> overwritten(const ProofLine& line) {
    const auto about = operands_besides(line, line.a);
    if (!about) return about.error();
    if (!rules_.total) return error(fmt::format("{} does not have this rule", id(level_)));
    if (!about->writer.is_none()) ASSAY_TRY(one_edge(about->edges, c(about->writer), c(line.a)));
    else if (!about->edges.empty()) return error("the initial version needs no edge");
    return establish(line, s(reads_.transaction(line.op)), c(line.a));
  }

  Result<void> exclusive(const ProofLine& line) {
    const auto a = owner(line.op);
    if (!a) return a.error();
    ASSAY_TRY(exists(*a));
    ASSAY_TRY(exists(line.b));
    if (!rules_.exclusive) return error(fmt::format("{} does not have this rule", id(level_)));
    if (line.a != *a)
      return error(fmt::format("{} is not an operation of {}", called(h_, line.op), called(line.a)));
    if (line.a == line.b) return error("it needs two transactions");
    const bool a_writes =
        is_item_write(h_.kind(line.op)) || (h_.is_conditional_write(line.op) && lines_.took(line.op));
    if (!a_writes || !writes(line.b, h_.key(line.op)))
      return error(
          fmt::format("{} is no write of a key that {} writes", called(h_, line.op), called(line.b)));
    ASSAY_TRY(one_edge(line.lines, s(line.a), c(line.b)));
    return establish(line, c(line.a), s(line.b));
  }

  Result<void> observed(const ProofLine& line) {
    if (auto reader = counted_owner(line.op); !reader) return reader.error();
    ASSAY_TRY(counted(line.a));
    ASSAY_TRY(exists(line.b));
    if (line.a == line.b) return error("it needs two transactions");
    if (h_.kind(line.op) != OpKind::ListRead)
      return error(fmt::format("{} is no list read", called(h_, line.op)));
    const std::uint32_t first_of_a = shown_.places(line.op, line.a).first;
    const auto [first_of_b, last_of_b, hidden_of_b] = shown_.places(line.op, line.b);
    if (first_of_a == 0)
      return error(fmt::format("the list shows no element that only {} appended", called(line.a)));
    if (last_of_b < first_of_a && !hidden_of_b)
      return error(fmt::format("the list does not show {} before {}", called(line.a), called(line.b)));
    return establish(line, c(line.a), c(line.b));
  }

  Result<void> realtime(const ProofLine& line) {
    ASSAY_TRY(two_points(line));
    ASSAY_TRY(counted(line.a));
    if (line.a == line.b) return error("it needs two transactions");
    if (!orders_by_clock(rules_, line.a_commits, line.b_commits))
      return error(fmt::format("{} does not have this rule for {} and {}", id(level_), called(line.first()),
                               called(line.second())));
    if (!is_earlier(interval_of(h_, line.first(), rules_), interval_of(h_, line.second(), rules_), skew_))
      return error(
          fmt::format("no clock tells that {} is before {}", called(line.first()), called(line.second())));
    return establish(line, line.first(), line.second());
  }

  // Clauses that the history gives.

  Result<void> candidates(const ProofLine& line) {
    ASSAY_TRY(external_read(line.op));
    std::vector<Literal> clause;
    for (const TxnId writer : reads_.possible_writers(line.op))
      clause.push_back(Literal::from(line.op, writer));
    if (const TxnId reader = reads_.transaction(line.op); !reads_.counts(reader))
      clause.push_back(Literal::absent(reader));
    lines_.open_clause(line, std::move(clause));
    return {};
  }

  Result<void> implies(const ProofLine& line) {
    ASSAY_TRY(possible_writer(line.op, line.a));
    if (const OpId write = reads_.conditional_write_of(line.op, line.a); !write.is_none()) {
      lines_.open_clause(line, {Literal::not_from(line.op, line.a), Literal::took(write)});
      return {};
    }
    if (line.a.is_none() || reads_.counts(line.a)) return error("it needs a writer that may be absent");
    lines_.open_clause(line, {Literal::not_from(line.op, line.a), Literal::counts(line.a)});
    return {};
  }

  Result<void> shows(const ProofLine& line) {
    const auto reader = owner(line.op);
    if (!reader) return reader.error();
    ASSAY_TRY(exists(*reader));
    ASSAY_TRY(exists(line.a));
    if (h_.kind(line.op) != OpKind::ListRead)
      return error(fmt::format("{} is no list read", called(h_, line.op)));
    if (reads_.counts(*reader) || reads_.counts(line.a)) return error("it needs two that may be absent");
    if (shown_.places(line.op, line.a).first == 0)
      return error(fmt::format("the list shows no element that only {} appended", called(line.a)));
    lines_.open_clause(line, {Literal::absent(*reader), Literal::counts(line.a)});
    return {};
  }

  Result<void> decided(const ProofLine& line) {
    ASSAY_TRY(conditional(line.op));
    const bool took = line.kind == Kind::Matched;
    ASSAY_TRY(external_read(line.op));
    std::vector<Literal> clause{took ? Literal::left(line.op) : Literal::took(line.op)};
    for (const TxnId writer : reads_.deciding_writers(line.op, took))
      clause.push_back(Literal::from(reads_.first_read(line.op), writer));
    lines_.open_clause(line, std::move(clause));
    return {};
  }

  // Suppositions and what closes them.

  Result<void> suppose_truth(const ProofLine& line) {
    ASSAY_TRY(conditional(line.op));
    lines_.suppose(line, line.kind == Kind::Took ? Literal::took(line.op) : Literal::left(line.op));
    return {};
  }

  Result<void> suppose(const ProofLine& line) {
    ASSAY_TRY(two_points(line));
    if (line.first() == line.second()) return error("it needs two points");
    if (orders_writers_only(level_) && std::ranges::none_of(reads_.keys_written(line.a), [&](KeyId key) {
          return reads_.writes(line.b, key);
        }))
      return error(fmt::format("{} and {} write no common key", called(line.a), called(line.b)));
    lines_.suppose(line, Literal::before(line.first(), line.second()));
    return {};
  }

  Result<void> suppose_source(const ProofLine& line) {
    ASSAY_TRY(possible_writer(line.op, line.a));
    lines_.suppose(
        line, line.kind == Kind::From ? Literal::from(line.op, line.a) : Literal::not_from(line.op, line.a));
    return {};
  }

  Result<void> suppose_outcome(const ProofLine& line) {
    ASSAY_TRY(exists(line.a));
    if (h_.outcome(line.a) != Outcome::Unknown)
      return error(fmt::format("the outcome of {} is known", called(line.a)));
    lines_.suppose(line, line.kind == Kind::Counts ? Literal::counts(line.a) : Literal::absent(line.a));
    return {};
  }

  Result<void> unit(const ProofLine& line) {
    const auto left = lines_.unrefuted(line.clause);
    if (!left) return left.error();
    if (left->size() != 1)
      return error(
          fmt::format("{} literals of clause {} are not refuted, not one", left->size(), line.clause));
    lines_.open(line, left->front());
    return {};
  }

  Result<void> falsified(const ProofLine& line) {
    const auto left = lines_.unrefuted(line.clause);
    if (!left) return left.error();
    if (!left->empty()) return error(fmt::format("not every literal of clause {} is refuted", line.clause));
    return close(line);
  }

  // Two transactions that read one version of a key and write the key would be a lost update.
  Result<void> crowded(const ProofLine& line) {
    if (row(level_).view != View::Order || (rules_.two_points && !rules_.exclusive))
      return error(fmt::format("{} does not have this rule", id(level_)));
    std::set<TxnId> readers, writers;
    KeyId key;
    for (const LineId clause : line.lines) {
      const auto left = lines_.unrefuted(clause);
      if (!left) return left.error();
      OpId read;
      for (const Literal& literal : *left) {
        if (literal.kind != Rule::From || (!read.is_none() && literal.op != read))
          return error(fmt::format("clause {} does not say who wrote what a read returned", clause));
        read = literal.op;
        writers.insert(literal.txn);
      }
      if (read.is_none()) return error(fmt::format("every literal of clause {} is refuted", clause));
      const TxnId reader = reads_.transaction(read);
      if (!key.is_none() && h_.key(read) != key) return error("its reads are not of one key");
      key = h_.key(read);
      ASSAY_TRY(counted(reader));
      if (!writes(reader, key))
        return error(fmt::format("{} does not write the key that it reads", called(reader)));
      if (!readers.insert(reader).second) return error(fmt::format("it names {} twice", called(reader)));
    }
    if (readers.size() <= writers.size())
      return error(fmt::format("{} transactions may have read from {}", readers.size(), writers.size()));
    return close(line);
  }

  Result<void> refute(const ProofLine& line) {
    bool causal = true;
    const auto all = joined(line, causal);
    if (!all) return all.error();
    if (all->from != all->to)
      return error(
          fmt::format("the edges lead from {} to {}, which is no cycle", called(all->from), called(all->to)));
    return close(line);
  }

  Result<void> stale(const ProofLine& line) {
    const auto about = operands_besides(line, line.a);
    if (!about) return about.error();
    if (!about->writer.is_none())
      return error(fmt::format("{} does not read the initial version", called(h_, line.op)));
    ASSAY_TRY(in_view(line, about->edges));
    return close(line);
  }

  Result<void> wrong_count(const ProofLine& line) {
    ASSAY_TRY(conditional(line.op));
    const auto count = h_.count(line.op);
    if (!count) return error(fmt::format("{} does not say how many rows it changed", called(h_, line.op)));
    const auto all = reads_.conditional_writes(line.op);
    const bool took = line.kind == Kind::TooMany;
    const auto is_so = [&](OpId op) { return took ? lines_.took(op) : lines_.left(op); };
    for (const LineId id : line.lines)
      if (const auto open = lines_.find(id); !open) return open.error();
    const std::uint64_t most = took ? *count : all.size() - *count;
    if (static_cast<std::uint64_t>(std::ranges::count_if(all, is_so)) <= most)
      return error(fmt::format("of the rows of {} no more than {} are known to have been {}",
                               called(h_, line.op), most, took ? "changed" : "left"));
    return close(line);
  }

  Result<void> wrong(const ProofLine& line) {
    const auto reader = counted_owner(line.op);
    if (!reader) return reader.error();
    if (!reads_.is_wrong(line.op)) return error(fmt::format("{} may be right", called(h_, line.op)));
    proved_ = true;
    return {};
  }

  Result<void> close(const ProofLine& line) {
    proved_ = !lines_.close(line);
    return {};
  }

  const std::int64_t skew_;
  ShownLists shown_;
  bool proved_ = false;
};

}  // namespace

Result<void> certify(const History& history, Level level, const Proof& proof, std::int64_t skew) {
  ASSAY_TRY(certifiable(history, level, skew));
  return ProofCheck(history, level, skew).run(proof);
}

}  // namespace assay
