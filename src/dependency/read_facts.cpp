#include "dependency/read_facts.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>

#include "dependency/list_facts.h"

namespace assay {
namespace {

class Finder {
 public:
  Finder(const History& history, bool repeatable) : h_(history), repeatable_(repeatable) {}

  Result<ReadFacts> run() {
    ASSAY_TRY(check_kinds());
    index_writes();
    lists_.emplace(h_, facts_);
    ASSAY_TRY(check_unique());
    refute_unknowns();
    decide_what_counts();
    collect();
    if (facts_.wrong.empty()) lists_->observe(facts_);
    return std::move(facts_);
  }

 private:
  // What is known of one value of a key.
  struct Writers {
    TxnId final_writer, aborted, intermediate;
    VersionId version;  // of the final writer
    bool initial = false, several = false;
  };
  struct PerKey {
    std::uint32_t seen = UINT32_MAX;  // the transaction for which the rest is valid
    bool written = false, read = false;
    KeyValueId last_written, first_read;
  };
  struct PerListKey {
    std::vector<KeyValueId> appended;  // own elements so far
    Lists::List first_list;            // the first external part
  };

  struct Written {
    KeyId key;
    std::uint32_t from_the_end;  // of the transaction
    KeyValueId value;
    friend auto operator<=>(const Written&, const Written&) = default;
  };

  Result<void> check_kinds() {
    for (const OpId op : h_.operations()) {
      if (h_.kind(op) > OpKind::ListRead)
        return error("the history has rows or predicates", "check judges reads and writes of single values, and lists");
      has_lists_ |= h_.kind(op) == OpKind::Append || h_.kind(op) == OpKind::ListRead;
    }
    if (has_lists_) list_keys_.resize(h_.key_count());
    return {};
  }

  PerKey& at(KeyId key, TxnId t) {
    PerKey& k = keys_[key.index()];
    if (k.seen != t.value) {
      k = {};
      k.seen = t.value;
      if (has_lists_) list_keys_[key.index()] = {};
    }
    return k;
  }

  void index_writes() {
    writers_.resize(h_.key_value_count());
    for (const KeyId key : h_.keys())
      if (const KeyValueId kv = h_.initial_value(key); !kv.is_none()) writers_[kv.index()].initial = true;

    facts_.write_begin.assign(1, 0);
    std::vector<Written> written;  // by one transaction
    for (const TxnId t : h_.transactions()) {
      std::uint32_t left = static_cast<std::uint32_t>(h_.operations(t).size());
      written.clear();
      for (const OpId op : h_.operations(t)) {
        --left;
        if (is_item_write(h_.kind(op))) written.push_back({h_.key(op), left, h_.value(op)});
      }
      std::ranges::sort(written);
      for (std::size_t i = 0; i < written.size(); ++i) index_write(t, written[i], i == 0 || written[i - 1].key != written[i].key);
      facts_.write_begin.push_back(static_cast<std::uint32_t>(facts_.writes.size()));
    }
  }

  void index_write(TxnId t, const Written& write, bool is_final) {
    Writers& w = writers_[write.value.index()];
    if (h_.outcome(t) == Outcome::Aborted) {
      w.aborted = t;
    } else if (!is_final) {
      if (w.final_writer != t) w.intermediate = t;
    } else {
      w.several |= w.initial || !w.final_writer.is_none();
      w.final_writer = t;
      w.version = VersionId(facts_.writes.size());
      facts_.writes.push_back(write.key);
      facts_.version_writer.push_back(t);
    }
  }

  Result<void> check_unique() {
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (h_.kind(op) == OpKind::Read ? writers_[h_.value(op).index()].several : shows_repeated(op))
          return error(fmt::format("{} in transaction {} has several possible writers", h_.display(h_.key(op)),
                                   h_.display(t)),
                       "check judges histories whose values are written once per key");
    return {};
  }

  bool shows_repeated(OpId op) const {
    return lists_->has_repeated() && h_.kind(op) == OpKind::ListRead &&
           std::ranges::any_of(h_.rows(op), [&](KeyValueId element) { return lists_->is_repeated(element); });
  }

  bool may_have_committed(TxnId t) const { return !t.is_none() && !refuted_[t.index()]; }

  // Goes through the reads of t: calls fact(op, version) and wrong(op, anomaly, other).
  template <class Fact, class Wrong>
  void reads(TxnId t, Fact fact, Wrong wrong) {
    for (const OpId op : h_.operations(t)) {
      PerKey& k = at(h_.key(op), t);
      if (h_.kind(op) == OpKind::ListRead) {
        list_read(t, op, k, list_keys_[h_.key(op).index()], fact, wrong);
        continue;
      }
      const KeyValueId value = h_.value(op);
      if (h_.kind(op) == OpKind::Append) {
        list_keys_[h_.key(op).index()].appended.push_back(value);
        continue;
      }
      if (h_.kind(op) == OpKind::Write) {
        k.written = true;
        k.last_written = value;
        continue;
      }
      if (k.written) {
        if (value != k.last_written) wrong(op, wrote_before(t, op) ? Anomaly::NotOwnLastWrite : Anomaly::NotOwnWrite, t);
        continue;
      }
      if (k.read && repeatable_) {
        if (value != k.first_read) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
        continue;
      }
      k.read = true;
      k.first_read = value;

      const Writers& w = writers_[value.index()];
      if (w.initial) fact(op, facts_.initial_version(h_.key(op)));
      else if (may_have_committed(w.final_writer) && w.final_writer != t) fact(op, w.version);
      else if (w.final_writer == t || w.intermediate == t) wrong(op, Anomaly::FutureRead, t);
      else if (!w.aborted.is_none()) wrong(op, Anomaly::G1a, w.aborted);
      else if (!w.final_writer.is_none()) wrong(op, Anomaly::G1a, w.final_writer);
      else if (!w.intermediate.is_none()) wrong(op, Anomaly::G1b, w.intermediate);
      else wrong(op, Anomaly::ThinAir, TxnId::none());
    }
  }

  // The own elements are at the end; what comes before them is what was read from others.
  template <class Fact, class Wrong>
  void list_read(TxnId t, OpId op, PerKey& k, PerListKey& own, Fact fact, Wrong wrong) {
    const Lists::List list = h_.rows(op);
    if (const auto bad = lists_->wrong_end(t, list, own.appended)) return wrong(op, bad->anomaly, bad->other);
    const Lists::List external = list.first(list.size() - own.appended.size());
    if (k.read && repeatable_) {
      if (!std::ranges::equal(external, own.first_list)) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
      return;
    }
    k.read = true;
    own.first_list = external;
    if (const auto bad = lists_->wrong_blocks(t, list, own.appended, refuted_)) return wrong(op, bad->anomaly, bad->other);
    fact(op, external.empty() ? facts_.initial_version(h_.key(op)) : lists_->version(external.back()));
  }

  bool wrote_before(TxnId t, OpId read) const {
    for (const OpId op : h_.operations(t)) {
      if (op == read) return false;
      if (h_.kind(op) == OpKind::Write && h_.value(op) == h_.value(read)) return true;
    }
    return false;
  }

  void forget_keys() { keys_.assign(h_.key_count(), {}); }

  // An unknown transaction with a wrong read cannot have committed, which may make others wrong.
  void refute_unknowns() {
    refuted_.assign(h_.transaction_count(), false);
    for (bool changed = true; changed;) {
      changed = false;
      forget_keys();
      for (const TxnId t : h_.transactions()) {
        if (h_.outcome(t) != Outcome::Unknown || refuted_[t.index()]) continue;
        bool bad = false;
        reads(t, [](OpId, VersionId) {}, [&](OpId, Anomaly, TxnId) { bad = true; });
        refuted_[t.index()] = bad;
        changed |= bad;
      }
    }
  }

  void decide_what_counts() {
    facts_.counts.assign(h_.transaction_count(), false);
    forget_keys();
    std::vector<TxnId> open;
    for (const TxnId t : h_.transactions())
      if (h_.outcome(t) == Outcome::Committed) {
        facts_.counts[t.index()] = true;
        open.push_back(t);
      }
    if (std::ranges::none_of(h_.transactions(), [&](TxnId t) { return h_.outcome(t) == Outcome::Unknown; })) return;
    const auto count = [&](TxnId writer) {
      if (writer.is_none() || facts_.counts[writer.index()]) return;
      facts_.counts[writer.index()] = true;
      open.push_back(writer);
    };
    while (!open.empty()) {
      const TxnId t = open.back();
      open.pop_back();
      reads(t,
            [&](OpId op, VersionId version) {
              count(facts_.writer(version));
              if (h_.kind(op) == OpKind::ListRead)
                for (const KeyValueId element : h_.rows(op)) count(lists_->writer(element));
            },
            [](OpId, Anomaly, TxnId) {});
    }
  }

  void collect() {
    forget_keys();
    facts_.begin.assign(1, 0);
    for (const TxnId t : h_.transactions()) {
      if (facts_.counts[t.index()])
        reads(t, [&](OpId op, VersionId version) {
          facts_.reads.push_back({t, op, h_.key(op), facts_.writer(version), version});
        },
              [&](OpId op, Anomaly anomaly, TxnId other) { facts_.wrong.push_back({anomaly, t, op, other}); });
      facts_.begin.push_back(static_cast<std::uint32_t>(facts_.reads.size()));
    }
  }

  const History& h_;
  bool repeatable_;
  ReadFacts facts_;
  std::vector<Writers> writers_;
  std::optional<Lists> lists_;
  std::vector<PerKey> keys_;
  bool has_lists_ = false;
  std::vector<PerListKey> list_keys_;  // beside keys_; empty without lists
  std::vector<bool> refuted_;
};

}  // namespace

VersionIndex::VersionIndex(const ReadFacts& facts, std::size_t keys)
    : key_begin(keys + 1), version_begin(facts.writes.size() + keys + 1) {
  const auto counts = [&](std::size_t v) { return facts.counts[facts.version_writer[v].index()]; };
  for (std::size_t v = 0; v < facts.writes.size(); ++v)
    if (counts(v)) ++key_begin[facts.writes[v].index() + 1];
  for (const ReadFact& read : facts.reads) ++version_begin[read.version.index() + 1];
  std::partial_sum(key_begin.begin(), key_begin.end(), key_begin.begin());
  std::partial_sum(version_begin.begin(), version_begin.end(), version_begin.begin());

  versions.resize(key_begin.back());
  reads.resize(facts.reads.size());
  std::vector<std::uint32_t> next(key_begin.begin(), key_begin.end() - 1);
  for (std::size_t v = 0; v < facts.writes.size(); ++v)
    if (counts(v)) versions[next[facts.writes[v].index()]++] = VersionId(v);
  next.assign(version_begin.begin(), version_begin.end() - 1);
  readers.resize(facts.reads.size());
  for (std::uint32_t i = 0; i < facts.reads.size(); ++i) {
    const std::uint32_t at = next[facts.reads[i].version.index()]++;
    reads[at] = i;
    readers[at] = facts.reads[i].reader;
  }
}

Result<ReadFacts> read_facts(const History& history, bool repeatable) { return Finder(history, repeatable).run(); }

}  // namespace assay
