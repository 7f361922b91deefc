// One function in PL/pgSQL while it is lowered: what plpgsql.h describes, by the files that do it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sql/plpgsql.h"
#include "sql/tree.h"
#include "sql/type_names.h"

namespace assay::sql {

class FunctionBody {
 public:
  FunctionBody(const BodyOfFunction& function, Lowering& lowering) : function_(function), lower_(lowering) {}

  void run();

 private:
  using Environment = Lowering::Environment;
  using Action = std::function<void()>;

  // plpgsql.cpp: variables and expressions
  static bool mentions(const std::string& text, std::string_view word);
  static bool variables_win(const std::string& text);
  static std::string remedy_for(const Error& problem);
  Place place_of(const Json& statement) const;
  std::string name_of(std::int64_t number) const;
  NamedType declared_type(const Json& variable) const;
  bool is_record(const std::string& name) const;
  void declare_until(std::int64_t line, Environment& shadowed);
  static std::string query_text(const Json& expression);
  Json parse(std::string text);
  void evaluate_into(const std::string& expression, const Into& into);
  void set_variable(const std::string& name, const std::string& expression);
  ExpressionPtr evaluate(const std::string& expression);
  ExpressionPtr condition(const Json& expression);
  Into into_of(const Json& statement) const;

  // plpgsql_jumps.cpp
  static std::string flag_name(std::size_t loop);     // of the flag that leaves this loop; 0: the function
  static std::string last_name_of(std::size_t loop);  // of the flag that this round is its last
  static bool is_false(const ExpressionPtr& value);
  static bool is_true(const ExpressionPtr& value);
  void close_to(std::size_t open);
  void statements(const Json& list);
  void guard(const ExpressionPtr& left);
  void close_guards(std::size_t open);
  void nested(const Json& list);
  void merge(const ExpressionPtr& condition, const Environment& then, Environment otherwise);
  void branch(const ExpressionPtr& condition, const Action& then, const Action& otherwise);
  void leave(std::size_t from_loop, std::size_t last_of);

  // plpgsql_statements.cpp: `branch` is given what appends the statements of its two sides
  void one(const Json& node);
  void unclear(const std::string& kind, const Json& body);
  void sql(std::string text, const Into& into);
  void assign(const Json& body);
  void if_chain(const Json& body, const Json& elsifs, std::size_t next);
  void case_chain(const Json& body);
  void case_from(const Json& body, const Json& whens, std::size_t next);
  void raise(const Json& body);
  void check(const Json& body);
  void diagnostics(const Json& body);
  void return_query(const Json& body);
  ExpressionPtr given(const Json& body);
  void emit(const Json& body);
  void give_back(const Json& body);
  void decide_row(const Json& body);
  void exit_or_continue(const Json& body);
  void block(const Json& body);
  void guarded_block(const Json& body);
  void handlers(const Json& list, std::size_t next);
  std::vector<TableId> tables_in(const Json& body) const;

  // plpgsql_loops.cpp
  std::set<std::string> assigned_in(const Json& node) const;
  void insert_names(std::int64_t number, std::set<std::string>& names) const;
  void collect_assigned(const Json& node, std::set<std::string>& names) const;
  using Variables = std::map<std::string, VariableId>;
  // From now on nothing is known of these; `as` are those that have a variable to say so.
  void havoc(const std::set<std::string>& names, const Variables& as = {});
  Variables variables_for(const std::set<std::string>& names);
  ExpressionPtr set_of_anything(const std::string& name, const Lowering::Binding& binding);
  bool leaves(const Json& node) const;
  void loop(const Json& body, Loop head, const std::vector<std::string>& round, const Action& first);
  void for_query(const Json& body);
  void for_integers(const Json& body);
  void for_array(const Json& body);
  void while_loop(const Json& body, bool conditional);

  struct Guard {
    std::size_t open;    // blocks around it
    Environment before;  // what holds when it was jumped over
    ExpressionPtr left;  // true when it was
  };

  const BodyOfFunction& function_;
  Lowering& lower_;
  std::vector<Json> datums_;
  std::vector<bool> initialised_;
  std::vector<std::string> loops_;  // labels of the loops around
  std::vector<Guard> guards_;
};

}  // namespace assay::sql
