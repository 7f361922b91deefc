// Executions of a few named transactions, among any number of others, as a formula without quantifiers.
//
// Every execution that the level allows is a model: each axiom is a universal statement about executions,
// instantiated at the records and rounds of loops that the question names. So "unsatisfiable" means that no
// such execution exists, whatever else ran. Conditions on rows come in two strengths: `may` replaces what
// cannot be evaluated (a column that somebody changes) by true, `must` by false, after negations were pushed
// inwards. Necessary conditions of accesses use `may`, forced ones `must`.
//
// Symbols are functions named by what they mean, so asking twice gives the same one: a variable of
// transaction t is `v@t(rounds)`, a column that never changes `T.c(key)`, whether c writes a row
// `W(c)@t(rounds, key)`.
#pragma once

#include <z3++.h>

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "analysis/facts.h"
#include "analysis/footprint.h"

namespace assay::analysis {

struct Term {
  z3::expr value, null;
  bool known = true;  // false: depends on something that the formula does not speak of
};

// Of a condition in SQL's three values; the formulas imply one another: must => is true => may.
struct Truth {
  z3::expr may, must;          // be true
  z3::expr may_not, must_not;  // be false
};

struct Record {
  sql::TableId table;
  std::vector<z3::expr> key;  // by the columns of the primary key; without one: who inserted it, and a number
};

using Rounds = std::vector<z3::expr>;  // of the loops around, outermost first

// Where an expression is evaluated.
struct Scope {
  std::size_t tx;
  Rounds rounds;
  std::vector<const Record*> rows{};      // per source
  std::optional<std::size_t> view{};      // the rows are what this view shows; without: any version of them
  std::size_t item = Item::kNone;         // the statement
  const sql::Insert* inserted = nullptr;  // fields are those of the new row
  const sql::Update* updated = nullptr;
};

// One way in which an edge may come about, for reading it off a model.
struct Way {
  Dependency kind;
  std::size_t from, to;
  std::size_t from_item, to_item;
  Record record;
  std::optional<sql::ColumnId> column;
  z3::expr condition;
  std::size_t view = Item::kNone;  // of the reader
};

class Encoding {
 public:
  Encoding(z3::context& z, const Facts& facts, std::span<const Footprint> footprints);

  // One that is not named need not exist: then nothing in it happens.
  std::size_t add_transaction(std::size_t program, bool named = true);
  // Some dependency from i to j, of one of the kinds; its ways are kept under the pair.
  z3::expr depends(std::size_t i, std::size_t j);
  // What cannot be without a dependency from i to j.
  z3::expr surely_depends(std::size_t i, std::size_t j);
  z3::expr before(std::size_t i, std::size_t j) const;  // ar
  // Axioms about everything named so far. Called once, after the question was put.
  void finish();
  // Rows that were found must have been inserted: by a named transaction or by one more, which this adds.
  // Costs much and decides little; so it is only asked for when the rest was satisfiable.
  void add_inserters();
  bool wants_inserters() const { return !found_rows().empty(); }
  // Values, rows and loops fit together without any other transaction.
  z3::expr closed();
  // The rows to begin with keep the unique keys of the schema.
  z3::expr keeps_unique_keys();
  // What the calls count and add up is there.
  z3::expr aggregates_find_rows(std::size_t calls);
  // Queries of one row find it, and what calls insert and set the server takes.
  z3::expr queries_find_rows(std::size_t calls);
  z3::expr writes_are_taken(std::size_t calls);
  // Their values fit the columns' types, and the numbers are positive.
  z3::expr fits_types();
  // So do the values that rounds of loops hand on; rounds that nobody names are left out.
  z3::expr handed_on();
  // Each dependency of the cycle is one that a query would have noticed.
  z3::expr noticed(std::size_t cycle);
  // Runs the transactions once more, one after another. Only for programs without loops.
  void add_serial_execution(const std::vector<std::size_t>& order);
  // A serial execution tells its clients something else than the execution did, or leaves something else, or
  // fails.
  z3::expr differs(std::size_t world);

  void require(const z3::expr& e) { solver_.add(e); }
  z3::solver& solver() { return solver_; }
  // How long one check may take. Z3 does not catch Ctrl-C itself: it would end that check alone.
  void limit_search(double seconds);
  z3::context& z() { return z_; }
  const std::vector<Way>& ways() const { return ways_; }
  const Facts& facts() const { return facts_; }

  // For reading models.
  struct Tx {
    std::size_t program;
    bool named;  // of the question; others inserted rows
    // Of a transaction that runs once more, alone, in a serial execution from the same beginning: which
    // serial execution (0: none of them), where in it, and whose arguments it has.
    std::size_t world = 0, place = 0, twin = Item::kNone;
  };
  struct View {
    std::size_t tx;
    sql::Snapshot snapshot;  // of read committed only
    Rounds rounds;
    std::size_t item;
    bool newest = false;   // what the statement finds when it gets to its row, later than what it began with
    bool current = false;  // all that was committed before the transaction ends
    std::size_t since = Item::kNone;  // each row is of a moment of its own, not before this view
  };
  const std::vector<Tx>& transactions() const { return txs_; }
  const std::vector<View>& views() const { return views_; }
  const std::vector<Record>& records() const { return records_; }
  std::vector<Rounds> known_rounds(std::size_t tx, std::span<const std::size_t> loops) const;
  Term variable(std::size_t tx, sql::VariableId id, const Rounds& rounds);
  Term element(std::size_t tx, sql::VariableId id, const Rounds& rounds, const z3::expr& index);
  z3::expr visible(std::size_t i, std::size_t view) const;
  z3::expr initially_alive(const Record& record);
  Term initial_value(const Record& record, sql::ColumnId column);
  std::vector<Record> all_records();  // that are named anywhere
  void drop_repeated(std::vector<Record>& records) const;
  z3::expr happens(std::size_t tx, std::size_t item, const Rounds& rounds);
  std::size_t view_of(std::size_t tx, std::size_t item, const Rounds& rounds, bool newest = false);
  const Item& item_of(std::size_t tx, std::size_t item) const { return program(tx).items[item]; }
  const std::map<std::string, std::int64_t>& texts() const { return texts_; }
  Term fixed_value(const Record& record, sql::ColumnId column);
  z3::expr runs(std::size_t tx, std::size_t loop, const Rounds& rounds);

 private:
  // terms.cpp
  z3::sort sort_of(sql::Type type);
  z3::expr apply(const std::string& name, const std::vector<z3::expr>& arguments, const z3::sort& sort);
  Term fresh(const Scope& scope, const sql::Expression& e, bool known);
  Term constant(const sql::Expression& e);
  Term arithmetic(const Scope& scope, const sql::Expression& e);
  Term field(const Scope& scope, const sql::Expression& e);
  Term evaluate(const Scope& scope, const sql::ExpressionPtr& e);
  Truth compare(const Scope& scope, const sql::Expression& e);
  Truth compare(const Scope& scope, sql::Expression::Kind kind, sql::Type type, Term a, Term b,
                const sql::Expression* e);
  Truth truth(const Scope& scope, const sql::ExpressionPtr& e);  // null is true
  Truth open_truth(const Scope& scope, const sql::Expression* e);
  z3::expr equal(const Term& a, const Term& b);
  z3::expr as_sort(const z3::expr& e, const z3::sort& sort);
  Term seen_value(std::size_t view, const Record& record, sql::ColumnId column);
  z3::expr yes() { return z_.bool_val(true); }
  z3::expr no() { return z_.bool_val(false); }

  // definitions.cpp
  const ProgramFacts& program(std::size_t tx) const { return facts_.programs()[txs_[tx].program]; }
  bool per_statement(std::size_t tx) const {
    return txs_[tx].world == 0 && facts_.levels().row(txs_[tx].program).per_statement;
  }
  // Snapshots of a server that checks keys and foreign keys against what is committed, not against the
  // snapshot: a key is free when its row was deleted since, although the snapshot still shows the row.
  bool rechecks_keys(std::size_t tx) const {
    const StoreLevelRow& level = facts_.levels().row(txs_[tx].program);
    return txs_[tx].world == 0 && !per_statement(tx) && level.level != StoreLevel::Written && level.prefix &&
           level.no_conflict && !level.total;
  }
  // MariaDB's: see mariadb.cpp.
  enum class Sight : std::uint8_t { Snapshot, Current, Row, Mixed };
  Sight sight(std::size_t tx, std::size_t item) const;
  bool names_its_row(std::size_t tx, std::size_t item) const;
  // Plain queries have a view, what locks another.
  bool splits_views(std::size_t tx) const {
    return txs_[tx].world == 0 && facts_.levels().row(txs_[tx].program).locks_what_it_reads;
  }
  bool passes_rows(std::size_t tx) const {
    return txs_[tx].world == 0 && facts_.levels().row(txs_[tx].program).passes_rows;
  }
  // Whether the query may have an older version than the transaction's own UPDATE of the row.
  bool shows_own_versions(std::size_t tx, std::size_t item) const;
  bool locks_before_snapshot(std::size_t tx, std::size_t item) const;
  bool locks_what_changed(std::size_t tx, std::size_t item) const;
  z3::expr changes(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record);
  z3::expr may_show(std::size_t i, std::size_t view) const;
  std::size_t snapshot_of(std::size_t tx);
  std::size_t view_at_start(std::size_t tx, std::size_t item, const Rounds& rounds, bool newest = false);
  // Whether rows of the table may go away, and their keys come back.
  bool keys_come_back(sql::TableId table) const {
    return facts_.table(table).deleted || facts_.table(table).opaque;
  }
  z3::expr exists(std::size_t tx);
  // It rolls back: impossible for a transaction of the question.
  void fail(std::size_t tx, const z3::expr& when);
  Rounds rounds_for(std::size_t tx, std::span<const std::size_t> loops, const std::string& tag);
  void define(std::size_t tx, std::span<const std::size_t> loops, const Rounds& rounds);
  void define_loop(std::size_t tx, std::size_t loop, const Rounds& rounds);
  z3::expr surely_matches(const Scope& scope, const sql::Select& select);
  void define_select(std::size_t tx, std::size_t item, const Rounds& rounds);
  void define_insert(std::size_t tx, std::size_t item, const Rounds& rounds);
  void define_returning(std::size_t tx, std::size_t item, const Rounds& rounds,
                        const std::vector<sql::Output>& outputs, const sql::Effect& effect);
  void define_effect(const Scope& scope, const sql::Effect& effect, const z3::expr& runs,
                     const z3::expr& found);
  void set(const Scope& scope, sql::VariableId variable, const z3::expr& when, const Term& value);
  z3::expr found(std::size_t tx, std::size_t item, const Rounds& rounds);
  static bool says_whether_it_found(const Item& item);
  std::vector<Record> selected(std::size_t tx, std::size_t item, const Rounds& rounds);
  z3::expr happens(const Scope& scope, const std::vector<Guard>& guards, std::span<const std::size_t> loops);
  Record record(sql::TableId table, const std::string& name, const std::vector<z3::expr>& arguments = {});
  z3::expr alive(std::size_t view, const Record& record);
  // The one that a read is answered from. An INSERT that meets a row looks at its newest version, as checks
  // of constraints do.
  std::size_t view_of(std::size_t tx, const Read& read, const Rounds& rounds);
  bool writes_before(std::size_t tx, std::size_t item, sql::TableId table,
                     std::optional<sql::ColumnId> column) const;
  bool removes_before(std::size_t tx, std::size_t item, sql::TableId table) const;
  // Whether it did so to this record.
  z3::expr own(std::size_t tx, std::size_t item, const Rounds& rounds, const Record& record);
  void distinct_rounds(std::size_t tx, std::size_t loop, const Rounds& a, const Rounds& b);
  z3::expr same_key(const Record& a, const Record& b);
  std::optional<Record> pinned(std::size_t tx, std::size_t item, const Rounds& rounds);

  // accesses.cpp
  static std::vector<z3::expr> joined(const Rounds& rounds, const std::vector<z3::expr>& key);
  z3::expr writes(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record);
  z3::expr may_write(std::size_t tx, const Write& write, const Rounds& rounds, const Record& record);
  bool locks_all(std::size_t tx, std::size_t item) const;
  z3::expr locks(std::size_t tx, std::size_t item, const Rounds& rounds, const Record& record);
  z3::expr reads(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record, bool surely);
  z3::expr reads_rows(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                      bool surely);
  z3::expr may_be_looked_for(std::size_t i, const Read& read, const Rounds& at_i, std::size_t j,
                             const Write& write, const Rounds& at_j);
  bool meets_newest_versions(std::size_t tx, std::size_t item, sql::TableId table) const;
  z3::expr looked_at(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                     std::size_t writer);
  z3::expr not_looked_at(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                         std::size_t writer);
  z3::expr concerns_extreme(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                            bool surely);
  z3::expr reads_other(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record);
  z3::expr matches_insert(const Scope& scope, const sql::Insert& insert, const Record& record,
                          std::span<const sql::ColumnId> columns);
  z3::expr matches_conflict(const Scope& scope, const sql::Insert& insert, const Record& record);
  sql::ExpressionPtr where_of(const Item& item) const;

  // constraints.cpp
  bool tells_inserts(std::size_t tx) const;
  z3::expr inserted(std::size_t tx, std::size_t item, const Rounds& rounds);
  z3::expr holds_what_it_checks(std::size_t tx, const Read& read, const Rounds& rounds);
  bool frees_key_before(std::size_t tx, std::size_t item, sql::TableId table,
                        std::span<const sql::ColumnId> key) const;
  sql::ExpressionPtr given(const Item& item, sql::ColumnId column) const;
  sql::ExpressionPtr of_new_row(const Item& item, const sql::ExpressionPtr& e) const;
  static sql::ExpressionPtr looked_for(const sql::ExpressionPtr& where, const sql::RowKey::Part& part);
  z3::expr changes_key_of_another(std::size_t tx, const Read& read, const Rounds& rounds,
                                  const Record& record);
  void not_null(const Scope& scope, const sql::Table& table, sql::ColumnId column,
                const sql::ExpressionPtr& value, const z3::expr& when);
  z3::expr looks_again(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record);
  z3::expr puts_key_looked_for(std::size_t tx, const Read& read, const Rounds& rounds, const Record& record,
                               std::size_t item, const Rounds& at, const sql::RowKey& key);
  void parents_are_there(const Scope& scope, const sql::Insert& insert, const z3::expr& inserts);
  void unique_axioms();

  // closed.cpp
  struct Event {
    std::size_t tx;
    const Write* write;
    z3::expr happens;
    Rounds at;
  };
  std::vector<Event> events_on(const Record& record, std::size_t world);
  // Both are formulas: the field is what the last of the events that are seen made of it, or what it was
  // initially.
  template <class Sees>
  z3::expr presence_is(const z3::expr& alive, const Record& record, const std::vector<Event>& events,
                       Sees&& sees);
  template <class Sees>
  z3::expr value_is(const Term& value, const Record& record, sql::ColumnId column,
                    const std::vector<Event>& events, Sees&& sees);
  template <class Sees, class Concerns, class Says>
  z3::expr last_decides(const std::vector<Event>& events, Sees&& sees, Concerns&& concerns, Says&& says,
                        const z3::expr& initially);
  static constexpr std::size_t kNobodysView = 1000000;  // and on: numbers of views that no statement has
  z3::expr notices(const Way& way);
  static std::vector<const Record*> pointers_to(const std::vector<Record>& records);
  z3::expr tells_the_same(std::size_t tx, std::size_t copy);
  z3::expr leaves_the_same(std::size_t world, const Record& record);
  Term written_value(std::size_t tx, const Write& write, const Rounds& at, const Record& record,
                     sql::ColumnId column);

  // level_axioms.cpp
  class Subject;
  void order_axioms();
  void view_axioms();
  void written_axioms();

  // order.cpp
  void conflict_axioms();
  z3::expr locked_before(std::size_t tx, std::size_t item, const Record& row, std::size_t depth,
                         const View& view);
  void conflicts(std::size_t i, std::size_t j);
  void presence_axioms();
  z3::expr accounts_for(std::size_t tx, std::size_t item, const Rounds& at, const Record& record);
  void version_axioms();
  bool orders_versions(std::size_t tx) const;
  void counter_axioms();
  bool keeps_apart(const Write& a, const Write& b) const;
  struct FoundRow {
    std::size_t tx, item;
    Rounds rounds;
  };
  std::vector<FoundRow> found_rows() const;

  z3::context& z_;
  z3::solver solver_;
  const Facts& facts_;
  std::span<const Footprint> footprints_;
  std::vector<Tx> txs_;
  std::vector<View> views_;
  std::vector<Record> records_;  // that edges are about
  std::vector<Way> ways_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Rounds>> rounds_;  // by transaction and loop
  std::map<std::string, Rounds> tagged_rounds_;
  std::map<std::string, std::size_t> view_ids_;
  std::set<std::string> instantiated_;
  std::map<std::string, std::int64_t> texts_;
  bool inside_own_ = false;
  std::map<std::size_t, z3::expr> failed_;  // of transactions in serial executions
};

}  // namespace assay::analysis
