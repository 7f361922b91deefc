#include "random/random_predicate_history.h"

#include <algorithm>
#include <optional>
#include <string>

#include "history/builder.h"
#include "random/random_instants.h"

namespace assay::test {
namespace {

using Row = std::optional<std::int64_t>;  // nothing: unborn or dead

enum class Shape : std::uint8_t {
  Equal,
  Less,
  AtLeast,
  Between,
  NotEqual,
  KeyAndLess,
  KeyOrEqual,
  In,
  OtherKey
};
constexpr std::uint64_t kShapes = 9;

struct Condition {
  Shape shape = Shape::Equal;
  std::int64_t low = 0, high = 0;  // constants for the value
  std::size_t key = 0;             // constant for the key

  // Says by hand what RowTest is to find out.
  bool matches(std::size_t of_key, Row row) const {
    if (!row) return false;
    switch (shape) {
      case Shape::Equal: return *row == low;
      case Shape::Less: return *row < low;
      case Shape::AtLeast: return *row >= low;
      case Shape::Between: return low <= *row && *row <= high;
      case Shape::NotEqual: return *row != low;
      case Shape::KeyAndLess: return of_key == key && *row < low;
      case Shape::KeyOrEqual: return of_key == key || *row == low;
      case Shape::In: return *row == low || *row == high;
      case Shape::OtherKey: return of_key != key;
    }
    return false;
  }
};

struct KeyAndRow {
  std::size_t key;
  std::int64_t value;
};

struct Operation {
  OpKind kind;
  std::size_t key = 0, last_key = 0;  // both: the range of a scan
  Condition condition{};
  std::vector<std::int64_t> written{};  // for each key, what this operation gives it if it does
  // What the client was told.
  Row row{};
  std::vector<KeyAndRow> rows{};
  std::optional<std::uint64_t> count{};
  std::optional<bool> found{};
  std::vector<Row> possible{};           // of a read of one of several values
  std::vector<std::int64_t> elements{};  // of a list
};

struct Draft {
  std::size_t session;
  Outcome outcome = Outcome::Committed;
  std::vector<Operation> operations{};
  Instants instants{};
};

class Maker {
 public:
  Maker(Random& random, const RandomPredicateOptions& options) : random_(random), options_(options) {
    const double moods[] = {0, 0.2, 0.5, 0.8, 1};
    stale_ = moods[std::max(random.below(5), random.below(5))];
    fractured_ = random.chance(0.5) ? moods[random.below(5)] : 0;
    free_ = random.chance(0.3) ? moods[random.below(4)] : 0;
    wild_ = random.chance(0.1) ? moods[random.below(3)] * 0.4 : 0;
    disorder_ = random.chance(0.4) ? moods[random.below(5)] : 0;
    odd_ = options.odd_outcomes && random.chance(0.4) ? moods[random.below(3)] : 0;
    unique_ = random.chance(0.4);
    careful_ = random.chance(0.5);
    forked_ = random.chance(0.2);
    columns_ = random.chance(0.2);
    keys_ = 2 + std::max(random.below(options.most_keys - 1), random.below(options.most_keys - 1));
    by_predicate_ = moods[1 + random.below(3)];
    const double kinds = options.more_kinds ? 0.25 : 0;
    one_of_ = kinds;
    lists_ = random.chance(0.5) ? kinds : 0;
    const double start = random.unit();
    has_initial_ = start < 0.93;
    if (start < 0.35) initial_ = 0;
  }

  History make() {
    draft_transactions();
    execute();
    return build();
  }

 private:
  void draft_transactions() {
    const std::size_t sessions =
        1 + std::max(random_.below(options_.most_sessions), random_.below(options_.most_sessions));
    floor_.assign(sessions, std::vector<std::size_t>(keys_));
    last_commit_.assign(sessions, 0);
    const std::size_t span = options_.most_transactions - options_.least_transactions + 1;
    const std::size_t count = options_.least_transactions +
                              std::max({random_.below(span), random_.below(span), random_.below(span)});
    for (std::size_t i = 0; i < count; ++i) {
      Draft t{.session = random_.below(sessions)};
      if (random_.chance(odd_ * 0.4)) t.outcome = Outcome::Aborted;
      else if (random_.chance(odd_)) t.outcome = Outcome::Unknown;
      for (std::size_t n = 1 + random_.below(options_.most_operations); n > 0; --n)
        t.operations.push_back(operation());
      drafts_.push_back(std::move(t));
    }
  }

  Operation operation() {
    Operation op{.kind = kind()};
    op.key = random_.below(keys_);
    op.last_key = std::min(keys_ - 1, op.key + random_.below(keys_));
    if (op.kind == OpKind::Scan && random_.chance(0.5)) op.key = 0;
    for (std::size_t key = 0; key < keys_; ++key) op.written.push_back(fresh_value());
    op.condition = {static_cast<Shape>(random_.below(kShapes)), constant(), constant(), random_.below(keys_)};
    if (op.condition.low > op.condition.high) std::swap(op.condition.low, op.condition.high);
    return op;
  }

  OpKind kind() {
    using enum OpKind;
    if (random_.chance(lists_)) return random_.chance(0.5) ? Append : ListRead;
    if (random_.chance(one_of_)) return ReadOneOf;
    if (options_.update_maybes > 0 && random_.chance(options_.update_maybes)) return UpdateMaybe;
    constexpr OpKind by_key[] = {Read, Read, Write, Write, Insert, Delete};
    constexpr OpKind by_predicate[] = {Scan, Scan, Select, Select, Update, UpdateMaybe};
    return random_.chance(by_predicate_) ? by_predicate[random_.below(std::size(by_predicate))]
                                         : by_key[random_.below(std::size(by_key))];
  }

  std::int64_t fresh_value() {
    return unique_ ? ++last_unique_ : static_cast<std::int64_t>(random_.below(4));
  }
  std::int64_t constant() {
    return static_cast<std::int64_t>(
        random_.below(static_cast<std::uint64_t>(unique_ ? last_unique_ + 2 : 5)));
  }

  // Runs the transactions in some order, each at once, on versions that are never forgotten.
  void execute() {
    versions_.assign(keys_, {Version{initial_, 0, 0}});
    lists_then_.assign(1, {});
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < drafts_.size(); ++i) order.push_back(i);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
      if (random_.chance(disorder_)) std::swap(order[i], order[i + random_.below(order.size() - i)]);
    std::size_t now = 0;
    for (const std::size_t i : order) execute(drafts_[i], ++now);
  }

  void execute(Draft& t, std::size_t now) {
    std::size_t& last = last_commit_[t.session];
    snapshot_ = random_.chance(stale_) ? last + random_.below(now - last) : now - 1;
    session_ = t.session;
    wrote_.assign(keys_, false);
    seen_.assign(keys_, std::nullopt);
    own_.assign(keys_, std::nullopt);
    appended_.clear();
    for (Operation& op : t.operations) execute(op);
    lists_then_.push_back(lists_then_.back());
    if (t.outcome == Outcome::Committed || (t.outcome == Outcome::Unknown && random_.chance(0.6))) {
      lists_then_.back().insert(lists_then_.back().end(), appended_.begin(), appended_.end());
      for (std::size_t key = 0; key < keys_; ++key)
        if (wrote_[key]) {
          versions_[key].push_back({own_[key], now, t.session % 2});
          floor_[t.session][key] = versions_[key].size() - 1;
        }
    }
    last = now;
    if (options_.instants)
      t.instants = random_instants(random_, time_of(snapshot_), time_of(now), t.outcome, disorder_ * 0.3);
  }

  static std::int64_t time_of(std::size_t commit) { return kTick * static_cast<std::int64_t>(commit); }

  // Turns a write that would overwrite what the transaction has not seen into a read.
  void avoid_conflict(Operation& op) {
    const auto overwritten = [&](std::size_t key) { return versions_[key].back().installed > snapshot_; };
    bool any = false;
    for (std::size_t key = 0; key < keys_; ++key) any |= overwritten(key);
    if (is_item_write(op.kind) && overwritten(op.key)) op.kind = OpKind::Read;
    if ((op.kind == OpKind::Update || op.kind == OpKind::UpdateMaybe) && any) op.kind = OpKind::Select;
  }

  void execute(Operation& op) {
    if (careful_) avoid_conflict(op);
    switch (op.kind) {
      case OpKind::Insert:
        if (view(op.key) && !random_.chance(wild_)) op.kind = OpKind::Write;
        return write(op, op.key);
      case OpKind::Write: return write(op, op.key);
      case OpKind::Delete: {
        const bool there = view(op.key).has_value() != random_.chance(wild_);
        if (random_.chance(0.7)) op.found = there;
        if (op.found.value_or(true)) give(op.key, std::nullopt);
        return;
      }
      case OpKind::Scan:
        for (std::size_t key = op.key; key <= op.last_key; ++key)
          answer(op, key, [](Row row) { return row.has_value(); });
        return;
      case OpKind::Select:
        for (std::size_t key = 0; key < keys_; ++key)
          answer(op, key, [&](Row row) { return op.condition.matches(key, row); });
        return;
      case OpKind::Update:
        for (std::size_t key = 0; key < keys_; ++key)
          if (matches_or_not(op, key)) change(op, key);
        return;
      case OpKind::UpdateMaybe: return update_maybe(op);
      case OpKind::ReadOneOf: return read_one_of(op);
      case OpKind::Append: op.elements = {++last_element_}; return appended_.push_back(last_element_);
      case OpKind::ListRead: return read_list(op);
      default: op.row = view(op.key);
    }
  }

  template <class Accept>
  void answer(Operation& op, std::size_t key, Accept accept) {
    const Row row = view(key);
    if (accept(row) && !random_.chance(wild_ * 0.5)) op.rows.push_back({key, *row});
  }

  bool matches_or_not(const Operation& op, std::size_t key) {
    return op.condition.matches(key, view(key)) != random_.chance(wild_ * 0.5);
  }

  void update_maybe(Operation& op) {
    std::uint64_t count = 0;
    for (std::size_t key = 0; key < keys_; ++key) {
      if (possible_rows_ == options_.most_possible_rows || random_.chance(0.3)) continue;
      ++possible_rows_;
      const bool changed = matches_or_not(op, key);
      count += changed;
      if (changed) change(op, key);
      else op.rows.push_back({key, op.written[key]});
    }
    if (random_.chance(0.5)) op.count = count;
  }

  // What it met is among the values, mostly.
  void read_one_of(Operation& op) {
    if (!random_.chance(wild_)) op.possible.push_back(view(op.key));
    for (std::size_t n = random_.below(3); n > 0; --n) {
      const Row other = random_.chance(0.5) ? anything(op.key) : Row(constant());
      if (std::ranges::find(op.possible, other) == op.possible.end()) op.possible.push_back(other);
    }
    if (op.possible.empty()) op.possible.push_back(view(op.key));
  }

  // There is one list; what it was after each commit is known.
  void read_list(Operation& op) {
    op.elements = lists_then_[random_.chance(fractured_) ? random_.below(lists_then_.size()) : snapshot_];
    op.elements.insert(op.elements.end(), appended_.begin(), appended_.end());
    if (op.elements.size() > 1 && random_.chance(wild_ * 0.5))
      std::swap(op.elements.front(), op.elements.back());
  }

  void change(Operation& op, std::size_t key) {
    op.rows.push_back({key, op.written[key]});
    give(key, op.written[key]);
  }

  void write(Operation& op, std::size_t key) {
    op.row = op.written[key];
    give(key, op.row);
  }

  void give(std::size_t key, Row row) {
    wrote_[key] = true;
    own_[key] = row;
  }

  // What the transaction that runs sees of the key.
  Row view(std::size_t key) {
    if (random_.chance(wild_ * 0.3)) return anything(key);
    if (wrote_[key]) return own_[key];
    if (!seen_[key] || random_.chance(wild_)) seen_[key] = version(key);
    return *seen_[key];
  }

  Row version(std::size_t key) {
    if (random_.chance(free_)) return anything(key);
    std::size_t& floor = floor_[session_][key];
    const auto& versions = versions_[key];
    if (random_.chance(fractured_)) {
      floor += random_.below(versions.size() - floor);
    } else {
      for (std::size_t i = floor; i < versions.size(); ++i)
        if (versions[i].installed <= snapshot_ || (forked_ && versions[i].site == session_ % 2)) floor = i;
    }
    return versions[floor].row;
  }

  // What somebody writes at some time, perhaps later or in vain; or nothing.
  Row anything(std::size_t key) {
    std::vector<Row> candidates{versions_[key].front().row, versions_[key].back().row};
    for (const Draft& t : drafts_)
      for (const Operation& op : t.operations) {
        const bool one_key = is_item_write(op.kind) && op.key == key;
        if (op.kind == OpKind::Delete && one_key) candidates.emplace_back();
        else if (one_key || op.kind == OpKind::Update || op.kind == OpKind::UpdateMaybe)
          candidates.emplace_back(op.written[key]);
      }
    return candidates[random_.below(candidates.size())];
  }

  History build() {
    HistoryBuilder b;
    if (has_initial_) b.set_initial(scalar(b, initial_));
    else b.set_initial(std::nullopt);
    for (const Draft& t : drafts_) {
      for (const Operation& op : t.operations) build(b, op);
      const auto finished = b.finish({.session = b.session("S" + std::to_string(t.session + 1)),
                                      .outcome = t.outcome,
                                      .instants = t.instants});
      ASSAY_REQUIRE(finished.has_value());
    }
    auto history = std::move(b).build();
    ASSAY_REQUIRE(history.has_value());
    return std::move(history).value();
  }

  void build(HistoryBuilder& b, const Operation& op) {
    const KeyId key = b.key(key_name(op.key));
    std::vector<KeyAndValue> rows;
    for (const KeyAndRow& row : op.rows) rows.push_back({b.key(key_name(row.key)), scalar(b, row.value)});
    std::vector<Scalar> values;
    for (const Row& row : op.possible) values.push_back(scalar(b, row));
    for (const std::int64_t element : op.elements) values.push_back(Scalar::integer(element));
    switch (op.kind) {
      case OpKind::ReadOneOf: return b.read_one_of(key, values);
      case OpKind::Append: return b.append(b.key(key_name(keys_)), values.front());
      case OpKind::ListRead: return b.list_read(b.key(key_name(keys_)), values);
      case OpKind::Write: return b.write(key, scalar(b, op.row));
      case OpKind::Insert: return b.insert(key, scalar(b, op.row));
      case OpKind::Delete: return b.remove(key, op.found);
      case OpKind::Scan:
        return b.scan({key_name(op.key), key_name(op.last_key + (op.last_key + 1 == keys_))}, rows);
      case OpKind::Select: return b.select(predicate(b, op.condition), rows);
      case OpKind::Update: return b.update(predicate(b, op.condition), rows);
      case OpKind::UpdateMaybe: return b.update_maybe(predicate(b, op.condition), rows, op.count);
      default: return b.read(key, scalar(b, op.row));
    }
  }

  static Scalar key_name(std::size_t key) { return Scalar::integer(static_cast<std::int64_t>(key) + 1); }

  Scalar scalar(HistoryBuilder& b, Row row) const {
    if (!row) return Scalar::null();
    const Scalar value = Scalar::integer(*row);
    return columns_ ? b.pool().row({{b.pool().string("size"), value}}) : value;
  }

  std::vector<PredicateNode> predicate(HistoryBuilder& b, const Condition& c) const {
    const Scalar value = b.pool().string(columns_ ? "size" : "value"), key = b.pool().string("key");
    const PredicateNode low{PredicateOp::Constant, 0, Scalar::integer(c.low)};
    const PredicateNode high{PredicateOp::Constant, 0, Scalar::integer(c.high)};
    const PredicateNode name{PredicateOp::Constant, 0, key_name(c.key)};
    using enum PredicateOp;
    switch (c.shape) {
      case Shape::Equal: return {{Equal, 1, value}, low};
      case Shape::Less: return {{Less, 1, value}, low};
      case Shape::AtLeast: return {{GreaterEqual, 1, value}, low};
      case Shape::Between: return {{Between, 2, value}, low, high};
      case Shape::NotEqual: return {{Not, 1, {}}, {Equal, 1, value}, low};
      case Shape::KeyAndLess: return {{And, 2, {}}, {Equal, 1, key}, name, {Less, 1, value}, low};
      case Shape::KeyOrEqual: return {{Or, 2, {}}, {Equal, 1, key}, name, {Equal, 1, value}, low};
      case Shape::In: return {{In, 2, value}, low, high};
      case Shape::OtherKey: return {{NotEqual, 1, key}, name};
    }
    return {};
  }

  struct Version {
    Row row;
    std::size_t installed, site;
  };

  Random& random_;
  const RandomPredicateOptions& options_;
  // How often a snapshot is old, a read ignores it, returns anything that somebody writes, or an answer is
  // just wrong; how often transactions run out of order, do not simply commit, and how many operations are by
  // predicate.
  double stale_, fractured_, free_, wild_, disorder_, odd_, by_predicate_;
  double one_of_, lists_;  // how many operations are reads of one of several values, or of the list
  bool careful_;           // nothing is overwritten unseen
  bool forked_;            // two sites: what happened at one's own is seen at once
  bool unique_, columns_, has_initial_;
  Row initial_;
  std::size_t keys_;
  std::int64_t last_unique_ = 0, last_element_ = 0;
  std::size_t possible_rows_ = 0;
  std::vector<Draft> drafts_;
  std::vector<std::vector<Version>> versions_;
  std::vector<std::vector<std::int64_t>> lists_then_;  // by commit: the list
  std::vector<std::vector<std::size_t>> floor_;        // of each session and key, the version it has seen
  std::vector<std::size_t> last_commit_;               // of each session

  // Of the transaction that runs.
  std::size_t snapshot_ = 0, session_ = 0;
  std::vector<bool> wrote_;
  std::vector<std::int64_t> appended_;
  std::vector<Row> own_;
  std::vector<std::optional<Row>> seen_;
};

}  // namespace

History random_predicate_history(Random& random, const RandomPredicateOptions& options) {
  return Maker(random, options).make();
}

}  // namespace assay::test
