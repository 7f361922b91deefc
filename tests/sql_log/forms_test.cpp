// The forms that a log of PostgreSQL has, and settings of log_line_prefix.
#include "sql_log/line_prefix.h"
#include "support.h"

namespace assay::sql_log::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::string_view kWithdraw =
    "-- transaction: select_update_account(account_id, balance)\n"
    "SELECT balance FROM account WHERE id = :account_id;\n"
    "UPDATE account SET balance = :balance WHERE id = :account_id;\n";

// As PostgreSQL 15 wrote it: two sessions at the same time, a text of several lines, parameters.
constexpr std::string_view kPlain = R"(2026-11-18 20:14:52.100 UTC [100] LOG:  starting PostgreSQL 15.4
2026-11-18 20:14:52.123 UTC [101] LOG:  statement: BEGIN
2026-11-18 20:14:52.123 UTC [102] LOG:  execute <unnamed>: BEGIN
2026-11-18 20:14:52.124 UTC [101] LOG:  execute <unnamed>: SELECT balance
		FROM account
	WHERE id = $1
2026-11-18 20:14:52.124 UTC [101] DETAIL:  parameters: $1 = '7'
2026-11-18 20:14:52.124 UTC [102] LOG:  execute S_1: SELECT balance FROM account WHERE id = $1
2026-11-18 20:14:52.124 UTC [102] DETAIL:  Parameters: $1 = '8'
2026-11-18 20:14:52.126 UTC [102] LOG:  duration: 0.1 ms  bind S_2: UPDATE account SET balance = 0
2026-11-18 20:14:52.126 UTC [102] LOG:  duration: 0.1 ms  execute S_2: UPDATE account SET balance = $1 WHERE id = $2
2026-11-18 20:14:52.126 UTC [102] DETAIL:  parameters: $1 = '12', $2 = '8'
2026-11-18 20:14:52.126 UTC [101] LOG:  execute <unnamed>: UPDATE account SET balance = $2 WHERE id = $1
2026-11-18 20:14:52.126 UTC [101] DETAIL:  parameters: $1 = '7', $2 = '93'
2026-11-18 20:14:52.127 UTC [101] LOG:  statement: COMMIT
2026-11-18 20:14:52.127 UTC [102] LOG:  execute S_3: COMMIT
)";

TEST(PlainLog, KeepsSessionsApartAndReadsParameters) {
  const auto derived = derive(std::string(kPlain));
  EXPECT_EQ(scripts_of(derived), kWithdraw);
  EXPECT_THAT(derived->scripts, HasSubstr("-- seen 2 times, first at a.log:4\n"));
}

TEST(PlainLog, SaysWhichLinesAreNoEntries) {
  EXPECT_THAT(notes_of(derive("hello\n" + std::string(kPlain) + "world\n")),
              HasSubstr("a.log:1: 2 lines are no entries of the log, this one first"));
  EXPECT_THAT(
      derive("hello\nworld\n").error().describe(),
      HasSubstr("a.log: no entries of PostgreSQL's log here (give the server's setting: --log-line-prefix"));
  EXPECT_THAT(derive("").error().describe(), HasSubstr("a.log: no entries of PostgreSQL's log here"));
  EXPECT_THAT(
      derive(stderr_log({"LOG:  starting"})).error().describe(),
      HasSubstr("a.log: no transactions of an application in this log (log with log_statement = 'all'"));
}

std::optional<PrefixedLine> matched(const std::string& setting, std::string_view line) {
  const auto prefix = LinePrefix::parse(setting);
  return prefix ? prefix->match(line) : std::nullopt;
}

TEST(LinePrefix, KnowsEveryEscape) {
  const auto rds =
      matched("%t:%r:%u@%d:[%p]:", "2026-11-18 20:14:52 UTC:10.0.0.1(5432):app@shop:[4711]:LOG:  x: y");
  ASSERT_TRUE(rds);
  EXPECT_EQ(rds->session, "4711");
  EXPECT_EQ(rds->text, "x: y");
  const auto all = matched("%m [%5p] %c %-4l|%v|%x|%e|%i|%a|%h|%b|%s|%n|%Q %% ",
                           "2026-11-18 20:14:52.123 CET [   17] 65576f2b.11 3   |3/17|0|00000|SELECT|my app: "
                           "[x]|::1|client backend|"
                           "2026-11-18 20:14:51 CET|1700338492.123|-42 % ERROR:  no");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->session, "65576f2b.11");
  EXPECT_EQ(all->transaction, "3/17");
  EXPECT_EQ(all->severity, "ERROR");
  EXPECT_TRUE(matched("%m [%p] %q%u@%d ", "2026-11-18 20:14:52.123 UTC [1] LOG:  started"));
  EXPECT_EQ(matched("%m [%p] %q%u@%d ", "2026-11-18 20:14:52.123 UTC [1] a@b LOG:  x")->text, "x");
  EXPECT_EQ(matched("%t-%c-", "2026-11-18 20:14:52 UTC-65576f2b.11-LOG:  x")->session, "65576f2b.11");
  EXPECT_EQ(matched("%v ", "3/17 LOG:  x")->session, "3");
  EXPECT_FALSE(matched("%m [%p] ", "2026-11-18 20:14:52.123 UTC [1] hello"));
  EXPECT_FALSE(matched("%m [%p] ", "2026-11-18 20:14:52.123 UTC [1"));
  EXPECT_FALSE(matched("%m [%p] ", ""));
}

TEST(LinePrefix, MustTellSessionsApart) {
  EXPECT_THAT(LinePrefix::parse("%m ").error().describe(),
              HasSubstr("does not tell sessions apart (log with %p or %c"));
  EXPECT_THAT(LinePrefix::parse("%p %y").error().describe(), HasSubstr("%y is no escape of log_line_prefix"));
}

TEST(LinePrefix, IsGuessed) {
  const auto guessed = [](const std::string& prefix) {
    const std::string line = prefix + "LOG:  statement: SELECT 1";
    return LinePrefix::guess({line, line})->match(line);
  };
  for (const char* prefix :
       {"2026-11-18 20:14:52.123 UTC [4711] ", "2026-11-18 20:14:52.123 UTC [4711] me@shop ",
        "2026-11-18 20:14:52 UTC:1.2.3.4(99):me@shop:[4711]:", "2026-11-18 20:14:52 CET-4711.0-",
        "2026-11-18 20:14:52 UTC [4711]: [3-1] user=me,db=shop,app=x,client=1.2.3.4 ",
        "<me shop> postgres[4711]: "})
    EXPECT_THAT(guessed(prefix)->session, testing::StartsWith("4711")) << prefix;
}

constexpr std::string_view kCsv =
    R"(2026-11-18 20:14:52.123 UTC,"me","shop",101,"[local]",65.1,1,"BEGIN",2026-11-18 20:14:51 UTC,3/7,0,LOG,00000,"statement: BEGIN",,,,,,,,,"psql","client backend",,0
2026-11-18 20:14:52.124 UTC,"me","shop",101,"[local]",65.1,2,"SELECT",2026-11-18 20:14:51 UTC,3/7,0,LOG,00000,"execute <unnamed>: SELECT ""balance""
  FROM account WHERE id = $1","parameters: $1 = '7'",,,,,,,,"psql","client backend",,0
2026-11-18 20:14:52.124 UTC,"me","shop",101,"[local]",65.1,3,"UPDATE",2026-11-18 20:14:51 UTC,3/7,0,LOG,00000,"statement: UPDATE account SET balance = 93 WHERE id = 7",,,,,,,,,"psql","client backend",,0
2026-11-18 20:14:52.124 UTC,"me","shop",101,"[local]",65.1,4,"COMMIT",2026-11-18 20:14:51 UTC,3/7,0,LOG,00000,"statement: COMMIT",,,,,,,,,"psql","client backend",,0
)";

TEST(CsvLog, IsReadWithLineBreaksInFields) {
  const std::string second = [] {
    std::string text(kCsv);
    for (auto at = text.find("'7'"); at != text.npos; at = text.find("'7'")) text.replace(at, 3, "'8'");
    text.replace(text.find("id = 7"), 6, "id = 8");
    return text;
  }();
  const auto derived = derive(std::string(kCsv) + second);
  EXPECT_EQ(scripts_of(derived), kWithdraw);
  EXPECT_THAT(derived->scripts, HasSubstr("first at a.log:2\n"));
  EXPECT_THAT(derive(std::string(kCsv.substr(0, kCsv.size() - 60))).error().describe(),
              HasSubstr("a.log:5: "));
  EXPECT_THAT(derive(std::string(kCsv) + "2026,\"\n").error().describe(),
              HasSubstr("a.log:6: a quoted field has no end (the file was cut off)"));
}

TEST(JsonLog, IsRead) {
  const auto line = [](const std::string& id, const std::string& rest) {
    return R"({"timestamp":"2026-11-18 20:14:52.123 UTC","user":"me","pid":101,"session_id":"65.)" + id +
           R"(","vxid":"3/7","error_severity":"LOG",)" + rest + "}\n";
  };
  std::string log;
  for (const char* id : {"7", "8"})
    log +=
        line(id, R"("message":"statement: BEGIN")") +
        line(
            id,
            R"("message":"execute <unnamed>: SELECT balance\nFROM account WHERE id = $1","detail":"parameters: $1 = ')" +
                std::string(id) + "'\"") +
        line(id,
             R"("message":"statement: UPDATE account SET balance = 1 WHERE id = )" + std::string(id) + "\"") +
        line(id, R"("message":"statement: COMMIT")");
  EXPECT_EQ(scripts_of(derive(log)), kWithdraw);
  EXPECT_THAT(derive(log + "{\"x\n").error().describe(), HasSubstr("a.log:9: this line is no JSON object"));
}

// Whatever is left of a log is read or refused; what was whole in it stays.
TEST(AnyForm, MayBeCutOffAnywhere) {
  for (const std::string_view log : {kPlain, kCsv})
    for (std::size_t end = 0; end < log.size(); end += 5) {
      const auto derived = derive(std::string(log.substr(0, end)));
      if (!derived) EXPECT_THAT(derived.error().describe(), testing::StartsWith("a.log:"));
      else EXPECT_GT(derived->count + derived->left_out.size(), 0u);
    }
}

TEST(StatementTable, HasTransactionsOfOneStatement) {
  const auto derived = derive(
      "query,calls,toplevel\n\"UPDATE account SET balance = balance - $1\n WHERE id = $2\",12,t\nBEGIN,3,t\n"
      "DELETE FROM account,1,f\nSELECT version(),1,t\n");
  EXPECT_EQ(scripts_of(derived),
            "-- transaction: update_account(balance, account_id)\n"
            "UPDATE account SET balance = balance - :balance WHERE id = :account_id;\n");
  EXPECT_THAT(derived->scripts, HasSubstr("-- seen 12 times, first at a.log:2"));
  EXPECT_THAT(notes_of(derived), HasSubstr("each statement is treated as a transaction of its own"));
}

TEST(SeveralLogs, AreOneSequence) {
  const auto derived = derive_programs({{"a.log", stderr_log({"BEGIN", "DELETE FROM account WHERE id = 1"})},
                                        {"b.log", stderr_log({"DELETE FROM users WHERE id = 2", "COMMIT"})}},
                                       schema(), "%m [%p] ");
  EXPECT_EQ(scripts_of(derived),
            "-- transaction: delete_account_delete_users(account_id, users_id)\n"
            "DELETE FROM account WHERE id = :account_id;\nDELETE FROM users WHERE id = :users_id;\n");
}

}  // namespace
}  // namespace assay::sql_log::test
