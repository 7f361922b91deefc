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
