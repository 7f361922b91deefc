// What an application sends to a real PostgreSQL, read from the server's logs: the programs that are derived
// have the answers of the same programs written by hand.
//
// The clients are small, and speak as Django, Rails and JPA do: with literals in the text, with prepared
// statements, with parameters; with savepoints and questions about the session in between.
#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "collect/server.h"
#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::string_view kSchema =
    R"(CREATE TABLE account (id bigint PRIMARY KEY, owner text NOT NULL, balance bigint NOT NULL);
CREATE TABLE doctor (id int PRIMARY KEY, shift int NOT NULL, on_call boolean NOT NULL);
CREATE TABLE counter (name text PRIMARY KEY, n bigint NOT NULL);
)";

constexpr std::string_view kByHand = R"(-- transaction: select_update_account(id, amount)
SELECT balance FROM account WHERE id = :id;
UPDATE account SET balance = :amount WHERE id = :id;
-- transaction: select_update_doctor(shift, id)
SELECT count(*) FROM doctor WHERE on_call AND shift = :shift;
UPDATE doctor SET on_call = false WHERE id = :id;
-- transaction: update_counter(name)
UPDATE counter SET n = n + 1 WHERE name = :name;
)";

class Client {
 public:
  explicit Client(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {}
  bool connected() const { return PQstatus(connection_.get()) == CONNECTION_OK; }

  void run(const std::string& sql) { check(PQexec(connection_.get(), sql.c_str()), sql); }
  void run(const std::string& sql, const std::vector<std::string>& values) {
    const auto texts = pointers(values);
    check(PQexecParams(connection_.get(), sql.c_str(), static_cast<int>(texts.size()), nullptr, texts.data(),
                       nullptr, nullptr, 0),
          sql);
  }
  void prepare(const std::string& name, const std::string& sql) {
    check(PQprepare(connection_.get(), name.c_str(), sql.c_str(), 0, nullptr), sql);
  }
  void run_prepared(const std::string& name, const std::vector<std::string>& values) {
    const auto texts = pointers(values);
    check(PQexecPrepared(connection_.get(), name.c_str(), static_cast<int>(texts.size()), texts.data(),
                         nullptr, nullptr, 0),
          name);
  }

 private:
  static std::vector<const char*> pointers(const std::vector<std::string>& values) {
    std::vector<const char*> result;
    for (const std::string& value : values) result.push_back(value.c_str());
    return result;
  }
  static void check(PGresult* result, const std::string& sql) {
    const ExecStatusType status = PQresultStatus(result);
    EXPECT_TRUE(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        << sql << PQresultErrorMessage(result);
    PQclear(result);
  }
  std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

// JPA: statements with parameters, of which a program has several values.
void withdraw(Client& client, const std::string& id) {
  client.run("BEGIN", {});
  client.run("select a1_0.balance from account a1_0 where a1_0.id=$1", {id});
  client.run("update account set balance=$1 where id=$2", {"1" + id + "0", id});
  client.run("COMMIT", {});
}

// Django: literals in the text, a savepoint for each inner block.
void leave(Client& client, const std::string& id, const std::string& shift) {
  client.run("BEGIN");
  client.run("SAVEPOINT \"s140_x" + id + "\"");
  client.run(
      "SELECT COUNT(*) AS \"__count\"\nFROM \"doctor\"\n\tWHERE (\"doctor\".\"on_call\" AND "
      "\"doctor\".\"shift\" = " +
      shift + ")");
  client.run("UPDATE \"doctor\" SET \"on_call\" = false WHERE \"doctor\".\"id\" = " + id);
  client.run("RELEASE SAVEPOINT \"s140_x" + id + "\"");
  client.run("COMMIT");
}

// Rails: prepared statements, and comments that differ.
void count(Client& client, const std::string& name) {
  client.run_prepared("a1", {name});
  client.run("SELECT 1 /*request " + name + "*/");
}

void work(const std::string& url, const std::string& settings) {
  Client client(url);
  client.run("SET client_min_messages TO 'warning'");
  client.run(settings);
  client.run("SELECT t.oid, t.typname FROM pg_type as t WHERE t.typname IN ('int8', 'text')");
  client.run("SELECT version()");
  client.prepare("a1", "UPDATE \"counter\" SET \"n\" = \"n\" + 1 WHERE \"counter\".\"name\" = $1");
  for (const char* id : {"1", "2", "3"}) {
    withdraw(client, id);
    leave(client, "1" + std::string(id), id);
    count(client, "it's " + std::string(id));
  }
}

class ServerLog : public Command {
 protected:
  // A server that writes its log into this directory in all forms. A collector of logs needs a new start.
  ServerLog() {
    std::filesystem::permissions(directory_, std::filesystem::perms(0777));
    auto started = Server::start("postgres");
    if (!started) {
      ADD_FAILURE() << started.error().describe();
      return;
    }
    server_ = std::make_unique<Server>(std::move(started).value());
    Client admin(server_->url());
    for (const std::string& setting :
         {std::string("logging_collector = on"), std::string("log_destination = 'stderr,csvlog,jsonlog'"),
          "log_directory = '" + directory_.string() + "'", std::string("log_filename = 'server.log'"),
          std::string("log_file_mode = '0644'")})
      admin.run("ALTER SYSTEM SET " + setting);
    admin.run(std::string(kSchema));
    admin.run("ALTER ROLE assay SET log_min_messages = 'error'");
    server_->kill_server();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!(Client(server_->url()).connected() && std::filesystem::exists(file("server.json"))) &&
           std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    work(server_->url(), "SET log_statement = 'all'");
    work(server_->url(), "SET log_min_duration_statement = 0");
    Client(server_->url()).run("SELECT pg_rotate_logfile()");
    schema_ = write("schema.sql", kSchema);
    hand_ = write("hand.sql", kByHand);
  }

  nlohmann::json answer(const std::string& arguments) {
    EXPECT_NE(assay("analyze --cycle 2 --json " + arguments), 2) << err_;
    return nlohmann::json::parse(out_, nullptr, false);
  }

  std::unique_ptr<Server> server_;
  std::string schema_, hand_;
};

TEST_F(ServerLog, GivesTheAnswersOfProgramsWrittenByHand) {
  for (const char* form : {"server.log", "server.csv", "server.json"}) {
    const std::string log = " --schema " + schema_ + " --log " + file(form);
    EXPECT_EQ(answer("--level rc" + log)["programs"],
              nlohmann::json({"select_update_account", "select_update_doctor", "update_counter"}))
        << form << out_;
    for (const char* program : {"select_update_account", "select_update_doctor", "update_counter"})
      for (const char* level : {"rc", "si"}) {
        const std::string question = std::string("--level ") + level + " --only " + program;
        const auto derived = answer(question + log), by_hand = answer(question + " " + schema_ + " " + hand_);
        EXPECT_EQ(derived["results"][0]["verdict"], by_hand["results"][0]["verdict"])
            << form << program << level;
      }
  }
  EXPECT_EQ(answer("--level rc --only select_update_account --schema " + schema_ + " --log " +
                   file("server.csv"))["results"][0]["anomalies"][0]["anomaly"],
            "lost-update");
  EXPECT_EQ(answer("--level si --only select_update_doctor --schema " + schema_ + " --log " +
                   file("server.json"))["results"][0]["verdict"],
            "anomaly");
}

TEST_F(ServerLog, GivesProgramsThatCanBeKept) {
  const std::string from_log = "--schema " + schema_ + " --log " + file("server.log");
  const std::string analyze = "analyze --level rc --cycle 2 --write-baseline ";
  ASSERT_EQ(assay(analyze + file("log.txt") + " --programs-out " + file("kept.sql") + " " + from_log), 1)
      << err_;
  const std::string kept = content(file("kept.sql"));
  EXPECT_THAT(kept,
              AllOf(HasSubstr("-- transaction: select_update_account(account_id, balance)\n-- seen 6 times"),
                    HasSubstr("UPDATE counter SET n = n + 1 WHERE counter.name = :name;")))
      << kept;
  // The same findings; the rows that show them are the solver's choice.
  EXPECT_EQ(assay(analyze + file("kept.txt") + " " + schema_ + " " + file("kept.sql")), 1);
  EXPECT_EQ(content(file("kept.txt")), content(file("log.txt")));
  EXPECT_THAT(content(file("log.txt")), HasSubstr("lost-update: select_update_account"));
}

}  // namespace
}  // namespace assay::test
