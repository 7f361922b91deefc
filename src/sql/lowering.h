// From PostgreSQL's parse trees of SQL statements to the statements of a Program.
//
// Names are resolved (columns of the tables in scope, then variables), queries inside queries become
// statements of their own in front of the one that holds them, and what has no counterpart in the model
// becomes an Unknown or an Opaque, with a Note. The first error is kept and lowering goes on, so that no path
// needs a way out; whoever asks for the program asks `problem()` first.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sql/builder.h"
#include "sql/columns.h"
#include "sql/ddl.h"
#include "sql/program.h"
#include "sql/tree.h"
#include "sql/type_names.h"

namespace assay::sql {

// Something with columns in a FROM clause: a table, or a query whose columns are expressions.
struct Relation {
  std::string alias;
  Columns columns;
};

// The relations that a name may mean; those of the query around this one can be named, but not read here.
struct Scope {
  std::vector<Relation> relations;
  Scope* outer = nullptr;
  std::vector<ExpressionPtr>* outer_fields = nullptr;  // where names of the outer query are remembered
  bool many = false;                                   // some relation is no table: its rows are not known
  bool repeats = false;  // a row may come several times: it meets the optional side of an outer join
  bool merged = false;   // USING or NATURAL: `*` has the columns in another order, some of them once
};

// Where the first row of a result goes. Without variables and record: to the caller.
struct Into {
  std::vector<std::string> variables{};
  std::string record{};
  bool strict = false;
};

class Lowering;

// What statements may name besides tables and variables.
struct Trigger {
  std::string name, function;
  bool row = false, before = false, instead = false;
  bool on_insert = false, on_update = false, on_delete = false;
  std::vector<std::string> columns;  // of UPDATE OF
  Json when;
  std::string unclear;  // what of it, or of its function, is not understood
};
enum class Event : std::uint8_t { Insert, Update, Delete };
bool fires(const Trigger& trigger, Event event);

// An argument of a call; without a name it is known by its position.
struct Given {
  std::string name;
  ExpressionPtr value;
};

struct Surroundings {
  std::map<std::string, Json, std::less<>> views;             // the query of each
  std::map<std::string, std::string, std::less<>> unclear{};  // other names of relations, and why
  std::map<TableId, std::vector<Trigger>> triggers;           // by table, in the order in which they fire
  ColumnFormulas formulas{};
  bool sequences_repeat = false;  // some program sets one back
  std::string anything{};         // why every program may do anything
  // Puts the body of the trigger's function here; `new.` and `old.` variables are in the environment.
  std::function<void(Lowering&, const Trigger&)> call_trigger{};
  // Puts the statements of a function of these files in the place of its call and gives its result.
  std::function<ExpressionPtr(Lowering&, const std::string& function, const std::vector<Given>&)> call;
  std::set<std::string, std::less<>> functions;
  std::set<std::string, std::less<>> sets{};              // of these, those that give any number of rows
  std::map<std::string, Columns, std::less<>> results{};  // what functions of these files give in FROM
};

class Lowering {
 public:
  struct Binding {
    ExpressionPtr value;
    Type type = Type::Other;
    bool is_set = false;
    std::string declared{};
    // Of a record whose columns are known: their names, in order. Each is a variable `record.column`.
    std::optional<std::vector<std::string>> fields{};
    bool record = false;    // a row: assigned column by column
    bool row_type = false;  // whose columns are those of its type: assigned by position, not by name

    // A record that holds a row of which no column is known.
    bool open() const {
      return record && !fields && !(value->kind == Expression::Kind::Constant && value->null);
    }
  };
  using Environment = std::map<std::string, Binding, std::less<>>;

  Lowering(const Schema& schema, const Surroundings& surroundings, std::vector<Note>& notes, std::string name,
           Place place);

  ProgramBuilder& builder() { return build_; }
  const Schema& schema() const { return schema_; }
  const std::optional<Error>& problem() const { return problem_; }
  void fail(std::string what, std::string remedy = {});
  void note(std::string text);
  // Statements from here on are the next one of the text. `text` is what locations in trees count in.
  void at(const Place& place);
  void reads_text(std::string text) { text_ = std::move(text), text_known_ = true; }
  void reads_no_text() { text_known_ = false; }  // the trees that follow come from elsewhere
  const Place& place() const { return place_; }
  void drop_idle_notes();  // of carried() values that nothing depends on; before the program is finished

  // Variables: their current values by name.
  void declare(const std::string& name, Type type, bool is_set, ExpressionPtr value);
  void declare(const std::string& name, const NamedType& type, ExpressionPtr value);
  // A record with the columns of a table.
  void declare_row(const std::string& name, TableId table, const std::vector<ExpressionPtr>& values);
  // Removes the columns of a record from the environment.
  void drop_fields(const std::string& record);
  void forget_shape(const std::string& record);  // that is not of a row type
  void add_parameter(const std::string& name, const NamedType& type);
  void assign(const std::string& name, ExpressionPtr value);
  void bind(const std::string& name, ExpressionPtr value);
  ExpressionPtr current(std::string_view name) const;  // null when there is no such variable
  // A value that an earlier round of a loop left behind.
  ExpressionPtr carried(const std::string& name, Type type);
  ExpressionPtr carried(const std::string& name, ExpressionPtr value);  // which is not known
  Environment environment;
  std::vector<std::string> parameters;  // for $1
  std::map<std::string, NamedType>
      undeclared;  // of these, those that become parameters when they are first named
  bool tracks_found = false, tracks_count = false;
  bool variables_first = false;  // a name that could be a column too is the variable

  // One SELECT, INSERT, UPDATE, DELETE or the like.
  void statement(const Json& node, const Into& into);
  // An expression of the program, which may hold queries.
  ExpressionPtr expression(const Json& node);
  // The query of a loop: its variables exist when this returns, inside the loop that the caller opened.
  Select loop_query(const Json& node, const Into& into);
  // lower_locks.cpp: locks that are no rows
  void lock_tables(const Json& node);
  bool takes_advisory_lock(const Json& select);
  bool calls_builtin(const Json& call, std::string_view name) const;
  // Statements of a function that is called here stand between the two. The planner may leave out calls of
  // functions that are not VOLATILE, with all that these call.
  struct Called {
    bool keeps_snapshot = false;  // it reads with its caller's
    bool is_volatile = true;
  };
  void enter_call(const Called& function);
  void leave_call();
  // The condition gets a variable, so that whether it holds is decided once.
  void begin_if(ExpressionPtr condition);
  bool runs_lazily = false;       // the last query of an SQL function gives one row at a time
  void opaque(std::string what);  // may do anything to any table
  // The only way to say that something is not understood: a note, and a statement that may do anything.
  void not_understood(const std::string& what);
  NamedType type_named(const Json& type_name) const { return resolve_type(type_of(type_name), schema_); }
  // Whether a text names something that may read tables which it does not name: views, functions, triggers.
  bool reads_more_than(const std::string& text) const;
  // From now on nothing is known of these variables, nor of the parts of such records.
  void forget(const std::vector<std::string>& names);
  void forget(const Into& into);

 private:
  // A query taken apart: its columns are not yet outputs.
  struct Query {
    Select select;
    Columns columns;
    ExpressionPtr found;   // when an aggregate decides it
    bool derived = false;  // groups, DISTINCT, LIMIT: its rows are not simply rows of its tables
    bool many = false;     // it has rows of something that is no table: any number of them
    bool repeats = false;  // rows of its tables may come several times
  };

  // lower_expression.cpp
  ExpressionPtr lower(const Json& node, Scope* scope);
  ExpressionPtr lower_all(const Json& list, Scope* scope, Expression::Kind kind);
  std::vector<ExpressionPtr> lower_each(const Json& list, Scope* scope);
  ExpressionPtr lower_constant(const Json& value);
  ExpressionPtr lower_column(const Json& reference, Scope* scope);
  ExpressionPtr lower_operator(const Json& operation, Scope* scope);
  ExpressionPtr lower_named_operator(const std::string& name, ExpressionPtr left, ExpressionPtr right);
  ExpressionPtr lower_case(const Json& node, Scope* scope);
  ExpressionPtr lower_coalesce(const Json& list, Scope* scope);
  ExpressionPtr lower_extreme(const Json& node, Scope* scope);
  ExpressionPtr lower_cast(const Json& node, Scope* scope);
  ExpressionPtr lower_call(const Json& node, Scope* scope);
  ExpressionPtr lower_window(const std::string& name, const Json& node, Scope* scope);
  ExpressionPtr lower_aggregate(const std::string& name, const Json& node, Scope* scope);
  std::vector<ExpressionPtr> lower_order(const Json& call, Scope* scope);
  ExpressionPtr lower_subscript(const Json& node, Scope* scope);
  ExpressionPtr lower_subquery(const Json& node, Scope* scope);
  ExpressionPtr lower_value_function(const Json& node);
  ExpressionPtr resolve(const std::vector<std::string>& names, Scope* scope);

  // lower_select.cpp
  Query query(const Json& select, Scope* outer, std::vector<ExpressionPtr>* outer_fields, bool single);
  Query plain_query(const Json& select, Scope& scope, bool single);
  Query set_operation(const Json& select, Scope* outer, std::vector<ExpressionPtr>* outer_fields);
  Query values_list(const Json& lists, Scope& scope);
  void with_clause(const Json& clause);
  Columns result_columns(const Json& list, Scope& scope);
  void order_and_limit(const Json& select, Scope& scope, Query& query, bool single);
  bool to_extreme(const Json& sort, std::vector<ExpressionPtr> keys, Query& query);
  void pass_over_null(Select& select) const;
  void locking(const Json& select, Query& query);
  bool gives_rows(const Json& call) const;
  static bool may_leave_nothing(const Json& select);
  void leave_open(Query& query);
  void store(const std::string& name, const ExpressionPtr& value);
  void run(Query query);  // for what it reads only
  void deliver(Query query, const Into& into);
  void deliver_rows(const Columns& columns, const Into& into, std::vector<Output>& outputs);

  // lower_rows.cpp: rows as lists of columns, and the variables that they go to
  Columns expanded(const Json& star, Scope* scope);
  Columns expanded(const std::vector<std::string>& names, Scope* scope);
  Columns lower_row(const Json& items, Scope* scope);
  ExpressionPtr part_of_row(const Json& items, std::size_t index, Scope* scope);
  std::vector<NamedColumn> record_targets(const Columns& columns, const std::string& record);
  // The variables of `into` with what goes to each: null where there is no column.
  std::vector<NamedColumn> targets(const Columns& columns, const Into& into);
  void settle(const Into& into);  // after its variables were set

  // lower_from.cpp
  void from_item(const Json& item, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void from_subquery(const Json& item, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void from_function(const Json& item, Scope& scope);
  Columns rows_of_call(const Json& call, const std::string& alias, Scope& scope);
  void join(const Json& node, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void optional_side(const Json& item, const Json& condition, Scope& scope);

  // lower_change.cpp
  std::optional<TableId> changed_table(const Json& range_var);
  ExpressionPtr as_column(const ExpressionPtr& value, const Column& column);
  ExpressionPtr fits_into(const ExpressionPtr& value, const std::string& declared);
  void insert(const Json& node, const Into& into);
  void insert_rows(const Json& node, TableId table, const Into& into);
  void insert_row(const Json& node, TableId table, std::vector<ExpressionPtr> values, const Into& into);
  void update(const Json& node, const Into& into);
  void update_joined(const Json& node, TableId table, const Into& into);
  void erase(const Json& node, const Into& into);
  void erase_joined(const Json& node, TableId table, const Into& into);
  ExpressionPtr any_row(TableId table) const;
  void forget_rows(const Into& into);
  std::vector<Insert::Set> assignments(const Json& list, TableId table, Scope& scope);
  std::vector<Output> returning(const Json& node, Scope& scope, const Into& into);
  ExpressionPtr key_condition(TableId table, Select& select, Scope& scope);

  void lock_named(std::string_view table, ExpressionPtr name);
  std::optional<TableId> table_of(const Json& range_var);
  bool has_gaps(const Json& node);
  // A condition for what row level security and partitions hide; null when they hide nothing.
  ExpressionPtr hidden(const Json& range_var, TableId table, SourceId source) const;
  Relation relation_of(TableId table, SourceId source, std::string alias) const;
  void track(Effect& effect);
  VariableId temporary(std::string name, Type type, bool is_set = false);
  void append(decltype(Statement::what) what) { build_.append(std::move(what)); }
  // lower_triggers.cpp: changes with what triggers, generated columns and foreign keys add to them
  void append_insert(Insert statement);
  void append_update(Update statement);
  void append_delete(Delete statement);
  struct Row {  // the values of a row, per column
    std::vector<ExpressionPtr> values;
  };
  bool has_row_triggers(TableId table, Event event, const std::vector<Insert::Set>& sets) const;
  bool concerns(const Trigger& trigger, TableId table, Event event,
                const std::vector<Insert::Set>& sets) const;
  // Runs the triggers of one moment; gives when the row is passed over (null: never).
  ExpressionPtr fire(TableId table, Event event, bool before, bool row, Row* now, const Row* old,
                     const std::vector<Insert::Set>& sets);
  // Triggers for the statement as a whole fire once, also when it meets no row.
  void fire_statement(TableId table, Event event, bool before, const std::vector<Insert::Set>& sets);
  ExpressionPtr fire_one(const Trigger& trigger, TableId table, Event event, Row* now, const Row* old);
  template <class Change>
  void each_row(Change statement, Event event);
  void generate(TableId table, Row& row, const Row* old);
  ExpressionPtr generated(TableId table, ColumnId column, const Row& row, const Json& formula);
  void follow_keys(TableId table, Event event);
  ExpressionPtr default_of(TableId table, ColumnId column);
  // `on_rows`: for each row of a statement.
  ExpressionPtr call_inline(const std::string& function, std::vector<Given> given, bool on_rows);
  ExpressionPtr put_in_place(const std::string& function, const std::vector<Given>& given);

  ExpressionPtr call_once(const std::string& function, std::vector<Given> given, bool on_rows);

  const Schema& schema_;
  const Surroundings& around_;
  std::vector<Note>& notes_;
  ProgramBuilder build_;
  Place place_;
  std::string text_;
  bool text_known_ = true;
  std::vector<const Trigger*> firing_;          // triggers being put in place
  std::set<std::string, std::less<>> inlined_;  // functions being put in the place of their calls
  std::optional<Error> problem_;
  Select* aggregating_ = nullptr;  // the query whose target list is being lowered
  int maybe_ = 0;                  // inside this many expressions that may not be evaluated
  // A function that is being put in the place of its call, and its caller.
  struct Caller {
    Place place;
    std::string text;
    bool text_known, surely_runs;
    int maybe, unsure;
  };
  std::vector<Caller> callers_;
  // Functions and triggers that call each other several times would become exponentially many statements.
  static constexpr std::size_t kMostCalls = 200;
  std::size_t calls_ = 0;
  bool surely_runs_ = true;  // no function around is one that the planner may leave out
  int unsure_ = 0;           // inside this many queries of which the server may not evaluate every expression
  std::map<std::string, Relation, std::less<>> with_;  // queries of WITH, by name
  std::set<std::string, std::less<>> views_around_;    // being put in the place of their names
  std::vector<std::pair<ExpressionPtr, Note>> carried_;
  std::map<std::pair<VariableId, std::string>, ExpressionPtr> fits_;  // of fits_into()
  std::set<VariableId> unnamed_;  // temporaries that may still become variables of the program
};

}  // namespace assay::sql
