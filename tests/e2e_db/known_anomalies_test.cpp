// What is known of real databases, found again: each catch is a run that anybody can repeat. Claims about
// levels that hold are only as good as the runs are long; docs/collector.md says what was seen in longer
// ones.
#include "collect/server.h"
#include "e2e/command.h"

namespace assay::test {
namespace {

using testing::HasSubstr;

// One server for all tests of a database: starting it takes longer than most runs.
class KnownAnomalies : public Command {
 protected:
  explicit KnownAnomalies(std::string_view kind) {
    std::filesystem::permissions(directory_, std::filesystem::perms(0711));
    setenv("TMPDIR", directory_.c_str(), 1);
    auto started = Server::start(kind);
    unsetenv("TMPDIR");
    if (!started) throw std::runtime_error(started.error().describe());
    server_.emplace(std::move(*started));
  }
  ~KnownAnomalies() override { server_.reset(); }

  int run(const std::string& arguments) {
    return assay("run --db '" + server_->url() + "' --quiet -o " + file("h.jsonl") + " " + arguments);
  }
  int hunt(const std::string& arguments) { return run(arguments + " --until-violation --seconds 60"); }
  int check(const std::string& level) {
    return assay("check --quiet --level " + level + " " + file("h.jsonl"));
  }

  int schedule(const std::string& isolation, const std::string& level, const std::string& steps) {
    return assay("run --db '" + server_->url() + "' --quiet --isolation " + isolation + " --check " + level +
                 " --schedules " + write("schedule.txt", "steps | " + steps + "\n"));
  }

  // Every workload, short and on few keys.
  void keeps_under_all_workloads(const std::string& isolation, const std::string& level) {
    for (const char* workload :
         {"general --keys 50", "general --preset HD --keys 50 --ops 6", "blindw --keys 50", "append",
          "twitter --keys 20", "rubis --keys 50", "smallbank --keys 10", "tpcc --keys 5", "range --keys 60",
          "range --preset RQH --keys 60", "range --preset IDH --keys 60", "blindw --preset pred --keys 100"})
      EXPECT_EQ(run("--isolation " + isolation + " --check " + level +
                    " --txns 600 --sessions 8 --timeout 30 --workload " + workload),
                0)
          << workload << "\n"
          << out_ << err_;
  }

  std::optional<Server> server_;
};

class KnownOfPostgresql : public KnownAnomalies {
 protected:
  KnownOfPostgresql() : KnownAnomalies("postgres") {}
};

TEST_F(KnownOfPostgresql, ReadCommittedBreaksReadAtomicAndKeepsReadCommitted) {
  ASSERT_EQ(hunt("--isolation read-committed --keys 20 --check ra"), 1) << err_;
  EXPECT_EQ(check("rc"), 0) << out_;
}

TEST_F(KnownOfPostgresql, RepeatableReadBreaksSerializabilityByWriteSkewAndKeepsSnapshots) {
  ASSERT_EQ(hunt("--isolation repeatable-read --workload append --check ser"), 1) << err_;
  EXPECT_EQ(check("strong-si"), 0) << out_;
  ASSERT_EQ(schedule("repeatable-read", "ser", "R1[x] R1[y] R2[x] R2[y] W1[x] W2[y] C1 C2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("\tser\tviolated\t"));
  EXPECT_THAT(out_, HasSubstr("\twrite-skew"));
  keeps_under_all_workloads("repeatable-read", "si");
}

TEST_F(KnownOfPostgresql, RepeatableReadBreaksSerializabilityByPhantoms) {
  for (const char* workload : {"range --keys 60", "blindw --preset pred --keys 60"}) {
    ASSERT_EQ(hunt("--isolation repeatable-read --txns 1000 --check ser --workload " + std::string(workload)),
              1)
        << err_;
    EXPECT_THAT(out_, HasSubstr("\tphantom"));
    EXPECT_EQ(check("si"), 0) << out_;
  }
}

// A DELETE waits for a transaction that deletes the row and inserts it again; then the row that it has waited
// for is gone, and the new one is not in its snapshot: it finds none, though there never was none.
TEST_F(KnownOfPostgresql, ReadCommittedMissesARowThatIsReplaced) {
  EXPECT_EQ(hunt("--isolation read-committed --workload range --mix mixed --keys 20 --ops 6 --txns 500 "
                 "--timeout 3 --check rc"),
            1)
      << out_ << err_;
}

// An INSERT of a key whose row somebody deleted since the snapshot is not refused: the transaction then has
// two rows with that key. Serializable refuses it.
TEST_F(KnownOfPostgresql, RepeatableReadInsertsWhereItStillSeesARow) {
  const std::string mixed = "--workload range --mix mixed --keys 20 --ops 6 --txns 1000 ";
  EXPECT_EQ(hunt(mixed + "--isolation repeatable-read --check si"), 1) << out_ << err_;
  EXPECT_EQ(run(mixed + "--isolation serializable --check ser"), 0) << out_ << err_;
}

TEST_F(KnownOfPostgresql, SerializableKeepsItUnderAllWorkloads) {
  keeps_under_all_workloads("serializable", "ser");
}

class KnownOfMariadb : public KnownAnomalies {
 protected:
  KnownOfMariadb() : KnownAnomalies("mariadb") {}
};

// An UPDATE by a range of an index does not find a row that moves, within the range, behind where it waits.
TEST_F(KnownOfMariadb, ReadCommittedMissesRowsThatMoveInARange) {
  EXPECT_EQ(hunt("--isolation read-committed --workload blindw --preset pred --ops 4 --keys 30 --txns 500 "
                 "--check rc"),
            1)
      << out_ << err_;
}

TEST_F(KnownOfMariadb, RepeatableReadLosesUpdates) {
  ASSERT_EQ(hunt("--isolation repeatable-read --keys 50 --check si"), 1) << err_;
  const std::string both = "R1[x] R2[x] W1[x] C1 W2[x] C2";
  ASSERT_EQ(schedule("repeatable-read", "si", both), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("\tlost-update"));
  EXPECT_EQ(schedule("snapshot", "si", both), 0) << out_ << err_;
}

// MDEV-26642: an UPDATE to the value that somebody else committed meanwhile changes nothing, so the
// transaction goes on to read its old snapshot instead of what it wrote.
TEST_F(KnownOfMariadb, RepeatableReadDoesNotSeeItsOwnUpdateOfTheSameValue) {
  ASSERT_EQ(hunt("--isolation repeatable-read --txns 500 --ops 6 --keys 4 --duplicates 1 --duplicates-zipf "
                 "1.2 --check rc"),
            1)
      << err_;
  EXPECT_THAT(out_, HasSubstr("\trc\tviolated\t"));
  EXPECT_THAT(out_, HasSubstr("\tnot-own-"));
}

TEST_F(KnownOfMariadb, SnapshotIsolationTurnedOnKeepsItWhereEveryUpdateChangesSomething) {
  for (const char* workload :
       {"general --keys 50", "blindw --keys 50", "append", "smallbank --keys 10", "tpcc --keys 5"})
    EXPECT_EQ(
        run("--isolation snapshot --check si --txns 600 --sessions 8 --workload " + std::string(workload)), 0)
        << out_;
  EXPECT_EQ(hunt("--isolation snapshot --workload append --check ser"), 1) << err_;
}

// An UPDATE to the value that is there already writes nothing, so nobody who overwrites it conflicts with it.
TEST_F(KnownOfMariadb, SnapshotIsolationTurnedOnDoesNotCountUpdatesThatChangeNothing) {
  EXPECT_EQ(hunt("--isolation snapshot --txns 500 --ops 6 --keys 4 --duplicates 1 --duplicates-zipf 1.2 "
                 "--check si --timeout 5"),
            1)
      << out_ << err_;
}

// An UPDATE finds rows as they are now. What it finds that the snapshot does not show is refused; what it
// does not find because it was changed meanwhile is not.
TEST_F(KnownOfMariadb, SnapshotIsolationTurnedOnMissesRowsThatNoLongerMatch) {
  const std::string select_and_update = "--workload blindw --preset pred --ops 2 --keys 40 --txns 1000 ";
  EXPECT_EQ(hunt(select_and_update + "--isolation snapshot --check si"), 1) << out_ << err_;
  EXPECT_EQ(hunt(select_and_update + "--isolation repeatable-read --check si"), 1) << out_ << err_;
  EXPECT_EQ(run(select_and_update + "--isolation serializable --check ser"), 0) << out_ << err_;
}

TEST_F(KnownOfMariadb, SerializableKeepsItUnderAllWorkloads) {
  keeps_under_all_workloads("serializable", "ser");
}

}  // namespace
}  // namespace assay::test
