// Servers that misbehave as networks, poolers and clusters do (support/misbehaving_proxy.h), and worse: no
// client may believe what is not so, and no server may be accused of what it did not do.
#include <algorithm>
#include <set>

#include "collect/collector.h"
#include "collect/server.h"
#include "collect/temporary_directory.h"
#include "e2e/command.h"
#include "history_io/format.h"
#include "support/misbehaving_proxy.h"
#include "support/random.h"

namespace assay::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// libmariadb does not look at the numbers of packets: one that came twice counts twice. TCP has none that do,
// so MariaDB is spared them. PostgreSQL says with each answer what it did and how many rows there were.
constexpr Habits kAll{.late_error = 0.01,
                      .cut_request = 0.001,
                      .cut_answer = 0.001,
                      .delay = 0.002,
                      .duplicate = 0.001,
                      .duplicate_row = 0.001};

Habits habits_for(std::string_view kind) {
  Habits habits = kAll;
  if (kind == "mariadb") habits.duplicate = habits.duplicate_row = 0;
  return habits;
}

// A server, the proxy before it, and the address of the proxy.
class Misbehaving {
 public:
  explicit Misbehaving(const std::string& kind) : server_(Server::start(kind).value()) {
    const Url url = parse_url(server_.url()).value();
    const bool postgres = kind == "postgres";
    proxy_.emplace(postgres ? MisbehavingProxy::Protocol::Postgresql : MisbehavingProxy::Protocol::Mariadb,
                   postgres ? url.option("host") + "/.s.PGSQL.5432" : url.option("socket"), habits_for(kind),
                   suite_seed("misbehaving " + kind));
    const int port = proxy_->port();
    url_ = postgres ? fmt::format(
                          "postgresql://assay@127.0.0.1:{}/postgres?sslmode=disable&gssencmode=disable", port)
                    : fmt::format("mariadb://root@127.0.0.1:{}/?read-timeout=1", port);
  }

  const std::string& url() const { return url_; }
  MisbehavingProxy& proxy() { return *proxy_; }

 private:
  Server server_;
  std::optional<MisbehavingProxy> proxy_;
  std::string url_;
};

class MisbehavingServer : public Command, public testing::WithParamInterface<const char*> {
 protected:
  MisbehavingServer() {
    setenv("TMPDIR", directory_.c_str(), 1);
    std::filesystem::permissions(directory_, std::filesystem::perms(0711));
  }
  ~MisbehavingServer() override { unsetenv("TMPDIR"); }
};

using Elements = std::set<std::pair<std::string, std::int64_t>>;  // with the names of their lists

Elements appended(const History& history, Outcome outcome) {
  Elements all;
  for (const TxnId t : history.transactions())
    for (const OpId op : history.operations(t))
      if (history.outcome(t) == outcome && history.kind(op) == OpKind::Append)
        all.emplace(history.display(history.key(op)), history.value(history.value(op)).as_integer());
  return all;
}

// After the run the lists are read from the server itself: they have all that was committed and nothing that
// was aborted.
TEST_P(MisbehavingServer, IsKnownToHaveWhatItHas) {
  Misbehaving server(GetParam());
  const auto database = open_database(parse_url(server.url()).value(), {}).value();
  CollectOptions options;
  options.workload = {.sessions = 6, .operations = 6, .keys = 12, .data = DataKind::Lists};
  options.levels = {find_level(*database, "serializable").value()};
  options.count_transactions = false;
  options.seconds = 4;
  options.directory = file("journals");
  const auto collected = collect(*database, options, [](const Tally&) { return true; });
  ASSERT_TRUE(collected) << collected.error().describe();
  EXPECT_FALSE(collected->problem) << collected->problem->describe();
  server.proxy().behave();
  const auto history = read_history(options.directory);
  ASSERT_TRUE(history) << history.error().describe();

  Elements stored;
  const auto connection = database->connect(*options.levels.front()).value();
  ASSERT_EQ(connection->begin(), Reply::Done);
  for (const KeyId key : history->keys()) {
    std::vector<std::int64_t> elements;
    const auto number = static_cast<std::size_t>(history->name(key).as_integer());
    ASSERT_EQ(connection->read_list(StoreKey(number), elements), Reply::Done) << connection->problem();
    for (const std::int64_t element : elements) stored.emplace(history->display(key), element);
  }
  const Elements committed = appended(*history, Outcome::Committed),
                 aborted = appended(*history, Outcome::Aborted);
  EXPECT_GT(committed.size(), 100u);
  EXPECT_GT(aborted.size(), 10u);
  for (const auto& [key, element] : committed)
    EXPECT_TRUE(stored.contains({key, element})) << key << " " << element;
  for (const auto& [key, element] : aborted)
    EXPECT_FALSE(stored.contains({key, element})) << key << " " << element;
  EXPECT_GT(collected->unknown, 5u);

  const Misdeeds& misdeeds = server.proxy().misdeeds();
  EXPECT_GT(misdeeds.late_errors, 5);
  EXPECT_GT(misdeeds.cut_requests, 1);
  EXPECT_GT(misdeeds.cut_answers, 1);
  EXPECT_GT(misdeeds.delays, 5);
  if (std::string_view(GetParam()) == "postgres") {
    EXPECT_GT(misdeeds.duplicates, 1);
  }
}

TEST_P(MisbehavingServer, IsNotAccused) {
  Misbehaving server(GetParam());
  for (const char* workload :
       {"--keys 12 --ops 6 --rmw 0.5", "--keys 6 --ops 4 --mix split --distinct",
        "--workload append --keys 4", "--workload blindw --preset pred --keys 40 --ops 2"}) {
    EXPECT_EQ(
        assay("run --db '" + server.url() + "' --isolation serializable --check ser --seconds 2 " + workload),
        0)
        << workload << out_ << err_;
    EXPECT_THAT(out_, HasSubstr("\tser\tholds\t")) << workload;
    EXPECT_THAT(err_, Not(HasSubstr(" 0 unknown"))) << workload;
  }
  EXPECT_GT(server.proxy().misdeeds().late_errors, 5);
}

INSTANTIATE_TEST_SUITE_P(Kinds, MisbehavingServer, testing::Values("postgres", "mariadb"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace assay::test
