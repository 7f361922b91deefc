// Small applications, built by hand, that the tests of the analysis share.
#pragma once

#include <string>
#include <vector>

#include "analysis/analyze.h"
#include "sql/builder.h"

namespace assay::analysis {

// A table of integer columns of which the first `keys` are the primary key.
sql::Table table(std::string name, std::vector<std::string> columns, std::size_t keys = 1);

// A few words for the statements that tests need. Conditions are conjunctions.
class ProgramText {
 public:
  ProgramText(const sql::Schema& schema, std::string name) : schema_(schema), builder_(std::move(name)) {}

  sql::ExpressionPtr parameter(std::string name) { return builder_.parameter(std::move(name)); }
  // SELECT column FROM table WHERE ...; the value of the variable it goes to.
  sql::ExpressionPtr select(const std::string& table, const std::string& column, sql::ExpressionPtr where,
                            bool for_update = false);
  sql::ExpressionPtr aggregate(sql::Output::Aggregate what, const std::string& table,
                               const std::string& column, sql::ExpressionPtr where);
  void update(const std::string& table, const std::string& column, sql::ExpressionPtr value,
              sql::ExpressionPtr where);
  void insert(const std::string& table, std::vector<sql::ExpressionPtr> values);
  void remove(const std::string& table, sql::ExpressionPtr where);
  sql::ExpressionPtr field(const std::string& table, const std::string& column) const;
  sql::ExpressionPtr is(const std::string& table, const std::string& column, sql::ExpressionPtr value) const;
  sql::ProgramBuilder& builder() { return builder_; }
  sql::Program finish() { return builder_.finish(); }

 private:
  sql::TableId id(const std::string& table) const { return *schema_.find(table); }

  const sql::Schema& schema_;
  sql::ProgramBuilder builder_;
};

sql::ExpressionPtr add(sql::ExpressionPtr a, sql::ExpressionPtr b);
sql::ExpressionPtr less(sql::ExpressionPtr a, sql::ExpressionPtr b);

// Paper 004, section 2.
sql::Application bank();

Analysis analyze(const sql::Application& application, std::string_view levels, unsigned cycle,
                 bool prove = false);

}  // namespace assay::analysis
