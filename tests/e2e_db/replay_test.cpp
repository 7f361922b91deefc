// Anomalies that the analysis predicts, brought about on a PostgreSQL that the command starts itself.
#include "collect/server.h"
#include "collect/sql_session.h"
#include "e2e/command.h"
#include "support/paths.h"

namespace assay::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Replay : public Command {
 protected:
  Replay() { std::filesystem::permissions(directory_, std::filesystem::perms(0711)); }
  int replay(const std::string& arguments) { return assay("analyze --replay start:postgres " + arguments); }
  static std::string example(const std::string& name) {
    return source_dir() + "/examples/programs/" + name + ".sql ";
  }
};

TEST_F(Replay, ConfirmsTheLostUpdateOfTheBankAtReadCommitted) {
  EXPECT_EQ(replay(example("bank") + "--level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("confirmed on PostgreSQL"), HasSubstr("no serial order"))) << out_;
}

TEST_F(Replay, ConfirmsTheAnomalyOfSmallbankAtSnapshotIsolation) {
  EXPECT_EQ(replay(example("smallbank") + "--level si --cycle 3"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

TEST_F(Replay, ConfirmsTheCycleOfOneDeliveryForAllDistricts) {
  EXPECT_EQ(replay(example("tpcc") + example("tpcc_all_districts") +
                   "--level si --cycle 4 --programs new_order,order_status,delivery"),
            1)
      << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// Raising levels and locking rows help on the server too, and so do constraints and advisory locks.
TEST_F(Replay, TriesAdvice) {
  EXPECT_EQ(replay(example("smallbank") + "--level si --advise"), 1) << err_;
  EXPECT_THAT(
      out_,
      HasSubstr("run balance, transact_savings, write_check at pg:serializable: the server aborts one of the "
                "transactions of such a cycle (then no anomaly is found, not proved; on PostgreSQL none of "
                "the 2 confirmed anomalies comes about"))
      << out_;
  EXPECT_THAT(
      out_,
      HasSubstr("in write_check: who wants to change a row that was read then waits (then no anomaly is "
                "found, not proved; on PostgreSQL none of"))
      << out_;
  const std::string text = write("members.sql",
                                 R"(CREATE TABLE member (id serial PRIMARY KEY, email text NOT NULL);
-- transaction: join(mail text)
SELECT count(*) AS n FROM member WHERE email = :mail
\gset
INSERT INTO member (email) SELECT :mail WHERE :n = 0;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2 --advise"), 1) << err_;
  EXPECT_THAT(out_,
              testing::ContainsRegex("add UNIQUE .email. to member.*on PostgreSQL the confirmed anomaly"));
  EXPECT_THAT(out_, testing::ContainsRegex("pg_advisory_xact_lock.*on PostgreSQL the confirmed anomaly"));
}

// Two who leave both count two: the witness has rows that the counts are about.
TEST_F(Replay, ConfirmsThatNobodyIsLeft) {
  const std::string text =
      write("doctors.sql",
            R"(CREATE TABLE doctor (id int PRIMARY KEY, shift int NOT NULL, on_call boolean NOT NULL);
-- transaction: leave(me int, s int)
SELECT count(*) AS n FROM doctor WHERE shift = :s AND on_call
\gset
UPDATE doctor SET on_call = false WHERE id = :me AND :n >= 2;
)");
  EXPECT_EQ(replay(text + " --level si --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// The second round reads, the third one ends the loop, and what is written then is what the rounds handed on.
TEST_F(Replay, RunsTheRoundsOfLoops) {
  const std::string text = write("while.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION raise(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int; i int := 0;
BEGIN
  WHILE i < 900 LOOP
    i := i + 1;
    CONTINUE WHEN i = 1;
    EXIT WHEN i = 3;
    SELECT a INTO STRICT v FROM t WHERE k = x;
  END LOOP;
  IF i = 3 THEN UPDATE t SET a = v + i WHERE k = x; END IF;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

TEST_F(Replay, SaysWhereAProgramCannotBeReplayed) {
  const std::string text = write("while.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION ever(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int; i int := 0;
BEGIN
  WHILE i >= 0 LOOP
    SELECT a INTO v FROM t WHERE k = x;
    UPDATE t SET a = v + 1 WHERE k = x;
    i := i + 1;
  END LOOP;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("cannot be replayed"), HasSubstr("not over after 2000 statements")))
      << out_;
}

// The user's own functions run, handlers and all.
TEST_F(Replay, RunsHandlersOfExceptions) {
  const std::string text = write("handler.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION handled(x int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE v int; w int;
BEGIN
  SELECT a INTO STRICT v FROM t WHERE k = x;
  BEGIN
    w := 1 / (v - v);
  EXCEPTION WHEN division_by_zero THEN
    v := v + 1;
  END;
  UPDATE t SET a = v WHERE k = x;
  RETURN w;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// Nothing tells two rows of such a table apart, so the states are compared.
TEST_F(Replay, ConfirmsTwoVotesOfOnePersonInATableWithoutAKey) {
  const std::string text = write("vote.sql", R"(CREATE TABLE vote (who int NOT NULL, choice text NOT NULL);
CREATE FUNCTION cast_vote(p_who int, p_choice text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM vote WHERE who = p_who) THEN
    INSERT INTO vote VALUES (p_who, p_choice);
  END IF;
END $$;
)");
  EXPECT_EQ(replay(text + " --level si --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("confirmed on PostgreSQL"), HasSubstr("no serial order of them"),
                          HasSubstr("in the order T2, T1: ")))
      << out_;
}

// What the server prevents is predicted, because the analysis does not use these locks and indexes; it must
// not be confirmed.
TEST_F(Replay, DoesNotConfirmWhatLocksAndIndexesPreventAtSnapshotIsolation) {
  const std::string text = write("prevented.sql", R"(CREATE TABLE a (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE b (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE booking (id serial PRIMARY KEY, seat int NOT NULL, cancelled boolean NOT NULL DEFAULT false);
CREATE UNIQUE INDEX ON booking (seat) WHERE NOT cancelled;
CREATE TABLE account (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email varchar(60) NOT NULL);
CREATE UNIQUE INDEX ON account (lower(email));
CREATE FUNCTION book(p_seat int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE made int;
BEGIN
  IF EXISTS (SELECT 1 FROM booking WHERE seat = p_seat AND NOT cancelled) THEN RETURN NULL; END IF;
  INSERT INTO booking (seat) VALUES (p_seat) RETURNING id INTO made;
  RETURN made;
END $$;
-- transaction: sign_up(address text)
SELECT count(*) AS n FROM account WHERE lower(email) = lower(:address)
\gset
INSERT INTO account (email) SELECT :address WHERE :n = 0;
-- transaction: one(k int)
SELECT n AS v FROM a WHERE id = :k FOR SHARE
\gset
UPDATE b SET n = n - 1 WHERE id = :k AND :v > 0;
-- transaction: two(k int)
SELECT n AS v FROM b WHERE id = :k FOR SHARE
\gset
UPDATE a SET n = n - 1 WHERE id = :k AND :v > 0;
)");
  EXPECT_EQ(replay(text + " --level si --cycle 2"), 1) << err_;  // on a busy machine it tells how far it is
  EXPECT_THAT(out_, Not(HasSubstr("confirmed on"))) << out_;
  EXPECT_THAT(out_, Not(HasSubstr("cannot be replayed"))) << out_;
}

TEST_F(Replay, DoesNotConfirmWhatAnAdvisoryLockPrevents) {
  const std::string text = write("advisory.sql", R"(CREATE TABLE account (id int PRIMARY KEY, n int NOT NULL);
CREATE FUNCTION take(k int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  PERFORM pg_advisory_xact_lock(k);
  SELECT n INTO v FROM account WHERE id = k;
  UPDATE account SET n = v - 1 WHERE id = k;
END $$;
)");
  (void)replay(text + " --level rc --cycle 2");
  EXPECT_THAT(out_, Not(HasSubstr("confirmed on"))) << out_;
  EXPECT_THAT(out_, Not(HasSubstr("cannot be replayed"))) << out_;
}

// The witness has no owner of the pet, and the foreign key wants one. The trigger fires for the calls, not
// for the rows that were put there.
TEST_F(Replay, CompletesTheParentsOfForeignKeys) {
  const std::string text = write("fk.sql", R"(CREATE TABLE owner (id int PRIMARY KEY, name char(2) NOT NULL);
CREATE TABLE pet (id int PRIMARY KEY, owner int NOT NULL REFERENCES owner, weight int NOT NULL);
CREATE TABLE feeding (id serial PRIMARY KEY, pet int NOT NULL REFERENCES pet, at timestamptz DEFAULT now());
CREATE FUNCTION grow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO feeding (pet) VALUES (NEW.id);
  RETURN NEW;
END $$;
CREATE TRIGGER grows AFTER INSERT OR UPDATE ON pet FOR EACH ROW EXECUTE FUNCTION grow();
CREATE FUNCTION feed(p_pet int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE w int;
BEGIN
  SELECT weight INTO w FROM pet WHERE id = p_pet;
  UPDATE pet SET weight = w + 1 WHERE id = p_pet;
END $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
}

// SEATS: one customer gets two seats, of different numbers, because the server refuses one number twice.
TEST_F(Replay, ConfirmsTwoReservationsOfOneCustomer) {
  const std::string text = write("seats.sql", R"(
CREATE TABLE flight (f_id bigint PRIMARY KEY, f_seats_left int NOT NULL);
CREATE TABLE customer (c_id bigint PRIMARY KEY, c_balance numeric(10,2) NOT NULL, c_bookings int NOT NULL);
CREATE TABLE reservation (r_id bigint NOT NULL, r_c_id bigint NOT NULL REFERENCES customer, r_f_id bigint NOT NULL REFERENCES flight, r_seat int NOT NULL, r_price numeric(10,2) NOT NULL,
 PRIMARY KEY (r_id, r_c_id, r_f_id), UNIQUE (r_f_id, r_seat));
CREATE FUNCTION new_reservation(rid bigint, c bigint, f bigint, seat int, price numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE l int;
BEGIN
 SELECT f_seats_left INTO l FROM flight WHERE f_id = f;
 IF l <= 0 THEN RAISE EXCEPTION 'no more seats'; END IF;
 PERFORM 1 FROM reservation WHERE r_f_id = f AND r_seat = seat;
 IF FOUND THEN RAISE EXCEPTION 'seat reserved'; END IF;
 PERFORM 1 FROM reservation WHERE r_f_id = f AND r_c_id = c;
 IF FOUND THEN RAISE EXCEPTION 'customer has a seat'; END IF;
 INSERT INTO reservation VALUES (rid, c, f, seat, price);
 UPDATE flight SET f_seats_left = f_seats_left - 1 WHERE f_id = f;
 UPDATE customer SET c_bookings = c_bookings + 1 WHERE c_id = c;
END $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("FROM reservation WHERE (r_f_id = :f) AND (r_c_id = :c)"),
                          HasSubstr("phantom"), Not(HasSubstr("not reproduced"))))
      << out_;
  // Both count down the seats of the flight, which is there because the reservation points to it.
  EXPECT_EQ(replay(text + " --level si --cycle 2"), 0) << out_ << err_;
}

// AuctionMark: of two bids the better one is lost, whatever happens to the number of bids.
TEST_F(Replay, ConfirmsThatABetterBidIsLost) {
  const std::string text = write("auction.sql", R"(
CREATE TABLE item (i_id bigint PRIMARY KEY, i_u_id bigint NOT NULL, i_current_price numeric(10,2) NOT NULL, i_num_bids int NOT NULL, i_status int NOT NULL);
CREATE TABLE item_max_bid (imb_i_id bigint PRIMARY KEY, imb_ib_id bigint NOT NULL);
CREATE TABLE item_bid (ib_id bigserial PRIMARY KEY, ib_i_id bigint NOT NULL REFERENCES item, ib_buyer_id bigint NOT NULL, ib_bid numeric(10,2) NOT NULL, ib_max_bid numeric(10,2) NOT NULL);
CREATE FUNCTION new_bid(item_id bigint, buyer bigint, bid numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE price numeric; n int; st int; cur_bid bigint; cur_max numeric; nb bigint;
BEGIN
 SELECT i_current_price, i_num_bids, i_status INTO price, n, st FROM item WHERE i_id = item_id;
 IF NOT FOUND OR st <> 0 THEN RAISE EXCEPTION 'closed'; END IF;
 IF n > 0 THEN
   SELECT imb_ib_id INTO cur_bid FROM item_max_bid WHERE imb_i_id = item_id;
   SELECT ib_max_bid INTO cur_max FROM item_bid WHERE ib_id = cur_bid;
   INSERT INTO item_bid (ib_i_id, ib_buyer_id, ib_bid, ib_max_bid) VALUES (item_id, buyer, bid, bid) RETURNING ib_id INTO nb;
   IF bid > cur_max THEN
     UPDATE item_max_bid SET imb_ib_id = nb WHERE imb_i_id = item_id;
     UPDATE item SET i_current_price = cur_max WHERE i_id = item_id;
   END IF;
   UPDATE item SET i_num_bids = i_num_bids + 1 WHERE i_id = item_id;
 ELSE
   INSERT INTO item_bid (ib_i_id, ib_buyer_id, ib_bid, ib_max_bid) VALUES (item_id, buyer, bid, bid) RETURNING ib_id INTO nb;
   INSERT INTO item_max_bid VALUES (item_id, nb);
   UPDATE item SET i_num_bids = 1 WHERE i_id = item_id;
 END IF;
END $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  const auto lost = out_.find("lost-update (two"), best = out_.find("item_max_bid("),
             confirmed = out_.find("confirmed on PostgreSQL");
  ASSERT_NE(confirmed, out_.npos) << out_;
  EXPECT_LT(lost, best);
  EXPECT_LT(best, confirmed) << out_;
}

TEST_F(Replay, SaysThatProgramsThatDependOnChanceCannotBeJudged) {
  const std::string text = write("chance.sql", R"(CREATE TABLE t (k int PRIMARY KEY, a int NOT NULL);
CREATE FUNCTION shuffle(x int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  SELECT a INTO v FROM t WHERE k = x;
  UPDATE t SET a = v + (random() * 1000000)::int WHERE k = x;
END; $$;
)");
  EXPECT_EQ(replay(text + " --level rc --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("cannot be replayed"), HasSubstr("do not always do the same"))) << out_;
}

// A role that may not create databases gets a schema; what the files could reach outside of it is refused.
TEST_F(Replay, TouchesNothingOfAUsersDatabase) {
  auto server = Server::start("postgres");
  ASSERT_TRUE(server) << server.error().what;
  std::string address = server->url();
  auto url = parse_url(address);
  ASSERT_TRUE(url);
  auto admin = open_sql_session(*url);
  ASSERT_TRUE(admin) << admin.error().what;
  const auto names = [&] {
    std::vector<SqlRow> rows;
    EXPECT_EQ((*admin)->run("SELECT (SELECT count(*) FROM pg_namespace), (SELECT count(*) FROM pg_database), "
                            "(SELECT count(*) FROM pg_class WHERE relname = 'account'), n FROM account",
                            rows),
              Reply::Done);
    return rows;
  };
  ASSERT_EQ((*admin)->run("CREATE ROLE guest LOGIN; GRANT CREATE ON DATABASE postgres TO guest;"
                          "CREATE TABLE account (n int); INSERT INTO account VALUES (7)"),
            Reply::Done);
  const auto before = names();
  const std::string bank = example("bank") + "--level rc --cycle 2 --replay ";
  EXPECT_EQ(assay("analyze " + bank + "'" + address + "'"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
  EXPECT_EQ(names(), before);
  const auto user = address.find("user=assay");
  ASSERT_NE(user, address.npos) << address;
  address.replace(user, 10, "user=guest");
  EXPECT_EQ(assay("analyze " + bank + "'" + address + "'"), 1) << err_;
  EXPECT_THAT(out_, HasSubstr("confirmed on PostgreSQL")) << out_;
  EXPECT_EQ(names(), before);
  const std::string outside = write("outside.sql",
                                    "CREATE TABLE account (n int NOT NULL);\n"
                                    "-- transaction: wipe()\n"
                                    "UPDATE public.account SET n = (SELECT max(n) + 1 FROM account);\n");
  (void)assay("analyze " + outside + " --level rc --cycle 2 --replay '" + address + "'");
  EXPECT_THAT(out_, AllOf(HasSubstr("cannot be replayed"), HasSubstr("name the schema public"))) << out_;
  EXPECT_EQ(names(), before);
}

TEST_F(Replay, SaysWhichLevelsPostgresqlDoesNotHave) {
  EXPECT_EQ(replay(example("bank") + "--level ec --cycle 2"), 1) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("cannot be replayed on PostgreSQL"), HasSubstr("not ec"))) << out_;
}

TEST_F(Replay, NeedsADatabaseThatIsThere) {
  EXPECT_EQ(assay("analyze " + example("bank") +
                  "--level rc --cycle 2 --replay postgresql://nobody@127.0.0.1:1/none"),
            2);
  EXPECT_THAT(err_, HasSubstr("cannot connect"));
  EXPECT_EQ(assay("analyze " + example("bank") + "--level rc --cycle 2 --replay sqlite:"), 2);
  EXPECT_THAT(err_, HasSubstr("is no PostgreSQL database"));
}

}  // namespace
}  // namespace assay::test
