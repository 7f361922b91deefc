#include "collect/conformance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "collect/client_session.h"
#include "collect/database.h"
#include "collect/temporary_directory.h"

namespace assay {
namespace {

constexpr std::size_t kTrialKeys = 8;
constexpr std::int64_t kLargeValue = 1'234'567'890'123;  // JavaScript's numbers hold it, 32 bits do not
constexpr auto kLongestFarewell = std::chrono::seconds(5);

// Throws no exception: the first problem is kept, and what follows does nothing.
class TrialRun {
 public:
  TrialRun(const std::string& command, std::string directory)
      : command_(command), directory_(std::move(directory)) {}

  const std::string& problem() const { return problem_; }
  bool is_fine() const { return problem_.empty(); }
  void blame(std::string what) {
    if (is_fine()) problem_ = std::move(what);
  }

  std::unique_ptr<ClientSession> session(std::size_t number) {
    if (!is_fine()) return nullptr;
    auto started = ClientSession::start(command_, number, "", directory_);
    if (!started) blame(started.error().what);
    return started ? std::move(*started) : nullptr;
  }

  // The request must succeed.
  template <class Request>
  void must(std::string_view what, Request request, ClientSession& session) {
    if (!is_fine()) return;
    const Reply reply = request(session);
    if (reply != Reply::Done)
      blame(fmt::format("{}: it answered {} ({})", what, word(reply), session.problem()));
  }
  void must(std::string_view op, ClientSession& session) {
    must(
        op, [&](ClientSession& s) { return s.simple(op); }, session);
  }
  void must_write(ClientSession& session, std::int64_t key, std::int64_t value) {
    must(
        "write", [&](ClientSession& s) { return s.change("write", key, value); }, session);
  }
  void must_append(ClientSession& session, std::int64_t key, std::int64_t value) {
    must(
        "append", [&](ClientSession& s) { return s.change("append", key, value); }, session);
  }
  void must_read(ClientSession& session, std::int64_t key, std::int64_t expected, std::string_view because) {
    std::int64_t value = 0;
    must(
        "read", [&](ClientSession& s) { return s.read(key, value); }, session);
    if (value != expected) blame(fmt::format("it read {} where {} had to be: {}", value, expected, because));
  }
  void must_read_list(ClientSession& session, std::int64_t key, const std::vector<std::int64_t>& expected,
                      std::string_view because) {
    std::vector<std::int64_t> elements;
    must(
        "read-list", [&](ClientSession& s) { return s.read_list(key, elements); }, session);
    if (elements != expected)
      blame(fmt::format("it read [{}] where [{}] had to be: {}", fmt::join(elements, ","),
                        fmt::join(expected, ","), because));
  }

  static std::string_view word(Reply reply) {
    switch (reply) {
      case Reply::Done: return "ok";
      case Reply::Aborted: return "aborted";
      case Reply::Lost: return "unknown, or not at all";
      default: return "fatal, or nonsense";
    }
  }

 private:
  const std::string& command_;
  const std::string directory_;
  std::string problem_;
};

struct TrialRow {
  std::string_view about;
  std::string_view data;  // what it needs; empty: registers or lists
  void (*run)(TrialRun& trial, ClientSession& a, ClientSession& b);
};

// Two sessions on empty tables.
constexpr TrialRow kTrials[] = {
    {"a key that nobody wrote holds 0", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession&) {
       t.must("begin", a);
       t.must_read(a, 3, 0, "nobody wrote it");
       t.must("commit", a);
     }},
    {"a transaction reads what it wrote", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession&) {
       t.must("begin", a);
       t.must_write(a, 3, kLargeValue);
       t.must_read(a, 3, kLargeValue, "the transaction has just written it");
       t.must("commit", a);
     }},
    {"another session reads what was committed", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession& b) {
       t.must("begin", a);
       t.must_write(a, 1, kLargeValue);
       t.must("commit", a);
       t.must("begin", b);
       t.must_read(b, 1, kLargeValue, "another session committed it");
       t.must("commit", b);
     }},
    {"a rollback leaves nothing", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession& b) {
       t.must("begin", a);
       t.must_write(a, 1, 5);
       t.must("rollback", a);
       t.must("begin", b);
       t.must_read(b, 1, 0, "the transaction that wrote was rolled back");
       t.must("commit", b);
       t.must("begin", a);
       t.must_read(a, 1, 0, "its own transaction was rolled back");
       t.must("commit", a);
     }},
    {"a transaction takes effect at its commit, not before", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession& b) {
       t.must("begin", a);
       t.must_write(a, 1, 5);
       t.must_write(a, 2, 6);
       a.process().ends_within(kLongestFarewell);  // without a commit
       t.must("begin", b);
       t.must_read(b, 1, 0, "the session that wrote ended without a commit");
       t.must_read(b, 2, 0, "the session that wrote ended without a commit");
       t.must("commit", b);
     }},
    {"a list that nobody appended to is empty, and keeps the order", "lists",
     [](TrialRun& t, ClientSession& a, ClientSession& b) {
       t.must("begin", a);
       t.must_read_list(a, 3, {}, "nobody appended to it");
       for (const std::int64_t element : {std::int64_t{7}, kLargeValue, std::int64_t{2}})
         t.must_append(a, 3, element);
       t.must_read_list(a, 3, {7, kLargeValue, 2}, "that was appended");
       t.must("commit", a);
       t.must("begin", b);
       t.must_append(b, 3, 9);
       t.must("rollback", b);
       t.must("begin", b);
       t.must_read_list(b, 3, {7, kLargeValue, 2}, "the last append was rolled back");
       t.must("commit", b);
     }},
    {"what is refused has no effect, and the session goes on", "registers",
     [](TrialRun& t, ClientSession& a, ClientSession& b) {
       t.must("begin", a);
       t.must_read(a, 1, 0, "nobody wrote it");
       t.must("begin", b);
       Reply second = b.change("write", 1, 6);
       if (second == Reply::Done) second = b.simple("commit");
       Reply first = a.change("write", 1, 5);
       if (first == Reply::Done) first = a.simple("commit");
       for (const auto& [reply, session] : {std::pair(first, &a), {second, &b}})
         if (reply != Reply::Done && reply != Reply::Aborted)
           t.blame(fmt::format(
               "two sessions wrote one key, and one was answered {} ({}): a conflict is \"aborted\"",
               TrialRun::word(reply), session->problem()));
       t.must("begin", a);
       const std::int64_t last = first == Reply::Done ? 5 : second == Reply::Done ? 6 : 0;
       t.must_read(a, 1, last, "it is what the last transaction wrote that was answered ok");
       t.must_write(a, 1, 7);
       t.must("commit", a);
     }},
    {"an operation that it does not know is fatal, not ok", "",
     [](TrialRun& t, ClientSession& a, ClientSession&) {
       if (a.simple("no-such-operation") == Reply::Done)
         t.blame("it answered ok to an operation that there is not");
     }},
    {"it ends when its input ends", "",
     [](TrialRun& t, ClientSession& a, ClientSession&) {
       if (!a.process().ends_within(kLongestFarewell)) t.blame("it ran on for five seconds");
     }},
};

bool knows(const ClientHello& hello, std::string_view data) {
  return std::ranges::find(hello.data, data) != hello.data.end();
}

// Empty tables and two sessions for each trial.
Trial make_trial(const TrialRow& row, const std::string& command, ClientSession& keeper,
                 const std::string& directory) {
  TrialRun trial(command, directory);
  const std::string data(row.data.empty() ? std::string_view(keeper.hello().data.front()) : row.data);
  trial.must(
      "setup", [&](ClientSession& s) { return s.setup(data, kTrialKeys); }, keeper);
  const auto a = trial.session(1), b = trial.session(2);
  if (a && b) row.run(trial, *a, *b);
  return {std::string(row.about), trial.problem()};
}

}  // namespace

std::vector<Trial> try_client(const std::string& command) {
  constexpr std::string_view kGreets = "it answers hello, and says what it can do";
  const auto directory = TemporaryDirectory::create();
  if (!directory) return {{std::string(kGreets), directory.error().describe()}};
  const auto keeper = ClientSession::start(command, 0, "", directory->path());
  if (!keeper) return {{std::string(kGreets), keeper.error().describe()}};
  std::vector<Trial> trials{{std::string(kGreets), ""}};
  for (const TrialRow& row : kTrials)
    if (row.data.empty() || knows((*keeper)->hello(), row.data))
      trials.push_back(make_trial(row, command, **keeper, directory->path()));
  const Reply reply = (*keeper)->simple("teardown");
  trials.push_back(
      {"it removes its tables", reply == Reply::Done ? "" : "teardown failed: " + (*keeper)->problem()});
  return trials;
}

}  // namespace assay
