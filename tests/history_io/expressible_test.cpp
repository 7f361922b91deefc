#include "history_io/expressible.h"

#include "format_testing.h"

namespace assay::test {
namespace {

constexpr Expressible kRegisters{.format = "plain", .initial = Scalar::integer(0)};
const std::string kElsewhere = " (write jsonl, which expresses everything)";

std::string refusal(const History& history, const Expressible& can = kRegisters, bool lossy = true) {
  const auto report = express(history, can, {.lossy = lossy});
  return report ? "no error" : report.error().describe();
}

// A first transaction that any format can express, then one with what `add` does.
template <class Add>
History with(Add add, TransactionHead head = {.session = {}}) {
  Integers h;
  const SessionId s = h.builder.new_session();
  h.txn(s, {{'w', 1, 1}});
  add(h.builder);
  head.session = s;
  EXPECT_TRUE(h.builder.finish(head).has_value());
  return h.build();
}

TEST(Expressible, RefusesWhatCouldChangeAVerdictEvenWhenLossy) {
  const auto nothing = [](HistoryBuilder&) {};
  EXPECT_EQ(refusal(with(nothing, {.session = {}, .outcome = Outcome::Unknown})),
            "plain cannot express unknown outcomes (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) { b.read(b.key("x"), Scalar::integer(1)); })),
            "plain cannot express keys that are strings (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(
      refusal(with([](HistoryBuilder& b) { b.write(b.key(Scalar::integer(1)), b.pool().string("x")); })),
      "plain cannot express values that are strings (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) { b.read(b.key(Scalar::integer(1)), Scalar::null()); })),
            "plain cannot express values that are null (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) { b.append(b.key(Scalar::integer(2)), Scalar::integer(1)); })),
            "plain cannot express lists (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) { b.insert(b.key(Scalar::integer(2)), Scalar::integer(1)); })),
            "plain cannot express inserts (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) { b.remove(b.key(Scalar::integer(2))); })),
            "plain cannot express deletes (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) {
              b.scan({Scalar::integer(1), Scalar::integer(2)}, {});
            })),
            "plain cannot express scans (first at transaction 1:2)" + kElsewhere);
  EXPECT_EQ(refusal(with([](HistoryBuilder& b) {
              const PredicateNode p[] = {{PredicateOp::IsNull, 0, b.pool().string("c")}};
              b.select(p, {});
            })),
            "plain cannot express predicate reads (first at transaction 1:2)" + kElsewhere);
}

TEST(Expressible, RefusesAnotherInitialValueWhenAnOperationCanTell) {
  for (const Op& op : {Op{'n', 1, 0}, Op{'r', 1, 0}, Op{'w', 1, 0}}) {
    Integers h{Scalar::null()};
    h.txn(h.builder.new_session(), {op});
    EXPECT_EQ(
        refusal(h.build()),
        "plain cannot express that key 1 starts with null, not 0 (first at transaction 1:1)" + kElsewhere);
  }
  Integers h{std::nullopt};
  h.txn(h.builder.new_session(), {{'r', 1, 0}});
  EXPECT_EQ(
      refusal(h.build()),
      "plain cannot express that key 1 starts with nothing, not 0 (first at transaction 1:1)" + kElsewhere);
}

TEST(Expressible, AllowsAnotherInitialValueThatNoOperationReadsOrWrites) {
  Integers h{Scalar::null()};
  h.txn(h.builder.new_session(), {{'w', 1, 5}, {'r', 1, 5}});
  EXPECT_EQ(refusal(h.build(), kRegisters, false), "no error");
}

TEST(Expressible, LeavesInstantsOutOnlyWhenAllowed) {
  const History h = with([](HistoryBuilder&) {}, {.session = {}, .instants = {5, {}, {}, 9}});
  EXPECT_EQ(refusal(h, kRegisters, false),
            "plain cannot express instants (first at transaction 1:2) (add --lossy to leave them out)");
  const auto report = express(h, kRegisters, {.lossy = true});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->left_out, (std::vector<std::string>{"the instants of 1 transaction"}));
  EXPECT_EQ(
      refusal(h,
              {.format = "timed", .instants = {Instant::Begin, Instant::End}, .initial = Scalar::integer(0)},
              false),
      "no error");
}

TEST(Expressible, NamesContentBeforeWhatCouldBeLeftOut) {
  Integers h;
  const SessionId s = h.builder.new_session();
  ASSERT_TRUE(h.builder.finish({.session = s, .instants = {1, {}, {}, {}}}));
  h.txn(s, {}, Outcome::Unknown);
  EXPECT_EQ(refusal(h.build(), kRegisters, false),
            "plain cannot express unknown outcomes (first at transaction 1:2)" + kElsewhere);
}

TEST(Expressible, LeavesTheNoteOutOnlyWhenAllowed) {
  Integers h;
  h.builder.set_note("n");
  const History history = h.build();
  EXPECT_EQ(refusal(history, kRegisters, false),
            "plain cannot express the note (add --lossy to leave it out)");
  EXPECT_EQ(express(history, kRegisters, {.lossy = true})->left_out, (std::vector<std::string>{"the note"}));
}

TEST(Expressible, AllowsListsAndAnyScalarWhereTheFormatHasThem) {
  const Expressible elle{
      .format = "elle",
      .operations = {OpKind::Read, OpKind::Write, OpKind::Append, OpKind::ListRead},
      .keys = {ScalarKind::Integer, ScalarKind::String},
      .values = {ScalarKind::Integer, ScalarKind::String, ScalarKind::Boolean, ScalarKind::Decimal,
                 ScalarKind::Null},
      .outcomes = {Outcome::Committed, Outcome::Aborted, Outcome::Unknown},
  };
  HistoryBuilder b;
  const SessionId s = b.new_session();
  const Scalar elements[] = {Scalar::integer(1), b.pool().string("two")};
  b.append(b.key("l"), elements[0]);
  b.list_read(b.key("l"), elements);
  b.read(b.key(Scalar::integer(1)), Scalar::null());
  ASSERT_TRUE(b.finish({.session = s, .outcome = Outcome::Unknown}));
  EXPECT_EQ(refusal(std::move(b).build().value(), elle, false), "no error");
}

TEST(Expressible, ListsLostLabelsWithoutAsking) {
  Integers h;
  h.txn(h.builder.session("alice"), {{'w', 1, 1}}, Outcome::Committed, 5);
  const auto report = express(h.build(), kRegisters, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->left_out,
            (std::vector<std::string>{"the names of transactions", "the names of sessions"}));
}

}  // namespace
}  // namespace assay::test
