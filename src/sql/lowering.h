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
#include "sql/program.h"
#include "sql/tree.h"

namespace assay::sql {

// Something with columns in a FROM clause: a table, or a query whose columns are expressions.
struct Relation {
  struct Named {
    std::string name;
    ExpressionPtr value;
  };
  std::string alias;
  std::vector<Named> columns;
};

// The relations that a name may mean; those of the query around this one can be named, but not read here.
struct Scope {
  std::vector<Relation> relations;
  Scope* outer = nullptr;
  std::vector<ExpressionPtr>* outer_fields = nullptr;  // where names of the outer query are remembered
};

// Where the first row of a result goes. Without variables and record: to the caller.
struct Into {
  std::vector<std::string> variables{};
  std::string record{};
  bool strict = false;
};

class Lowering;

// What statements may name besides tables and variables.
struct Surroundings {
  std::map<std::string, Json, std::less<>> views;    // the query of each
  std::map<TableId, std::vector<TableId>> triggers;  // by table: what its triggers may read and write
  // Puts the statements of a function of these files in the place of its call and gives its result.
  std::function<ExpressionPtr(Lowering&, const std::string& function, std::vector<ExpressionPtr>)> call;
  std::set<std::string, std::less<>> functions;
};

class Lowering {
 public:
  struct Binding {
    ExpressionPtr value;
    Type type = Type::Other;
    bool is_set = false;
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
  void reads_text(std::string text) { text_ = std::move(text); }
  const Place& place() const { return place_; }
  void drop_idle_notes();  // of carried() values that nothing depends on; before the program is finished

  // Variables: their current values by name.
  void declare(const std::string& name, Type type, bool is_set, ExpressionPtr value);
  void add_parameter(const std::string& name, Type type, bool is_set);
  void assign(const std::string& name, ExpressionPtr value);
  void bind(const std::string& name, ExpressionPtr value);
  ExpressionPtr current(std::string_view name) const;  // null when there is no such variable
  // A value that an earlier round of a loop left behind.
  ExpressionPtr carried(const std::string& name, Type type);
  ExpressionPtr carried(const std::string& name, ExpressionPtr value);  // which is not known
  Environment environment;
  std::vector<std::string> parameters;     // for $1
  std::map<std::string, Type> undeclared;  // of these, those that become parameters when they are first named
  bool tracks_found = false, tracks_count = false;

  // One SELECT, INSERT, UPDATE, DELETE or the like.
  void statement(const Json& node, const Into& into);
  // An expression of the program, which may hold queries.
  ExpressionPtr expression(const Json& node);
  // The query of a loop: its variables exist when this returns, inside the loop that the caller opened.
  Select loop_query(const Json& node, const Into& into);
  void opaque(std::string what);  // may do anything to any table
  int calls = 0;                  // functions being put in place of their calls

 private:
  // A query taken apart: its columns are not yet outputs.
  struct Query {
    Select select;
    std::vector<Relation::Named> columns;
    ExpressionPtr found;   // when an aggregate decides it
    bool derived = false;  // groups, DISTINCT, LIMIT: its rows are not simply rows of its tables
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
  std::vector<Relation::Named> result_columns(const Json& list, Scope& scope);
  void order_and_limit(const Json& select, Scope& scope, Query& query, bool single);
  bool to_extreme(const Json& sort, std::vector<ExpressionPtr> keys, Query& query);
  void pass_over_null(Select& select) const;
  void locking(const Json& select, Query& query);
  void store(const std::string& name, const ExpressionPtr& value);
  void run(Query query);  // for what it reads only
  void deliver(Query query, const Into& into);
  void deliver_rows(const std::vector<Relation::Named>& columns, const Into& into,
                    std::vector<Output>& outputs);
  std::vector<std::string> target_names(const std::vector<Relation::Named>& columns, const Into& into);

  // lower_from.cpp
  void from_item(const Json& item, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void from_subquery(const Json& item, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void from_function(const Json& item, Scope& scope);
  void join(const Json& node, Scope& scope, Select& select, std::vector<ExpressionPtr>& conditions);
  void optional_side(const Json& item, const Json& condition, Scope& scope);

  // lower_change.cpp
  void insert(const Json& node, const Into& into);
  void insert_row(const Json& node, TableId table, std::vector<ExpressionPtr> values, const Into& into);
  void update(const Json& node, const Into& into);
  void update_joined(const Json& node, TableId table, const Into& into);
  void erase(const Json& node, const Into& into);
  void erase_joined(const Json& node, TableId table);
  std::vector<Insert::Set> assignments(const Json& list, TableId table, Scope& scope);
  std::vector<Output> returning(const Json& node, Scope& scope, const Into& into);
  ExpressionPtr key_condition(TableId table, Select& select, Scope& scope);

  std::optional<TableId> table_of(const Json& range_var);
  Relation relation_of(TableId table, SourceId source, std::string alias) const;
  void track(Effect& effect);
  VariableId temporary(std::string name, Type type, bool is_set = false);
  void append(decltype(Statement::what) what) { build_.append(std::move(what)); }
  void append_change(decltype(Statement::what) what, TableId table);  // with what its triggers do
  ExpressionPtr call_inline(const std::string& function, std::vector<ExpressionPtr> arguments);

  const Schema& schema_;
  const Surroundings& around_;
  std::vector<Note>& notes_;
  ProgramBuilder build_;
  Place place_;
  std::string text_;
  std::optional<Error> problem_;
  Select* aggregating_ = nullptr;  // the query whose target list is being lowered
  int maybe_ = 0;                  // inside this many expressions that may not be evaluated
  std::map<std::string, Relation, std::less<>> with_;  // queries of WITH, by name
  std::vector<std::pair<ExpressionPtr, Note>> carried_;
  std::set<VariableId> unnamed_;  // temporaries that may still become variables of the program
};

}  // namespace assay::sql
