// Whether the name of an anomaly is true of its witness: the definitions of docs/levels.md, asked of the part
// of the history that an explanation shows, with the oracle as the judge of levels and the drawn cycle for
// what is said of dependencies.
//
// Nothing here knows how a name was found. A name without -session must be true of the part without its
// sessions, one without -realtime without its clocks, and one with such an ending must need it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <vector>

#include "explain/explanation.h"
#include "history/edit.h"
#include "oracle/commit_order.h"
#include "support/oracle_level.h"
#include "verdict/operation_place.h"

namespace assay::test {

class AnomalyDefinition {
 public:
  explicit AnomalyDefinition(const Explanation& e, std::int64_t skew = 0)
      : e_(e),
        skew_(skew),
        session_(e.name.ends_with("-session") || row(e.anomaly.value()).is_about_sessions()),
        realtime_(e.name.ends_with("-realtime") || row(e.anomaly.value()).is_about_clocks()),
        h_(session_ || realtime_ ? e.part : without_sessions(e.part)) {}

  // What the name claims and is not true of the part; empty if all of it is.
  std::string complaint() {
    if (e_.part.transaction_count() > kMostTransactions) return "";
    using enum Anomaly;
    const Anomaly name = *e_.anomaly;
    // Updates may have been counted, which leaves no cycle to draw. The name may be that of a weaker level.
    const bool is_counted = e_.edges.empty() && e_.sentences.size() == 3;
    if (!e_.has_cycle && !e_.cases && !is_counted) return wrong_read(name);
    if (session_) claim(!violates(without_sessions(e_.part), plain(e_.level)), "it needs no session");
    if (realtime_) {
      claim(!violates(e_.part, without_real_time(e_.level)), "it needs no clock");
      claim(violates(e_.part, e_.level), "the level holds");
      for_each_cycle([&](const Shape& shape) { real_time_shape(name, shape); });
      return complaint_;
    }
    levels(name);
    for_each_cycle([&](const Shape& shape) { plain_shape(name, shape); });
    return complaint_;
  }

 private:
  static constexpr std::size_t kMostTransactions = 10;
  using Kind = Dependency::Kind;
  using Guarantee = oracle::Guarantee;

  struct Shape {
    std::map<Kind, std::size_t> count;
    bool adjacent = false, predicate = false;
    bool of_initial = true;  // each missed version follows the initial one, which the reader read
    std::size_t inferred_ww = 0;
    std::size_t of(Kind kind) const { return count.contains(kind) ? count.at(kind) : 0; }
  };

  void claim(bool is_true, std::string_view otherwise) {
    if (!is_true && complaint_.empty()) complaint_ = fmt::format("{}: {}", e_.name, otherwise);
  }

  // --- Levels ---

  static Level plain(Level level) {
    level = without_real_time(level);
    for (const LevelRow& other : assay::levels())
      if (!other.session_order() && with_session_order(other.level) == level) return other.level;
    return level;  // of cc, pc and psi without sessions there is no row, and a part without them has none
  }
  bool violates(const History& h, Level level) const {
    return !oracle::allows(h, of_oracle(level), {.skew = skew_});
  }
  bool violated(Level level) const { return violates(h_, level); }
  bool violated(Guarantee guarantee) const {
    return !oracle::some_completion(h_, [&](const oracle::Model& model) {
      return oracle::has_commit_order(model, {.axiom = oracle::Level::ra, .guarantee = guarantee});
    });
  }

  // Whether versions cannot be ordered without a cycle of ww, wr and, if the name says so, sessions.
  bool violated_by_dependencies() const {
    return !oracle::some_completion(h_, [&](const oracle::Model& model) {
      return oracle::has_commit_order(model, {.axiom = oracle::Level::pl_2, .session_order = session_});
    });
  }
  // The same of ww that lists show (and sessions) alone.
  bool has_cycle_of_observed_writes() const {
    std::map<TxnId, std::set<TxnId>> before;
    std::map<KeyValueId, TxnId> appended;
    for (const TxnId t : h_.transactions())
      for (const OpId op : h_.operations(t))
        if (h_.kind(op) == OpKind::Append) appended[h_.value(op)] = t;
    for (const OpId op : h_.operations()) {
      if (h_.kind(op) != OpKind::ListRead) continue;
      std::vector<TxnId> writers;
      for (const KeyValueId element : h_.rows(op))
        if (appended.contains(element)) writers.push_back(appended.at(element));
      for (std::size_t i = 0; i + 1 < writers.size(); ++i)
        if (writers[i] != writers[i + 1]) before[writers[i]].insert(writers[i + 1]);
      // What a read does not show was appended after it.
      if (writers.empty()) continue;
      for (const auto& [element, t] : appended)
        if (h_.key(element) == h_.key(op) && std::ranges::find(h_.rows(op), element) == h_.rows(op).end() &&
            t != writers.back())
          before[writers.back()].insert(t);
    }
    if (session_)
      for (const TxnId t : h_.transactions())
        for (const TxnId later : h_.transactions(h_.session(t)))
          if (h_.position(t) < h_.position(later)) before[t].insert(later);
    for (const TxnId t : h_.transactions()) {
      std::set<TxnId> reached;
      std::vector<TxnId> open(before[t].begin(), before[t].end());
      while (!open.empty()) {
        const TxnId at = open.back();
        open.pop_back();
        if (at == t) return true;
        if (reached.insert(at).second) open.insert(open.end(), before[at].begin(), before[at].end());
      }
    }
    return false;
  }
  void levels(Anomaly name) {
    using enum Anomaly;
    switch (name) {
      case G0: return claim(has_cycle_of_observed_writes(), "the lists show no cycle of ww");
      case G1c: return claim(violated_by_dependencies(), "ww and wr make no cycle");
      case NonMonotonicRead: return weak(Level::Rc, Level::Pl2);
      case ReadSkew:
        // Cases may differ: in one the session missed its own write, in another a part of what it saw.
        if (session_ && !e_.cases)
          claim(!violated(Guarantee::ReadYourWrites), "a session missed its own write");
        return weak(Level::Ra, Level::Rc);
      case ReadYourWrites: return guarantee(Guarantee::ReadYourWrites, Level::Rc);
      case MonotonicReads: return guarantee(Guarantee::MonotonicReads, Level::Ra);
      case MonotonicWrites: return guarantee(Guarantee::MonotonicWrites, Level::Ra);
      case WritesFollowReads: return guarantee(Guarantee::WritesFollowReads, Level::Ra);
      case Causality: return weak(Level::Cc, Level::Ra);
      case StaleInitialRead:
        claim(e_.cases || misses_its_past_for_the_initial_version(),
              "nobody read an initial version that its past overwrote");
        return weak(Level::Cc, Level::Ra);
      case LostUpdate:
        claim(!violated(Level::Cc), "a weaker level is violated");
        claim(has_lost_update(), "no two transactions read one version and wrote the key");
        return;
      case GSingle: claim(!has_lost_update(), "it is a lost update"); return weak(Level::Psi, Level::Cc);
      case LongFork: return weak(Level::Pc, Level::Psi);
      case GNonadjacent: return weak(Level::Si, Level::Psi);
      case WriteSkew:  // a reader may be the only witness that a transaction of unknown outcome took effect
        claim(has_unknown() || violates(without_readers(), Level::Ser), "only a reader is in the way");
        return weak(Level::Ser, Level::Si);
      case ReadOnly:
        claim(!violates(without_readers(), Level::Ser), "it is not serializable without readers");
        return weak(Level::Ser, Level::Si);
      default: return;
    }
  }
  // Without sessions these levels are the plain ones.
  void weak(Level level, std::optional<Level> holds) {
    claim(violated(level), fmt::format("{} holds", id(level)));
    if (holds) claim(!violated(*holds), fmt::format("{} is violated too", id(*holds)));
  }
  void guarantee(Guarantee broken, Level holds) {
    claim(violated(broken), "the guarantee is kept");
    claim(!violated(holds), fmt::format("{} is violated too", id(holds)));
  }

  // --- Shapes ---

  void plain_shape(Anomaly name, const Shape& s) {
    using enum Anomaly;
    // The cycle of a stronger level may use what the name does not need.
    if (s.of(Kind::Rt) > 0 || (!session_ && s.of(Kind::So) > 0)) return;
    switch (name) {
      case LongFork:
        claim(s.of(Kind::Rw) == 2 && !s.adjacent && s.of(Kind::Ww) == 0, "its cycle has not two readers");
        return;
      case Phantom: claim(s.predicate, "no rw is through a predicate"); return;
      default: return;
    }
  }

  void real_time_shape(Anomaly name, const Shape& s) {
    using enum Anomaly;
    const std::size_t rw = s.of(Kind::Rw);
    switch (name) {
      case ClockContradiction:
        return claim(rw + s.of(Kind::Wr) + s.of(Kind::Ww) == 0, "its cycle is not of sessions and clocks");
      case G0: return claim(rw + s.of(Kind::Wr) == 0 && s.of(Kind::Ww) > 0, "its cycle is not of ww");
      case G1c: return claim(rw == 0, "its cycle has an rw");
      case StaleInitialRead:
        return claim(rw <= 1 && s.of(Kind::Ww) == 0 && s.of_initial,
                     "its cycle is not one rw of an initial version");
      case GSingle: return claim(rw <= 1, "its cycle has several rw");
      case GNonadjacent: return claim(rw == 0 || !s.adjacent, "two rw are adjacent");
      case ReadOnly:
        return claim(!violates(without_readers(), e_.level), "it is violated without readers too");
      case Phantom: return claim(s.predicate, "no rw is through a predicate");
      case WriteSkew: return claim(e_.cases || s.adjacent, "no two rw are adjacent");
      default: return claim(false, "no name in real time");
    }
  }

  template <class Look>
  void for_each_cycle(Look look) const {
    if (e_.has_cycle) look(shape(e_.edges));
    else if (e_.cases) for_each_cycle(*e_.cases, look);
  }
  template <class Look>
  void for_each_cycle(const Cases& cases, Look look) const {
    for (const Cases::Case& one : cases.cases) {
      if (one.cases) {
        for_each_cycle(*one.cases, look);
        continue;
      }
      std::vector<Dependency> cycle;
      for (const std::size_t edge : one.cycle) cycle.push_back(e_.edges.at(edge));
      look(shape(cycle));
    }
  }

  Shape shape(const std::vector<Dependency>& cycle) const {
    Shape s;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const Dependency& d = cycle[i];
      ++s.count[d.kind];
      if (d.kind == Kind::Ww && d.inferred) ++s.inferred_ww;
      if (d.kind != Kind::Rw) continue;
      s.adjacent |= cycle[(i + 1) % cycle.size()].kind == Kind::Rw;
      s.predicate |= e_.part.kind(d.operations[0]) == OpKind::ReadOneOf;
      s.of_initial &= starts_with(e_.part, d.operations[0]) || e_.cases != nullptr;
    }
    return s;
  }

  // --- What is asked of operations ---

  // By reads with one possible writer, and sessions.
  bool misses_its_past_for_the_initial_version() const {
    const auto past = [&](TxnId t) {
      std::set<TxnId> all;
      std::vector<TxnId> open{t};
      while (!open.empty()) {
        const TxnId at = open.back();
        open.pop_back();
        std::vector<TxnId> before;
        for (const OpId op : h_.operations(at))
          if (!is_item_write(h_.kind(op)))
            if (const auto writers = writers_of(at, op); writers.size() == 1) before.push_back(writers[0]);
        if (session_)
          for (const TxnId earlier : h_.transactions(h_.session(at)))
            if (h_.position(earlier) < h_.position(at)) before.push_back(earlier);
        for (const TxnId other : before)
          if (!other.is_none() && all.insert(other).second) open.push_back(other);
      }
      return all;
    };
    for (const OpId op : h_.operations()) {
      if (is_item_write(h_.kind(op)) || !starts_with(h_, op)) continue;
      for (const TxnId earlier : past(transaction_of(h_, op)))
        for (const OpId write : h_.operations(earlier))
          if (is_item_write(h_.kind(write)) && h_.key(write) == h_.key(op)) return true;
    }
    return false;
  }

  bool has_unknown() const {
    return std::ranges::any_of(h_.transactions(), [&](TxnId t) { return h_.outcome(t) == Outcome::Unknown; });
  }

  // Whoever their reads are from: no choice of versions is different for all who read and wrote the key.
  bool has_lost_update() const {
    for (const KeyId key : h_.keys()) {
      std::vector<std::vector<TxnId>> updates;
      for (const TxnId t : h_.transactions())
        if (h_.outcome(t) != Outcome::Aborted)
          if (const auto read = read_before_writing(t, key); !read.is_none())
            updates.push_back(writers_of(t, read));
      std::set<TxnId> taken;
      if (!all_different(updates, 0, taken)) return true;
    }
    return false;
  }
  static bool all_different(const std::vector<std::vector<TxnId>>& updates, std::size_t i,
                            std::set<TxnId>& taken) {
    if (i == updates.size()) return true;
    for (const TxnId writer : updates[i]) {
      if (!taken.insert(writer).second) continue;
      const bool found = all_different(updates, i + 1, taken);
      taken.erase(writer);
      if (found) return true;
    }
    return false;
  }
  // The read by which t updates the key; none if it does not. A list read after own appends shows the version
  // before them too.
  OpId read_before_writing(TxnId t, KeyId key) const {
    OpId read;
    bool writes = false;
    for (const OpId op : h_.operations(t)) {
      if (!is_one_key(h_.kind(op)) || h_.key(op) != key) continue;
      if (is_item_write(h_.kind(op))) writes = true;
      else if (read.is_none() && (!writes || h_.kind(op) == OpKind::ListRead)) read = op;
    }
    return writes ? read : OpId::none();
  }
  // The last element that is not the reader's own; none if there is none.
  std::optional<KeyValueId> version_shown(TxnId reader, OpId list) const {
    std::set<KeyValueId> own;
    for (const OpId op : h_.operations(reader))
      if (h_.kind(op) == OpKind::Append) own.insert(h_.value(op));
    for (const KeyValueId element : h_.rows(list) | std::views::reverse)
      if (!own.contains(element)) return element;
    return std::nullopt;
  }
  // Those whose last write of the key may have been read; none() is the initial transaction.
  std::vector<TxnId> writers_of(TxnId reader, OpId read) const {
    std::vector<TxnId> writers;
    const bool list = h_.kind(read) == OpKind::ListRead;
    const auto version = list ? version_shown(reader, read) : std::nullopt;
    if (list ? !version : starts_with(h_, read)) writers.push_back(TxnId::none());
    for (const TxnId t : h_.transactions()) {
      if (t == reader || h_.outcome(t) == Outcome::Aborted) continue;
      OpId last;
      for (const OpId op : h_.operations(t))
        if (is_item_write(h_.kind(op)) && h_.key(op) == h_.key(read)) last = op;
      if (last.is_none()) continue;
      const bool shown = list ? version == h_.value(last) : may_return(read, h_.value(last));
      if (shown) writers.push_back(t);
    }
    return writers;
  }
  bool may_return(OpId read, KeyValueId value) const {
    if (h_.kind(read) == OpKind::ReadOneOf)
      return std::ranges::find(h_.rows(read), value) != h_.rows(read).end();
    return h_.value(read) == value;
  }

  // Without the reads of those who write nothing, but for one list read of each, which may be needed to know
  // the order of versions: serializable if it is for some choice of these.
  History without_readers() const {
    const auto writes = [&](TxnId t) {
      return std::ranges::any_of(e_.part.operations(t),
                                 [&](OpId op) { return is_item_write(e_.part.kind(op)); });
    };
    const auto keeps = [&](OpId op) {
      const TxnId t = transaction_of(e_.part, op);
      return writes(t) || (e_.part.kind(op) == OpKind::ListRead && op == longest_list(t));
    };
    const History rest = restrict(
        e_.part, [&](TxnId t) { return std::ranges::any_of(e_.part.operations(t), keeps); }, keeps);
    return session_ || realtime_ ? rest : without_sessions(rest);
  }
  OpId longest_list(TxnId t) const {
    OpId longest;
    for (const OpId op : e_.part.operations(t))
      if (e_.part.kind(op) == OpKind::ListRead &&
          (longest.is_none() || e_.part.rows(op).size() > e_.part.rows(longest).size()))
        longest = op;
    return longest;
  }

  // --- Reads that are wrong by themselves ---

  std::string wrong_read(Anomaly name) {
    claim(std::ranges::any_of(e_.part.operations(), [&](OpId op) { return is_wrong(name, op); }),
          "no read of the part is one");
    return complaint_;
  }

  bool is_wrong(Anomaly name, OpId read) const {
    const History& h = e_.part;
    if (is_item_write(h.kind(read)) || !is_one_key(h.kind(read))) return false;
    const TxnId reader = transaction_of(h, read);
    if (h.outcome(reader) == Outcome::Aborted) return false;
    const std::vector<OpId> own = writes_of(reader, h.key(read));
    std::vector<OpId> earlier;
    for (const OpId op : own)
      if (op < read) earlier.push_back(op);
    const std::vector<KeyValueId> shown = shown_by(read);
    const auto shows = [&](OpId write) { return std::ranges::find(shown, h.value(write)) != shown.end(); };
    using enum Anomaly;
    switch (name) {
      case ThinAir:
        return std::ranges::any_of(
            shown, [&](KeyValueId value) { return !is_written(value) && !starts_with(h, read); });
      case G1a:
        return any_write(h.key(read), [&](TxnId t, OpId write) {
          return t != reader && h.outcome(t) != Outcome::Committed && shows(write);
        });
      case G1b:
        return any_write(h.key(read), [&](TxnId t, OpId write) {
          const std::vector<OpId> all = writes_of(t, h.key(read));
          if (h.kind(read) != OpKind::ListRead) return t != reader && shows(write) && all.back() != write;
          return t != reader && shows(write) && !std::ranges::all_of(all, shows);
        });
      case FutureRead:
        return std::ranges::any_of(own, [&](OpId write) { return read < write && shows(write); });
      case NotOwnWrite: return !earlier.empty() && !shows_own(read, shown, earlier);
      case NotOwnLastWrite: return earlier.size() > 1 && !shows_own(read, shown, earlier);
      case NonRepeatableRead:
        return std::ranges::any_of(h.operations(reader), [&](OpId op) {
          return op < read && h.kind(op) == h.kind(read) && h.key(op) == h.key(read) && shown_by(op) != shown;
        });
      case DuplicateElements:
        return std::set(shown.begin(), shown.end()).size() < shown.size() && h.kind(read) == OpKind::ListRead;
      case IncompatibleOrder:
        if (shows_another_order_than_made(read)) return true;
        return std::ranges::any_of(h.operations(), [&](OpId op) {
          if (h.kind(op) != OpKind::ListRead || h.key(op) != h.key(read)) return false;
          const auto other = shown_by(op);
          return !std::equal(shown.begin(), shown.begin() + std::min(shown.size(), other.size()),
                             other.begin());
        });
      case PredicateReadMiss:
        return h.kind(read) == OpKind::ReadOneOf && !starts_with(h, read) &&
               std::ranges::none_of(shown, [&](KeyValueId v) { return is_written(v); });
      case G0:  // another's element between two of one transaction
        return any_write(h.key(read), [&](TxnId t, OpId first) {
          return any_write(h.key(read), [&](TxnId other, OpId between) {
            return other != t && is_in_order(shown, first, between) &&
                   std::ranges::any_of(writes_of(t, h.key(read)),
                                       [&](OpId last) { return is_in_order(shown, between, last); });
          });
        });
      case G1c:  // another's element behind an own one
        return any_write(h.key(read), [&](TxnId t, OpId behind) {
          return t != reader &&
                 std::ranges::any_of(earlier, [&](OpId one) { return is_in_order(shown, one, behind); });
        });
      default: return false;
    }
  }
  bool is_in_order(const std::vector<KeyValueId>& shown, OpId first, OpId second) const {
    const auto a = std::ranges::find(shown, e_.part.value(first)),
               b = std::ranges::find(shown, e_.part.value(second));
    return a != shown.end() && b != shown.end() && a < b;
  }
  bool shows_another_order_than_made(OpId read) const {
    const std::vector<KeyValueId> shown = shown_by(read);
    return any_write(e_.part.key(read), [&](TxnId t, OpId first) {
      return std::ranges::any_of(writes_of(t, e_.part.key(read)), [&](OpId second) {
        return first < second && is_in_order(shown, second, first);
      });
    });
  }
  // The own writes stand last: a register is the last of them, a list ends in all of them.
  bool shows_own(OpId read, const std::vector<KeyValueId>& shown, const std::vector<OpId>& own) const {
    const History& h = e_.part;
    if (h.kind(read) != OpKind::ListRead) return std::ranges::find(shown, h.value(own.back())) != shown.end();
    if (shown.size() < own.size()) return false;
    return std::ranges::equal(std::vector(shown.end() - static_cast<std::ptrdiff_t>(own.size()), shown.end()),
                              own, {}, {}, [&](OpId op) { return h.value(op); });
  }
  // Whether the read may have returned the initial version.
  static bool starts_with(const History& h, OpId read) {
    if (h.kind(read) == OpKind::ListRead) return h.rows(read).empty();
    const KeyValueId initial = h.initial_value(h.key(read));
    if (h.kind(read) != OpKind::ReadOneOf) return h.value(read) == initial;
    return std::ranges::find(h.rows(read), initial) != h.rows(read).end();
  }
  std::vector<KeyValueId> shown_by(OpId read) const {
    const History& h = e_.part;
    if (h.kind(read) == OpKind::Read) return {h.value(read)};
    return {h.rows(read).begin(), h.rows(read).end()};
  }
  std::vector<OpId> writes_of(TxnId t, KeyId key) const {
    std::vector<OpId> found;
    for (const OpId op : e_.part.operations(t))
      if (is_item_write(e_.part.kind(op)) && e_.part.key(op) == key) found.push_back(op);
    return found;
  }
  template <class Is>
  bool any_write(KeyId key, Is is) const {
    return std::ranges::any_of(e_.part.transactions(), [&](TxnId t) {
      return std::ranges::any_of(writes_of(t, key), [&](OpId write) { return is(t, write); });
    });
  }
  bool is_written(KeyValueId value) const {
    return std::ranges::any_of(e_.part.operations(), [&](OpId op) {
      return is_item_write(e_.part.kind(op)) && e_.part.value(op) == value;
    });
  }

  const Explanation& e_;
  const std::int64_t skew_;
  const bool session_, realtime_;
  const History h_;  // without what the name does not need
  std::string complaint_;
};

}  // namespace assay::test
