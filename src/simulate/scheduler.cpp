#include "simulate/scheduler.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace assay {
namespace {

constexpr std::int64_t kLongestStep = 2000;  // nanoseconds
// The probability that the session of the last step makes the next one too. Such bursts let some transactions
// end before others begin, so there are long causal chains, and real-time order that a store can violate.
constexpr double kStay = 0.5;
// The same for a session that has written keys that others write too: if they commit first, it must abort.
constexpr double kHurry = 0.9;

// How stale a read may be: two rounds in which every session runs a transaction.
Moment longest_lag(const GeneratorOptions& options) {
  return 2 * options.sessions * (options.operations + 2);
}

std::vector<PlantedTransaction> planted(const GeneratorOptions& options) {
  if (!options.inject) return {};
  return planted_transactions(*options.inject, options.data == DataKind::Lists);
}

std::span<const StoreWrite> rows_of(const RecordedTransaction& t, const RecordedOperation& op) {
  return std::span(t.rows).subspan(op.list_begin, op.list_end - op.list_begin);
}

// The value that the operation wrote to the key, if it wrote it.
std::optional<std::int64_t> given(const RecordedTransaction& t, const RecordedOperation& op, StoreKey key) {
  if (op.kind == OpKind::Update) {
    const auto row = std::ranges::find(rows_of(t, op), key, &StoreWrite::key);
    return row == rows_of(t, op).end() ? std::nullopt : std::optional(row->value);
  }
  if (op.key != key) return std::nullopt;
  if (op.kind == OpKind::Write || op.kind == OpKind::Insert) return op.value;
  return op.kind == OpKind::Delete && op.found ? std::optional(kNoRow) : std::nullopt;
}

// The transaction's own last write of the key.
std::optional<std::int64_t> own_write(const RecordedTransaction& t, StoreKey key) {
  for (auto op = t.operations.rbegin(); op != t.operations.rend(); ++op)
    if (const auto value = given(t, *op, key)) return value;
  return std::nullopt;
}

// The row for a version of a planted key in a script: version 0 is the absence of a row, and later ones are
// negative, so that no predicate of the workload matches them (row_workloads.h).
std::int64_t planted_row(std::int64_t version) {
  return version == 0 ? kNoRow : version > 0 ? -version : version;
}

bool appended(const RecordedTransaction& t, StoreKey key) {
  return std::ranges::any_of(
      t.operations, [&](const RecordedOperation& op) { return op.key == key && op.kind == OpKind::Append; });
}

}  // namespace

Scheduler::Scheduler(const GeneratorOptions& options)
    : options_(options),
      random_(mix(options.seed, 1)),
      workload_(make_workload(options, mix(options.seed, 2))),
      store_(make_store(options.isolation, {.sessions = options.sessions,
                                            .lag = longest_lag(options),
                                            .lists = options.data == DataKind::Lists,
                                            .initial = workload_->initial_rows(),
                                            .otherwise = has_rows(options.shape) ? kNoRow : 0,
                                            .seed = mix(options.seed, 3)})),
      recorder_(options, *workload_),
      sessions_(options.sessions),
      clock_(options.skew),
      to_plant_(planted(options)),
      planted_count_(to_plant_.size()) {
  const std::size_t own = options.transactions - planted_count_;
  if (planted_count_ != 0) plant_after_ = random_.below(own + 1);
  Random clocks(mix(options.seed, 4));
  for (std::size_t i = 0; i < options.sessions; ++i) {
    Session& session = sessions_[i];
    session.to_begin = own / options.sessions + (i < own % options.sessions ? 1 : 0);
    session.clock_offset =
        static_cast<std::int64_t>(clocks.below(static_cast<std::uint64_t>(options.skew) + 1)) -
        options.skew / 2;
    if (session.to_begin != 0 || planted_count_ != 0) active_.push_back(SessionId(i));
  }
}

Result<Generated> Scheduler::run() && {
  std::size_t place = 0;
  while (!active_.empty()) {
    if (place >= active_.size() ||
        !random_.chance(sessions_[active_[place].index()].hurries() ? kHurry : kStay))
      place = random_.below(active_.size());
    ASSAY_TRY(step(place));
  }
  return std::move(recorder_).finish(std::move(injected_));
}

Result<void> Scheduler::step(std::size_t place) {
  const SessionId id = active_[place];
  Session& session = sessions_[id.index()];
  if (!session.running) {
    if (planting()) {
      begin_planted(place);
      return planted_in_.size() == to_plant_.size() ? end_planted() : Result<void>();
    }
    // A session without transactions of its own stays until the planting is over, because it may be needed.
    if (session.to_begin != 0) begin(session);
    else if (planted_count_ == 0) retire(place);
    return {};
  }
  if (session.asked.size() < session.plan.operations) {
    operate(id);
    return {};
  }
  return end(id);
}

void Scheduler::pass_time() {
  clock_ += 1 + static_cast<std::int64_t>(random_.below(kLongestStep));
  store_->tick();
}

void Scheduler::retire(std::size_t place) {
  active_[place] = active_.back();
  active_.pop_back();
}

void Scheduler::begin(Session& session) {
  session.running = true;
  --session.to_begin;
  session.asked.clear();
  session.transaction.clear();
  session.transaction.instants.begin = clock(session);
  session.plan = workload_->next_transaction();
  const double draw = random_.unit();
  session.fate = draw < options_.aborted                      ? Fate::GiveUp
                 : draw < options_.aborted + options_.unknown ? Fate::LoseTheAnswer
                                                              : Fate::Commit;
  if (session.fate == Fate::GiveUp) session.plan.operations = 1 + random_.below(session.plan.operations);
  pass_time();
}

void Scheduler::operate(SessionId id) {
  Session& session = sessions_[id.index()];
  const bool first = session.asked.empty();
  if (first) store_->begin(id, session.plan.freshness);
  const auto next = workload_->next_operation(session.plan, session.asked);
  if (!next) {
    session.plan.operations = session.asked.size();
    return;
  }
  Asked asked = *next;
  const bool lists = options_.data == DataKind::Lists;
  if (lists && !asked.write && !may_read_own_appends() && appended(session.transaction, asked.key))
    asked = {true, asked.key, workload_->next_value(asked.key)};
  session.asked.push_back(asked);
  if (asked.action != RowAction::None) operate_on_rows(id, asked);
  else if (asked.write)
    session.transaction.operations.push_back(
        {.kind = lists ? OpKind::Append : OpKind::Write, .key = asked.key, .value = asked.value});
  else if (lists) read_list(id, asked.key);
  else read(id, asked.key);
  pass_time();
  if (first) session.transaction.instants.began = clock(session);
}

void Scheduler::read(SessionId id, StoreKey key) {
  RecordedTransaction& t = sessions_[id.index()].transaction;
  const auto own = own_write(t, key);
  const std::int64_t value = own ? *own : store_->read(id, key);
  t.operations.push_back({.kind = OpKind::Read, .key = key, .value = value});
  sessions_[id.index()].asked.back().value = value;
}

void Scheduler::read_list(SessionId id, StoreKey key) {
  RecordedTransaction& t = sessions_[id.index()].transaction;
  RecordedOperation op{.kind = OpKind::ListRead, .key = key};
  op.list_begin = static_cast<std::uint32_t>(t.elements.size());
  store_->read_list(id, key, t.elements);
  for (const RecordedOperation& before : t.operations)
    if (before.kind == OpKind::Append && before.key == key)
      t.elements.push_back(Scalar::integer(before.value));
  op.list_end = static_cast<std::uint32_t>(t.elements.size());
  t.operations.push_back(op);
}

void Scheduler::operate_on_rows(SessionId id, const Asked& asked) {
  RecordedTransaction& t = sessions_[id.index()].transaction;
  switch (asked.action) {
    case RowAction::Insert:
      look_at_rows(id, asked.key, asked.key);
      if (seen_.front() == kNoRow)
        t.operations.push_back({.kind = OpKind::Insert, .key = asked.key, .value = asked.value});
      return;
    case RowAction::Delete:
      look_at_rows(id, asked.key, asked.key);
      t.operations.push_back({.kind = OpKind::Delete, .key = asked.key, .found = seen_.front() != kNoRow});
      return;
    default: return find_rows(id, asked);
  }
}

// Sets seen_ to the values of these keys as the transaction sees them: its own writes, or the store's
// versions.
void Scheduler::look_at_rows(SessionId id, StoreKey first, StoreKey last) {
  const RecordedTransaction& t = sessions_[id.index()].transaction;
  seen_.clear();
  store_->read_rows(id, first, last, seen_);
  collect_writes(t);
  for (const StoreWrite& own : writes_)
    if (first <= own.key && own.key <= last) seen_[own.key.index() - first.index()] = own.value;
}

void Scheduler::find_rows(SessionId id, const Asked& asked) {
  RecordedTransaction& t = sessions_[id.index()].transaction;
  const bool scan = asked.action == RowAction::Scan, update = asked.action == RowAction::Update;
  const StoreKey first = scan ? asked.key : workload_->first_row();
  const StoreKey last = scan ? asked.last : workload_->last_row();
  RecordedOperation op{.kind = scan     ? OpKind::Scan
                               : update ? OpKind::Update
                                        : OpKind::Select,
                       .key = first,
                       .list_begin = static_cast<std::uint32_t>(t.rows.size()),
                       .last = last,
                       .filter = asked.filter};
  look_at_rows(id, first, last);
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    if (scan ? seen_[i] == kNoRow : !asked.filter.matches(seen_[i])) continue;
    const StoreKey key(first.index() + i);
    t.rows.push_back({key, update ? updated_row(key, seen_[i], asked.filter, asked.value) : seen_[i]});
  }
  op.list_end = static_cast<std::uint32_t>(t.rows.size());
  t.operations.push_back(op);
}

bool Scheduler::may_read_own_appends() const { return implies(options_.isolation, Level::Psi); }

// Collects the writes that a commit installs: every append, and the last write of each other key.
void Scheduler::collect_writes(const RecordedTransaction& t) {
  writes_.clear();
  for (const RecordedOperation& op : t.operations) {
    if (op.kind == OpKind::Append) writes_.push_back({op.key, op.value});
    else if (op.kind == OpKind::Update)
      writes_.insert(writes_.end(), rows_of(t, op).begin(), rows_of(t, op).end());
    else if (const auto value = given(t, op, op.key)) writes_.push_back({op.key, *value});
  }
  if (options_.data == DataKind::Lists) return;
  ++collection_;
  std::size_t kept = writes_.size();
  for (std::size_t i = writes_.size(); i-- > 0;) {
    const std::size_t key = writes_[i].key.index();
    if (key >= collected_.size()) collected_.resize(key + 1);
    if (std::exchange(collected_[key], collection_) != collection_) writes_[--kept] = writes_[i];
  }
  writes_.erase(writes_.begin(), writes_.begin() + static_cast<std::ptrdiff_t>(kept));
}

bool Scheduler::try_to_commit(SessionId id) {
  const Session& session = sessions_[id.index()];
  if (session.fate == Fate::GiveUp) return false;
  if (session.fate == Fate::LoseTheAnswer && random_.chance(0.5)) return false;
  collect_writes(session.transaction);
  return store_->commit(id, writes_, session.fate == Fate::Commit);
}

Result<void> Scheduler::end(SessionId id) {
  Session& session = sessions_[id.index()];
  session.transaction.instants.committing = clock(session);
  const bool committed = try_to_commit(id);
  pass_time();
  session.transaction.instants.end = clock(session);
  session.running = false;
  const Outcome outcome = session.fate == Fate::LoseTheAnswer ? Outcome::Unknown
                          : committed                         ? Outcome::Committed
                                                              : Outcome::Aborted;
  if (auto recorded = recorder_.record(id, session.transaction, outcome); !recorded)
    return std::move(recorded).error();
  return {};
}

void Scheduler::begin_planted(std::size_t place) {
  Session& session = sessions_[active_[place].index()];
  session.transaction.clear();
  session.transaction.instants.begin = clock(session);
  pass_time();
  session.transaction.instants.began = clock(session);
  planted_in_.push_back(active_[place]);
  retire(place);
}

Result<void> Scheduler::end_planted() {
  StoreKey keys[3];
  for (StoreKey& key : keys) key = workload_->new_key();
  for (std::size_t i = 0; i < to_plant_.size(); ++i) {
    Session& session = sessions_[planted_in_[i].index()];
    RecordedTransaction planted = planted_transaction(to_plant_[i], keys);
    planted.instants = session.transaction.instants;
    planted.instants.committing = clock(session);
    pass_time();
    planted.instants.end = clock(session);
    auto recorded = recorder_.record(planted_in_[i], planted, to_plant_[i].outcome);
    if (!recorded) return std::move(recorded).error();
    injected_.push_back(*recorded);
  }
  for (const SessionId id : planted_in_) {
    store_->catch_up(id);
    active_.push_back(id);
  }
  planted_count_ = 0;
  return {};
}

RecordedTransaction Scheduler::planted_transaction(const PlantedTransaction& script,
                                                   std::span<const StoreKey> keys) const {
  RecordedTransaction t;
  for (const PlantedOperation& op : script.operations) {
    RecordedOperation recorded{.kind = op.kind, .key = keys[op.key]};
    if (op.kind == OpKind::Select) {
      recorded.filter = {RowColumn::Value, op.values.front(), op.values.front()};
    } else if (op.kind == OpKind::ListRead) {
      recorded.list_begin = static_cast<std::uint32_t>(t.elements.size());
      for (const std::int64_t element : op.values) t.elements.push_back(Scalar::integer(element));
      recorded.list_end = static_cast<std::uint32_t>(t.elements.size());
    } else {
      recorded.value = has_rows(options_.shape) ? planted_row(op.values.front()) : op.values.front();
    }
    t.operations.push_back(recorded);
  }
  return t;
}

}  // namespace assay
