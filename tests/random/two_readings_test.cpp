// What the search and the checker of certificates have written twice, held against each other: predicates and
// the order of values, histories that mean nothing, rows as items, outcomes of update-maybes, what an order
// explains of statements, and clocks. Where they differ, one of them is wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "certify/certify.h"
#include "certify/clocks.h"
#include "certify/items.h"
#include "certify/order.h"
#include "certify/predicate_tree.h"
#include "certify/statements.h"
#include "check/invisible.h"
#include "check/predicates.h"
#include "check/statement_views.h"
#include "dependency/read_facts.h"
#include "history/builder.h"
#include "history/describe.h"
#include "history/matches.h"
#include "history/scalar_order.h"
#include "history/statements.h"
#include "isolation/real_time.h"
#include "random/agreement.h"
#include "random/random_history.h"
#include "random/random_predicate_history.h"
#include "support/oracle_level.h"
#include "support/random.h"
#include "support/round_trip.h"

namespace assay::test {
namespace {

std::string text_of(const History& history) {
  const auto text = write_text(history, "hist");
  return text ? *text : text.error().describe();
}

// Values, rows and predicates of all kinds; `mixed`: also such that mean nothing.
class Babble {
 public:
  Babble(Random& random, bool mixed) : random_(random), mixed_(mixed) {}

  History history() {
    b_.set_initial(random_.chance(0.8) ? std::optional(Scalar::null()) : std::nullopt);
    const bool numbers = random_.chance(0.5);
    std::vector<KeyId> keys;
    for (std::uint64_t i = 0; i < 4; ++i) keys.push_back(b_.key(key_name(numbers, i)));
    for (int t = 0; t < 3; ++t) {
      for (int i = 0; i < 3; ++i) b_.write(keys[random_.below(keys.size())], row());
      std::vector<PredicateNode> predicate;
      add(predicate, 0);
      std::vector<KeyAndValue> listed;
      for (const KeyId key : keys)
        if (random_.chance(0.2)) listed.push_back({key, row()});
      if (mixed_ && random_.chance(0.1) && !listed.empty()) listed.push_back(listed.front());
      switch (random_.below(mixed_ ? 3 : 1)) {
        case 0: b_.update(predicate, listed); break;
        case 1: b_.select(predicate, listed); break;
        default: {
          const bool other = random_.chance(0.2) != numbers;
          if (other != numbers || mixed_keys_) listed.clear();  // the builder does not take them
          b_.scan({bound(other), bound(other)}, listed);
        }
      }
      const auto finished = b_.finish({.session = b_.session("S")});
      EXPECT_TRUE(finished) << finished.error().describe();
    }
    auto built = std::move(b_).build();
    EXPECT_TRUE(built) << built.error().describe();
    return std::move(built).value();
  }

 private:
  Scalar key_name(bool number, std::uint64_t i) {
    if (mixed_ && random_.chance(0.02)) {
      mixed_keys_ = true;
      number = !number;
    }
    return name(number, i);
  }

  Scalar bound(bool number) { return name(number, random_.below(6)); }

  Scalar name(bool number, std::uint64_t i) {
    return number ? Scalar::integer(static_cast<std::int64_t>(i))
                  : b_.pool().string(std::string(1, static_cast<char>('a' + i)));
  }

  // Of a column: 0 numbers, 1 strings, 2 booleans.
  Scalar value(std::size_t type) {
    if (mixed_ && random_.chance(0.02)) type = random_.below(3);
    if (random_.chance(0.15)) return Scalar::null();
    if (type == 1)
      return b_.pool().string(random_.chance(0.5) ? std::string(1, static_cast<char>('a' + random_.below(3)))
                                                  : std::string(random_.below(3), 'b'));
    if (type == 2) return Scalar::boolean(random_.chance(0.5));
    const auto integer = static_cast<std::int64_t>(random_.below(5)) - 2;
    if (random_.chance(0.6)) return Scalar::integer(integer);
    return *b_.pool().number(
        fmt::format("{}.{}e{}", integer, random_.below(3), static_cast<int>(random_.below(5)) - 2));
  }

  static constexpr const char* kColumns[] = {"a", "b", "c"};

  Scalar row() {
    if (random_.chance(0.4)) {
      const Scalar scalar = value(0);
      return scalar.is_null() ? Scalar::integer(0) : scalar;
    }
    std::vector<RowField> fields;
    for (std::size_t column = 0; column < 3; ++column)
      if (random_.chance(0.7)) fields.push_back({b_.pool().string(kColumns[column]), value(column)});
    return b_.pool().row(fields);
  }

  void add(std::vector<PredicateNode>& nodes, int depth) {
    if (depth < 3 && random_.chance(0.5)) {
      const PredicateOp op =
          std::array{PredicateOp::And, PredicateOp::Or, PredicateOp::Not}[random_.below(3)];
      const std::uint32_t operands = op == PredicateOp::Not ? 1 : 2 + random_.below(2);
      nodes.push_back({op, operands, {}});
      for (std::uint32_t i = 0; i < operands; ++i) add(nodes, depth + 1);
      return;
    }
    const std::size_t column = random_.below(4);  // 3: the scalar
    const std::size_t type = column == 3 ? 0 : column;
    constexpr std::array kOps{PredicateOp::Equal,     PredicateOp::NotEqual, PredicateOp::Less,
                              PredicateOp::LessEqual, PredicateOp::Greater,  PredicateOp::GreaterEqual,
                              PredicateOp::Between,   PredicateOp::In,       PredicateOp::IsNull,
                              PredicateOp::Like};
    const PredicateOp op = kOps[random_.below(type == 1 ? 10 : 9)];
    const std::uint32_t constants = op == PredicateOp::IsNull    ? 0
                                    : op == PredicateOp::Between ? 2
                                    : op == PredicateOp::In ? 1 + static_cast<std::uint32_t>(random_.below(4))
                                                            : 1;
    nodes.push_back({op, constants, b_.pool().string(column == 3 ? "value" : kColumns[column])});
    for (std::uint32_t i = 0; i < constants; ++i) {
      Scalar constant = value(type);
      if (op == PredicateOp::Like) constant = b_.pool().string(mixed_ && random_.chance(0.2) ? "b" : "b%");
      nodes.push_back({PredicateOp::Constant, 0, constant});
    }
  }

  Random& random_;
  const bool mixed_;
  bool mixed_keys_ = false;
  HistoryBuilder b_;
};

TEST(TwoReadings, OfPredicatesAgree) {
  Random random(suite_seed("TwoReadingsOfPredicates"));
  std::size_t matching = 0, others = 0;
  for (std::size_t i = scaled(50000, 2000); i > 0; --i) {
    const History h = Babble(random, false).history();
    ASSERT_TRUE(require_meaning(h)) << require_meaning(h).error().what << "\n" << text_of(h);
    const RowOutcomes none;
    TableState table(h);
    for (const OpId op : h.operations()) {
      if (h.kind(op) == OpKind::Write) table.put(h.key(op), {h.value(op), TxnId(0)});
      if (h.kind(op) != OpKind::Update) continue;
      const RowTest fast(h, h.predicate(op));
      const PredicateTree plain(h, h.predicate(op));
      for (std::size_t v = 0; v < h.key_value_count(); ++v) {
        const KeyValueId kv(v);
        const bool matches = plain.matches(h.key(kv), h.value(kv));
        ASSERT_EQ(matches, fast(h.key(kv), h.value(kv))) << describe(h, op) << "\n" << text_of(h);
        ++(matches ? matching : others);
      }
      std::vector<std::uint8_t> found, truths;
      fast.ask_all(table, found);
      ColumnCells cells;
      plain.evaluate(
          table.size(),
          [&](Scalar column) -> const ColumnCells& {
            cells.resize(table.size());
            for (std::size_t row = 0; row < table.size(); ++row)
              if (const KeyValueId kv = table.row(table.key(row)).value;
                  !kv.is_none() && !h.value(kv).is_null())
                cells.set(row, field_of(h, table.key(row), h.value(kv), column_named(h.pool(), column)));
            return cells;
          },
          truths);
      for (std::size_t row = 0; row < table.size(); ++row)
        ASSERT_EQ(table.exists()[row] == 1 && truths[row] == PredicateTree::kTrue, found[row] == 1)
            << describe(h, op) << "\n"
            << text_of(h);
    }
  }
  std::printf("%zu matched, %zu did not\n", matching, others);
  EXPECT_GT(std::min(matching, others), 1000u);
}

TEST(TwoReadings, OfWhatMeansNothingAgree) {
  Random random(suite_seed("TwoReadingsOfMeaning"));
  std::size_t means = 0, nothing = 0;
  for (std::size_t i = scaled(50000, 3000); i > 0; --i) {
    const History h = Babble(random, true).history();
    const auto plain = require_meaning(h);
    const auto other = check_predicates(h);
    ASSERT_EQ(plain.has_value(), other.has_value())
        << (plain ? other.error().describe() : plain.error().describe()) << "\n"
        << text_of(h);
    ++(plain ? means : nothing);
  }
  std::printf("%zu mean something, %zu nothing\n", means, nothing);
  EXPECT_GT(std::min(means, nothing), 100u);
}

TEST(TwoReadings, OfTheOrderOfNumbersAgree) {
  Random random(suite_seed("TwoReadingsOfNumbers"));
  for (std::size_t i = scaled(200000, 5000); i > 0; --i) {
    ScalarPool pool;
    const auto number = [&] {
      std::string text = random.chance(0.5) ? "-" : "";
      for (std::uint64_t n = 1 + random.below(random.chance(0.1) ? 30 : 3); n > 0; --n)
        text += static_cast<char>('0' + random.below(3));
      if (random.chance(0.5)) text += fmt::format(".{}{}", random.below(3), random.below(3));
      if (random.chance(0.3)) text += fmt::format("e{}", static_cast<int>(random.below(60)) - 30);
      return *pool.number(text);
    };
    const Scalar a = number(), b = number();
    const auto fast = compare(pool, a, b);
    ASSERT_EQ(order_of_values(pool, a, b), fast < 0   ? -1
                                           : fast > 0 ? 1
                                                      : 0)
        << pool.to_json(a) << pool.to_json(b);
  }
}

RandomPredicateOptions some_rows(Random& random) {
  return {.most_transactions = 4,
          .most_keys = 3,
          .most_possible_rows = 6,
          .update_maybes = random.chance(0.5) ? 0.4 : 0,
          .more_kinds = random.chance(0.3)};
}

// Some of the lines that a certificate may have, and sometimes one that it may not have.
Completion some_lines(Random& random, const History& h) {
  Completion lines;
  const Truths truths = truths_of(h);
  const double supposed = random.unit(), asked = random.unit();
  for (const Invisible& row : truths.open)
    if (random.chance(supposed)) lines.truths.push_back({row.op, row.key, random.chance(0.5)});
  const bool wrong = random.chance(0.1);
  for (const Invisible& row : wrong ? truths.open : separate_rows(h, truths))
    if ((wrong || !find_truth(lines.truths, row)) && random.chance(asked)) lines.rows.push_back(row);
  const std::vector<Truth> all = with_known(truths, lines.truths);
  for (const OpId op : h.operations())
    for (const KeyId key : h.keys()) {
      if (is_one_key(h.kind(op)) || !random.chance(asked)) continue;
      const bool lists = std::ranges::any_of(h.rows(op), [&](KeyValueId row) { return h.key(row) == key; });
      const bool may = h.kind(op) == OpKind::Scan          ? !lists && in_bounds(h, h.bounds(op), key)
                       : h.kind(op) == OpKind::Select      ? !lists
                       : h.kind(op) == OpKind::UpdateMaybe ? find_truth(all, {op, key}).has_value()
                                                           : true;
      if ((may && !h.is_list(key)) || random.chance(0.01)) lines.reads.push_back({op, key});
    }
  return lines;
}

TEST(TwoReadings, OfItemsAgree) {
  Random random(suite_seed("TwoReadingsOfItems"));
  std::size_t made = 0, refused = 0, conditional = 0;
  for (std::size_t i = scaled(100000, 5000); i > 0; --i) {
    const History h = random_predicate_history(random, some_rows(random));
    ASSERT_EQ(has_items(h), has_rows_or_predicates(h));
    ASSERT_EQ(open_rows(h, known_outcomes(h)), truths_of(h).open) << text_of(h);
    for (const Truth& truth : truths_of(h).known)
      ASSERT_EQ(known_outcomes(h).of(truth.row()), truth.took) << text_of(h);
    const Completion lines = some_lines(random, h);
    const auto plain = items_of(h, lines);
    const auto other = itemize_asked(h, lines);
    ASSERT_EQ(plain.has_value(), other.has_value())
        << (plain ? other.error().what : plain.error().what) << "\n"
        << text_of(h);
    ++(plain ? made : refused);
    if (!plain) continue;
    const History &a = plain->history, &b = other->history;
    ASSERT_EQ(a.operation_count(), b.operation_count()) << text_of(h);
    for (const TxnId t : h.transactions()) {
      ASSERT_EQ(a.operations(t).first, b.operations(t).first) << text_of(h);
      ASSERT_EQ(a.outcome(t), b.outcome(t)) << text_of(h);
    }
    for (const OpId op : a.operations()) {
      ASSERT_EQ(a.kind(op), b.kind(op)) << text_of(h);
      ASSERT_EQ(a.key(op), b.key(op)) << text_of(h);
      ASSERT_EQ(a.statement(op), b.statement(op)) << text_of(h);
      ASSERT_EQ(plain->origin[op.index()], other->origin(op)) << text_of(h);
      if (has_rows(a.kind(op))) ASSERT_TRUE(std::ranges::equal(a.rows(op), b.rows(op))) << text_of(h);
      else ASSERT_EQ(a.value(op), b.value(op)) << text_of(h);
      if (!a.is_conditional_write(op)) continue;
      ++conditional;
      ASSERT_EQ(a.count(op), b.count(op)) << text_of(h);
    }
  }
  std::printf("%zu made, %zu refused, %zu conditional writes\n", made, refused, conditional);
  EXPECT_GT(made, refused);
  EXPECT_GT(std::min(refused, conditional), 50u);
}

Order some_order(Random& random, const History& items, bool snapshots) {
  Order order;
  for (const TxnId t : items.transactions()) {
    if (items.outcome(t) == Outcome::Aborted || (items.outcome(t) == Outcome::Unknown && random.chance(0.5)))
      continue;
    if (snapshots) order.push_back({t, false});
    order.push_back({t, true});
  }
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  std::ranges::stable_sort(order, [](Point a, Point b) { return a.txn == b.txn && !a.commit && b.commit; });
  return order;
}

// The search leaves out transactions of unknown outcome from which nobody can have read.
bool is_of_search(const History& items, Level level, const Order& order) {
  const auto facts = read_facts(items, reads_repeat(level));
  return facts && std::ranges::all_of(order, [&](const Point& p) {
           return facts->counts[p.txn.index()] || facts->may_count_only(p.txn);
         });
}

// Of orders that explain the items.
TEST(TwoReadings, OfWhatAnOrderExplainsOfStatementsAgree) {
  Random random(suite_seed("TwoReadingsOfStatements"));
  std::vector<Level> judged{Level::Ser, Level::Si};  // and all that are not replayed
  std::ranges::copy_if(levels_without_clocks(), std::back_inserter(judged),
                       [](Level level) { return !has_total_order(level); });
  std::array<std::size_t, kLevelCount> explained{}, unexplained{};
  for (std::size_t i = scaled(100000, 6000); i > 0; --i) {
    const History h = random_predicate_history(random, some_rows(random));
    if (!has_items(h)) continue;
    Completion lines = some_lines(random, h);
    lines.rows.clear();
    lines.truths.clear();
    for (const Invisible& row : truths_of(h).open)
      lines.truths.push_back({row.op, row.key, random.chance(0.5)});
    const auto plain = items_of(h, lines);
    const auto other = itemize_asked(h, lines);
    if (!plain || !other) continue;
    for (std::size_t l = 0; l < judged.size(); ++l)
      for (int tries = 0; tries < 6; ++tries) {
        const Level level = judged[l];
        const bool replayed = has_total_order(level);
        const Execution execution{some_order(random, plain->history, level == Level::Si)};
        if (!certify(plain->history, level, execution) ||
            !is_of_search(plain->history, level, execution.order))
          continue;
        bool is_explained = false;
        Result<void> mine;
        if (replayed) {
          is_explained =
              replay(h, other->completion.truths, {}, execution.order, level == Level::Si, SIZE_MAX)
                  .broken.empty();
          mine = certify_replayed_statements(h, *plain, execution.order);
        } else {
          const auto unexplained_ones = unexplained_reads(h, *other, level, execution, SIZE_MAX);
          ASSERT_TRUE(unexplained_ones);
          is_explained = unexplained_ones->empty();
          const auto at = positions(plain->history, level, execution.order);
          const Reads reads = Reads::of_those_in(plain->history, level, *at);
          WeakOrder order{plain->history, level, execution.order, execution.from, *at, reads};
          ASSERT_TRUE(find_sources(order));
          mine = certify_weak_statements(h, *plain, order);
        }
        ASSERT_EQ(mine.has_value(), is_explained)
            << id(level) << ": " << (mine ? "explained, says the checker" : mine.error().what) << "\n"
            << text_of(h) << print({0, {{level, execution, 0, {}, lines}}}, h);
        ++(is_explained ? explained : unexplained)[l];
      }
  }
  for (std::size_t l = 0; l < judged.size(); ++l) {
    std::printf("%s: %zu explained, %zu not\n", id(judged[l]).data(), explained[l], unexplained[l]);
    EXPECT_GT(std::min(explained[l], unexplained[l]), 10u);
  }
}

// A search that misreads one character of what statements say, as if a reading had a defect: whatever it then
// shows of the history is refused where it is not so.
TEST(TwoReadings, EvidenceOfASearchThatMisreadsIsRefused) {
  Random random(suite_seed("MisreadStatements"));
  constexpr std::string_view kMay = "0123456789<>=!?";
  std::size_t refused = 0, still_right = 0;
  for (std::size_t i = scaled(20000, 1500); i > 0; --i) {
    const History h = random_predicate_history(random, some_rows(random));
    if (!has_items(h) || !require_meaning(h)) continue;
    std::string text = text_of(h);
    for (int tries = 0; tries < 12; ++tries) {
      std::string misread = text;
      char& c = misread[random.below(misread.size())];
      if (kMay.find(c) == kMay.npos) continue;
      c = c >= '0' && c <= '9' ? static_cast<char>('0' + random.below(10)) : kMay[10 + random.below(5)];
      const auto other = read_text(misread, "hist");
      if (!other || !has_items(*other) || !check_predicates(*other)) continue;
      const Level level = kJudged[random.below(kJudged.size())];
      Budget budget({.seconds = 2});
      PredicateChecker checker(*other, {.budget = &budget});
      const auto verdict = checker.judge(level);
      if (!verdict || std::holds_alternative<Undecided>(*verdict)) continue;
      const bool is_so = std::holds_alternative<Holds>(*verdict) == oracle::allows(h, of_oracle(level));
      const auto certified = certify(h, checker.section());
      ASSERT_TRUE(is_so || !certified) << id(level) << "\n" << text << "misread as\n" << misread;
      ++(is_so ? still_right : refused);
    }
  }
  std::printf("%zu refused, %zu verdicts right nevertheless\n", refused, still_right);
  EXPECT_GT(refused, 50u);
}

TEST(TwoReadings, OfClocksAgree) {
  Random random(suite_seed("TwoReadingsOfClocks"));
  std::size_t earlier = 0, not_earlier = 0;
  for (std::size_t i = scaled(20000, 1000); i > 0; --i) {
    const History h = random_history(random, {.most_transactions = 4, .instants = true});
    ASSERT_EQ(require_clocks(h).has_value(), require_instants(h).has_value());
    for (const Level level : {Level::StrictSer, Level::StrongSi, Level::SessionSi, Level::Gsi, Level::Si}) {
      const PointRules rules = row(level).points;
      const auto skew = static_cast<std::int64_t>(random.below(10));
      for (const TxnId a : h.transactions())
        for (const TxnId b : h.transactions())
          for (const bool first : {true, false})
            for (const bool second : {true, false}) {
              const bool is =
                  is_earlier(interval_of(h, {a, first}, rules), interval_of(h, {b, second}, rules), skew);
              ASSERT_EQ(is, precedes(bounds(h, a, first, rules), bounds(h, b, second, rules), skew))
                  << text_of(h);
              ASSERT_EQ(orders_by_clock(rules, first, second), has_real_time(rules, first, second));
              ++(is ? earlier : not_earlier);
            }
    }
  }
  EXPECT_GT(std::min(earlier, not_earlier), 1000u);
}

}  // namespace
}  // namespace assay::test
