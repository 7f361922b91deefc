#include "saturation/weak_levels.h"

#include <algorithm>

#include "dependency/ranks.h"
#include "graph/clocks.h"
#include "saturation/chains.h"

namespace assay {
namespace {

// Why one transaction commits before another.
struct Cause {
  Rule rule;  // Session, Reads, Observed; or Missed: `from`, in the reader's view, writes the key too
  TxnId from, to;
  OpId op{};
  TxnId reader{};
};

class Judge {
 public:
  Judge(const History& history, const ReadFacts& facts, Level level, ProofBuilder& proof, Budget& budget)
      : h_(history),
        facts_(facts),
        level_(level),
        view_(row(level).view),
        sessions_(row(level).session_order()),
        proof_(proof),
        budget_(budget) {}

  Verdict run() {
    if (sessions_) add_session_order();
    add_reads();
    known_ = edges_.size();
    add_observed();
    if (auto cycle = find_cycle_of_facts()) return *cycle;
    switch (view_) {
      case View::EarlierReads: overrule_by_reads(); break;
      case View::Neighbours:
        overrule_by_reads();
        if (sessions_) overrule_by_session();
        break;
      case View::Past: overrule_by_causes(); break;
      case View::None:
      case View::Order: break;
    }
    if (budget_.is_spent())
      return Undecided{budget_.why() + "; no cycle had been found among reads and sessions"};
    if (stale_) return stale_initial_read();
    if (auto cycle = find_violation(name_of_condition(level_))) return *cycle;
    return Holds{order()};
  }

 private:
  bool counts(TxnId t) const { return facts_.counts[t.index()]; }

  void add(Cause cause) {
    causes_.push_back(cause);
    edges_.push_back({cause.from.value, cause.to.value});
  }

  // An unknown transaction follows its session but precedes nothing in it.
  void add_session_order() {
    for (const SessionId s : h_.sessions()) {
      TxnId last;
      for (const TxnId t : h_.transactions(s)) {
        if (!counts(t)) continue;
        if (!last.is_none()) add({Rule::Session, last, t});
        if (h_.outcome(t) == Outcome::Committed) last = t;
      }
    }
  }

  void add_reads() {
    for (const ReadFact& read : facts_.reads)
      if (!read.writer.is_none()) add({Rule::Reads, read.writer, read.reader, read.op});
  }

  void add_observed() {
    for (const VersionOrder& order : facts_.observed)
      if (!facts_.is_initial(order.before))
        add({Rule::Observed, facts_.writer(order.before), facts_.writer(order.after), order.read});
  }

  // The reader has `seen`, which writes the key too, in its view.
  void overrule(TxnId seen, const ReadFact& read) {
    if (seen == read.writer || seen == read.reader) return;
    const Cause cause{Rule::Missed, seen, read.writer, read.op, read.reader};
    if (!read.writer.is_none()) add(cause);
    else if (!stale_) stale_ = cause;  // nothing comes before the initial transaction
  }

  // --- Views made of reads ---

  struct Seen {
    TxnId writer;
    std::uint32_t first;  // the earliest read from it
  };

  void overrule_by_reads() {
    first_of_key_.assign(h_.key_count(), kNone);
    for (const TxnId t : h_.transactions())
      if (!facts_.of(t).empty()) overrule_by_reads(facts_.of(t));
  }

  void overrule_by_reads(std::span<const ReadFact> reads) {
    next_of_key_.assign(reads.size(), kNone);  // the reads of each key, as linked lists
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      next_of_key_[i] = first_of_key_[reads[i].key.index()];
      first_of_key_[reads[i].key.index()] = i;
    }
    seen_writers_.clear();
    for (std::uint32_t i = 0; i < reads.size(); ++i)
      if (!reads[i].writer.is_none()) seen_writers_.push_back({reads[i].writer, i});
    std::ranges::stable_sort(seen_writers_, {}, &Seen::writer);
    for (std::size_t i = 0; i < seen_writers_.size(); ++i)
      if (i == 0 || seen_writers_[i].writer != seen_writers_[i - 1].writer)
        overrule_by_writer(reads, seen_writers_[i]);
    for (const ReadFact& read : reads) first_of_key_[read.key.index()] = kNone;
  }

  // The keys that both the writer wrote and the reader read, walking the shorter list. At rc only what
  // was read later counts.
  void overrule_by_writer(std::span<const ReadFact> reads, Seen seen) {
    const bool only_later = view_ == View::EarlierReads;
    const auto written = facts_.written_by(seen.writer);
    if (written.size() <= reads.size()) {
      for (const KeyId key : written)
        for (std::uint32_t i = first_of_key_[key.index()]; i != kNone; i = next_of_key_[i])
          if (!only_later || is_later(reads[i], reads[seen.first])) overrule(seen.writer, reads[i]);
    } else {
      for (std::uint32_t i = only_later ? seen.first + 1 : 0; i < reads.size(); ++i)
        if (facts_.writes_key(seen.writer, reads[i].key) &&
            (!only_later || is_later(reads[i], reads[seen.first])))
          overrule(seen.writer, reads[i]);
    }
  }

  // What one statement reads it reads at once.
  bool is_later(const ReadFact& read, const ReadFact& than) const {
    return h_.statement(read.op) > h_.statement(than.op);
  }

  void overrule_by_session() {
    std::vector<TxnId> last_writer(h_.key_count());
    for (const SessionId s : h_.sessions()) {
      for (const TxnId t : h_.transactions(s)) {
        if (!counts(t)) continue;
        for (const ReadFact& read : facts_.of(t))
          if (const TxnId seen = last_writer[read.key.index()]; !seen.is_none()) overrule(seen, read);
        if (h_.outcome(t) == Outcome::Committed)
          for (const KeyId key : facts_.written_by(t)) last_writer[key.index()] = t;
      }
      for (const TxnId t : h_.transactions(s))
        for (const KeyId key : facts_.written_by(t)) last_writer[key.index()] = TxnId::none();
    }
  }

  // --- Views made of everything that happened before ---

  // Of those in the view only the ones that are not known to precede the writer anyway. So many chains at a
  // time that their clocks need little memory, however many there are.
  void overrule_by_causes() {
    const ChainCover cover = transaction_chains(h_, facts_, sessions_).cover;
    const ChainWriters writers(facts_, cover, h_.key_count());
    const auto chains = static_cast<std::uint32_t>(cover.chain_count());
    const auto at_a_time = static_cast<std::uint32_t>(
        std::max(kFewestChains, kBytesOfClocks / (sizeof(std::uint32_t) * (h_.transaction_count() + 1))));
    for (std::uint32_t first = 0; first < chains && !budget_.is_spent();
         first += std::min(at_a_time, chains - first))
      overrule_by_causes(cover, writers, {first, first + std::min(at_a_time, chains - first)});
  }

  void overrule_by_causes(const ChainCover& cover, const ChainWriters& writers, ChainRange chains) {
    Clocks clocks(part_of(cover, chains));
    clocks.take(std::span(edges_).first(known_), budget_);  // no cycle: looked for before
    if (budget_.is_spent()) return;
    const std::vector<std::uint32_t> nothing(chains.count());
    std::size_t looked_at = 0;
    for (const ReadFact& read : facts_.reads) {
      if (++looked_at % kReadsBetweenLooks == 0 && budget_.is_spent()) return;
      const std::uint32_t* view = clocks.row(read.reader.value);
      const std::uint32_t* settled = read.writer.is_none() ? nothing.data() : clocks.row(read.writer.value);
      writers.last_between(
          read.key, chains, [&](std::uint32_t chain) { return settled[chain - chains.first]; },
          [&](std::uint32_t chain) { return view[chain - chains.first]; }, read.writer,
          [&](const ChainWriters::Writer& seen) { overrule(writers.txn(seen), read); });
    }
  }

  static ChainCover part_of(const ChainCover& cover, ChainRange chains) {
    if (chains.count() == cover.chain_count()) return cover;
    ChainCover part = cover;
    for (std::uint32_t& chain : part.chain)
      chain = chain >= chains.first && chain < chains.beyond ? chain - chains.first : ChainCover::kNone;
    part.length.assign(cover.length.begin() + chains.first, cover.length.begin() + chains.beyond);
    return part;
  }

  // --- The graph ---

  std::optional<Violated> find_violation(Anomaly anomaly) {
    const auto cycle = find_cycle(Digraph(h_.transaction_count(), edges_));
    return cycle.empty() ? std::nullopt : std::optional(violated(cycle, anomaly));
  }

  std::optional<Violated> find_cycle_of_facts() {
    const auto cycle = find_cycle(Digraph(h_.transaction_count(), edges_));
    if (cycle.empty()) return std::nullopt;
    const auto is = [&](Rule rule) {
      return [this, rule](std::uint32_t edge) { return causes_[edge].rule == rule; };
    };
    const bool is_g0 =
        std::ranges::any_of(cycle, is(Rule::Observed)) && std::ranges::none_of(cycle, is(Rule::Reads));
    return violated(cycle, is_g0 ? Anomaly::G0 : Anomaly::G1c);
  }

  Violated violated(std::span<const std::uint32_t> cycle, Anomaly anomaly) {
    std::vector<Cause> path;
    for (const std::uint32_t edge : cycle) {
      const Cause& next = causes_[edge];
      const bool same_list = next.rule == Rule::Observed && !path.empty() &&
                             path.back().rule == Rule::Observed && path.back().op == next.op;
      if (same_list) path.back().to = next.to;
      else path.push_back(next);
    }
    std::vector<LineId> lines;
    for (const Cause& cause : path) lines.push_back(line(cause));
    proof_.refute(std::move(lines));
    return violated(anomaly);
  }

  Violated stale_initial_read() {
    proof_.stale(stale_->op, stale_->from, view(*stale_));
    return violated(view_ == View::Past ? Anomaly::StaleInitialRead : name_of_condition(level_));
  }

  Violated violated(Anomaly anomaly) {
    Proof proof = proof_.take();
    const bool by_session = uses_session_order(proof);
    return {anomaly, by_session, std::move(proof)};
  }

  // --- The proof ---

  LineId line(const Cause& cause) {
    if (cause.rule == Rule::Session) return proof_.session(cause.from, cause.to);
    if (cause.rule == Rule::Reads) return proof_.reads(cause.op);
    if (cause.rule == Rule::Observed) return proof_.observed(cause.op, cause.from, cause.to);
    return proof_.missed(cause.op, cause.from, view(cause));
  }

  // Why cause.from is in the view of cause.reader.
  LineId view(const Cause& cause) {
    if (view_ == View::Past) return causal_path(cause.from, cause.reader);
    for (const ReadFact& read : facts_.of(cause.reader))
      if (read.writer == cause.from) return proof_.reads(read.op);
    return proof_.session(cause.from, cause.reader);
  }

  LineId causal_path(TxnId from, TxnId to) {
    const Digraph known(h_.transaction_count(), std::span(edges_).first(known_));
    std::vector<std::uint32_t> by(h_.transaction_count(), kNone), open{from.value};
    for (std::size_t i = 0; i < open.size() && by[to.index()] == kNone; ++i) {
      const auto successors = known.successors(open[i]);
      for (std::size_t j = 0; j < successors.size(); ++j)
        if (by[successors[j]] == kNone) {
          by[successors[j]] = known.edge(open[i], j);
          open.push_back(successors[j]);
        }
    }
    std::vector<LineId> lines;
    for (std::uint32_t at = to.value; at != from.value; at = edges_[by[at]].from)
      lines.push_back(line(causes_[by[at]]));
    std::ranges::reverse(lines);
    return proof_.path(std::move(lines));
  }

  // As near to the clocks as can be: that explains most of what the graph does not know of
  // (check/statement_views.h).
  Order order() const {
    Order result;
    const std::vector<std::uint32_t> rank = ranks(h_);
    std::vector<std::uint32_t> by_rank(rank.size());
    for (std::uint32_t t = 0; t < rank.size(); ++t) by_rank[rank[t]] = t;
    const auto in_order = topological_order(Digraph(h_.transaction_count(), edges_), by_rank);
    for (const std::uint32_t t : *in_order)
      if (facts_.counts[t]) result.push_back({TxnId(t)});
    return result;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kBytesOfClocks = std::size_t{64} << 20, kFewestChains = 16;
  static constexpr std::size_t kReadsBetweenLooks = 1024;

  const History& h_;
  const ReadFacts& facts_;
  const Level level_;
  const View view_;
  const bool sessions_;
  ProofBuilder& proof_;
  Budget& budget_;
  std::vector<Edge> edges_;
  std::vector<Cause> causes_;  // of edges_
  std::size_t known_ = 0;      // edges that views are made of: sessions and reads
  std::optional<Cause> stale_;

  std::vector<std::uint32_t> first_of_key_, next_of_key_;
  std::vector<Seen> seen_writers_;
};

}  // namespace

Verdict judge_weak_level(const History& history, const ReadFacts& facts, Level level, ProofBuilder proof,
                         Budget& budget) {
  ASSAY_REQUIRE(is_weak(level));
  return Judge(history, facts, level, proof, budget).run();
}

}  // namespace assay
