#include "explain/proof_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contract.h"

namespace assay {

using Kind = ProofLine::Kind;

// --- Cycles ---

Steps ProofTeller::cycle(LineId id, const Knowledge& known) {
  const ProofLine& line = outline_.line(id);
  if (line.kind == Kind::Refute) return without_missed(steps(line.lines, known));
  Steps cycle = steps(outline_.about(line).edges, known);
  cycle.push_back(anti_dependency(line.op, TxnId::none(), line.a, {}));
  return without_missed(std::move(cycle));
}

// Replaces each write order A -> W that is known because R read W's version and missed A's. Its reason is a
// path from A to R, and the rest of the cycle leads from W to A. So R missed A's write: the path and the
// anti-dependency R -> A form a cycle by themselves, and the rest shows that A overwrote W's version.
Steps ProofTeller::without_missed(Steps cycle) const {
  for (;;) {
    auto missed = std::ranges::find_if(cycle, [&](const Dependency& d) {
      return d.kind == Dependency::Kind::Ww && d.reason && !d.reason->missed.is_none();
    });
    if (missed == cycle.end()) return cycle;
    std::ranges::rotate(cycle, missed);
    const Dependency order = std::move(cycle.front());
    cycle.erase(cycle.begin());
    Steps shorter = order.reason->steps;
    shorter.push_back(anti_dependency(order.reason->missed, order.to, order.from, std::move(cycle)));
    cycle = std::move(shorter);
  }
}

// --- Edges ---

Steps ProofTeller::path(LineId id, const Knowledge& known) { return steps(std::span(&id, 1), known); }

Steps ProofTeller::steps(std::span<const LineId> lines, const Knowledge& known) {
  Steps result;
  for (const LineId line : lines) add(line, known, result);
  return result;
}

void ProofTeller::add(LineId id, const Knowledge& known, Steps& out) {
  if (outline_.is_premise(id)) {
    const Steps& told = known.at(*outline_.literal(id))->told;
    out.insert(out.end(), told.begin(), told.end());
    return;
  }
  const ProofLine& line = outline_.line(id);
  if (line.kind == Kind::Own) return;
  if (line.kind == Kind::Path) {
    for (const LineId part : line.lines) add(part, known, out);
    return;
  }
  if (const auto told = facts_.find(id); told != facts_.end()) return out.push_back(told->second);
  out.push_back(dependency(line, known));
  ++told_steps_;
  if (outline_.is_fact(id)) facts_.emplace(id, out.back());
}

Dependency ProofTeller::dependency(const ProofLine& line, const Knowledge& known) {
  switch (line.kind) {
    case Kind::Session:
      return {.kind = Dependency::Kind::So,
              .from = line.a,
              .to = line.b,
              .sentence = words_.session_order(line.a, line.b)};
    case Kind::Realtime:
      return {.kind = Dependency::Kind::Rt,
              .from = line.a,
              .to = line.b,
              .sentence = words_.real_time(line.first(), line.second(), level_)};
    case Kind::Reads: return source(line.op, outline_.about(line).writer);
    case Kind::Missed: return missed(line, known);
    case Kind::Overwritten: {
      const auto about = outline_.about(line);
      return anti_dependency(line.op, about.writer, line.a, steps(about.edges, known));
    }
    case Kind::Exclusive: return exclusive(line, known);
    default: ASSAY_ASSERT(line.kind == Kind::Observed); return observed(line);
  }
}

Dependency ProofTeller::source(OpId read, TxnId writer) const {
  return {.kind = Dependency::Kind::Wr,
          .from = writer,
          .to = reader(read),
          .key = h_.key(read),
          .operations = {last_write(writer, h_.key(read)), read},
          .sentence = words_.read_from(read, writer)};
}

// `order`: the path from the writer of the version to the transaction that overwrote it; empty for the
// initial version.
Dependency ProofTeller::anti_dependency(OpId read, TxnId writer, TxnId overwriting, Steps order) const {
  const KeyId key = h_.key(read);
  const OpId write = h_.is_list(key) ? first_write(overwriting, key) : last_write(overwriting, key);
  Dependency result{.kind = Dependency::Kind::Rw,
                    .from = reader(read),
                    .to = overwriting,
                    .key = key,
                    .operations = {read, write},
                    .sentence = words_.read_older(read, writer, write)};
  if (!writer.is_none()) result.operations.push_back(last_write(writer, key));
  if (order.empty()) return result;
  order = without_detour(std::move(order));
  const bool is_of_writers =
      order.size() == 1 && order[0].kind == Dependency::Kind::Ww && order[0].key == result.key;
  result.inferred = !is_of_writers || order[0].inferred;
  if (is_of_writers && !order[0].supposed) {
    result.reason = order[0].reason;
    if (!order[0].inferred) result.operations.push_back(order[0].operations.back());
  } else {
    result.reason = reason(
        {.sentence = words_.wrote_before(writer, overwriting, result.key) + ".", .steps = std::move(order)});
  }
  return result;
}

// If a path from W to A ends in an anti-dependency whose own reason is a path from W to A, returns the
// latter.
Steps ProofTeller::without_detour(Steps order) {
  for (;;) {
    const Dependency& last = order.back();
    if (order.size() < 2 || last.kind != Dependency::Kind::Rw || !last.reason) return order;
    const Steps& shorter = last.reason->steps;
    const bool is_same =
        !shorter.empty() && shorter.front().from == order.front().from && shorter.back().to == last.to;
    if (!is_same) return order;
    order = Steps(shorter);
  }
}

Dependency ProofTeller::missed(const ProofLine& line, const Knowledge& known) {
  const KeyId key = h_.key(line.op);
  const auto [writer, edges] = outline_.about(line);
  const std::string order = words_.wrote_before(line.a, writer, key);
  Dependency result = write_order(line.a, writer, key, order + ".");
  result.reason =
      reason({.sentence = fmt::format("{}, for otherwise {} would have seen {}.", order,
                                      words_.of(reader(line.op)), words_.of(last_write(line.a, key))),
              .reads = {line.op},
              .supposed = Reason::Order{writer, line.a},
              .missed = line.op,
              .steps = steps(edges, known)});
  return result;
}

Dependency ProofTeller::exclusive(const ProofLine& line, const Knowledge& known) {
  const KeyId key = h_.key(line.op);
  const std::string order = words_.wrote_before(line.a, line.b, key);
  Dependency result = write_order(line.a, line.b, key, order + ".");
  Steps path = steps(line.lines, known);
  if (path.size() == 1 && path[0].kind == Dependency::Kind::Ww && path[0].key == key) return path[0];
  const std::string sentence = fmt::format("{}: both write {}, and {} took its snapshot before {} committed.",
                                           order, words_.of(key), words_.of(line.a), words_.of(line.b));
  result.reason =
      reason({.sentence = sentence, .supposed = Reason::Order{line.b, line.a}, .steps = std::move(path)});
  return result;
}

Dependency ProofTeller::observed(const ProofLine& line) const {
  const KeyId key = h_.key(line.op);
  const OpId first = first_write(line.a, key), second = first_write(line.b, key);
  return {.kind = Dependency::Kind::Ww,
          .from = line.a,
          .to = line.b,
          .key = key,
          .operations = {first, second, line.op},
          .sentence = words_.shown(line.op, first, second)};
}

Dependency ProofTeller::supposed(const Literal& order) const {
  const KeyId key = common_key(order, {});
  Dependency result =
      write_order(order.p.txn, order.q.txn, key, fmt::format("Suppose {}.", claim(order, key)));
  result.inferred = false;
  result.supposed = true;
  return result;
}

Dependency ProofTeller::refuted(const Literal& order, Steps cycle) const {
  const KeyId key = common_key(order, cycle);
  const std::string so = claim(order, key);
  Dependency result = write_order(order.p.txn, order.q.txn, key, so + ".");
  result.reason = reason({.sentence = fmt::format("{}: the other way round, there would be a cycle.", so),
                          .supposed = Reason::Order{order.q.txn, order.p.txn},
                          .steps = std::move(cycle)});
  return result;
}

std::string ProofTeller::claim(const Literal& order, KeyId key) const {
  const bool are_commits = order.p.commit && order.q.commit;
  return are_commits ? words_.wrote_before(order.p.txn, order.q.txn, key)
                     : words_.was_before(order.p, order.q);
}

Dependency ProofTeller::write_order(TxnId first, TxnId second, KeyId key, std::string sentence) const {
  Dependency result{.kind = Dependency::Kind::Ww, .from = first, .to = second, .key = key};
  if (!key.is_none()) result.operations = {last_write(first, key), last_write(second, key)};
  result.inferred = true;
  result.sentence = Words::sentence(std::move(sentence));
  return result;
}

// Adds to the reason the reads behind its steps, and those behind the reasons of its steps.
std::shared_ptr<const Reason> ProofTeller::reason(Reason why) const {
  const auto add = [&](const std::vector<OpId>& operations) {
    for (const OpId op : operations)
      if (!is_item_write(h_.kind(op)) && std::ranges::find(why.reads, op) == why.reads.end())
        why.reads.push_back(op);
  };
  for (const Dependency& step : why.steps) {
    add(step.operations);
    if (step.reason) add(step.reason->reads);
  }
  why.sentence = Words::sentence(std::move(why.sentence));
  return std::make_shared<const Reason>(std::move(why));
}

// --- Operations ---

OpId ProofTeller::first_write(TxnId t, KeyId key) const {
  for (const OpId op : h_.operations(t))
    if (is_item_write(h_.kind(op)) && h_.key(op) == key) return op;
  ASSAY_ASSERT(false);
  return OpId::none();
}

OpId ProofTeller::last_write(TxnId t, KeyId key) const {
  OpId last;
  for (const OpId op : h_.operations(t))
    if (is_item_write(h_.kind(op)) && h_.key(op) == key) last = op;
  ASSAY_ASSERT(!last.is_none());
  return last;
}

// A key that both write, if the order is one of two commits; preferably one that the steps are about.
KeyId ProofTeller::common_key(const Literal& order, const Steps& steps) const {
  if (!order.p.commit || !order.q.commit) return KeyId::none();
  const auto is_common = [&](KeyId key) {
    return !key.is_none() && outline_.reads().writes(order.p.txn, key) &&
           outline_.reads().writes(order.q.txn, key);
  };
  for (const Dependency& step : steps)
    if (is_common(step.key)) return step.key;
  for (const KeyId key : h_.keys())
    if (is_common(key)) return key;
  return KeyId::none();
}

}  // namespace assay
