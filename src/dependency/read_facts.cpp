#include "dependency/read_facts.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "dependency/list_facts.h"
#include "history/matches.h"
#include "history/values_of_keys.h"

namespace assay {
namespace {

class Finder {
 public:
  Finder(const History& history, bool repeatable, Budget& budget)
      : h_(history), repeatable_(repeatable), budget_(budget) {}

  Result<ReadFacts> run() {
    ASSAY_TRY(check_kinds());
    index_writes();
    lists_.emplace(h_, facts_);
    ASSAY_TRY(check_unique());
    index_repeated();
    refute_unknowns();
    decide_what_counts();
    find_what_may_count();
    collect();
    if (budget_.is_spent()) return limit_reached(budget_.why());
    if (facts_.wrong.empty() && !facts_.conditional.empty()) decide_conditional_writes();
    if (facts_.wrong.empty()) lists_->observe(facts_);
    facts_.has_sets = has_sets_;
    return std::move(facts_);
  }

 private:
  // What is known of one value of a key.
  struct Writers {
    TxnId final_writer, aborted, intermediate;
    VersionId version;  // of the final writer
    bool initial = false, several = false;
  };
  struct Repeated {
    KeyValueId value;
    VersionId version;
    friend auto operator<=>(const Repeated&, const Repeated&) = default;
  };
  struct PerKey {
    std::uint32_t seen = UINT32_MAX;  // the transaction for which the rest is valid
    bool written = false, read = false;
    KeyValueId last_written, first_read;
  };
  struct PerSetKey {
    std::uint64_t look = 0;             // at a transaction, for which the rest is valid
    bool written = false, any = false;  // while its reads are made to agree
    bool read = false;
    KeyValueId own;                    // written last
    OpId disagrees;                    // the first read with which no value is left
    std::vector<KeyValueId> possible;  // what the external reads of the key agree on
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
      has_sets_ |= h_.kind(op) == OpKind::ReadOneOf || h_.is_conditional_write(op);
      if (h_.kind(op) > OpKind::ReadOneOf && !is_plain_delete(op) && !h_.is_conditional_write(op))
        return error("the history has rows or predicates",
                     "check judges reads and writes of single values, and lists");
      has_lists_ |= h_.kind(op) == OpKind::Append || h_.kind(op) == OpKind::ListRead;
    }
    if (has_lists_) list_keys_.resize(h_.key_count());
    has_unknowns_ =
        std::ranges::any_of(h_.transactions(), [&](TxnId t) { return h_.outcome(t) == Outcome::Unknown; });
    return {};
  }

  // One that only writes.
  bool is_plain_delete(OpId op) const { return h_.kind(op) == OpKind::Delete && !h_.found(op); }

  PerKey& at(KeyId key, TxnId t) {
    PerKey& k = keys_[key.index()];
    if (k.seen != t.value) {
      k = {};
      k.seen = t.value;
      if (has_lists_) list_keys_[key.index()] = {};
    }
    return k;
  }

  // Keys and values lie all over memory: they are fetched while the transaction before is looked at.
  void fetch_next(TxnId t) const {
    if (t.index() + 1 >= h_.transaction_count()) return;
    for (const OpId op : h_.operations(TxnId(t.value + 1))) {
      if (!keys_.empty()) __builtin_prefetch(&keys_[h_.key(op).index()]);
      if (!has_rows(h_.kind(op))) __builtin_prefetch(&writers_[h_.value(op).index()]);
    }
  }

  void index_writes() {
    writers_.resize(h_.key_value_count());
    for (const KeyId key : h_.keys())
      if (const KeyValueId kv = h_.initial_value(key); !kv.is_none()) writers_[kv.index()].initial = true;

    facts_.write_begin.assign(1, 0);
    std::vector<Written> written;  // by one transaction
    for (const TxnId t : h_.transactions()) {
      fetch_next(t);
      std::uint32_t left = static_cast<std::uint32_t>(h_.operations(t).size());
      written.clear();
      for (const OpId op : h_.operations(t)) {
        --left;
        if (is_item_write(h_.kind(op))) written.push_back({h_.key(op), left, h_.value(op)});
      }
      if (has_sets_) note_conditional_writes(t);
      std::ranges::sort(written);
      for (std::size_t i = 0; i < written.size(); ++i)
        index_write(t, written[i], i == 0 || written[i - 1].key != written[i].key);
      facts_.write_begin.push_back(static_cast<std::uint32_t>(facts_.writes.size()));
    }
    facts_.keys = h_.key_count();
    index_conditional_writes();
  }

  void note_conditional_writes(TxnId t) {
    for (const OpId op : h_.operations(t))
      if (h_.is_conditional_write(op)) facts_.conditional.push_back({t, op, h_.key(op), UINT32_MAX, 0});
  }

  // Their versions come last.
  void index_conditional_writes() {
    if (facts_.conditional.empty()) return;
    for (std::size_t i = 0; i < facts_.conditional.size(); ++i) {
      Writers& w = writers_[h_.conditional_value(facts_.conditional[i].op).index()];
      w.several |= w.initial || !w.final_writer.is_none();
      w.final_writer = facts_.conditional[i].writer;
      w.version = facts_.conditional_version(i);
    }
    values_of_keys_.emplace(h_);
    read_at_.assign(h_.key_count(), kNotRead);
  }

  // By what, and how many they say that there were.
  void decide_conditional_writes() {
    facts_.values = std::move(version_value_);
    OpId statement;
    for (ConditionalWrite& write : facts_.conditional) {
      const auto place = facts_.place(write);
      if (facts_.tests.empty() || statement != h_.statement(write.op)) {
        statement = h_.statement(write.op);
        facts_.tests.emplace_back(h_, h_.predicate(write.op));
        if (const auto count = h_.count(write.op)) facts_.counted.push_back({place, place, *count});
      }
      if (h_.count(write.op)) facts_.counted.back().last = place + 1;
      write.test = static_cast<std::uint32_t>(facts_.tests.size() - 1);
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
      version_value_.push_back(write.value);
    }
  }

  // The versions of values that were written more than once.
  void index_repeated() {
    for (std::size_t v = 0; v < version_value_.size(); ++v)
      if (writers_[version_value_[v].index()].several) repeated_.push_back({version_value_[v], VersionId(v)});
    for (std::size_t i = 0; i < facts_.conditional.size(); ++i)
      if (const KeyValueId value = h_.conditional_value(facts_.conditional[i].op);
          writers_[value.index()].several)
        repeated_.push_back({value, facts_.conditional_version(i)});
    if (facts_.conditional.empty()) version_value_ = {};
    std::ranges::sort(repeated_);
  }

  Result<void> check_unique() {
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (shows_repeated(op))
          return error(fmt::format("{} in transaction {} shows an element that was appended twice",
                                   h_.display(h_.key(op)), h_.display(t)),
                       "check judges lists whose elements were appended once");
    return {};
  }

  bool shows_repeated(OpId op) const {
    return lists_->has_repeated() && h_.kind(op) == OpKind::ListRead &&
           std::ranges::any_of(h_.rows(op), [&](KeyValueId element) { return lists_->is_repeated(element); });
  }

  bool may_have_committed(TxnId t) const { return !t.is_none() && !refuted_[t.index()]; }

  // The versions that an external read of this value by t can have seen are added to candidates_.
  void find_candidates(TxnId t, KeyId key, KeyValueId value) {
    const Writers& w = writers_[value.index()];
    if (w.initial) candidates_.push_back(facts_.initial_version(key));
    const auto add = [&](VersionId version, TxnId writer) {
      if (writer != t && may_have_committed(writer)) candidates_.push_back(version);
    };
    if (w.several) {
      for (const Repeated& r : std::ranges::equal_range(repeated_, value, {}, &Repeated::value))
        add(r.version, facts_.writer(r.version));
    } else if (!w.final_writer.is_none()) {
      add(w.version, w.final_writer);
    }
  }

  // Why a read of this value by t has no candidates.
  template <class Wrong>
  void explain_wrong(TxnId t, OpId op, Wrong wrong) const {
    if (h_.kind(op) == OpKind::ReadOneOf) return wrong(op, Anomaly::Phantom, TxnId::none());
    const Writers& w = writers_[h_.value(op).index()];
    if (writes_value(t, op)) wrong(op, Anomaly::FutureRead, t);
    else if (!w.aborted.is_none()) wrong(op, Anomaly::G1a, w.aborted);
    else if (!w.final_writer.is_none()) wrong(op, Anomaly::G1a, w.final_writer);
    else if (!w.intermediate.is_none()) wrong(op, Anomaly::G1b, w.intermediate);
    else wrong(op, Anomaly::ThinAir, TxnId::none());
  }

  bool writes_value(TxnId t, OpId read) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) {
      return h_.kind(op) == OpKind::Write && h_.value(op) == h_.value(read);
    });
  }

  // Goes through the reads of t: calls seen(op, candidates) and wrong(op, anomaly, other).
  template <class Seen, class Wrong>
  void reads(TxnId t, Seen seen, Wrong wrong) {
    if (has_sets_ && has_set(t)) return reads_of_sets(t, seen, wrong);
    for (const OpId op : h_.operations(t)) {
      PerKey& k = at(h_.key(op), t);
      if (h_.kind(op) == OpKind::ListRead) {
        list_read(t, op, k, list_keys_[h_.key(op).index()], seen, wrong);
        continue;
      }
      const KeyValueId value = h_.value(op);
      if (h_.kind(op) == OpKind::Append) {
        list_keys_[h_.key(op).index()].appended.push_back(value);
        continue;
      }
      if (is_item_write(h_.kind(op))) {
        k.written = true;
        k.last_written = value;
        continue;
      }
      if (k.written) {
        if (value != k.last_written)
          wrong(op, wrote_before(t, op) ? Anomaly::NotOwnLastWrite : Anomaly::NotOwnWrite, t);
        continue;
      }
      if (k.read && repeatable_) {
        if (value != k.first_read) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
        continue;
      }
      k.read = true;
      k.first_read = value;

      candidates_.clear();
      find_candidates(t, h_.key(op), value);
      if (candidates_.empty()) explain_wrong(t, op, wrong);
      else seen(op, std::span<const VersionId>(candidates_));
    }
  }

  // The same where some reads say only which values they can have returned: from ra up one version must do
  // for all external reads of a key.
  template <class Seen, class Wrong>
  void reads_of_sets(TxnId t, Seen seen, Wrong wrong) {
    set_keys_.resize(h_.key_count());
    ++looks_;
    for (const OpId op : h_.operations(t)) agree(op);
    for (const OpId op : h_.operations(t)) {
      const KeyId key = h_.key(op);
      PerSetKey& k = set_keys_[key.index()];
      if (h_.is_conditional_write(op)) {  // nothing else writes the key, nor reads it afterwards
        if (!std::exchange(k.read, true)) any_version(t, op, seen, wrong);
        continue;
      }
      if (!returns_value(op)) {
        if (h_.kind(op) == OpKind::ListRead)
          list_read(t, op, at(key, t), list_keys_[key.index()], seen, wrong);
        else if (h_.kind(op) == OpKind::Append)
          at(key, t), list_keys_[key.index()].appended.push_back(h_.value(op));
        else k.own = h_.value(op);
        continue;
      }
      if (!k.own.is_none()) {
        if (!may_return(op, k.own))
          wrong(op,
                h_.kind(op) == OpKind::Read && wrote_before(t, op) ? Anomaly::NotOwnLastWrite
                                                                   : Anomaly::NotOwnWrite,
                t);
        continue;
      }
      if (repeatable_ && std::exchange(k.read, true)) continue;
      candidates_.clear();
      if (repeatable_)
        for (const KeyValueId value : k.possible) find_candidates(t, key, value);
      else each_returned(op, [&](KeyValueId value) { find_candidates(t, key, value); });
      if (!candidates_.empty()) {
        seen(op, std::span<const VersionId>(candidates_));
        continue;
      }
      each_returned(op, [&](KeyValueId value) { find_candidates(t, key, value); });
      if (candidates_.empty()) explain_wrong(t, op, wrong);
      else wrong(k.disagrees.is_none() ? op : k.disagrees, Anomaly::NonRepeatableRead, TxnId::none());
    }
  }

  template <class Seen, class Wrong>
  void any_version(TxnId t, OpId op, Seen seen, Wrong wrong) {
    candidates_.clear();
    for (const KeyValueId value : values_of_keys_->of(h_.key(op))) find_candidates(t, h_.key(op), value);
    if (candidates_.empty()) wrong(op, Anomaly::ThinAir, TxnId::none());
    else seen(op, std::span<const VersionId>(candidates_));
  }

  // Leaves what all external reads of the key so far can have returned.
  void agree(OpId op) {
    PerSetKey& k = set_keys_[h_.key(op).index()];
    if (k.look != looks_) {
      k.possible.clear();
      k.look = looks_;
      k.written = k.any = k.read = false;
      k.own = KeyValueId::none();
      k.disagrees = OpId::none();
    }
    k.written |= is_item_write(h_.kind(op));
    if (!returns_value(op) || k.written || !repeatable_) return;
    if (!std::exchange(k.any, true)) {
      each_returned(op, [&](KeyValueId value) { k.possible.push_back(value); });
      return;
    }
    std::erase_if(k.possible, [&](KeyValueId v) { return !may_return(op, v); });
    if (k.possible.empty() && k.disagrees.is_none()) k.disagrees = op;
  }

  bool has_set(TxnId t) const {
    return std::ranges::any_of(h_.operations(t), [&](OpId op) {
      return h_.kind(op) == OpKind::ReadOneOf || h_.is_conditional_write(op);
    });
  }

  // Of a register.
  bool returns_value(OpId op) const {
    return h_.kind(op) == OpKind::Read || h_.kind(op) == OpKind::ReadOneOf;
  }
  template <class Visit>
  void each_returned(OpId op, Visit visit) const {
    if (h_.kind(op) == OpKind::Read) return visit(h_.value(op));
    for (const KeyValueId value : h_.rows(op)) visit(value);
  }
  bool may_return(OpId op, KeyValueId value) const {
    if (h_.kind(op) == OpKind::Read) return h_.value(op) == value;
    return std::ranges::find(h_.rows(op), value) != h_.rows(op).end();
  }

  // The own elements are at the end; what comes before them is what was read from others.
  template <class Seen, class Wrong>
  void list_read(TxnId t, OpId op, PerKey& k, PerListKey& own, Seen seen, Wrong wrong) {
    const Lists::List list = h_.rows(op);
    if (const auto bad = lists_->wrong_end(t, list, own.appended)) return wrong(op, bad->anomaly, bad->other);
    const Lists::List external = list.first(list.size() - own.appended.size());
    if (k.read && repeatable_) {
      if (!std::ranges::equal(external, own.first_list)) wrong(op, Anomaly::NonRepeatableRead, TxnId::none());
      return;
    }
    k.read = true;
    own.first_list = external;
    if (const auto bad = lists_->wrong_blocks(t, list, own.appended, refuted_))
      return wrong(op, bad->anomaly, bad->other);
    const VersionId version =
        external.empty() ? facts_.initial_version(h_.key(op)) : lists_->version(external.back());
    seen(op, std::span(&version, 1));
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
        if (budget_.is_spent()) return;
        if (h_.outcome(t) != Outcome::Unknown || refuted_[t.index()]) continue;
        bool bad = false;
        reads(
            t, [](OpId, std::span<const VersionId>) {}, [&](OpId, Anomaly, TxnId) { bad = true; });
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
    if (!has_unknowns_) return;
    const auto count = [&](TxnId writer) {
      if (writer.is_none() || facts_.counts[writer.index()]) return;
      facts_.counts[writer.index()] = true;
      open.push_back(writer);
    };
    while (!open.empty() && !budget_.is_spent()) {
      const TxnId t = open.back();
      open.pop_back();
      reads(
          t,
          [&](OpId op, std::span<const VersionId> candidates) {
            if (candidates.size() == 1) count(facts_.writer(candidates[0]));
            if (h_.kind(op) == OpKind::ListRead)
              for (const KeyValueId element : h_.rows(op)) count(lists_->writer(element));
          },
          [](OpId, Anomaly, TxnId) {});
    }
  }

  // Unknown transactions that something that counts, or may count, may have read from.
  void find_what_may_count() {
    if (!has_unknowns_ || (repeated_.empty() && !has_sets_)) return;
    std::vector<TxnId> open;
    for (const TxnId t : h_.transactions())
      if (facts_.counts[t.index()]) open.push_back(t);
    forget_keys();
    while (!open.empty() && !budget_.is_spent()) {
      const TxnId t = open.back();
      open.pop_back();
      const auto may_count = [&](TxnId writer) {
        if (writer.is_none() || facts_.counts[writer.index()] || facts_.may_count_only(writer)) return;
        facts_.may_count.resize(h_.transaction_count());
        facts_.may_count[writer.index()] = true;
        open.push_back(writer);
      };
      const auto visit = [&](OpId op, std::span<const VersionId> candidates) {
        for (const VersionId version : candidates) may_count(facts_.writer(version));
        if (h_.kind(op) == OpKind::ListRead)
          for (const KeyValueId element : h_.rows(op)) may_count(lists_->writer(element));
      };
      reads(t, visit, [](OpId, Anomaly, TxnId) {});
    }
  }

  void collect() {
    forget_keys();
    facts_.begin.assign(1, 0);
    for (const TxnId t : h_.transactions()) {
      if (budget_.is_spent()) return;
      fetch_next(t);
      const auto conditional = facts_.conditional_by(t);
      for (const ConditionalWrite& write : conditional) read_at_[write.key.index()] = kDecides;
      if (facts_.counts[t.index()] || facts_.may_count_only(t))
        reads(
            t, [&](OpId op, std::span<const VersionId> candidates) { collect(t, op, candidates); },
            [&](OpId op, Anomaly anomaly, TxnId other) {
              facts_.wrong.push_back({anomaly, t, op, other});
            });
      for (const ConditionalWrite& write : conditional)
        facts_.conditional[facts_.place(write)].read = std::exchange(read_at_[write.key.index()], kNotRead);
      facts_.begin.push_back(static_cast<std::uint32_t>(facts_.reads.size()));
    }
  }

  // What is at hand of the value says it too, mostly.
  TxnId writer_of(OpId read, VersionId version) const {
    if (!has_rows(h_.kind(read)))
      if (const Writers& w = writers_[h_.value(read).index()]; w.version == version) return w.final_writer;
    return facts_.writer(version);
  }

  void collect(TxnId t, OpId op, std::span<const VersionId> candidates) {
    const bool decides = !read_at_.empty() && read_at_[h_.key(op).index()] == kDecides;
    if (candidates.size() == 1 && facts_.counts[t.index()] && !decides &&
        !facts_.is_conditional(candidates[0])) {
      facts_.reads.push_back({t, op, h_.key(op), writer_of(op, candidates[0]), candidates[0]});
      return;
    }
    if (decides) read_at_[h_.key(op).index()] = static_cast<std::uint32_t>(facts_.open.size());
    const auto first = static_cast<std::uint32_t>(facts_.candidates.size());
    facts_.candidates.insert(facts_.candidates.end(), candidates.begin(), candidates.end());
    facts_.open.push_back({t, op, h_.key(op), first, static_cast<std::uint32_t>(facts_.candidates.size())});
  }

  const History& h_;
  bool repeatable_;
  Budget& budget_;
  ReadFacts facts_;
  std::vector<Writers> writers_;
  std::vector<KeyValueId> version_value_;
  std::vector<Repeated> repeated_;
  std::vector<VersionId> candidates_;  // of the read at hand
  std::optional<Lists> lists_;
  std::vector<PerKey> keys_;
  bool has_lists_ = false, has_sets_ = false, has_unknowns_ = false;
  // If there are conditional writes.
  static constexpr std::uint32_t kNotRead = UINT32_MAX, kDecides = UINT32_MAX - 1;
  std::optional<ValuesOfKeys> values_of_keys_;
  std::vector<std::uint32_t>
      read_at_;  // by key: whether a read by the transaction at hand decides one; then its place
  std::vector<PerSetKey> set_keys_;  // empty without reads of one of several values
  std::uint64_t looks_ = 0;
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

  index_open_reads(facts);
  if (!facts.conditional.empty()) {
    conditional_begin.resize(keys + 1);
    for (const ConditionalWrite& write : facts.conditional) ++conditional_begin[write.key.index() + 1];
    std::partial_sum(conditional_begin.begin(), conditional_begin.end(), conditional_begin.begin());
    conditional.resize(conditional_begin.back());
    next.assign(conditional_begin.begin(), conditional_begin.end() - 1);
    for (std::size_t i = 0; i < facts.conditional.size(); ++i)
      conditional[next[facts.conditional[i].key.index()]++] = facts.conditional_version(i);
  }
  if (!facts.may_count.empty()) {
    const auto may_count = [&](std::size_t v) { return facts.may_count[facts.version_writer[v].index()]; };
    possible_begin.resize(keys + 1);
    for (std::size_t v = 0; v < facts.writes.size(); ++v)
      if (may_count(v)) ++possible_begin[facts.writes[v].index() + 1];
    std::partial_sum(possible_begin.begin(), possible_begin.end(), possible_begin.begin());
    possible.resize(possible_begin.back());
    next.assign(possible_begin.begin(), possible_begin.end() - 1);
    for (std::size_t v = 0; v < facts.writes.size(); ++v)
      if (may_count(v)) possible[next[facts.writes[v].index()]++] = VersionId(v);
  }
}

void VersionIndex::index_open_reads(const ReadFacts& facts) {
  if (facts.open.empty()) return;
  open_begin.assign(key_begin.size(), 0);
  for (const OpenRead& read : facts.open) ++open_begin[read.key.index() + 1];
  std::partial_sum(open_begin.begin(), open_begin.end(), open_begin.begin());
  open_reads.resize(facts.open.size());
  std::vector<std::uint32_t> next(open_begin.begin(), open_begin.end() - 1);
  for (const OpenRead& read : facts.open) open_reads[next[read.key.index()]++] = facts.place(read);
}

Result<ReadFacts> read_facts(const History& history, bool repeatable, Budget& budget) {
  return Finder(history, repeatable, budget).run();
}

}  // namespace assay
