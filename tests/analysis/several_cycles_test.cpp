// Several cycles of one tuple of programs, and what their witnesses begin with.
#include <gmock/gmock.h>

#include <set>

#include "analysis/advice.h"
#include "sql/read.h"

namespace assay::analysis {
namespace {

Analysis analysed(const std::string& text, const std::string& level, unsigned cycles_per_tuple) {
  const auto application = sql::read_application({{"a.sql", text}});
  EXPECT_TRUE(application) << application.error().what;
  Options options;
  options.cycle = 2;
  options.cycles_per_tuple = cycles_per_tuple;
  return analyze(*application, *parse_levels(level, *application), options);
}

constexpr const char* kBid = R"(
CREATE TABLE item (id int PRIMARY KEY, price int NOT NULL);
CREATE TABLE bid (item int, who int, amount int NOT NULL, PRIMARY KEY (item, who));
-- transaction: place(it int, me int, offer int)
SELECT count(*) AS others FROM bid WHERE item = :it
\gset
INSERT INTO bid VALUES (:it, :me, :others);
SELECT price AS old FROM item WHERE id = :it
\gset
UPDATE item SET price = :old + :offer WHERE id = :it;
)";

TEST(SeveralCycles, AHarmlessOneDoesNotHideOneThatLosesAnUpdate) {
  const Analysis analysis = analysed(kBid, "rc", 4);
  ASSERT_GT(analysis.anomalies.size(), 1u);
  EXPECT_EQ(analysis.anomalies[0].harm, Harm::LostUpdate);
  EXPECT_EQ(analysis.anomalies[0].name, Anomaly::LostUpdate);
  std::set<std::set<std::pair<std::uint32_t, std::uint32_t>>> pairs;
  for (const FoundAnomaly& anomaly : analysis.anomalies) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> own;
    for (const Edge& edge : anomaly.cycle) own.emplace(edge.from_statement, edge.to_statement);
    EXPECT_TRUE(pairs.insert(own).second);
  }
}

constexpr const char* kCheque = R"(
CREATE TABLE account (id int PRIMARY KEY, balance bigint NOT NULL);
-- transaction: write_cheque(who int, amount bigint)
SELECT balance AS had FROM account WHERE id = :who
\gset
UPDATE account SET balance = balance - :amount WHERE id = :who AND :had > :amount;
)";

// Both decide by what they read; but each takes its amount off the newest balance.
TEST(Harm, OfTwoAtomicUpdatesIsNotALostChange) {
  const Analysis atomic = analysed(kCheque, "rc", 1);
  ASSERT_EQ(atomic.anomalies.size(), 1u);
  EXPECT_EQ(atomic.anomalies[0].name, Anomaly::LostUpdate);
  EXPECT_EQ(atomic.anomalies[0].harm, Harm::Writes);
  // A store that does not look at the newest version when it updates loses them.
  EXPECT_EQ(analysed(kCheque, "cc", 1).anomalies.at(0).harm, Harm::LostUpdate);
}

TEST(SeveralCycles, AreAsManyAsWereAskedFor) {
  EXPECT_EQ(analysed(kBid, "rc", 1).anomalies.size(), 1u);
  EXPECT_LE(analysed(kBid, "rc", 2).anomalies.size(), 2u);
}

// By which statements, on which rows and with which arguments: all that a finding is made of.
std::string text_of(const Analysis& analysis) {
  std::string text;
  const auto add = [&](const Value& value) { text += value.null ? " null" : " " + value.text; };
  for (const FoundAnomaly& anomaly : analysis.anomalies) {
    text += std::to_string(static_cast<int>(anomaly.name));
    for (const Edge& edge : anomaly.cycle)
      text += " " + std::to_string(edge.from_statement) + "-" + std::to_string(edge.to_statement);
    for (const Call& call : anomaly.calls)
      for (const auto& argument : call.arguments) std::ranges::for_each(argument, add);
    for (const Row& row : anomaly.initial_rows) std::ranges::for_each(row.values, add);
    text += "\n";
  }
  return text;
}

TEST(SeveralCycles, AreTheSameInEachRunWithAnyNumberOfThreads) {
  const auto application = sql::read_application({{"a.sql", R"(
CREATE TABLE u (id bigint PRIMARY KEY, email varchar(100) NOT NULL, deleted_at timestamptz);
CREATE TABLE acc (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL);
CREATE UNIQUE INDEX u1 ON u (lower((email)::text)) WHERE deleted_at IS NULL;
CREATE FUNCTION reg(k bigint, e varchar) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
 IF NOT EXISTS (SELECT 1 FROM u WHERE email = e) THEN INSERT INTO u VALUES (k, e, now()); END IF; END $$;
CREATE FUNCTION move(i int, j int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; w int; BEGIN
 SELECT a, b INTO v, w FROM acc WHERE id = i; UPDATE acc SET a = v, b = v + w WHERE id = j; END $$;
CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS $$ SELECT sum(a + b) FROM acc $$;
)"}});
  ASSERT_TRUE(application);
  std::set<std::string> texts;
  for (const unsigned threads : {1, 4, 4, 4, 1}) {
    const sql::Application copy = *application;
    Options options;
    options.cycles_per_tuple = 3;
    options.threads = threads;
    texts.insert(text_of(analyze(copy, *parse_levels("rc", copy), options)));
  }
  EXPECT_EQ(texts.size(), 1u);
}

TEST(Witness, KeepsTheUniqueKeysOfItsRows) {
  const Analysis analysis = analysed(R"(
CREATE TABLE person (id int PRIMARY KEY, email text NOT NULL UNIQUE, share numeric(4, 4) NOT NULL, n int NOT NULL);
-- transaction: move(a int, b int)
SELECT n AS v FROM person WHERE id = :a
\gset
UPDATE person SET n = :v WHERE id = :b;
)",
                                     "si", 1);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  std::set<std::string> emails;
  ASSERT_GE(analysis.anomalies[0].initial_rows.size(), 2u);
  for (const Row& row : analysis.anomalies[0].initial_rows) {
    EXPECT_TRUE(emails.insert(row.values[1].text).second) << row.values[1].text;
    EXPECT_LT(std::stod(row.values[2].text), 1) << "numeric(4, 4)";
  }
}

TEST(SeveralCycles, TheLossOfAColumnDoesNotHideThatOfAnother) {
  const Analysis analysis = analysed(R"(
CREATE TABLE item (id int PRIMARY KEY, bids int NOT NULL, price int NOT NULL);
CREATE TABLE best (item int PRIMARY KEY, who int NOT NULL);
-- transaction: place(it int, me int, offer int)
SELECT bids AS n, price AS p FROM item WHERE id = :it
\gset
SELECT who AS leader FROM best WHERE item = :it
\gset
UPDATE item SET bids = bids + 1 WHERE id = :it AND :n > 0;
UPDATE best SET who = :me + :leader WHERE item = :it AND :offer > :p;
)",
                                     "rc", 3);
  std::set<std::string> lost;
  for (const FoundAnomaly& anomaly : analysis.anomalies)
    if (anomaly.name == Anomaly::LostUpdate) lost.insert(std::to_string(anomaly.cycle[0].table.value));
  EXPECT_TRUE(lost.contains("1"));  // of `best`: an increment is not the first thing to show
}

constexpr const char* kBooking = R"(
CREATE TABLE seat (id int PRIMARY KEY, flight int NOT NULL, place int NOT NULL, customer int NOT NULL, note text NOT NULL, price numeric(10, 2) NOT NULL, UNIQUE (flight, place));
CREATE TABLE flight (id int PRIMARY KEY, name text NOT NULL);
-- transaction: book(k int, f int, p int, c int, euros numeric)
SELECT count(*) AS mine FROM seat WHERE flight = :f AND customer = :c
\gset
SELECT count(*) AS taken FROM seat WHERE flight = :f AND place = :p
\gset
SELECT name AS title FROM flight WHERE id = :f
\gset
INSERT INTO seat SELECT :k, :f, :p, :c, :title, :euros WHERE :mine = 0 AND :taken = 0;
-- transaction: cancel(k int)
DELETE FROM seat WHERE id = :k;
)";

// Two bookings of one customer: for different places, because the server refuses the same place twice.
TEST(Witness, InsertsWhatTheServerTakes) {
  const Analysis analysis = analysed(kBooking, "si", 3);
  const auto twice = std::ranges::find_if(analysis.anomalies, [](const FoundAnomaly& anomaly) {
    return anomaly.complete && anomaly.calls[0].program == 0 && anomaly.calls[1].program == 0;
  });
  ASSERT_NE(twice, analysis.anomalies.end());
  const auto argument = [&](std::size_t call, std::size_t which) {
    return twice->calls[call].arguments[which][0].text;
  };
  EXPECT_EQ(argument(0, 1), argument(1, 1));
  EXPECT_EQ(argument(0, 3), argument(1, 3));
  EXPECT_NE(argument(0, 2), argument(1, 2));
  // What is rounded to fit its column is not NULL either.
  for (const Call& call : twice->calls) EXPECT_FALSE(call.arguments[4][0].null);
  // Its flight is there: the note would be NULL otherwise.
  EXPECT_TRUE(std::ranges::any_of(twice->initial_rows, [](const Row& row) { return row.table.value == 1; }));
}

TEST(Witness, MayHaveParametersThatAreNull) {
  const Analysis analysis = analysed(R"(
CREATE TABLE t (k int PRIMARY KEY, a numeric(4, 4) NOT NULL, b int NOT NULL);
CREATE FUNCTION add(id int, by_name int) RETURNS void LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN
 IF by_name IS NULL THEN SELECT b INTO v FROM t WHERE k = id; UPDATE t SET b = v + 1 WHERE k = id; END IF; END $$;
)",
                                     "rc", 1);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  EXPECT_TRUE(analysis.anomalies[0].complete);
  EXPECT_TRUE(analysis.anomalies[0].calls[0].arguments[1][0].null);
  ASSERT_FALSE(analysis.anomalies[0].initial_rows.empty());
  EXPECT_LT(std::stod(analysis.anomalies[0].initial_rows[0].values[1].text), 1);
}

// The new row changes the minimum only if it is less than what is there.
TEST(Witness, ChangesTheMinimumThatIsRead) {
  const Analysis analysis = analysed(R"(
CREATE TABLE bid (k int PRIMARY KEY, lot int NOT NULL, amount int NOT NULL);
-- transaction: raise(k int, lot int, offer int)
SELECT max(amount) AS best FROM bid WHERE lot = :lot
\gset
INSERT INTO bid SELECT :k, :lot, :offer WHERE :offer > :best;
)",
                                     "si", 1);
  ASSERT_EQ(analysis.anomalies.size(), 1u);
  ASSERT_TRUE(analysis.anomalies[0].complete);
  int best = 0;
  for (const Row& row : analysis.anomalies[0].initial_rows)
    if (row.values[1].text == analysis.anomalies[0].calls[0].arguments[1][0].text)
      best = std::max(best, std::stoi(row.values[2].text));
  for (const Call& call : analysis.anomalies[0].calls) EXPECT_GT(std::stoi(call.arguments[2][0].text), best);
}

TEST(Witness, ThatNeedsOthersComesLast) {
  const Analysis analysis = analysed(kBooking, "si", 3);
  bool others = false;
  for (const FoundAnomaly& anomaly : analysis.anomalies) {
    if (anomaly.calls[0].program != 0 || anomaly.calls[1].program != 0) continue;
    EXPECT_FALSE(others && anomaly.complete);
    others |= !anomaly.complete;
  }
}

}  // namespace
}  // namespace assay::analysis
