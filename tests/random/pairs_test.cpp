// Every pair of features in one history: kinds of operations, outcomes, clocks, initial values.
//
// Two features may each be judged rightly wherever they are alone. So a table counts how many judged
// histories had both, for each pair that can be, and a pair that was not drawn fails the test. Verdicts are
// held against the oracle, and their evidence is certified.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <functional>
#include <set>

#include "check/predicates.h"
#include "random/agreement.h"
#include "random/random_predicate_history.h"
#include "random/shrink.h"
#include "support/evidence.h"
#include "support/oracle_level.h"
#include "support/random.h"

namespace assay::test {
namespace {

struct Judged {
  const History& history;
  std::int64_t skew;
};

bool has_operation(const Judged& judged, const std::function<bool(const History&, OpId)>& is_one) {
  return std::ranges::any_of(judged.history.operations(),
                             [&](OpId op) { return is_one(judged.history, op); });
}
bool has_kind(const Judged& judged, OpKind kind) {
  return has_operation(judged, [&](const History& h, OpId op) { return h.kind(op) == kind; });
}
bool has_transaction(const Judged& judged, const std::function<bool(const History&, TxnId)>& is_one) {
  return std::ranges::any_of(judged.history.transactions(),
                             [&](TxnId t) { return is_one(judged.history, t); });
}
bool has_outcome(const Judged& judged, Outcome outcome) {
  return has_transaction(judged, [&](const History& h, TxnId t) { return h.outcome(t) == outcome; });
}
bool has_repeated_value(const Judged& judged) {
  std::set<KeyValueId> written;
  return has_operation(judged, [&](const History& h, OpId op) {
    return is_item_write(h.kind(op)) && h.kind(op) != OpKind::Delete && !written.insert(h.value(op)).second;
  });
}

struct Feature {
  const char* name;
  bool (*is_in)(const Judged&);
  int rules_out = 0;  // of features with the same number other than 0 a history has only one
};

constexpr int kClock = 1, kInitial = 2;
const std::array kFeatures{
    Feature{"read", [](const Judged& j) { return has_kind(j, OpKind::Read); }},
    Feature{"write", [](const Judged& j) { return has_kind(j, OpKind::Write); }},
    Feature{"append", [](const Judged& j) { return has_kind(j, OpKind::Append); }},
    Feature{"list read", [](const Judged& j) { return has_kind(j, OpKind::ListRead); }},
    Feature{"one-of", [](const Judged& j) { return has_kind(j, OpKind::ReadOneOf); }},
    Feature{"insert", [](const Judged& j) { return has_kind(j, OpKind::Insert); }},
    Feature{"delete of a row",
            [](const Judged& j) {
              return has_operation(j, [](const History& h, OpId op) {
                return h.kind(op) == OpKind::Delete && h.found(op) == true;
              });
            }},
    Feature{"delete of nothing",
            [](const Judged& j) {
              return has_operation(j, [](const History& h, OpId op) {
                return h.kind(op) == OpKind::Delete && h.found(op) == false;
              });
            }},
    Feature{"delete of perhaps nothing",
            [](const Judged& j) {
              return has_operation(
                  j, [](const History& h, OpId op) { return h.kind(op) == OpKind::Delete && !h.found(op); });
            }},
    Feature{"scan", [](const Judged& j) { return has_kind(j, OpKind::Scan); }},
    Feature{"select", [](const Judged& j) { return has_kind(j, OpKind::Select); }},
    Feature{"update", [](const Judged& j) { return has_kind(j, OpKind::Update); }},
    Feature{"update-maybe",
            [](const Judged& j) {
              return has_operation(j, [](const History& h, OpId op) {
                return h.kind(op) == OpKind::UpdateMaybe && !h.count(op);
              });
            }},
    Feature{"update-maybe with a count",
            [](const Judged& j) {
              return has_operation(j, [](const History& h, OpId op) {
                return h.kind(op) == OpKind::UpdateMaybe && h.count(op);
              });
            }},
    Feature{"aborted", [](const Judged& j) { return has_outcome(j, Outcome::Aborted); }},
    Feature{"unknown outcome", [](const Judged& j) { return has_outcome(j, Outcome::Unknown); }},
    Feature{"a value written twice", has_repeated_value},
    Feature{"no clock", [](const Judged& j) { return !j.history.has_instants(); }, kClock},
    Feature{"clock without skew", [](const Judged& j) { return j.history.has_instants() && j.skew == 0; },
            kClock},
    Feature{"clock with skew", [](const Judged& j) { return j.skew > 0; }, kClock},
    Feature{"initial value unknown", [](const Judged& j) { return !j.history.default_initial(); }, kInitial},
    Feature{
        "initially nothing",
        [](const Judged& j) { return j.history.default_initial() && j.history.default_initial()->is_null(); },
        kInitial},
    Feature{"initially a row",
            [](const Judged& j) {
              return j.history.default_initial() && !j.history.default_initial()->is_null();
            },
            kInitial},
};

class PairTable {
 public:
  void add(const Judged& judged) {
    for (std::size_t i = 0; i < kFeatures.size(); ++i) is_in_[i] = kFeatures[i].is_in(judged);
    for (std::size_t i = 0; i < kFeatures.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) drawn_[i][j] += is_in_[i] && is_in_[j];
  }

  void expect_all(std::size_t least) const {
    std::size_t fewest = SIZE_MAX, pairs = 0;
    for (std::size_t i = 0; i < kFeatures.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (kFeatures[i].rules_out != 0 && kFeatures[i].rules_out == kFeatures[j].rules_out) continue;
        ++pairs;
        fewest = std::min(fewest, drawn_[i][j]);
        EXPECT_GE(drawn_[i][j], least) << kFeatures[j].name << " and " << kFeatures[i].name;
      }
    std::printf("%zu pairs, each in at least %zu histories\n", pairs, fewest);
  }

 private:
  std::array<bool, kFeatures.size()> is_in_{};
  std::array<std::array<std::size_t, kFeatures.size()>, kFeatures.size()> drawn_{};
};

std::string wrong(const History& history, Level level, const CheckOptions& options, std::size_t& undecided) {
  PredicateChecker rows(history, options);
  Checker items(history, options);
  const bool has_rows = has_rows_or_predicates(history);
  if (has_rows ? !rows.can_judge(level) : !items.can_judge(level)) return "";
  const auto verdict = has_rows ? rows.judge(level) : items.judge(level);
  if (!verdict) return verdict.error().describe();
  if (const auto* stopped = std::get_if<Undecided>(&*verdict)) {
    ++undecided;
    return has_kind({history, 0}, OpKind::ListRead) && has_outcome({history, 0}, Outcome::Unknown)
               ? ""
               : "undecided: " + stopped->why;
  }
  const bool holds = std::holds_alternative<Holds>(*verdict);
  if (holds != oracle::allows(history, of_oracle(level), {.skew = options.skew}))
    return holds ? "holds, says check" : "violated, says check";
  const auto certified =
      has_rows ? certify_as_text(history, rows.section()) : certify(history, level, *verdict, options.skew);
  return certified ? "" : certified.error().describe();
}

void expect_pairs(const std::string& suite, std::size_t histories, CheckOptions options) {
  Random random(suite_seed(suite));
  PairTable pairs;
  std::size_t undecided = 0;
  const std::size_t most_undecided = histories / 50;
  for (std::size_t i = 0; i < histories; ++i) {
    const History history =
        random_predicate_history(random, {.most_operations = 5,
                                          .update_maybes = random.chance(0.3) ? 0.3 : 0.05,
                                          .more_kinds = true,
                                          .instants = random.chance(0.66)});
    options.skew =
        history.has_instants() && random.chance(0.5) ? static_cast<std::int64_t>(1 + random.below(12)) : 0;
    for (const LevelRow& row : levels()) {
      std::size_t ignored = 0;
      if (const std::string what = wrong(history, row.level, options, undecided); !what.empty())
        FAIL() << row.id << " with skew " << options.skew << ": " << what << "\n"
               << report_failure("pairs-" + std::string(row.id), history, [&](const History& h) {
                    return !wrong(h, row.level, options, ignored).empty();
                  });
    }
    pairs.add({history, options.skew});
  }
  std::printf("%zu histories, %zu verdicts undecided\n", histories, undecided);
  EXPECT_LE(undecided, most_undecided);
  pairs.expect_all(3);
}

TEST(Pairs, OfAllFeaturesAreJudgedAsTheOracleDoes) { expect_pairs("Pairs", scaled(50000, 2000), {}); }

TEST(Pairs, OfAllFeaturesAreJudgedBySearchAlone) {
  expect_pairs("PairsSearch", scaled(20000, 2000), {.greedy = false, .saturation = false});
}

TEST(Pairs, OfAllFeaturesAreJudgedBySaturationFirst) {
  expect_pairs("PairsSaturation", scaled(20000, 2000), {.greedy = false, .saturate_after = 0});
}

}  // namespace
}  // namespace assay::test
