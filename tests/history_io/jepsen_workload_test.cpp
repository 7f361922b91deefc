// Jepsen's workloads, as transactions: small files as the tests of Jepsen write them.
#include "format_testing.h"

namespace assay::test {
namespace {

Result<History> try_jepsen(std::string text, JepsenOptions options = {}) {
  return read_history(ByteSource::from_memory("h.edn", std::move(text)), find_format("elle"), nullptr,
                      {.jepsen = std::move(options)});
}

std::string of_jepsen(std::string text, JepsenOptions options = {}) {
  const auto history = try_jepsen(std::move(text), std::move(options));
  if (!history) return history.error().describe();
  const History& h = *history;
  std::string all;
  for (const TxnId t : h.transactions()) {
    all += h.display(h.session(t)) + ":";
    for (const OpId op : h.operations(t)) all += " " + describe(h, op);
    all += h.outcome(t) == Outcome::Committed ? "" : h.outcome(t) == Outcome::Aborted ? " !" : " ?";
    all += "\n";
  }
  return all;
}

std::vector<std::string> remarks(std::string text, JepsenOptions options = {}) {
  const auto history = try_jepsen(std::move(text), std::move(options));
  return history ? history->remarks() : std::vector<std::string>{history.error().describe()};
}

constexpr const char* kCas = R"(
{:process 0, :type :invoke, :f :write, :value [5 1], :index 0, :time 1}
{:process 1, :type :invoke, :f :read, :value [5 nil], :index 1, :time 2}
{:process 0, :type :ok, :f :write, :value [5 1], :index 2, :time 3}
{:process 1, :type :ok, :f :read, :value [5 nil], :index 3, :time 4}
{:process 0, :type :invoke, :f :cas, :value [5 [1 2]], :index 4, :time 5}
{:process 1, :type :invoke, :f :cas, :value [6 [0 3]], :index 5, :time 6}
{:process 0, :type :ok, :f :cas, :value [5 [1 2]], :index 6, :time 7}
{:process 1, :type :fail, :f :cas, :value [6 [0 3]], :index 7, :time 8, :error :precondition}
{:process 0, :type :invoke, :f :cas, :value [5 [2 4]], :index 8, :time 9}
{:process 1, :type :invoke, :f :read, :value [5 nil], :index 9, :time 10}
{:process 0, :type :info, :f :cas, :value [5 [2 4]], :index 10, :time 11, :error :timeout}
{:process 1, :type :ok, :f :read, :value [5 4], :index 11, :time 12}
{:process 2, :type :invoke, :f :cas, :value [5 [4 0]], :index 12, :time 13}
)";

TEST(JepsenWorkload, RegistersAreReadsAndWrites) {
  EXPECT_EQ(of_jepsen(kCas),
            "0: w(5,1)\n1: r(5,null)\n0: r(5,1) w(5,2)\n1: w(6,3) !\n0: r(5,2) w(5,4) ?\n1: r(5,4)\n"
            "2: r(5,4) w(5,0) ?\n");
  EXPECT_EQ(remarks(kCas)[1], "the operations are those of the workload register, with independent keys");
  // One register, without keys; an initial cas from nil, as in the history of Knossos that two of them win.
  EXPECT_EQ(of_jepsen(R"(
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value nil}
{:process 1, :type :invoke, :f :cas, :value [nil 1]}
{:process 1, :type :ok, :f :cas, :value [nil 1]}
)"),
            "1: r(register,null)\n1: r(register,null) w(register,1)\n");
  EXPECT_EQ(of_jepsen("{:process 1 :type :ok :f :cas :value 3}").substr(0, 39),
            "h.edn:1: expected a :cas with [old new]");
  EXPECT_EQ(
      of_jepsen("{:process 1 :type :invoke :f :write :value 3}{:process 1 :type :ok :f :write :value 4}"),
      "h.edn:1: the completion has another value than its invocation");
}

TEST(JepsenWorkload, ReadsJsonOfElleCli) {
  EXPECT_EQ(of_jepsen(R"([{"process": 1, "type": "invoke", "f": "write", "value": 3, "index": 0},
{"process": 1, "type": "ok", "f": "write", "value": 3, "index": 1},
{"process": 2, "type": "invoke", "f": "read", "value": null, "index": 2},
{"process": 2, "type": "ok", "f": "read", "value": 3, "index": 3}])"),
            "1: w(register,3)\n2: r(register,3)\n");
}

TEST(JepsenWorkload, CausalRegistersStartAtZeroAndReadsMayBeUnanswered) {
  constexpr const char* kCausal = R"(
{:process 0, :type :invoke, :f :read-init, :value [1 nil]}
{:process 0, :type :ok, :f :read-init, :value [1 0], :position 1, :link :init}
{:process 0, :type :invoke, :f :write, :value [1 1]}
{:process 0, :type :ok, :f :write, :value [1 1], :position 2, :link 1}
{:process 0, :type :invoke, :f :read, :value [1 nil]}
{:process 0, :type :ok, :f :read, :value [1 nil], :position 3, :link 2}
)";
  EXPECT_EQ(of_jepsen(kCausal), "0: r(1,0)\n0: w(1,1)\n0:\n");
  const auto h = try_jepsen(kCausal);
  EXPECT_EQ(h->value(OpId(0)), h->initial_value(h->key(OpId(0))));
  EXPECT_EQ(remarks(kCausal)[2], "1 reads that succeeded do not say what they saw");
}

TEST(JepsenWorkload, AMutexIsARegisterThatIsLockedOrNot) {
  EXPECT_EQ(of_jepsen(R"(
{:process 0, :type :invoke, :f :acquire, :value nil}
{:process 0, :type :ok, :f :acquire, :value nil}
{:process 1, :type :invoke, :f :acquire, :value nil}
{:process 1, :type :fail, :f :acquire, :value nil}
{:process 0, :type :invoke, :f :release, :value nil}
{:process 0, :type :info, :f :release, :value :timed-out}
)"),
            "0: r(mutex,false) w(mutex,true)\n1: w(mutex,true) !\n0: r(mutex,true) w(mutex,false) ?\n");
}

TEST(JepsenWorkload, ASetHasARegisterForEachElement) {
  EXPECT_EQ(of_jepsen(R"(
{:process 0, :type :invoke, :f :add, :value 10}
{:process 0, :type :ok, :f :add, :value 10}
{:process 0, :type :invoke, :f :add, :value 11}
{:process 0, :type :fail, :f :add, :value 11}
{:process 0, :type :invoke, :f :add, :value 12}
{:process 0, :type :info, :f :add, :value 12}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value #{10 99}}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value [99 99]}
)"),
            "0: w(10,1)\n0: w(11,1) !\n0: w(12,1) ?\n1: r(10,1) r(99,1)\n1: r(10,null) r(99,2)\n");
  // Elements that are vectors, and sets with keys.
  EXPECT_EQ(of_jepsen(R"(
{:process 0, :type :invoke, :f :add, :value [0 1]}
{:process 0, :type :ok, :f :add, :value [0 1]}
{:process 1, :type :invoke, :f :read}
{:process 1, :type :ok, :f :read, :value ([0 1])}
)"),
            "0: w(\"[0 1]\",1)\n1: r(\"[0 1]\",1)\n");
  EXPECT_EQ(of_jepsen(R"(
{:process 0, :type :invoke, :f :add, :value [:a 1]}
{:process 0, :type :ok, :f :add, :value [:a 1]}
{:process 1, :type :invoke, :f :read, :value [:b nil]}
{:process 1, :type :ok, :f :read, :value [:b []]}
{:process 1, :type :invoke, :f :read, :value [:a nil]}
{:process 1, :type :ok, :f :read, :value [:a [1]]}
)"),
            "0: w(\"[:a 1]\",1)\n1:\n1: r(\"[:a 1]\",1)\n");
}

constexpr const char* kComments = R"(
{:process 0, :type :invoke, :f :write, :value 0}
{:process 0, :type :ok, :f :write, :value 0}
{:process 0, :type :invoke, :f :write, :value 1}
{:process 0, :type :ok, :f :write, :value 1}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value [0 1]}
)";

TEST(JepsenWorkload, ReadsThatReturnCollectionsNeedTheNameOfTheWorkload) {
  EXPECT_NE(of_jepsen(kComments).find("say which it is: --jepsen-workload causal-reverse"),
            std::string::npos);
  EXPECT_EQ(of_jepsen(kComments, {.workload = "comments"}), "0: w(0,1)\n0: w(1,1)\n1: r(0,1) r(1,1)\n");
  EXPECT_EQ(of_jepsen(kComments, {.workload = "dirty-reads"}),
            "0: w(0,0) w(1,0)\n0: w(0,1) w(1,1)\n1: r(0,0) r(1,1)\n");
  EXPECT_EQ(remarks(kComments, {.workload = "dirty-reads"})[2],
            "each read is assumed to return the rows in the same order");
}

TEST(JepsenWorkload, SequentialInsertsAndReadsAreTransactionsOfTheirOwn) {
  constexpr const char* kSequential = R"(
{:process 0, :type :invoke, :f :write, :value 7, :index 0}
{:process 1, :type :invoke, :f :read, :value 7, :index 1}
{:process 0, :type :ok, :f :write, :value 7, :index 2}
{:process 1, :type :ok, :f :read, :value [7 ["7_1" nil]], :index 3}
{:process 0, :type :invoke, :f :write, :value 8, :index 4}
{:process 0, :type :fail, :f :write, :value 8, :index 5}
)";
  EXPECT_EQ(of_jepsen(kSequential),
            "0: w(\"7_0\",1)\n0: w(\"7_1\",1)\n1: r(\"7_1\",1)\n1: r(\"7_0\",null)\n0: w(\"8_0\",1) ?\n"
            "0: w(\"8_1\",1) ?\n");
  const auto h = try_jepsen(kSequential);
  EXPECT_EQ(h->display(TxnId(2)), "3/1");
  EXPECT_EQ(h->instants(TxnId(0)), h->instants(TxnId(1)));  // each at some time within the operation
  EXPECT_EQ(of_jepsen(R"(
{:type :ok, :f :add, :value [0 "0_0"], :process 0}
{:type :invoke, :f :read, :value [0 nil], :process 1}
{:type :ok, :f :read, :value [0 [nil "0_0"]], :process 1}
)"),
            "0: w(\"0_0\",1)\n1: r(\"0_1\",null)\n1: r(\"0_0\",1)\n");
}

TEST(JepsenWorkload, AnInsertOfG2ReadsThatNoRowOfItsKeyIsThere) {
  EXPECT_EQ(of_jepsen(R"(
{:process 0, :type :invoke, :f :insert, :value [3 [1 nil]]}
{:process 1, :type :invoke, :f :insert, :value [3 [nil 2]]}
{:process 0, :type :ok, :f :insert, :value [3 [1 nil]]}
{:process 1, :type :info, :f :insert, :value [3 [nil 2]]}
{:process 0, :type :invoke, :f :insert, :value [4 [5 nil]]}
{:process 0, :type :fail, :f :insert, :value [4 [5 nil]], :error :too-late}
)"),
            "0: r(\"[3 [1 nil]]\",null) r(\"[3 [nil 2]]\",null) w(\"[3 [1 nil]]\",true)\n"
            "1: r(\"[3 [1 nil]]\",null) r(\"[3 [nil 2]]\",null) w(\"[3 [nil 2]]\",true) ?\n"
            "0: w(\"[4 [5 nil]]\",true) !\n");
}

TEST(JepsenWorkload, RefusesWhatItCannotExpressWithTheReasonAndTheNextStep) {
  const std::string step =
      " (record transactions that read and write values, as Jepsen's append and wr do; docs/jepsen.md lists "
      "the "
      "workloads that are judged)";
  EXPECT_EQ(
      of_jepsen("{:type :invoke, :f :transfer, :process 3, :value {:from 5, :to 2, :amount 2}}"),
      "h.edn: the workload bank cannot be judged: a transfer writes balances that its client does not learn" +
          step);
  EXPECT_EQ(
      of_jepsen("{:type :ok, :f :add, :process 3, :value 1}{:type :ok, :f :read, :process 3, :value 1}"),
      "h.edn: the workload counter cannot be judged: an increment writes a value that its client does not "
      "learn" +
          step);
  EXPECT_NE(of_jepsen("{:type :ok, :f :add, :process 3, :value {:val 1, :sts 7N}}"
                      "{:type :ok, :f :read, :process 3, :value [{:val 1, :sts 7N}]}")
                .find("the workload monotonic cannot be judged"),
            std::string::npos);
  EXPECT_NE(of_jepsen("{:type :ok, :f :enqueue, :process 3, :value 1}").find("the workload queue"),
            std::string::npos);
  EXPECT_EQ(
      of_jepsen("{:type :ok, :f :shrink, :process 3, :value 1}"),
      "h.edn:1: no known workload has operations :f :shrink (if they change no data, leave them out with "
      "--jepsen-ignore shrink; docs/jepsen.md lists the workloads that are judged)");
  EXPECT_EQ(of_jepsen("{:type :ok, :f :read, :process 3, :value 1}", {.workload = "set"}),
            "h.edn:1: a read of a set that is no collection");
  EXPECT_EQ(
      of_jepsen("{:type :ok, :f :txn, :process 3, :value [[:w 1 1]]}", {.workload = "set"}),
      "h.edn: there are no operations of the workload set, only transactions (leave out --jepsen-workload)");
  EXPECT_NE(of_jepsen("{:type :ok, :f :write, :process 3, :value 1}", {.workload = "append"})
                .find(":f :write are not part of the workload append"),
            std::string::npos);
}

TEST(JepsenWorkload, LeavesOutWhatTheUserSaysChangesNoData) {
  const std::string text =
      "{:type :ok, :f :write, :process 3, :value 1}\n{:type :invoke, :f :status, :process 3}\n"
      "{:type :ok, :f :status, :process 3, :value :up}\n";
  EXPECT_EQ(of_jepsen(text, {.ignored = {"status"}}), "3: w(register,1)\n");
  EXPECT_EQ(remarks(text, {.ignored = {"status"}}).back(),
            "operations left out with --jepsen-ignore: :status 2");
}

}  // namespace
}  // namespace assay::test
