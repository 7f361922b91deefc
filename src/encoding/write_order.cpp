#include "encoding/write_order.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

using Kind = EdgeCause::Kind;

WriteOrder::WriteOrder(const History& history, const ReadFacts& facts, const VersionIndex& versions,
                       const PointRules& rules, const KnownGraph& known, Guess guess,
                       const SolverSettings& settings)
    : h_(history),
      facts_(facts),
      versions_(versions),
      rules_(rules),
      known_(known),
      points_(history.transaction_count(), rules.two_points),
      theory_(known.nodes, known.edges, std::move(guess.order)),
      solver_(theory_, settings),
      dirty_(std::move(guess.broken)),
      is_dirty_(history.key_count()),
      from_(facts.open.size(), kNoVar),
      is_suspect_(std::move(guess.is_broken)) {
  if (rules.total) {
    is_kept_.resize(history.key_count());
    kept_.resize_for_overwrite(versions.versions.size());
    moved_.resize(history.transaction_count());
    if (facts.conditional.empty()) return;
    took_.assign(facts.conditional.size(), kNoVar);
    takes_place_.resize(facts.conditional.size());
    decides_.assign(facts.open.size(), kNothing);
    for (const ConditionalWrite& write : facts.conditional) {
      decides_[write.read] = facts.place(write);
      dirty_.push_back(write.key);
    }
    std::ranges::sort(dirty_);
    const auto twice = std::ranges::unique(dirty_);
    dirty_.erase(twice.begin(), twice.end());
    return;
  }
  ASSAY_REQUIRE(facts.conditional.empty());
  for (std::uint32_t read = 0; read < facts.open.size(); ++read) choose_writer(read);
  make_late_facts();
  previous_.resize(facts.writes.size());
  step_.resize(points_.node_count());
  visited_.assign(points_.node_count(), 0);
}

Answer WriteOrder::solve(const std::function<bool()>& stop) {
  const auto complete = [&] {
    const bool added = repair();
    return probe_new_choices(stop) || added;
  };
  return solver_.solve(complete, stop);
}

EdgeCause WriteOrder::cause(std::uint32_t edge) const {
  return edge < known_.edges.size() ? known_.causes[edge] : causes_[edge - known_.edges.size()];
}

// Makes the choices that the order at hand breaks; whether there were any.
bool WriteOrder::repair() {
  added_ = false;
  for (const KeyId key : dirty_) is_dirty_[key.index()] = true;
  still_dirty_.clear();
  if (rules_.total) {
    look_at_moved();
  } else {  // what a reader misses may reach it through any key
    theory_.order().take_moved();
    for (const KeyId key : h_.keys()) add_dirty(key);
    for (const KeyId key : h_.keys()) sort_key(key);
  }
  for (const KeyId key : dirty_) {
    check_key(key);
    is_dirty_[key.index()] = false;
  }
  check_counts();
  dirty_.swap(still_dirty_);
  std::ranges::sort(dirty_);
  const auto twice = std::ranges::unique(dirty_);
  dirty_.erase(twice.begin(), twice.end());
  make_late_facts();
  return added_;
}

void WriteOrder::add_dirty(KeyId key) {
  if (!is_dirty_[key.index()]) dirty_.push_back(key);
  is_dirty_[key.index()] = true;
}

// Whether any was tried: that moves transactions, so the order has to be looked through again afterwards. A
// first repair of a large history makes ten thousands of choices, so whether to stop is asked between them;
// those left are not tried.
bool WriteOrder::probe_new_choices(const std::function<bool()>& stop) {
  const std::size_t first = probed_;
  for (; probed_ < choices_.size() && !stop(); ++probed_)
    if (choices_[probed_].kind == Choice::Kind::Order) solver_.probe(probed_);
  return probed_ > first;
}

std::vector<TxnId> WriteOrder::take_moved() {
  ++look_;
  std::vector<TxnId> moved;
  const auto moves = theory_.order().take_moved();
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {  // so that the first one has the last word
    const auto [node, from] = *move;
    if (!points_.is_point(node)) continue;
    const TxnId t = points_.txn(node);
    if (!facts_.counts[t.index()]) continue;
    const Place now = theory_.order().position(points_.commit(t));
    Moved& last = moved_[t.index()];
    if (last.look != look_) {
      last = {look_, now, now, now};
      moved.push_back(t);
    }
    if (node != points_.commit(t)) continue;
    last.from = from;
    last.low = std::min(last.low, from);
    last.high = std::max(last.high, from);
  }
  return moved;
}

// Checks what may have changed for the keys whose order is kept; the others become dirty.
void WriteOrder::look_at_moved() {
  const std::vector<TxnId> moved = take_moved();
  for (const auto& [t, var] : counting_) {  // it may have come or gone
    for (const OpenRead& read : facts_.open_of(t)) add_dirty(read.key);
    for (const KeyId key : facts_.written_by(t)) add_dirty(key);
  }
  for (const std::uint32_t write : made_took_) add_dirty(facts_.conditional[write].key);
  if (meet_many_keys(moved)) keep_all();
  if (!facts_.conditional.empty())
    for (const TxnId t : moved)
      for (const ConditionalWrite& write : facts_.conditional_by(t)) add_dirty(write.key);
  look_at_moved_writers(moved);
  look_at_moved_readers(moved);
}

// Whether it is kept: then it is enough to look where something moved. What was broken in a way that another
// key was named for is looked at as a whole, once.
bool WriteOrder::keep_or_add_dirty(KeyId key) {
  if (is_dirty_[key.index()] || is_suspect_[key.index()] || !may_be_kept(key)) {
    add_dirty(key);
    return false;
  }
  if (!is_kept_[key.index()]) keep(key);
  return true;
}

// Where nothing of a key has moved before, the order is still the first one.
void WriteOrder::keep(KeyId key) {
  const auto versions = kept(key);
  std::ranges::copy(versions_.of(key), versions.begin());
  std::ranges::sort(versions, {}, [&](VersionId v) { return place_before(facts_.writer(v)); });
  is_kept_[key.index()] = true;
}

bool WriteOrder::meet_many_keys(std::span<const TxnId> moved) const {
  constexpr std::size_t kMany = 4;  // one in so many
  std::size_t met = 0;
  const auto meet = [&](KeyId key) { met += !is_kept_[key.index()]; };
  for (const TxnId t : moved) {
    for (const KeyId key : facts_.written_by(t)) meet(key);
    for (const ReadFact& read : facts_.of(t)) meet(read.key);
  }
  return met * kMany > h_.key_count();
}

// In one pass along the order, without sorting.
void WriteOrder::keep_all() {
  std::vector<std::pair<Place, TxnId>> in_order;
  for (const TxnId t : h_.transactions())
    if (facts_.counts[t.index()]) in_order.emplace_back(place_before(t), t);
  std::ranges::sort(in_order);
  std::vector<std::uint32_t> next(versions_.key_begin.begin(), versions_.key_begin.end() - 1);
  for (const auto& [place, t] : in_order)
    for (const VersionId v : facts_.versions_by(t))
      if (const std::size_t key = facts_.writes[v.index()].index(); !is_kept_[key]) kept_[next[key]++] = v;
  for (const KeyId key : h_.keys())
    if (may_be_kept(key)) is_kept_[key.index()] = true;
}

void WriteOrder::look_at_moved_readers(std::span<const TxnId> moved) {
  for (const TxnId t : moved) {
    const Place now = theory_.order().position(points_.snapshot(t));
    for (const ReadFact& read : facts_.of(t)) {
      if (!keep_or_add_dirty(read.key)) continue;
      const auto versions = kept(read.key);
      const auto next = read.writer.is_none()
                            ? versions.begin()
                            : std::ranges::upper_bound(versions, place(read.version), {},
                                                       [&](VersionId v) { return place(v); });
      if (next == versions.end() || now < place(*next)) continue;
      check_read(read.version, *next, t, facts_.place(read));
    }
    if (facts_.open.empty()) continue;
    for (const OpenRead& read : facts_.open_of(t))
      if (keep_or_add_dirty(read.key)) check_open_read(facts_.place(read), kept(read.key));
  }
}

// Of each key the stretches that its writers moved in, which are short and far apart where many repairs were
// made at once.
void WriteOrder::look_at_moved_writers(std::span<const TxnId> moved) {
  std::vector<Stretch> stretches;
  for (const TxnId t : moved)
    for (const KeyId key : facts_.written_by(t))
      stretches.push_back({key, moved_[t.index()].low, moved_[t.index()].high});
  std::ranges::sort(stretches, {}, [](const Stretch& s) { return std::pair(s.key, s.low); });
  for (auto next = stretches.begin(); next != stretches.end();) {
    const KeyId key = next->key;
    const bool is_kept = keep_or_add_dirty(key);
    while (next != stretches.end() && next->key == key) {
      Stretch all = *next;
      for (++next; next != stretches.end() && next->key == key && next->low <= all.high; ++next)
        all.high = std::max(all.high, next->high);
      if (is_kept) look_at_stretch(all);
    }
    if (!is_kept) continue;
    for (const std::uint32_t read : versions_.open_of(key)) check_open_read(read, kept(key));
  }
}

// Puts the versions there in order again, and checks them. Others have the same one before them.
void WriteOrder::look_at_stretch(const Stretch& stretch) {
  const auto versions = kept(stretch.key);
  const auto before = [&](VersionId v) { return place_before(facts_.writer(v)); };
  const auto first = std::ranges::lower_bound(versions, stretch.low, {}, before);
  const auto last = std::ranges::upper_bound(first, versions.end(), stretch.high, {}, before);
  std::ranges::sort(first, last, {}, [&](VersionId v) { return place(v); });
  const auto end = static_cast<std::size_t>(last - versions.begin());
  for (std::size_t i = static_cast<std::size_t>(first - versions.begin());
       i < std::min(end + 1, versions.size()); ++i)
    check_pair(stretch.key, versions, i);
}

// The key's versions in the order at hand.
std::span<const VersionId> WriteOrder::sort_key(KeyId key) {
  const auto versions = versions_.of(key);
  const auto by_place = [&](VersionId v) { return place(v); };
  if (rules_.total && may_be_kept(key)) {
    if (!is_kept_[key.index()]) std::ranges::copy(versions, kept(key).begin());
    is_kept_[key.index()] = true;
    std::ranges::sort(kept(key), {}, by_place);
    return kept(key);
  }
  in_order_.assign(versions.begin(), versions.end());
  for (const VersionId v : versions_.possible_of(key))
    if (counts(facts_.writer(v))) in_order_.push_back(v);
  const auto conditional = versions_.conditional_of(key);
  in_order_.insert(in_order_.end(), conditional.begin(), conditional.end());
  std::ranges::sort(in_order_, {}, by_place);
  if (!conditional.empty()) keep_those_that_take_place();
  if (rules_.total) return in_order_;
  VersionId last = facts_.initial_version(key);
  for (const VersionId v : in_order_) {
    previous_[v.index()] = last;
    last = v;
  }
  return in_order_;
}

// Of the key at hand: what a conditional write meets comes before it.
void WriteOrder::keep_those_that_take_place() {
  std::size_t kept = 0;
  for (const VersionId v : std::vector(in_order_)) {
    if (facts_.is_conditional(v)) {
      const std::uint32_t i = facts_.conditional_place(v);
      const ConditionalWrite& write = facts_.conditional[i];
      if (took_[i] != kNoVar) takes_place_[i] = solver_.is_true(Lit(took_[i], true));
      else
        takes_place_[i] =
            facts_.takes_place(h_, write, shown(facts_.open[write.read], std::span(in_order_).first(kept)));
      if (!takes_place_[i]) continue;
    }
    in_order_[kept++] = v;
  }
  in_order_.resize(kept);
}

// Statements that say how many rows they changed, when nothing else is broken.
void WriteOrder::check_counts() {
  if (added_ || !late_axioms_.empty() || !late_facts_.empty()) return;
  for (const CountedWrites& all : facts_.counted) {
    const auto first = takes_place_.begin() + all.first, last = takes_place_.begin() + all.last;
    const auto number = static_cast<std::uint64_t>(std::count(first, last, true));
    if (number == all.count) continue;
    const bool too_many = number > all.count;
    const std::uint64_t enough = (too_many ? all.count : all.last - all.first - all.count) + 1;
    std::vector<Lit> clause;
    for (std::uint32_t i = all.first; i < all.last && clause.size() < enough; ++i)
      if (takes_place_[i] == too_many)
        clause.push_back(Lit(took(facts_.conditional_version(i)).var(), !too_many));
    late_axioms_.push_back(
        {std::move(clause),
         {.kind = too_many ? Axiom::Kind::TooMany : Axiom::Kind::TooFew, .write = all.first}});
  }
}

void WriteOrder::check_key(KeyId key) {
  is_suspect_[key.index()] = false;
  const auto in_order = sort_key(key);
  for (std::size_t i = 0; i < in_order.size(); ++i) check_pair(key, in_order, i);
  for (const std::uint32_t read : versions_.open_of(key)) check_open_read(read, in_order);
}

// A version and the one before it.
void WriteOrder::check_pair(KeyId key, std::span<const VersionId> in_order, std::size_t i) {
  const VersionId version = i == 0 ? facts_.initial_version(key) : in_order[i - 1];
  const TxnId next = facts_.writer(in_order[i]);
  check_reads(version, in_order[i]);
  if (rules_.exclusive && i > 0 &&
      !theory_.order().before(points_.commit(facts_.writer(version)), points_.snapshot(next)))
    keep_apart(key, version, in_order[i]);
}

void WriteOrder::keep_apart(KeyId key, VersionId first, VersionId second) {
  const TxnId a = facts_.writer(first), b = facts_.writer(second);
  if (!facts_.is_conditional(first) && !facts_.is_conditional(second)) {
    make_choice(a, b);
    return;
  }
  std::vector<Lit> clause{apart(a, b), apart(b, a)};
  add_condition(first, clause);
  add_condition(second, clause);
  late_axioms_.push_back(
      {std::move(clause), {.kind = Axiom::Kind::Exclusive, .from = a, .txn = b, .key = key}});
  still_dirty_.push_back(key);
}

// The literal of c(first) < s(second).
Lit WriteOrder::apart(TxnId first, TxnId second) {
  const auto [found, fresh] = apart_.try_emplace(std::uint64_t{first.value} << 32 | second.value, kNoVar);
  if (fresh) {
    const Edge edge{points_.commit(first), points_.snapshot(second)};
    const EdgeCause cause{Kind::Exclusive};
    found->second =
        add_variable({Choice::Kind::Apart, first, second}, std::span(&edge, 1), std::span(&cause, 1));
  }
  return Lit(found->second, true);
}

void WriteOrder::check_open_read(std::uint32_t i, std::span<const VersionId> in_order) {
  const OpenRead& read = facts_.open[i];
  if (!counts(read.reader)) return;
  if (!rules_.total) return check_chosen(i, in_order);
  const VersionId visible = shown(read, in_order);
  const auto candidates = facts_.candidates_of(read);
  if (!is_broken(i, visible)) return;
  still_dirty_.push_back(read.key);
  if (from_[i] == kNoVar) return choose_writer(i);
  for (std::size_t c = 0; c < candidates.size(); ++c)
    if (solver_.is_true(from(i, c))) return put_before(i, candidates[c], visible);
}

// Whether an open read cannot have seen the version; or its conditional write would have done the other.
bool WriteOrder::is_broken(std::uint32_t read, VersionId shown) const {
  const auto candidates = facts_.candidates_of(facts_.open[read]);
  if (std::ranges::find(candidates, shown) == candidates.end()) return true;
  const std::uint32_t write = decides_.empty() ? kNothing : decides_[read];
  return write != kNothing && facts_.takes_place(h_, facts_.conditional[write], shown) != takes_place_[write];
}

// What the order at hand shows to the read.
VersionId WriteOrder::shown(const OpenRead& read, std::span<const VersionId> in_order) const {
  const Place now = theory_.order().position(points_.snapshot(read.reader));
  const auto later = std::ranges::partition_point(in_order, [&](VersionId v) { return place(v) < now; });
  return later == in_order.begin() ? facts_.initial_version(read.key) : later[-1];
}

bool WriteOrder::counts(TxnId t) const {
  if (facts_.counts[t.index()]) return true;
  const auto found = counting_.find(t);
  return found != counting_.end() && solver_.is_true(Lit(found->second, true));
}

VersionId WriteOrder::chosen(std::uint32_t read) const {
  const auto candidates = facts_.candidates_of(facts_.open[read]);
  if (from_[read] != kNoVar)
    for (std::size_t c = 0; c < candidates.size(); ++c)
      if (solver_.is_true(from(read, c))) return candidates[c];
  return VersionId::none();
}

Var WriteOrder::add_variable(Choice choice, std::span<const Edge> if_true, std::span<const EdgeCause> causes,
                             std::optional<bool> preferred) {
  const Var var = solver_.new_variable();
  choices_.push_back(choice);
  theory_.define(var, if_true, {}, preferred);
  causes_.insert(causes_.end(), causes.begin(), causes.end());
  added_ = true;
  return var;
}

// A variable for each possible writer. The one that comes last before the reader in the order at hand is
// tried first.
void WriteOrder::choose_writer(std::uint32_t i) {
  const OpenRead& read = facts_.open[i];
  const auto candidates = facts_.candidates_of(read);
  const std::uint32_t snapshot = points_.snapshot(read.reader);
  const auto age = [&](VersionId v) -> std::int64_t {
    if (facts_.is_initial(v)) return -1;
    if (facts_.is_conditional(v) && !takes_place_[facts_.conditional_place(v)]) return -2;
    const std::uint32_t commit = points_.commit(facts_.writer(v));
    return theory_.order().before(commit, snapshot)
               ? static_cast<std::int64_t>(theory_.order().position(commit))
               : -2;
  };
  VersionId best;
  for (std::uint32_t c = 0; c < candidates.size(); ++c)
    if (!known_.is_excluded(read.first + c) && (best.is_none() || age(candidates[c]) > age(best)))
      best = candidates[c];
  std::vector<Lit> one_of;
  if (!facts_.counts[read.reader.index()]) one_of.push_back(~counting(read.reader));
  from_[i] = static_cast<Var>(choices_.size());
  for (const VersionId v : candidates) {
    const TxnId writer = facts_.writer(v);
    const Choice choice{Choice::Kind::From, writer, read.reader, i, v};
    const Edge edge{writer.is_none() ? 0 : points_.commit(writer), snapshot};
    const EdgeCause cause{Kind::Reads, read.op};
    const std::size_t edges = writer.is_none() ? 0 : 1;
    one_of.push_back(
        Lit(add_variable(choice, std::span(&edge, edges), std::span(&cause, edges), v == best), true));
  }
  late_axioms_.push_back({std::move(one_of), {Axiom::Kind::Candidates, i}});
  for (std::uint32_t c = 0; c < candidates.size(); ++c)
    if (known_.is_excluded(read.first + c))
      late_axioms_.push_back(
          {{~from(i, c)}, {.kind = Axiom::Kind::Excluded, .read = i, .candidate = read.first + c}});
    else if (facts_.is_conditional(candidates[c])) {
      const Lit implied = took(candidates[c]);
      late_axioms_.push_back(
          {{~from(i, c), implied}, {Axiom::Kind::Implies, i, TxnId::none(), facts_.writer(candidates[c])}});
    } else if (const TxnId writer = facts_.writer(candidates[c]);
               !writer.is_none() && !facts_.counts[writer.index()]) {
      const Lit implied = counting(writer);
      late_axioms_.push_back({{~from(i, c), implied}, {Axiom::Kind::Implies, i, TxnId::none(), writer}});
    }
}

Lit WriteOrder::counting(TxnId t) {
  const auto [found, fresh] = counting_.try_emplace(t, kNoVar);
  if (!fresh) return Lit(found->second, true);
  std::vector<Edge> edges;
  std::vector<EdgeCause> causes;
  for (const PossibleEdge& possible : std::ranges::equal_range(known_.if_counts, t, {}, &PossibleEdge::txn)) {
    edges.push_back(possible.edge);
    causes.push_back(possible.cause);
  }
  found->second = add_variable({Choice::Kind::Counts, t}, edges, causes, false);
  new_counting_.push_back(t);
  return Lit(found->second, true);
}

Lit WriteOrder::took(VersionId conditional) {
  const std::uint32_t i = facts_.conditional_place(conditional);
  if (took_[i] == kNoVar) {
    took_[i] = add_variable({Choice::Kind::Took, facts_.conditional[i].writer, TxnId::none(), i}, {}, {},
                            takes_place_[i]);
    made_took_.push_back(i);
    new_took_.push_back(i);
  }
  return Lit(took_[i], true);
}

// What a clause says, it says only if the version is there.
void WriteOrder::add_condition(VersionId version, std::vector<Lit>& clause) {
  if (facts_.is_conditional(version)) clause.push_back(~took(version));
}

std::vector<Lit> WriteOrder::sources(std::uint32_t i, bool matching) const {
  const ConditionalWrite& write = facts_.conditional[i];
  const OpenRead& read = facts_.open[write.read];
  std::vector<Lit> result;
  for (std::uint32_t c = 0; c < read.last - read.first; ++c)
    if (facts_.takes_place(h_, write, facts_.candidates[read.first + c]) == matching)
      result.push_back(from(write.read, c));
  return result;
}

// It took place exactly if what it met matches.
void WriteOrder::add_what_decides(std::uint32_t i) {
  const ConditionalWrite& write = facts_.conditional[i];
  if (from_[write.read] == kNoVar) choose_writer(write.read);
  const Lit took(took_[i], true);
  for (const bool matching : {true, false}) {
    std::vector<Lit> clause = sources(i, matching);
    for (const Lit source : clause)
      late_axioms_.push_back(
          {{~source, matching ? took : ~took},
           {.kind = Axiom::Kind::Decides, .candidate = source.var() - from_[write.read], .write = i}});
    clause.push_back(matching ? ~took : took);
    late_axioms_.push_back(
        {std::move(clause), {.kind = matching ? Axiom::Kind::Matched : Axiom::Kind::Unmatched, .write = i}});
  }
}

// If t counts, so do those whose elements it read.
void WriteOrder::add_shown_by(TxnId t) {
  for (const auto& [reader, order] : facts_.possibly_observed_by(t)) {
    const TxnId writer = facts_.writer(order.after);
    if (!order.adjacent || writer == t || facts_.counts[writer.index()]) continue;
    const Lit absent = ~counting(t);
    late_axioms_.push_back(
        {{absent, counting(writer)}, {.kind = Axiom::Kind::Shows, .txn = writer, .list = order.read}});
  }
}

// The order shows the read what `overwriting` wrote, after the version that was chosen.
void WriteOrder::put_before(std::uint32_t i, VersionId chosen, VersionId overwriting) {
  const OpenRead& read = facts_.open[i];
  const auto candidates = facts_.candidates_of(read);
  const Lit is_from =
      from(i, static_cast<std::size_t>(std::ranges::find(candidates, chosen) - candidates.begin()));
  const TxnId writer = facts_.writer(chosen), later = facts_.writer(overwriting);
  std::vector<Lit> clause{~is_from, reader_first(read.reader, read.op, i, later)};
  if (!writer.is_none()) clause.push_back(~before(writer, later));
  add_condition(overwriting, clause);
  late_axioms_.push_back({std::move(clause), {Axiom::Kind::Overwritten, i, writer, later}});
}

// The same of a read with one possible writer.
void WriteOrder::put_known_before(std::uint32_t i, VersionId overwriting) {
  const ReadFact& read = facts_.reads[i];
  const TxnId later = facts_.writer(overwriting);
  std::vector<Lit> clause{reader_first(read.reader, read.op, i, later)};
  if (!read.writer.is_none()) clause.push_back(~before(read.writer, later));
  add_condition(overwriting, clause);
  late_axioms_.push_back({std::move(clause), {Axiom::Kind::KnownOverwritten, i, read.writer, later}});
  still_dirty_.push_back(read.key);
}

// The literal of s(reader) < c(overwriting).
Lit WriteOrder::reader_first(TxnId reader, OpId op, std::uint32_t place, TxnId overwriting) {
  const auto [found, fresh] =
      before_.try_emplace(std::uint64_t{reader.value} << 32 | overwriting.value, kNoVar);
  if (fresh) {
    const Edge edge{points_.snapshot(reader), points_.commit(overwriting)};
    const EdgeCause cause{Kind::Overwritten, op};
    found->second = add_variable({Choice::Kind::Before, reader, overwriting, place}, std::span(&edge, 1),
                                 std::span(&cause, 1), false);
  }
  return Lit(found->second, true);
}

// psi: what comes after the version that was chosen must not reach the reader.
void WriteOrder::check_chosen(std::uint32_t i, std::span<const VersionId> in_order) {
  const OpenRead& read = facts_.open[i];
  const VersionId version = chosen(i);
  const auto candidates = facts_.candidates_of(read);
  const Lit is_from =
      from(i, static_cast<std::size_t>(std::ranges::find(candidates, version) - candidates.begin()));
  const auto at = std::ranges::find(in_order, version);
  const auto next = at == in_order.end() ? in_order.begin() : at + 1;
  if (next == in_order.end() || facts_.writer(*next) == read.reader) return;
  if (theory_.order().before(points_.snapshot(read.reader), points_.commit(facts_.writer(*next)))) return;
  forbid_reaching(version, facts_.writer(*next), read.reader,
                  static_cast<std::uint32_t>(facts_.reads.size()) + i, is_from);
}

// `next` overwrote the version in the order at hand: who read it later?
void WriteOrder::check_reads(VersionId version, VersionId next) {
  const auto readers = versions_.readers_of(version);
  const Place overwritten = place(next);
  for (std::size_t i = 0; i < readers.size(); ++i)
    if (theory_.order().position(points_.snapshot(readers[i])) >= overwritten &&
        !check_read(version, next, readers[i], versions_.reads_of(version)[i]))
      return;
}

// The reader comes after `next`, which overwrote the version. False: the choice that was made speaks of all
// readers.
bool WriteOrder::check_read(VersionId version, VersionId overwriting, TxnId reader, std::uint32_t read) {
  const TxnId next = facts_.writer(overwriting);
  if (reader == next) return true;
  if (!rules_.total) {
    forbid_reaching(version, next, reader, read, std::nullopt);
  } else if (facts_.is_conditional(overwriting)) {
    put_known_before(read, overwriting);
  } else if (facts_.is_initial(version)) {
    late_facts_.push_back({read, next});
  } else {
    make_choice(facts_.writer(version), next);
    return false;
  }
  return true;
}

// psi: `next` must not reach the reader. If it does, through writers in an order that nobody decided yet,
// they are to be decided; otherwise the choices along the way cannot all be right.
void WriteOrder::forbid_reaching(VersionId version, TxnId next, TxnId reader, std::uint32_t reason,
                                 std::optional<Lit> chosen_writer) {
  const DynamicOrder& order = theory_.order();
  const std::uint32_t start = points_.snapshot(reader), goal = points_.commit(next);
  ++visit_;
  queue_.assign(1, start);
  visited_[start] = visit_;
  const auto arrive = [&](std::uint32_t node, std::uint32_t from, std::uint32_t edge) {
    if (visited_[node] == visit_ || order.before(node, goal)) return;
    visited_[node] = visit_;
    step_[node] = {from, edge};
    queue_.push_back(node);
  };
  for (std::size_t i = 0; i < queue_.size() && visited_[goal] != visit_; ++i) {
    const std::uint32_t node = queue_[i];
    order.predecessors(node, [&](std::uint32_t from, std::uint32_t edge) {
      arrive(from, node, edge);
      return true;
    });
    for (const VersionId v : facts_.versions_by(points_.txn(node)))
      if (const VersionId before = previous_[v.index()]; !facts_.is_initial(before)) {
        const TxnId writer = facts_.writer(before);
        if (!is_decided(writer, points_.txn(node))) arrive(points_.commit(writer), node, kNoEdge);
      }
  }
  if (visited_[goal] != visit_) return;

  bool chosen = true;
  std::vector<Lit> clause;
  std::vector<std::uint32_t> reasons;
  for (std::uint32_t node = goal; node != start; node = step_[node].to) {
    const Step step = step_[node];
    if (step.edge == kNoEdge) {
      make_choice(points_.txn(node), points_.txn(step.to));
      chosen = false;
      continue;
    }
    reasons.push_back(step.edge);
    if (step.edge < theory_.fact_count()) continue;
    const Lit refuted = ~theory_.literal(step.edge);
    if (std::ranges::find(clause, refuted) == clause.end()) clause.push_back(refuted);
  }
  if (const TxnId writer = facts_.writer(version); !writer.is_none()) {
    chosen &= is_decided(writer, next);
    const Lit refuted = ~before(writer, next);
    if (std::ranges::find(clause, refuted) == clause.end()) clause.push_back(refuted);
  }
  if (!chosen) return;
  if (chosen_writer) clause.push_back(~*chosen_writer);
  reasons.push_back(reason);
  late_lemmas_.push_back({std::move(clause), std::move(reasons)});
}

std::vector<KeyId> WriteOrder::keys_of_choices() const {
  std::vector<KeyId> keys;
  for (const Choice& choice : choices_) {
    if (choice.kind == Choice::Kind::From) keys.push_back(facts_.open[choice.read].key);
    if (choice.kind == Choice::Kind::Took) keys.push_back(facts_.conditional[choice.read].key);
    if (choice.kind != Choice::Kind::Order) continue;
    std::ranges::set_intersection(facts_.written_by(choice.first), facts_.written_by(choice.second),
                                  std::back_inserter(keys));
  }
  std::ranges::sort(keys);
  const auto twice = std::ranges::unique(keys);
  keys.erase(twice.begin(), twice.end());
  return keys;
}

Lit WriteOrder::before(TxnId a, TxnId b) {
  const Var var = make_choice(a, b);
  return Lit(var, choices_[var].first == a);
}

Var WriteOrder::make_choice(TxnId a, TxnId b) {
  const auto found = choice_of_pair_.find(pair_code(a, b));
  if (found != choice_of_pair_.end()) return found->second;
  const Var var = solver_.new_variable();
  choice_of_pair_.emplace(pair_code(a, b), var);
  choices_.push_back({Choice::Kind::Order, a, b});
  std::vector<Edge> if_true, if_false;
  add_side(a, b, if_true);
  add_side(b, a, if_false);
  theory_.define(var, if_true, if_false);
  added_ = true;
  return var;
}

// What c(first) < c(second) means.
void WriteOrder::add_side(TxnId first, TxnId second, std::vector<Edge>& edges) {
  const bool apart =
      rules_.exclusive && (facts_.conditional.empty() || facts_.write_common_key(first, second));
  edges.push_back({points_.commit(first), apart ? points_.snapshot(second) : points_.commit(second)});
  causes_.push_back({apart ? Kind::Exclusive : Kind::WriteOrder});
  if (!rules_.total) return;
  for (const VersionId version : facts_.versions_by(first)) {
    if (!facts_.writes_key(second, facts_.writes[version.index()])) continue;
    for (const std::uint32_t i : versions_.reads_of(version)) {
      const ReadFact& read = facts_.reads[i];
      if (read.reader == second) continue;
      edges.push_back({points_.snapshot(read.reader), points_.commit(second)});
      causes_.push_back({Kind::Overwritten, read.op});
    }
  }
}

// Both take the search back to where nothing is decided, so they wait until the order has been looked
// through.
void WriteOrder::make_late_facts() {
  for (const auto& [read, overwriting] : late_facts_) {
    const Edge edge{points_.snapshot(facts_.reads[read].reader), points_.commit(overwriting)};
    const EdgeCause cause{Kind::Overwritten, facts_.reads[read].op};
    const Lit holds(add_variable({Choice::Kind::Fact}, std::span(&edge, 1), std::span(&cause, 1)), true);
    axioms_.emplace(solver_.add_clause(std::span(&holds, 1)), Axiom{Axiom::Kind::Fact});
  }
  late_facts_.clear();
  for (std::size_t i = 0; i < new_counting_.size(); ++i)
    add_shown_by(new_counting_[i]);  // which may make more of them
  new_counting_.clear();
  for (std::size_t i = 0; i < new_took_.size(); ++i) add_what_decides(new_took_[i]);  // the same
  new_took_.clear();
  for (const LateAxiom& late : late_axioms_) axioms_.emplace(solver_.add_clause(late.literals), late.axiom);
  added_ |= !late_axioms_.empty();
  late_axioms_.clear();
  for (const LateLemma& lemma : late_lemmas_) {
    missed_lemmas_.push_back(solver_.add_lemma(lemma.literals, lemma.reasons));
    added_ = true;
  }
  late_lemmas_.clear();
}

void WriteOrder::make_all_choices() {
  for (const KeyId key : h_.keys()) {
    const auto versions = versions_.of(key);
    for (std::size_t i = 0; i < versions.size(); ++i)
      for (std::size_t j = i + 1; j < versions.size(); ++j)
        make_choice(facts_.writer(versions[i]), facts_.writer(versions[j]));
    for (const VersionId version : versions_.conditional_of(key)) took(version);
  }
  make_late_facts();
}

}  // namespace assay
