// Which values of a log become parameters, and which of them are taken to be one.
#include "sql_log/logged.h"
#include "sql_log/shape.h"
#include "support.h"

namespace assay::sql_log::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

TEST(LoggedValues, AreReadWithQuotesAndNulls) {
  EXPECT_THAT(logged_values("parameters: $1 = '42', $2 = NULL, $3 = 'a'', $4 = b'"),
              ElementsAre(Optional(std::string("'42'")), Optional(std::string("NULL")),
                          Optional(std::string("'a'', $4 = b'"))));
  EXPECT_THAT(logged_values("parameters: $1 = 'long...', $2 = 'x"), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(logged_values("parameters: "), ElementsAre());
  EXPECT_THAT(logged_values("Key (id)=($1) exists"), ElementsAre());
}

std::string shape(const std::string& sql) {
  const auto shaped = shape_of(sql, {}, schema());
  return shaped ? shaped->shape.text : shaped.error().describe();
}

TEST(Shape, TakesOutValuesAndNothingElse) {
  EXPECT_EQ(shape("select  /* trace 7 */ \"id\" from account -- x\n where id in (1,-2) and owner = E'a\\'b' "
                  "and true"),
            "SELECT id FROM account WHERE id IN ($1, $2) AND owner = $3 AND $4");
  EXPECT_EQ(shape("SELECT 1 FROM account WHERE balance > 1.5e3 ORDER BY 1 LIMIT 10 OFFSET 5"),
            "SELECT 1 FROM account WHERE balance > $1 ORDER BY 1 LIMIT 10 OFFSET 5");
  EXPECT_EQ(shape("SELECT nextval('s'), balance::numeric(10, 2) FROM account WHERE id = $3 AND owner = $1"),
            "SELECT nextval('s'), balance::numeric(10, 2) FROM account WHERE id = $1 AND owner = $2");
  EXPECT_EQ(shape("UPDATE account SET balance = balance - 5, owner = NULL WHERE id = date '2024-01-01'"),
            "UPDATE account SET balance = balance - $1, owner = $2 WHERE id = $3::date");
  EXPECT_EQ(
      shape("SELECT id FROM account WHERE extract(year FROM now()) = 2024 AND owner < interval '1' day"),
      "SELECT id FROM account WHERE extract ('year' FROM now()) = $1 AND owner < $2::interval day");
}

std::vector<std::string> read_then_write(int a, int b) {
  return {"BEGIN", "SELECT balance FROM account WHERE id = " + std::to_string(a),
          "UPDATE account SET balance = 0 WHERE id = " + std::to_string(b), "COMMIT"};
}
std::string log_of(std::vector<std::vector<std::string>> transactions) {
  std::string log;
  for (const auto& transaction : transactions) log += stderr_log(transaction);
  return log;
}

const std::string kTwoAccounts = "select_update_account(account_id, balance, account_id_2)";

TEST(Parameters, AreOneIfTheyWereEqualEveryTimeAndDiffered) {
  const auto derived = derive(log_of({read_then_write(7, 7), read_then_write(8, 8)}));
  EXPECT_THAT(scripts_of(derived), HasSubstr("select_update_account(account_id, balance)\n"));
  EXPECT_THAT(derived->scripts,
              HasSubstr("-- observed, not proved: the same value in every place each time: :account_id\n"));
  EXPECT_THAT(notes_of(derived), HasSubstr("1 program rests on values that were equal"));
}

TEST(Parameters, AreNotOneAfterOneTransaction) {
  EXPECT_THAT(scripts_of(derive(log_of({read_then_write(7, 7)}))), HasSubstr(kTwoAccounts));
  EXPECT_THAT(scripts_of(derive(log_of({read_then_write(7, 7), read_then_write(7, 7)}))),
              HasSubstr(kTwoAccounts));
}

TEST(Parameters, AreNotOneIfTheyDifferedOnce) {
  EXPECT_THAT(
      scripts_of(derive(log_of({read_then_write(7, 7), read_then_write(8, 8), read_then_write(7, 8)}))),
      HasSubstr(kTwoAccounts));
}

TEST(Parameters, AreNotOneIfAValueIsNotKnown) {
  const std::vector<std::string> unknown{
      "BEGIN", "LOG:  execute <unnamed>: SELECT balance FROM account WHERE id = $1",
      "LOG:  execute <unnamed>: UPDATE account SET balance = $1 WHERE id = $2", "COMMIT"};
  EXPECT_THAT(scripts_of(derive(log_of({read_then_write(7, 7), read_then_write(8, 8), unknown}))),
              HasSubstr(kTwoAccounts));
}

// A user 1 with an order 1 and a user 2 with an order 2 are equal by chance.
TEST(Parameters, AreNotOneIfTheirColumnsHaveNothingInCommon) {
  const auto transaction = [](const std::string& id) {
    return std::vector<std::string>{"BEGIN", "SELECT name FROM users WHERE id = " + id,
                                    "UPDATE orders SET n = 0 WHERE id = " + id + " AND user_id = " + id,
                                    "COMMIT"};
  };
  EXPECT_EQ(scripts_of(derive(log_of({transaction("1"), transaction("2")}))),
            "-- transaction: select_users_update_orders(users_id, n, orders_id)\n"
            "SELECT name FROM users WHERE id = :users_id;\n"
            "UPDATE orders SET n = :n WHERE id = :orders_id AND user_id = :users_id;\n");
}

TEST(Parameters, AreConstantsOnlyBesideValuesThatAreSentAsParameters) {
  const auto send = [](const std::string& amount) {
    return stderr_log(
        {"LOG:  execute <unnamed>: UPDATE account SET balance = balance + " + amount + " WHERE id = $1",
         "DETAIL:  parameters: $1 = '3'"});
  };
  EXPECT_THAT(scripts_of(derive(send("1"))), HasSubstr("SET balance = balance + 1 WHERE id = :account_id;"));
  EXPECT_THAT(scripts_of(derive(send("-1"))), HasSubstr("SET balance = balance + (-1) WHERE"));
  EXPECT_THAT(scripts_of(derive(send("1") + send("2"))), HasSubstr("SET balance = balance + :balance WHERE"));
  EXPECT_THAT(scripts({"UPDATE account SET balance = balance + 1 WHERE id = 3"}),
              HasSubstr("SET balance = balance + :balance WHERE id = :account_id;"));
  EXPECT_THAT(scripts({"UPDATE account SET owner = NULL WHERE true"}),
              HasSubstr("SET owner = NULL WHERE true;"));
  EXPECT_THAT(
      scripts({"UPDATE account SET owner = NULL WHERE true", "UPDATE account SET owner = 'x' WHERE true"}),
      HasSubstr("SET owner = :owner WHERE true;"));
}

TEST(ListsOfValues, AreArraysWhateverTheirLength) {
  const std::string one = "SELECT balance FROM account WHERE id IN (1) AND owner = 'x'";
  const std::string three = "SELECT balance FROM account WHERE id IN (5, 6, 7) AND owner = 'y'";
  const std::string script = scripts({one, three});
  EXPECT_EQ(script,
            "-- transaction: select_account(account_id_list int8[], owner)\n"
            "SELECT balance FROM account WHERE id = ANY (:account_id_list) AND owner = :owner;\n");
  const auto read = sql::read_application(
      {{"s.sql",
        "CREATE TABLE account (id bigint PRIMARY KEY, owner text, balance bigint NOT NULL);\n" + script}});
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_TRUE(read->notes.empty());
  EXPECT_TRUE(read->programs[0][read->programs[0].parameters[0]].is_set);
}

TEST(ListsOfValues, StayWhereTheyCannotBeArrays) {
  EXPECT_THAT(scripts({"SELECT 1 FROM account WHERE id NOT IN (1, 2)"}),
              HasSubstr("NOT IN (:account_id, :account_id_2)"));
  EXPECT_THAT(scripts({"SELECT 1 FROM account WHERE id + 1 IN (1, 2)"}), HasSubstr("IN (:value, :value_2)"));
  EXPECT_THAT(
      scripts({"LOG:  execute <unnamed>: SELECT 1 FROM account WHERE id IN ($1, $2) AND balance = $1"}),
      HasSubstr("id IN (:balance, :account_id) AND balance = :balance"));
}

TEST(Programs, WithTheSameNameAreToldApartByWhatTheyAre) {
  const std::vector<std::string> one{"DELETE FROM users WHERE id = 1"},
      other{"DELETE FROM users WHERE name = 'x'"};
  const auto headings = [](std::vector<std::string> messages) {
    std::set<std::string> lines;
    const std::string text = scripts(messages);
    for (auto at = text.find("-- t"); at != text.npos; at = text.find("-- t", at + 1))
      lines.insert(text.substr(at, text.find('\n', at) - at));
    return lines;
  };
  EXPECT_THAT(headings({one[0], other[0]}), testing::SizeIs(2));
  EXPECT_EQ(headings({one[0], other[0]}), headings({other[0], one[0]}));
}

TEST(Programs, AreReadBackAsTheyWereWritten) {
  const auto derived = derive(log_of({read_then_write(7, 7), read_then_write(8, 8)}));
  const auto read = sql::read_application(
      {{"s.sql", "CREATE TABLE account (id bigint PRIMARY KEY, owner text, balance bigint NOT NULL);"},
       {"p.sql", derived->scripts}});
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(read->programs.at(0).parameters.size(), 2u);
}

}  // namespace
}  // namespace assay::sql_log::test
