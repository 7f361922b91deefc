#include "analysis/subjects.h"

#include <gtest/gtest.h>

namespace assay::analysis {

using sql::ColumnId;
using sql::ExpressionPtr;
using Kind = sql::Expression::Kind;

sql::Table table(std::string name, std::vector<std::string> columns, std::size_t keys) {
  sql::Table table;
  table.name = std::move(name);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    table.columns.push_back(
        {.name = columns[c], .type = sql::Type::Integer, .nullable = c >= keys, .declared = "integer"});
    if (c < keys) table.primary_key.push_back(ColumnId(c));
  }
  return table;
}

ExpressionPtr ProgramText::field(const std::string& table, const std::string& column) const {
  return sql::field(*schema_[id(table)].find(column));
}

ExpressionPtr ProgramText::is(const std::string& table, const std::string& column,
                              ExpressionPtr value) const {
  return sql::make(Kind::Equal, {field(table, column), std::move(value)});
}

ExpressionPtr ProgramText::select(const std::string& table, const std::string& column, ExpressionPtr where,
                                  bool for_update) {
  const sql::VariableId into = builder_.local("v_" + column);
  sql::Select select;
  select.sources = {id(table)};
  select.where = std::move(where);
  select.outputs = {{.value = field(table, column), .into = into}};
  select.for_update = for_update;
  builder_.append(std::move(select));
  return builder_.value_of(into);
}

ExpressionPtr ProgramText::aggregate(sql::Output::Aggregate what, const std::string& table,
                                     const std::string& column, ExpressionPtr where) {
  const sql::VariableId into = builder_.local("a_" + column);
  sql::Select select;
  select.sources = {id(table)};
  select.where = std::move(where);
  select.rows = sql::Select::Rows::Aggregate;
  select.outputs = {
      {.aggregate = what, .value = column.empty() ? nullptr : field(table, column), .into = into}};
  builder_.append(std::move(select));
  return builder_.value_of(into);
}

void ProgramText::update(const std::string& table, const std::string& column, ExpressionPtr value,
                         ExpressionPtr where) {
  sql::Update update;
  update.table = id(table);
  update.sets = {{*schema_[id(table)].find(column), std::move(value)}};
  update.where = std::move(where);
  builder_.append(std::move(update));
}

void ProgramText::insert(const std::string& table, std::vector<ExpressionPtr> values) {
  sql::Insert insert;
  insert.table = id(table);
  insert.values = std::move(values);
  builder_.append(std::move(insert));
}

void ProgramText::remove(const std::string& table, ExpressionPtr where) {
  sql::Delete deletion;
  deletion.table = id(table);
  deletion.where = std::move(where);
  builder_.append(std::move(deletion));
}

ExpressionPtr add(ExpressionPtr a, ExpressionPtr b) {
  return sql::make(Kind::Add, {std::move(a), std::move(b)});
}
ExpressionPtr less(ExpressionPtr a, ExpressionPtr b) {
  return sql::make(Kind::Less, {std::move(a), std::move(b)});
}

sql::Application bank() {
  sql::Application application;
  application.schema.tables = {table("account", {"id", "balance"})};
  ProgramText withdraw(application.schema, "withdraw");
  const auto id = withdraw.parameter("id"), amount = withdraw.parameter("amount");
  const auto balance = withdraw.select("account", "balance", withdraw.is("account", "id", id));
  withdraw.builder().begin_if(less(amount, balance));
  withdraw.update("account", "balance", sql::make(Kind::Subtract, {balance, amount}),
                  withdraw.is("account", "id", id));
  withdraw.builder().end();
  application.programs = {withdraw.finish()};
  return application;
}

Analysis analyze(const sql::Application& application, std::string_view levels, unsigned cycle, bool prove) {
  auto parsed = parse_levels(levels, application);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().describe());
  Options options;
  options.cycle = cycle;
  options.prove = prove;
  return analyze(application, *parsed, options);
}

}  // namespace assay::analysis
