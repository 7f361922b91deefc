// Random histories of Jepsen's workloads against a definition of linearizability that knows nothing of
// transactions: some order of the calls, within their intervals, explains every answer. A single operation is
// a transaction, so that is what strict-ser must say of the history as it is read.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>

#include "isolation/level_list.h"
#include "judge/judge.h"

namespace assay {
namespace {

using State = std::map<std::string, int>;  // 0: nothing is there

struct Call {
  int process;
  std::string f, asked, answer;      // EDN
  std::function<bool(State&)> step;  // changes the state; false if the answer is wrong in it
  std::size_t begin = 0, end = SIZE_MAX;
  std::string type = "ok";
};

bool is_linearizable(std::vector<Call>& rest, State state) {
  if (std::ranges::all_of(rest, [](const Call& call) { return call.type != "ok"; })) return true;
  std::size_t first_end = SIZE_MAX;
  for (const Call& call : rest)
    if (call.type == "ok") first_end = std::min(first_end, call.end);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i].begin > first_end || rest[i].type == "fail") continue;
    State next = state;
    if (!rest[i].step(next)) continue;
    std::vector<Call> others = rest;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_linearizable(others, next)) return true;
  }
  return false;
}

class Workload {
 public:
  explicit Workload(unsigned seed) : random_(seed) {}
  virtual ~Workload() = default;
  virtual Call call() = 0;                                  // what a client asks for
  virtual void answer(Call& call, const State& state) = 0;  // what it may see, and the step that explains it
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

 private:
  std::mt19937 random_;
};

std::string value_or_nil(int value) { return value == 0 ? "nil" : std::to_string(value); }

// :read, :write and :cas of two registers with independent keys.
class Registers final : public Workload {
 public:
  using Workload::Workload;
  Call call() override {
    key_ = std::to_string(below(2));
    const int a = 1 + below(3), b = 1 + below(3);
    Call call;
    switch (below(3)) {
      case 0: call.f = "read"; break;
      case 1:
        call.f = "write";
        call.asked = std::to_string(a);
        call.step = [key = key_, a](State& s) { return s[key] = a, true; };
        break;
      default:
        call.f = "cas";
        call.asked = "[" + std::to_string(a) + " " + std::to_string(b) + "]";
        call.step = [key = key_, a, b](State& s) { return s[key] == a ? (s[key] = b, true) : false; };
    }
    call.answer = "[" + key_ + " " + (call.f == "read" ? "nil" : call.asked) + "]";
    call.asked = call.answer;
    return call;
  }
  void answer(Call& call, const State& state) override {
    if (call.f != "read") return;
    const std::string key = call.asked.substr(1, 1);
    const auto found = state.find(key);
    int seen = found == state.end() ? 0 : found->second;
    if (below(12) == 0) seen = below(4);
    call.answer = "[" + key + " " + value_or_nil(seen) + "]";
    call.step = [key, seen](State& s) { return s[key] == seen; };
  }

 private:
  std::string key_;
};

class Sets final : public Workload {
 public:
  using Workload::Workload;
  Call call() override {
    Call call;
    if (below(2) == 0) {
      call.f = "read";
      call.asked = call.answer = "nil";
      return call;
    }
    const std::string element = std::to_string(++last_);
    call.f = "add";
    call.asked = call.answer = element;
    call.step = [element](State& s) { return s[element] = 1, true; };
    return call;
  }
  void answer(Call& call, const State& state) override {
    if (call.f != "read") return;
    State seen;
    for (const auto& [element, is_there] : state)
      if (is_there != 0 && below(20) != 0) seen[element] = 1;
    call.answer = "#{";
    for (const auto& [element, is_there] : seen) call.answer += " " + element;
    call.answer += "}";
    call.step = [seen](State& s) {
      return std::erase_if(s, [](auto& e) { return e.second == 0; }), s == seen;
    };
  }

 private:
  int last_ = 0;
};

class Mutexes final : public Workload {
 public:
  using Workload::Workload;
  Call call() override {
    Call call;
    const int locks = below(2);
    call.f = locks == 1 ? "acquire" : "release";
    call.asked = call.answer = "nil";
    call.step = [locks](State& s) { return s["mutex"] == 1 - locks ? (s["mutex"] = locks, true) : false; };
    return call;
  }
  void answer(Call&, const State&) override {}
};

// Runs clients on one state. A call takes effect at some time between its invocation and its completion.
std::string run(Workload& workload, std::vector<Call>& calls) {
  std::string text;
  State state;
  std::size_t events = 0;
  std::map<int, Call> open;
  std::map<int, bool> took_effect;
  const auto line = [&](const Call& call, const std::string& type, const std::string& value) {
    text += "{:process " + std::to_string(call.process) + " :type :" + type + " :f :" + call.f + " :value " +
            value + " :index " + std::to_string(events) + "}\n";
    return events++;
  };
  int crashed = 0;
  for (int step = 0; step < 40; ++step) {
    const int client = workload.below(3);
    const auto found = open.find(client);
    if (found == open.end()) {
      if (calls.size() + open.size() >= 9) continue;
      Call call = workload.call();
      call.process = client + 10 * crashed;
      call.begin = line(call, "invoke", call.asked);
      open[client] = call;
      took_effect[client] = false;
      continue;
    }
    Call& call = found->second;
    if (!took_effect[client]) {
      State next = state;
      workload.answer(call, state);
      if (call.step(next) || workload.below(8) == 0) {
        if (call.f != "read") state = next;
        took_effect[client] = true;
      } else {
        call.type = "fail";
        call.end = line(call, "fail", call.asked);
        calls.push_back(call);
        open.erase(found);
      }
      continue;
    }
    if (workload.below(8) == 0) {
      call.type = "info";
      line(call, "info", call.asked);
      ++crashed;
    } else {
      call.end = line(call, "ok", call.answer);
    }
    calls.push_back(call);
    open.erase(found);
  }
  for (auto& [client, call] : open) {
    call.type = "info";
    if (call.step) calls.push_back(call);
  }
  return text;
}

template <class Kind>
void agrees(const std::string& workload_name, unsigned first_seed) {
  std::size_t violated = 0;
  for (unsigned seed = first_seed; seed < first_seed + 300; ++seed) {
    Kind workload(seed);
    std::vector<Call> calls;
    const std::string text = run(workload, calls);
    std::erase_if(calls, [](const Call& call) { return call.type != "ok" && call.f == "read"; });
    auto history = read_history(ByteSource::from_memory("random", text), nullptr, nullptr,
                                {.jepsen = {.workload = workload_name, .ignored = {}}});
    ASSERT_TRUE(history) << history.error().describe() << "\n" << text;
    JudgeOptions options;
    options.levels = parse_levels("strict-ser").value().levels;
    options.explain = false;
    const auto findings = judge(std::move(history).value(), "random", "elle", options);
    ASSERT_TRUE(findings) << findings.error().describe();
    ASSERT_EQ(findings->levels.size(), 1u) << findings->refused.at(0).why.describe() << "\n" << text;
    const bool expected = is_linearizable(calls, {});
    violated += !expected;
    EXPECT_EQ(std::holds_alternative<Holds>(findings->levels[0].verdict), expected) << seed << "\n" << text;
  }
  EXPECT_GT(violated, 5u);
  EXPECT_LT(violated, 290u);
}

TEST(JepsenRandom, RegistersAreJudgedByLinearizability) { agrees<Registers>("register", 1); }
TEST(JepsenRandom, SetsAreJudgedByLinearizability) { agrees<Sets>("set", 1000); }
TEST(JepsenRandom, MutexesAreJudgedByLinearizability) { agrees<Mutexes>("mutex", 2000); }

}  // namespace
}  // namespace assay
