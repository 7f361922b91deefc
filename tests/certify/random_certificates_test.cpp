// The checker against the oracle: what it believes is true, and what is true it can be told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "certify/case_prover.h"
#include "certify/certify.h"
#include "certify/parse.h"
#include "certify/small_prover.h"
#include "history/builder.h"
#include "history/digest.h"
#include "history/itemize.h"
#include "oracle/oracle.h"
#include "random/random_history.h"
#include "random/random_predicate_history.h"
#include "support/levels.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "support/round_trip.h"
#include "verdict/rule.h"

namespace assay::test {
namespace {

struct Judged {
  explicit Judged(Level judged)
      : level(judged), oracle(of_oracle(judged)), snapshots(has_two_points(judged)) {}

  Level level;
  oracle::Level oracle;
  bool snapshots;

  bool allows(const History& h, std::int64_t skew = 0) const {
    return oracle::allows(h, oracle, {.skew = skew});
  }
};

const std::vector<Judged> kJudged(levels_without_clocks().begin(), levels_without_clocks().end());
const std::vector<Judged> kOfRealTime(levels_of_real_time().begin(), levels_of_real_time().end());

constexpr std::int64_t kSkews[] = {0, 0, 3, 10, 25};

std::string text_of(const History& history) {
  const auto text = write_text(history, "hist");
  return text ? *text : text.error().describe();
}

// Every order of the points of every set of transactions that may have taken effect.
void each_order(const History& h, bool snapshots, const std::function<void(const Order&)>& visit) {
  std::vector<TxnId> unknown;
  Order committed;
  const auto add = [&](Order& order, TxnId t) {
    if (snapshots) order.push_back({t, false});
    order.push_back({t, true});
  };
  for (const TxnId t : h.transactions()) {
    if (h.outcome(t) == Outcome::Committed) add(committed, t);
    if (h.outcome(t) == Outcome::Unknown) unknown.push_back(t);
  }
  for (std::uint32_t choice = 0; choice < std::uint32_t{1} << unknown.size(); ++choice) {
    Order order = committed;
    for (std::size_t i = 0; i < unknown.size(); ++i)
      if (choice >> i & 1) add(order, unknown[i]);
    std::ranges::sort(order);
    do visit(order);
    while (std::ranges::next_permutation(order).found);
  }
}

// Whether some choice of a writer for each read that has several makes the order an explanation.
bool some_source_is_accepted(const History& h, Level level, Execution execution) {
  const auto result = certify(h, level, execution);
  if (result) return true;
  for (const Point& p : execution.order)
    for (const OpId op : h.operations(p.txn)) {
      if (h.kind(op) != OpKind::Read) continue;
      const auto complaint = fmt::format("read {}.{} has several", p.txn.index() + 1,
                                         op.index() - h.operations(p.txn).first.index() + 1);
      if (!result.error().what.starts_with(complaint)) continue;
      execution.from.push_back({op, TxnId::none()});
      bool accepted = some_source_is_accepted(h, level, execution);
      for (const Point& writer : execution.order) {
        execution.from.back().writer = writer.txn;
        accepted = accepted || some_source_is_accepted(h, level, execution);
      }
      return accepted;
    }
  return false;
}

bool some_order_is_accepted(const History& h, const Judged& judged, std::int64_t skew = 0) {
  const bool weak = !has_total_order(judged.level);
  bool accepted = false;
  each_order(h, judged.snapshots, [&](const Order& order) {
    if (accepted) return;
    accepted = weak ? some_source_is_accepted(h, judged.level, {order})
                    : certify(h, judged.level, Execution{order}, skew).has_value();
  });
  return accepted;
}

TEST(CertifiedOrders, ExistExactlyWhereTheOracleAllowsTheLevel) {
  Random random(suite_seed("CertifiedOrders"));
  for (const Judged& judged : kJudged) {
    std::size_t held = 0, fell = 0;
    for (std::size_t i = scaled(judged.snapshots ? 5000 : 50000, judged.snapshots ? 60 : 600); i > 0; --i) {
      const History h =
          random_history(random, {.most_transactions = judged.snapshots ? 3u : 4u, .repeated_values = false});
      const bool allowed = oracle::allows(h, judged.oracle);
      ASSERT_EQ(some_order_is_accepted(h, judged), allowed) << id(judged.level) << "\n" << text_of(h);
      ++(allowed ? held : fell);
    }
    std::printf("%s: %zu held, %zu fell\n", id(judged.level).data(), held, fell);
    EXPECT_GT(std::min(held, fell), 0u);
  }
}

TEST(CertifiedOrders, OfRepeatedValuesExistExactlyWhereTheOracleAllowsTheLevel) {
  Random random(suite_seed("CertifiedOrdersOfRepeatedValues"));
  for (const Judged& judged : kJudged) {
    std::size_t held = 0, fell = 0;
    for (std::size_t i = scaled(judged.snapshots ? 5000 : 50000, judged.snapshots ? 60 : 600); i > 0; --i) {
      const History h = random_history(
          random, {.most_transactions = judged.snapshots ? 3u : 4u, .lists = random.chance(0.2)});
      const bool allowed = judged.allows(h);
      ASSERT_EQ(some_order_is_accepted(h, judged), allowed) << id(judged.level) << "\n" << text_of(h);
      ++(allowed ? held : fell);
    }
    std::printf("%s: %zu held, %zu fell\n", id(judged.level).data(), held, fell);
    EXPECT_GT(std::min(held, fell), 0u);
  }
}

TEST(CertifiedOrders, OfRealTimeExistExactlyWhereTheOracleAllowsTheLevel) {
  Random random(suite_seed("CertifiedOrdersOfRealTime"));
  for (const Judged& judged : kOfRealTime) {
    std::size_t held = 0, fell = 0;
    for (std::size_t i = scaled(judged.snapshots ? 5000 : 50000, judged.snapshots ? 60 : 600); i > 0; --i) {
      const History h =
          random_history(random, {.most_transactions = judged.snapshots ? 3u : 4u, .instants = true});
      const std::int64_t skew = kSkews[random.below(std::size(kSkews))];
      const bool allowed = judged.allows(h, skew);
      ASSERT_EQ(some_order_is_accepted(h, judged, skew), allowed) << id(judged.level) << " " << skew << "\n"
                                                                  << text_of(h);
      ++(allowed ? held : fell);
    }
    std::printf("%s: %zu held, %zu fell\n", id(judged.level).data(), held, fell);
    EXPECT_GT(std::min(held, fell), 0u);
  }
}

// Lines that look like those of a proof. Each is kept if the checker lets it pass.
class Babbler {
 public:
  Babbler(Random& random, const History& history, Level level, std::int64_t skew)
      : random_(random), h_(history), level_(level), skew_(skew) {
    for (const OpId op : history.operations()) has_conditional_writes_ |= history.is_conditional_write(op);
  }

  // A proof that was accepted, if one came up.
  std::optional<Proof> babble(std::size_t attempts) {
    Proof proof;
    for (; attempts > 0; --attempts) {
      ProofLine line = some_line(proof.empty() ? 0 : proof.back().id);
      proof.push_back(std::move(line));
      const auto result = certify(h_, level_, proof, skew_);
      if (result) return proof;
      if (result.error().what.find("does not end in") == std::string::npos) proof.pop_back();
    }
    return std::nullopt;
  }

 private:
  // By how much each kind brings a proof on.
  Rule some_kind() {
    using enum Rule;
    std::array<std::uint64_t, static_cast<std::size_t>(WrongRead) + 1> weights{};
    const auto weigh = [&](Rule kind, std::uint64_t weight) {
      weights[static_cast<std::size_t>(kind)] = weight;
    };
    for (const auto kind : {Counts, Absent, From, NotFrom, Shows}) weigh(kind, 1);
    for (const auto kind : {Suppose, Implies}) weigh(kind, 2);
    for (const auto kind : {Own, Candidates, Unit, Falsified}) weigh(kind, 4);
    for (const auto kind : {Session, Observed, Realtime}) weigh(kind, 8);
    for (const auto kind : {Path, Stale}) weigh(kind, 16);
    for (const auto kind : {Reads, Missed, Overwritten}) weigh(kind, 24);
    weigh(Exclusive, 12);
    weigh(Refute, 36);
    if (has_conditional_writes_) {
      for (const auto kind : {Took, Left, TooMany, TooFew}) weigh(kind, 4);
      for (const auto kind : {Matched, Unmatched, Unit}) weigh(kind, 12);
      for (const auto kind : {Implies, Candidates, From}) weigh(kind, 6);
    }
    std::uint64_t at =
        random_.below(std::accumulate(std::begin(weights), std::end(weights), std::uint64_t{0}));
    std::size_t kind = 0;
    while (at >= weights[kind]) at -= weights[kind++];
    return static_cast<Rule>(kind);
  }

  ProofLine some_line(LineId last) {
    const auto kind = random_.chance(0.002) ? Rule::WrongRead : some_kind();
    ProofLine line{.kind = kind, .id = last + 1, .a = some_txn(), .b = some_txn()};
    if (h_.operation_count() > 0) line.op = OpId(random_.below(h_.operation_count()));
    if (kind == Rule::Exclusive)
      for (const TxnId t : h_.transactions())
        if (h_.operations(t).first <= line.op && line.op < h_.operations(t).last) line.a = t;
    line.clause = some_id(last);
    line.a_commits = random_.chance(0.7);
    line.b_commits = random_.chance(0.7);
    if ((kind == Rule::From || kind == Rule::NotFrom) && random_.chance(0.3)) line.a = TxnId::none();
    const bool several = kind == Rule::Path || kind == Rule::Refute;
    for (std::uint64_t n = several ? 2 + random_.below(2) : random_.below(5) * 2 / 3; n > 0; --n)
      line.lines.push_back(some_id(last));
    return line;
  }

  TxnId some_txn() { return TxnId(random_.below(h_.transaction_count())); }
  LineId some_id(LineId last) { return static_cast<LineId>(random_.below(last + 1)) + (last > 0); }

  Random& random_;
  const History& h_;
  const Level level_;
  const std::int64_t skew_;
  bool has_conditional_writes_ = false;
};

std::vector<Judged> everything() {
  std::vector<Judged> all = kJudged;
  all.insert(all.end(), kOfRealTime.begin(), kOfRealTime.end());
  return all;
}

TEST(CertifiedProofs, NeverRefuteWhatTheOracleAllows) {
  Random random(suite_seed("CertifiedProofs"));
  std::size_t all_long_proofs = 0;
  for (const Judged& judged : everything()) {
    std::size_t proofs = 0, long_proofs = 0;
    for (std::size_t i = scaled(10000, 200); i > 0; --i) {
      const bool timed = row(judged.level).needs_instants();
      const std::int64_t skew = timed ? kSkews[random.below(std::size(kSkews))] : 0;
      const History h = random_history(
          random, {.most_transactions = 4, .instants = timed, .repeated_values = random.chance(0.5)});
      const auto proof = Babbler(random, h, judged.level, skew).babble(300);
      if (!proof) continue;
      const Certificate certificate{digest(h), {{judged.level, *proof, skew}}};
      const std::string text = print(certificate, h);
      ASSERT_FALSE(judged.allows(h, skew)) << text_of(h) << text;
      const auto again = parse_certificate(text, h);
      ASSERT_TRUE(again) << again.error().describe() << "\n" << text;
      EXPECT_TRUE(certify(h, *again)) << text;
      ++proofs;
      long_proofs += proof->back().kind != Rule::WrongRead;
    }
    std::printf("%s: %zu proofs, %zu of them more than a wrong read\n", id(judged.level).data(), proofs,
                long_proofs);
    all_long_proofs += long_proofs;
  }
  EXPECT_GT(all_long_proofs, 3u);
}

CaseProverOptions some_way(Random& random, std::int64_t skew) {
  return {.skew = skew,
          .outcomes_first = random.chance(0.5),
          .one_by_one = random.chance(0.5),
          .snapshots_too = random.chance(0.3)};
}

// The history with one thing changed: an outcome, a session, or what an operation says of its key.
History changed(const History& h, Random& random) {
  HistoryBuilder b;
  if (h.default_initial()) b.set_initial(b.pool().import(*h.default_initial(), h.pool()));
  else b.set_initial(std::nullopt);
  const TxnId odd_one(random.below(h.transaction_count()));
  const OpId odd_op(random.below(h.operation_count()));
  const std::uint64_t what = random.below(h.has_instants() ? 5 : 4);
  for (const TxnId t : h.transactions()) {
    for (const OpId op : h.operations(t)) {
      const KeyId key = b.key(b.pool().import(h.name(h.key(op)), h.pool()));
      KeyValueId kv = h.value(op);
      if ((what == 2 || what == 3) && op == odd_op)
        for (const OpId other : h.operations())
          if (h.key(other) == h.key(op) && (kv == h.value(op) || random.chance(0.4))) kv = h.value(other);
      const Scalar value = b.pool().import(h.value(kv), h.pool());
      h.kind(op) == OpKind::Read || value.is_null() ? b.read(key, value) : b.write(key, value);
    }
    const bool odd = t == odd_one;
    const SessionId session =
        b.session(Scalar::integer(odd && what == 0 ? static_cast<std::int64_t>(random.below(5))
                                                   : static_cast<std::int64_t>(h.session(t).index())));
    const Outcome outcome = odd && what == 1 ? static_cast<Outcome>(random.below(3)) : h.outcome(t);
    Instants instants = h.instants(t);
    const std::int64_t shift = odd && what == 4 ? static_cast<std::int64_t>(random.below(40)) - 20 : 0;
    for (auto* at : {&instants.begin, &instants.began, &instants.committing, &instants.end})
      if (*at) **at += shift;
    if (!instants.end && instants.begin && outcome == Outcome::Committed)
      instants.end = std::max(
          {*instants.begin, instants.began.value_or(INT64_MIN), instants.committing.value_or(INT64_MIN)});
    EXPECT_TRUE(b.finish({.session = session, .outcome = outcome, .instants = instants}));
  }
  return std::move(b).build().value();
}

// Rows that an update-maybe may have changed are conditional writes; what is left open besides may have been
// anything.
TEST(CertifiedProofs, OfConditionalWritesNeverRefuteWhatTheOracleAllows) {
  using Kind = Rule;
  constexpr std::array about_them{Kind::Took,      Kind::Left,    Kind::Matched,
                                  Kind::Unmatched, Kind::TooMany, Kind::TooFew};
  Random random(suite_seed("CertifiedConditionalWrites"));
  std::size_t proofs = 0, of_them = 0;
  for (std::size_t i = scaled(40000, 2500); i > 0; --i) {
    const History whole = random_predicate_history(random, {.most_transactions = 3,
                                                            .most_keys = 2,
                                                            .most_operations = 2,
                                                            .most_possible_rows = 5,
                                                            .update_maybes = 0.5,
                                                            .odd_outcomes = random.chance(0.2)});
    const Truths truths = truths_of(whole);
    const std::vector<Invisible> rows = separate_rows(whole, truths);
    if (rows.empty()) continue;
    const auto items = itemize(whole, {{}, truths.known, rows});
    ASSERT_TRUE(items);
    for (const Level level : {Level::Ser, Level::Si, Level::Pc}) {
      const auto proof = Babbler(random, items->history, level, 0).babble(300);
      if (!proof || proof->back().kind == Kind::WrongRead) continue;
      ASSERT_FALSE(oracle::allows(whole, of_oracle(level)))
          << text_of(whole) << print({digest(whole), {{level, *proof, 0, {}, {{}, {}, rows}}}}, whole);
      ++proofs;
      of_them += std::ranges::any_of(about_them, [&](Kind kind) { return uses(*proof, kind); });
    }
  }
  std::printf("%zu proofs, %zu of them about conditional writes\n", proofs, of_them);
  EXPECT_GT(of_them, 2u);
}

// The proof with one operand or one line changed.
Proof changed(Proof proof, const History& h, Random& random) {
  ProofLine& line = proof[random.below(proof.size())];
  switch (random.below(9)) {
    case 0: line.a = TxnId(random.below(h.transaction_count())); break;
    case 1: line.b = TxnId(random.below(h.transaction_count())); break;
    case 2: line.op = OpId(random.below(h.operation_count())); break;
    case 3:
      if (!line.lines.empty())
        line.lines[random.below(line.lines.size())] = 1 + static_cast<LineId>(random.below(line.id));
      break;
    case 4: line.kind = static_cast<Rule>(random.below(static_cast<std::size_t>(Rule::WrongRead))); break;
    case 5: line.clause = 1 + static_cast<LineId>(random.below(line.id)); break;
    case 6: (random.chance(0.5) ? line.a_commits : line.b_commits) ^= true; break;
    case 7:
      if (!line.lines.empty()) line.lines.pop_back();
      break;
    default: proof.erase(proof.begin() + static_cast<std::ptrdiff_t>(random.below(proof.size())));
  }
  return proof;
}

TEST(CertifiedProofs, StayTrueWhenTheHistoryOrTheProofIsChanged) {
  Random random(suite_seed("ChangedProofs"));
  for (const Judged& judged : everything()) {
    std::size_t survived = 0, refused_rightly = 0;
    const bool timed = row(judged.level).needs_instants();
    for (std::size_t i = scaled(5000, 100); i > 0; --i) {
      const std::int64_t skew = timed ? kSkews[random.below(std::size(kSkews))] : 0;
      const History h = random_history(
          random,
          {.most_transactions = 4, .instants = timed, .lists = false, .repeated_values = random.chance(0.7)});
      const auto proof = find_proof_by_cases(h, judged.level, some_way(random, skew));
      if (!proof || h.operation_count() == 0)
        continue;  // clocks and sessions may contradict each other without any
      for (int attempt = 0; attempt < 30; ++attempt) {
        const History other = changed(h, random);
        Proof candidate = random.chance(0.5) ? *proof : changed(*proof, h, random);
        const bool allowed = judged.allows(other, skew);
        const bool accepted = certify(other, judged.level, candidate, skew).has_value();
        ASSERT_FALSE(accepted && allowed)
            << text_of(other) << print({0, {{judged.level, candidate, skew}}}, other);
        survived += accepted;
        refused_rightly += allowed;
      }
    }
    std::printf("%s: %zu still accepted, %zu refused where the level holds\n", id(judged.level).data(),
                survived, refused_rightly);
    EXPECT_GT(std::min(survived, refused_rightly), 0u);
  }
}

// A trimmed proof stands on every line that it has, but for suppositions that turned out not to matter.
TEST(CertifiedProofs, NeedEachOfTheirLines) {
  Random random(suite_seed("ShorterProofs"));
  for (const Judged& judged : everything()) {
    const bool timed = row(judged.level).needs_instants();
    for (std::size_t i = scaled(2000, 60); i > 0; --i) {
      const std::int64_t skew = timed ? kSkews[random.below(std::size(kSkews))] : 0;
      const History h = random_history(random, {.most_transactions = 4, .instants = timed, .lists = false});
      const auto proof = find_proof_by_cases(h, judged.level, some_way(random, skew));
      for (std::size_t left_out = 0; proof && left_out < proof->size(); ++left_out) {
        if (is_supposition((*proof)[left_out].kind)) continue;
        Proof shorter = *proof;
        shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(left_out));
        ASSERT_FALSE(certify(h, judged.level, shorter, skew))
            << text_of(h) << print({0, {{judged.level, *proof, skew}}}, h) << "without line " << left_out + 1;
      }
    }
  }
}

// Two questions at once: whether the rules suffice, and whether a proof can be written again for a stronger
// level.
TEST(CertifiedProofs, ByCasesExistExactlyWhereTheOracleForbidsTheLevel) {
  Random random(suite_seed("ProofsByCases"));
  for (const Judged& judged : everything()) {
    std::size_t held = 0, proved = 0, adapted = 0;
    std::vector<std::size_t> used(rules().size());
    const bool timed = row(judged.level).needs_instants();
    for (std::size_t i = scaled(10000, 200); i > 0; --i) {
      const std::int64_t skew = timed ? kSkews[random.below(std::size(kSkews))] : 0;
      const History h = random_history(random, {.most_transactions = 4,
                                                .instants = timed || random.chance(0.2),
                                                .lists = false,
                                                .repeated_values = random.chance(0.9)});
      const bool allowed = judged.allows(h, skew);
      const auto proof = find_proof_by_cases(h, judged.level, some_way(random, skew));
      ASSERT_EQ(proof.has_value(), !allowed) << id(judged.level) << " " << skew << "\n" << text_of(h);
      ++(allowed ? held : proved);
      if (!proof) continue;
      const auto result = certify(h, judged.level, *proof, skew);
      ASSERT_TRUE(result) << result.error().describe() << "\n"
                          << text_of(h) << print({0, {{judged.level, *proof, skew}}}, h);
      for (const ProofLine& line : *proof) ++used[static_cast<std::size_t>(line.kind)];
      for (const Judged& stronger : everything()) {
        if (!implies(stronger.level, judged.level)) continue;
        if (reads_repeat(stronger.level) && !reads_repeat(judged.level)) continue;
        if (orders_writers_only(judged.level) && stronger.snapshots) continue;
        if (row(stronger.level).needs_instants() && !oracle::has_needed_instants(h)) continue;
        const std::int64_t its_skew = row(stronger.level).needs_instants() ? skew : 0;
        const Proof again = adapt(*proof, builder_for(h, stronger.level));
        const auto believed = certify(h, stronger.level, again, its_skew);
        ASSERT_TRUE(believed) << id(judged.level) << " for " << believed.error().describe() << "\n"
                              << text_of(h)
                              << print({0, {{judged.level, *proof, skew}, {stronger.level, again, its_skew}}},
                                       h);
        ++adapted;
      }
    }
    std::printf("%s: %zu held, %zu proved, %zu adapted;", id(judged.level).data(), held, proved, adapted);
    for (std::size_t kind = 0; kind < used.size(); ++kind)
      if (used[kind] > 0) std::printf(" %s %zu", name(static_cast<Rule>(kind)).data(), used[kind]);
    std::printf("\n");
    EXPECT_GT(std::min(held, proved), 0u);
  }
}

TEST(CertifiedProofs, ExistWhereTheOracleForbidsTheLevel) {
  Random random(suite_seed("FoundProofs"));
  for (const Judged& judged : kJudged) {
    std::size_t violated = 0, proved = 0;
    for (std::size_t i = scaled(5000, 100); i > 0; --i) {
      const History h = random_history(random, {.most_transactions = 4, .repeated_values = false});
      const bool allowed = oracle::allows(h, judged.oracle);
      const auto proof = find_proof(h, judged.level);
      ASSERT_FALSE(allowed && proof) << text_of(h) << print({digest(h), {{judged.level, *proof}}}, h);
      EXPECT_TRUE(allowed || proof) << id(judged.level) << "\n" << text_of(h);
      violated += !allowed;
      proved += proof.has_value();
    }
    std::printf("%s: %zu violated, %zu proved\n", id(judged.level).data(), violated, proved);
  }
}

}  // namespace
}  // namespace assay::test
