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

}  // namespace
}  // namespace assay::analysis
