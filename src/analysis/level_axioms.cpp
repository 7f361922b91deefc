// The axioms of the level over visibility and arbitration: built in, per statement, or written by the user.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/axioms.h"
#include "analysis/encoding.h"
#include "analysis/written_level.h"

namespace assay::analysis {

using z3::expr;
using z3::implies;

void Encoding::order_axioms() {
  const std::size_t n = std::ranges::count(txs_, 0u, &Tx::world);  // they come first
  const Levels& levels = facts_.levels();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        if (i != j && j != k && i != k) require(implies(before(i, j) && before(j, k), before(i, k)));
  for (std::size_t view = 0; view < views_.size(); ++view) {
    const std::size_t t = views_[view].tx;
    if (txs_[t].world > 0) continue;
    const StoreLevelRow& level = levels.row(txs_[t].program);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == t) continue;
      require(implies(visible(i, view), before(i, t)));
      if (level.total || levels.serialized(txs_[i].program, txs_[t].program))
        require(implies(before(i, t), visible(i, view)));
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i || j == t) continue;
        if (level.prefix || level.per_statement)
          require(implies(before(i, j) && visible(j, view), visible(i, view)));
        if (level.causal && !per_statement(j))
          require(
              implies(visible(i, view_ids_.at(fmt::format("{}", j))) && visible(j, view), visible(i, view)));
      }
    }
  }
}

// Of read committed: views grow from statement to statement, and into the functions that a statement calls;
// what a statement finds when it gets to its row (`newest`) is later than its own snapshot, and not related
// to those of the functions.
void Encoding::view_axioms() {
  const auto precedes = [&](const View& a, const View& b) {
    if (a.tx != b.tx || !per_statement(a.tx)) return false;
    const bool within = a.snapshot == b.snapshot ? b.newest : b.snapshot.is_inside(a.snapshot);
    if (!b.snapshot.is_surely_after(a.snapshot) && (a.newest || !within)) return false;
    // In MariaDB what a function reads may be as old as the statement that called it.
    if (a.newest && passes_rows(a.tx) && !b.snapshot.is_of_later_statement(a.snapshot)) return false;
    return a.rounds.size() <= b.rounds.size()
               ? std::equal(a.rounds.begin(), a.rounds.end(), b.rounds.begin(),
                            [](const expr& x, const expr& y) { return z3::eq(x, y); })
               : b.rounds.empty();
  };
  for (std::size_t a = 0; a < views_.size(); ++a)
    for (std::size_t b = 0; b < views_.size(); ++b)
      if (precedes(views_[a], views_[b])) {
        for (std::size_t i = 0; i < txs_.size(); ++i)
          if (i != views_[a].tx) require(implies(visible(i, a), visible(i, b)));
        // Where nobody deletes, the row that an INSERT looks for is still there if it was before.
        const View& v = views_[b];
        if (const auto row = v.newest ? pinned(v.tx, v.item, v.rounds) : std::nullopt)
          if (!facts_.table(row->table).deleted && !facts_.table(row->table).opaque)
            require(implies(alive(a, *row), alive(b, *row)));
      }
}

// The transactions of the encoding and the rows that they name, for axioms of the specification language.
class Encoding::Subject : public AxiomSubject {
 public:
  explicit Subject(Encoding& encoding)
      : e_(encoding), transactions_(std::ranges::count(encoding.txs_, 0u, &Tx::world)) {
    std::vector<Record> rows = e_.records_;
    for (std::size_t t = 0; t < transactions_; ++t)
      for (const Write& write : e_.footprints_[e_.txs_[t].program].writes)
        for (const Rounds& at : e_.known_rounds(t, e_.item_of(t, write.item).loops))
          if (const auto row = e_.pinned(t, write.item, at)) rows.push_back(*row);
    e_.drop_repeated(rows);
    for (const Record& row : rows) {
      if (e_.facts_.options().granularity == Granularity::Column)
        for (std::size_t c = 0; c < e_.facts_.table(row.table).updated.size(); ++c)
          if (e_.facts_.table(row.table).updated[c]) objects_.push_back({row, sql::ColumnId(c)});
      objects_.push_back({row, std::nullopt});
    }
  }

  std::size_t transactions() const override { return transactions_; }
  std::size_t objects() const override { return objects_.size(); }
  expr exists(std::size_t t) override { return e_.exists(t); }
  expr vis(std::size_t s, std::size_t t) override {
    return e_.visible(s, e_.view_ids_.at(fmt::format("{}", t)));
  }
  expr ar(std::size_t s, std::size_t t) override { return e_.before(s, t); }
  expr so(std::size_t s, std::size_t t) override {
    return e_.z_.bool_const(fmt::format("so {} {}", s, t).c_str());
  }
  expr writes(std::size_t object, std::size_t t) override {
    const auto& [row, column] = objects_[object];
    const bool rows_only = e_.facts_.options().granularity == Granularity::Row;
    expr any = e_.no();
    for (const Write& write : e_.footprints_[e_.txs_[t].program].writes) {
      if (write.table != row.table || !(rows_only || !write.column || write.column == column)) continue;
      for (const Rounds& at : e_.known_rounds(t, e_.item_of(t, write.item).loops))
        any = any || e_.writes(t, write, at, row);
    }
    return any;
  }

 private:
  struct Object {
    Record row;
    std::optional<sql::ColumnId> column;  // where the store keeps columns apart; none: the row
  };
  Encoding& e_;
  std::size_t transactions_;
  std::vector<Object> objects_;
};

void Encoding::written_axioms() {
  const WrittenLevel* level = facts_.levels().written.get();
  if (level == nullptr) return;
  Subject subject(*this);
  require(sessions_are_chains(subject, z_));
  for (const spec::Node* axiom : level->axioms) {
    const auto formula = instantiated(*axiom, level->specification, subject, z_);
    ASSAY_ASSERT(formula.has_value());  // it was tried when the level was read
    require(*formula);
  }
}

}  // namespace assay::analysis
