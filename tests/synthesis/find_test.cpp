// What is found, and that nothing is where there is nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "synthesis/compare.h"
#include "synthesis/specs.h"

namespace assay::test {
namespace {

using synthesis::FindResult;
using synthesis::Problem;
using synthesis::Scope;

struct Case {
  const char* allow;
  const char* forbid;
  std::size_t transactions;  // of the smallest history; 0: there is none
};

const Case kBenchmark[] = {{"biswas:RA", "biswas:CC", 3},
                           {"biswas:CC", "biswas:PC", 4},
                           {"biswas:PC", "biswas:SI", 2},
                           {"biswas:SI", "biswas:SER", 2},
                           {"biswas:SI biswas:UpdateSer", "biswas:SER", 3},
                           {"cerone:RA", "cerone:CC", 3},
                           {"cerone:CC", "cerone:PC", 4},
                           {"cerone:PC", "cerone:SI", 2},
                           {"cerone:SI", "cerone:SER", 2},
                           {"cerone:SI cerone:UpdateSer", "cerone:SER", 3},
                           {"plume:RA", "biswas:RA", 2},
                           {"biswas:RA", "cerone:CC", 3},
                           {"biswas:CC", "cerone:PC", 4},
                           {"biswas:PC", "cerone:SI", 2},
                           {"biswas:SI", "cerone:SER", 2},
                           {"cerone:RA", "biswas:CC", 3},
                           {"cerone:CC", "biswas:PC", 4},
                           {"cerone:PC", "biswas:SI", 2},
                           {"cerone:SI", "biswas:SER", 2},
                           {"biswas:SI biswas:UpdateSer", "cerone:SER", 3},
                           {"biswas:SI cerone:UpdateSer", "biswas:SER", 3},
                           {"biswas:SI cerone:UpdateSer", "cerone:SER", 3},
                           {"cerone:SI biswas:UpdateSer", "biswas:SER", 3},
                           {"cerone:SI biswas:UpdateSer", "cerone:SER", 3},
                           {"cerone:SI cerone:UpdateSer", "biswas:SER", 3},
                           {"biswas:CC", "biswas:RA", 0},
                           {"biswas:PC", "biswas:CC", 0},
                           {"biswas:SI", "biswas:PC", 0},
                           {"biswas:SER", "biswas:SI", 0},
                           {"cerone:CC", "cerone:RA", 0},
                           {"cerone:PC", "cerone:CC", 0},
                           {"cerone:SI", "cerone:PC", 0},
                           {"cerone:SER", "cerone:SI", 0},
                           {"biswas:RA", "plume:RA", 0},
                           {"biswas:CC", "plume:CC", 0},
                           {"plume:CC", "biswas:CC", 0},
                           {"biswas:RA", "cerone:RA", 0},
                           {"biswas:CC", "cerone:CC", 0},
                           {"biswas:PC", "cerone:PC", 0},
                           {"biswas:SI", "cerone:SI", 0},
                           {"biswas:SER", "cerone:SER", 0},
                           {"cerone:RA", "biswas:RA", 0},
                           {"cerone:CC", "biswas:CC", 0},
                           {"cerone:PC", "biswas:PC", 0},
                           {"cerone:SI", "biswas:SI", 0},
                           {"cerone:SER", "biswas:SER", 0}};

TEST(Find, AnswersTheBenchmarkRight) {
  ASSERT_EQ(std::size(kBenchmark), 46u);
  for (const Case& one : kBenchmark)
    EXPECT_EQ(transactions(found({specs(one.allow), specs(one.forbid)}, {5, 5, 5})), one.transactions)
        << one.allow << " not " << one.forbid;
}

TEST(Find, NeedsFourTransactionsToTellCausalFromPrefix) {
  for (const char* allow : {"biswas:CC", "cerone:CC"})
    for (const char* forbid : {"biswas:PC", "cerone:PC"})
      EXPECT_EQ(found({specs(allow), specs(forbid)}, {3, 5, 5}).kind, FindResult::Kind::None);
}

TEST(Find, GivesTheSameAnswersWithoutEachOfItsIdeas) {
  for (int idea = 0; idea < 6; ++idea) {
    synthesis::FindOptions options;
    options.search = {.numbered = idea != 0,
                      .symbolic = idea != 1,
                      .shortcut = idea != 2,
                      .generalise = idea != 3,
                      .incremental = idea != 4};
    if (idea == 5) options.search.symbolic = options.search.shortcut = options.search.generalise = false;
    for (const Case& one : kBenchmark)
      EXPECT_EQ(transactions(found({specs(one.allow), specs(one.forbid)}, {3, 2, 3}, options)),
                one.transactions > 3 ? 0 : one.transactions)
          << one.allow << " not " << one.forbid << " without idea " << idea;
  }
}

// Transactions, objects and values of the smallest history.
std::string smallest(const std::string& allow, const std::string& forbid) {
  synthesis::FindOptions options;
  options.minimal = true;
  const auto result = found({specs(allow), specs(forbid)}, {4, 3, 3}, options);
  if (result.found.empty()) return "none";
  const auto& facts = result.found[0].solution.facts;
  return fmt::format("{};{},{}", facts.transactions - 1, facts.objects, facts.values);
}

TEST(Find, GivesSmallestHistories) {
  EXPECT_EQ(smallest("biswas:RA", "biswas:CC"), "3;1,2");
  EXPECT_EQ(smallest("biswas:CC", "biswas:PC"), "4;2,2");
  EXPECT_EQ(smallest("biswas:PC", "biswas:SI"), "2;1,3");
  EXPECT_EQ(smallest("biswas:SI", "biswas:SER"), "2;2,2");
  EXPECT_EQ(smallest("biswas:SI biswas:UpdateSer", "biswas:SER"), "3;2,2");
  EXPECT_EQ(smallest("plume:RA", "biswas:RA"), "2;1,2");
}

TEST(Find, MinimalMeansThatNoSmallerOneExists) {
  synthesis::FindOptions options;
  options.minimal = true;
  options.all = 1000;
  const auto all = found({specs("biswas:SI"), specs("biswas:SER")}, {2, 2, 3}, options);
  std::size_t last = 0;
  for (const auto& one : all.found) {
    const auto& facts = one.solution.facts;
    const std::size_t operations = facts.reads.size() + facts.writes.size() - facts.objects;
    EXPECT_GE(operations, last);
    last = operations;
  }
  EXPECT_GT(all.found.size(), 1u);
}

// Whether a renaming of `small` has its reads, writes and session order in `large`, by trying all renamings.
bool contains(const spec::HistoryFacts& large, const spec::HistoryFacts& small) {
  if (small.transactions > large.transactions || small.objects > large.objects) return false;
  const auto from = [](const spec::HistoryFacts& facts) {
    std::set<std::vector<std::size_t>> rows;  // object, writer, reader
    const auto writers = possible_writers(facts);
    for (std::size_t i = 0; i < writers.size(); ++i)
      rows.insert({facts.reads[i].object, writers[i].at(0), facts.reads[i].txn});
    return rows;
  };
  const auto reads = from(large), wanted = from(small);
  std::set<std::vector<std::size_t>> writes;
  for (const auto& row : large.writes) writes.insert({row[1], row[0]});
  std::vector<std::size_t> t(large.transactions), x(large.objects);
  std::iota(t.begin(), t.end(), 0u);
  do {
    std::iota(x.begin(), x.end(), 0u);
    do {
      const bool fits = std::ranges::all_of(wanted,
                                            [&](const auto& r) {
                                              return reads.contains({x[r[0]], t[r[1]], t[r[2]]});
                                            }) &&
                        std::ranges::all_of(small.writes,
                                            [&](const auto& r) {
                                              return writes.contains({x[r[1]], t[r[0]]});
                                            }) &&
                        std::ranges::all_of(small.session_order, [&](const auto& r) {
                          return large.session_order.contains(
                              {static_cast<std::uint32_t>(t[r[0]]), static_cast<std::uint32_t>(t[r[1]])});
                        });
      if (fits) return true;
    } while (std::next_permutation(x.begin(), x.end()));
  } while (std::next_permutation(t.begin() + 1, t.end()));
  return false;
}

// Of all histories that tell the levels apart, found one by one, exactly those that contain no other.
TEST(Find, IrreducibleHistoriesAreThoseThatContainNoOther) {
  for (const auto& [allow, forbid] : {std::pair("biswas:RA", "biswas:CC"),
                                      {"plume:RA", "biswas:RA"},
                                      {"biswas:PC", "biswas:SI"},
                                      {"cerone:NLU", "cerone:UA"}}) {
    const synthesis::Problem problem{specs(allow), specs(forbid)};
    const synthesis::Scope scope{3, 2, 2};
    synthesis::FindOptions options;
    options.all = 100000;
    const auto every = found(problem, scope, options);
    std::set<std::vector<std::uint32_t>> expected;
    for (const auto& one : every.found) {
      const auto is_smaller = [&](const auto& other) {
        return &other != &one && contains(one.solution.facts, other.solution.facts);
      };
      if (std::ranges::none_of(every.found, is_smaller))
        expected.insert(synthesis::canonical_form(one.solution.facts));
    }
    options.irreducible = true;
    const auto irreducible = found(problem, scope, options);
    std::set<std::vector<std::uint32_t>> given;
    for (const auto& one : irreducible.found) given.insert(synthesis::canonical_form(one.solution.facts));
    EXPECT_EQ(given.size(), irreducible.found.size());
    EXPECT_EQ(given, expected) << allow << " and not " << forbid;
    if (allow == std::string("biswas:RA")) {
      EXPECT_LT(given.size(), every.found.size());
    }
  }
}

TEST(Find, ReadCommittedNeedsProgramOrder) {
  const auto result = found({specs("biswas:RC"), specs("biswas:RA")}, {3, 2, 3});
  EXPECT_EQ(transactions(result), 2u);
  const auto stronger = found({specs("adya:RC"), specs("biswas:RC")}, {3, 2, 3});
  EXPECT_EQ(transactions(stronger), 2u);  // T2 reads y from T1, then the x that T1 overwrote
  EXPECT_EQ(found({specs("biswas:RC"), specs("adya:RC")}, {3, 2, 3}).kind, FindResult::Kind::None);
  EXPECT_EQ(found({specs("biswas:RA"), specs("biswas:RC")}, {3, 2, 3}).kind, FindResult::Kind::None);
}

TEST(Find, FrameworksAgreeWhereTheyShould) {
  for (const char* pair : {"biswas:UA cerone:UA", "biswas:PSI cerone:PSI", "biswas:NLU cerone:NLU",
                           "adya:PSI cerone:PSI", "adya:SI biswas:SI", "adya:SER biswas:SER",
                           "crooks:SessionSI biswas:SI", "crooks:SessionSER biswas:SER"}) {
    const auto both = specs(pair);
    EXPECT_EQ(transactions(found({{both[0]}, {both[1]}}, {3, 2, 3})), 0u) << pair;
    EXPECT_EQ(transactions(found({{both[1]}, {both[0]}}, {3, 2, 3})), 0u) << pair;
  }
}

// D1: a framework that only forbids must not narrow what is looked at.
TEST(Find, LooksBeyondWhatAForbiddenFrameworkAccepts) {
  EXPECT_EQ(transactions(found({specs("plume:RA"), specs("cerone:RA")}, {3, 2, 3})), 2u);
  EXPECT_EQ(transactions(found({specs("biswas:Any"), specs("cerone:RA")}, {3, 2, 3})), 2u);
}

// D2 and D3: sessions of what is found are sessions, and are needed where they are.
TEST(Find, KeepsSessionsAndTheyAreChains) {
  synthesis::FindOptions options;
  options.all = 200;
  const auto result = found({specs("plume:RA"), specs("biswas:RA")}, {3, 2, 3}, options);
  bool any = false;
  for (const auto& one : result.found) {
    const auto& so = one.solution.facts.session_order;
    any |= !so.empty();
    const auto related = [&](std::uint32_t a, std::uint32_t b) {
      return so.contains({a, b}) || so.contains({b, a});
    };
    for (std::uint32_t a = 1; a <= 3; ++a)
      for (std::uint32_t b = 1; b <= 3; ++b)
        for (std::uint32_t c = 1; c <= 3; ++c) {
          const bool chained = a != b && b != c && a != c && related(a, b) && related(b, c);
          EXPECT_TRUE(!chained || related(a, c));
        }
    for (const auto& row : so) EXPECT_FALSE(so.contains({row[1], row[0]}));
  }
  EXPECT_TRUE(any);
}

// D4: blind writes are histories too.
TEST(Find, BlindWritesChangeAnswers) {
  const auto custom = level(R"(include biswas
level CustomPSI in biswas:
  CC and no x; s, t in W(x): s != t and some u: wr[x](u,s) and wr[x](u,t))",
                            "CustomPSI");
  EXPECT_EQ(found({{custom}, specs("cerone:PSI")}, {4, 2, 3, false, false}).kind, FindResult::Kind::None);
  EXPECT_EQ(found({{custom}, specs("cerone:PSI")}, {4, 2, 3}).kind, FindResult::Kind::Found);
}

TEST(Find, UpdateAtomicForbidsMoreThanLostUpdates) {
  EXPECT_EQ(found({specs("cerone:UA"), specs("cerone:NLU")}, {4, 3, 4}).kind, FindResult::Kind::None);
  EXPECT_EQ(transactions(found({specs("cerone:NLU"), specs("cerone:UA")}, {4, 3, 4})), 3u);
}

TEST(Find, SpeaksOfValuesWhereASpecificationDoes) {
  const auto fresh =
      level("framework f { }\nlevel Fresh in f: no t, x, v: reads(t,x,v) and writes(t,x,v)", "Fresh");
  EXPECT_EQ(found({specs("biswas:SER"), {fresh}}, {2, 2, 3}).kind,
            FindResult::Kind::None);  // values are unique
  EXPECT_EQ(transactions(found({specs("biswas:SER"), {fresh}}, {2, 2, 3, true})), 1u);
}

TEST(Find, OrdersOfWritersSpeakOfWritersOnly) {
  const auto result = found({specs("adya:SI"), specs("adya:SER")}, {3, 2, 3});
  ASSERT_EQ(result.found.size(), 1u);
  const auto& solution = result.found[0].solution;
  std::set<std::vector<std::uint32_t>> writers;
  for (const auto& write : solution.facts.writes) writers.insert({write[1], write[0]});
  for (const auto& row : solution.allowed[0].witnesses[0])
    for (const std::size_t column : {1u, 2u}) EXPECT_TRUE(writers.contains({row[0], row[column]}));
}

// No witnesses are searched for: those of the allowed level are tried.
TEST(Find, DecidesALevelAgainstItselfWithoutCandidates) {
  const auto partial = level(R"(framework f { witness p : order on Txn; witness q : relation on Txn }
level L in f: so | wr in p and p . q in p and (all x: acyclic q | wr[x]))",
                             "L");
  std::vector<spec::Specification> levels = specs(
      "adya:UpdatersAlone adya:PL-3U adya:PL-3 adya:PL-SI adya:PSI adya:SI adya:SER adya:RC cerone:NLU "
      "cerone:UpdateSer cerone:PSI biswas:NLU "
      "crooks:SI");
  levels.push_back(partial);
  for (const auto& one : levels) {
    const auto result = found({{one}, {one}}, {4, 3, 3});
    EXPECT_EQ(result.kind, FindResult::Kind::None) << one.name;
    EXPECT_EQ(result.effort.candidates, 0u) << one.name;
  }
}

TEST(Find, NoLostUpdateOfBothFrameworksNeedsNoCandidates) {
  for (const auto& [allow, forbid] : {std::pair("biswas:NLU", "cerone:NLU"), {"cerone:NLU", "biswas:NLU"}}) {
    const auto result = found({specs(allow), specs(forbid)}, {4, 3, 3});
    EXPECT_EQ(result.kind, FindResult::Kind::None) << allow;
    EXPECT_EQ(result.effort.candidates, 0u) << allow;
  }
}

void expect_equivalent(const char* pairs, synthesis::Scope scope) {
  std::istringstream list(pairs);
  for (std::string first, second; list >> first >> second;) {
    EXPECT_EQ(found({specs(first), specs(second)}, scope).kind, FindResult::Kind::None)
        << first << " and not " << second;
    EXPECT_EQ(found({specs(second), specs(first)}, scope).kind, FindResult::Kind::None)
        << second << " and not " << first;
  }
}

// What the comments of the built-in files say about changes to their sources.
TEST(Find, BuiltinLevelsRelateToTheirSourcesAsTheyClaim) {
  expect_equivalent(
      "biswas:SI biswas:SI-2019 adya:PL-2plus adya:PL-FCV adya:PL-299 adya:PL-3 adya:PL-1 adya:RU "
      "adya:PL-2 adya:RC crooks:PSI cerone2015:PSI crooks:SI cerone2015:SI crooks:SER adya:PL-3 "
      "adya:PL-SI cerone2015:SI adya:PL-3 cerone2015:SER berenson:SI adya:PL-SI berenson:RR adya:PL-3 "
      "berenson:RU bailis:RU bailis:RC adya:PL-2 ardekani:NMSI adya:PL-2plus plume:RC biswas:RC "
      "sessions:ReadYourWrites biswas:RA",
      {3, 2, 4});
  synthesis::Scope no_sessions{3, 2, 4};
  no_sessions.sessions = false;
  expect_equivalent(
      "adya:PSI adya:PL-2plus adya:SI adya:PL-SI adya:SER adya:PL-3 cerone:RA cerone2015:RA cerone:UA "
      "cerone2015:UA cerone:CC cerone2015:CC cerone:PSI cerone2015:PSI cerone:PC cerone2015:PC cerone:SI "
      "cerone2015:SI cerone:SER cerone2015:SER",
      no_sessions);
}

TEST(Find, LevelsOfRealTimeRelateAsTheirPapersSay) {
  const auto weaker_than = [](const char* weaker, const char* stronger) {
    const auto both = specs(std::string(weaker) + " " + stronger);
    EXPECT_EQ(found({{both[1]}, {both[0]}}, {3, 2, 4}).kind, FindResult::Kind::None) << weaker << stronger;
    EXPECT_EQ(found({{both[0]}, {both[1]}}, {3, 2, 4}).kind, FindResult::Kind::Found) << weaker << stronger;
  };
  weaker_than("adya:PL-SI", "realtime:GSI");
  weaker_than("realtime:GSI", "realtime:SessionSI");
  weaker_than("realtime:SessionSI", "realtime:StrongSI");
  weaker_than("realtime:StrongSI", "realtime:StrictSER");
  weaker_than("biswas:SER", "realtime:RSS");
  weaker_than("realtime:RSS", "realtime:StrictSER");
  weaker_than("crooks:ANSI-SI", "crooks:TimedSessionSI");
  weaker_than("crooks:TimedSessionSI", "crooks:StrongSI");
  expect_equivalent("realtime:StrictSER crooks:StrictSER", {3, 2, 4});
}

// The readers that real time may be wrong about: one misses a write that had not ended.
TEST(Find, RegularSequentialSerializabilityIsWeakerOnlyForReadersOfWhatWasStillWritten) {
  const auto both = specs("realtime:RSS realtime:StrictSER");
  synthesis::FindOptions options;
  options.minimal = true;
  const auto facts = found({{both[0]}, {both[1]}}, {4, 2, 5}, options).found.at(0).solution.facts;
  EXPECT_EQ(facts.transactions, 4u);
  EXPECT_EQ(facts.writes.size() - facts.objects, 1u);
  EXPECT_EQ(facts.reads.size(), 2u);
  EXPECT_EQ(facts.real_time.size(), 1u);
}

TEST(Find, LabelsTellTransactionsApart) {
  const auto holds = [](const char* allow, const char* forbid) {
    return found({specs(allow), specs(forbid)}, {4, 2, 3}).kind == FindResult::Kind::None;
  };
  EXPECT_TRUE(holds("labelled:RedBlue", "cerone:CC"));
  EXPECT_TRUE(holds("cerone:SER", "labelled:RedBlue"));
  EXPECT_TRUE(holds("labelled:SitePSI", "cerone:PSI"));
  EXPECT_TRUE(holds("cerone:SI", "labelled:SitePSI"));
  EXPECT_FALSE(holds("labelled:SitePSI", "cerone:SI"));
  synthesis::FindOptions options;
  options.minimal = true;
  const auto result = found({specs("cerone:CC"), specs("labelled:RedBlue")}, {2, 1, 3}, options);
  ASSERT_EQ(result.found.size(), 1u);
  const spec::Label red{"red", spec::Sort::Txn};
  EXPECT_EQ(result.found[0].solution.facts.labels.at(red), (spec::Rows{{1}, {2}}));
}

TEST(Find, LevelsThatAreChangedDifferFromTheirSources) {
  for (const char* pair :
       {"adya:PL-SI adya:SI", "adya:PL-3 adya:SER", "adya:PL-2plus adya:PSI", "cerone2015:SI cerone:SI",
        "adya:UpdatersAlone adya:PL-3U", "crooks:SI crooks:SessionSI", "bailis:PRAM sessions:PRAM",
        "bailis:Causal cerone:CC", "bailis:MAV biswas:RC", "plume:RA biswas:RA"}) {
    const auto both = specs(pair);
    EXPECT_EQ(found({{both[0]}, {both[1]}}, {3, 2, 4}).kind, FindResult::Kind::Found) << pair;
  }
}

TEST(Find, WithoutSessionsEachTransactionIsAlone) {
  synthesis::FindOptions options;
  options.all = 50;
  synthesis::Scope scope{3, 2, 4};
  scope.sessions = false;
  const auto result = found({specs("biswas:SI"), specs("biswas:SER")}, scope, options);
  EXPECT_EQ(result.found.size(), 50u);
  for (const auto& one : result.found) EXPECT_TRUE(one.solution.facts.session_order.empty());
  // What breaks only session order is not found.
  EXPECT_EQ(found({specs("plume:RA"), specs("biswas:RA")}, {2, 1, 3}).kind, FindResult::Kind::Found);
  EXPECT_EQ(found({specs("plume:RA"), specs("biswas:RA")}, {2, 1, 3, false, true, false}).kind,
            FindResult::Kind::None);
}

// A guess is tried first; a wrong one, and one that is no order, change no answer.
TEST(Find, TriesTheGuessesOfALevel) {
  const auto text = [](const std::string& guess) {
    return "framework f { witness ar : total order on Txn; witness vis : relation on Txn; axiom vis in ar; "
           "axiom so in vis; axiom (all x; s, t: wr[x](s,t) => s = max(ar, vis.t & W(x))) }\nlevel L in f " +
           guess + ": vis . vis . vis in vis";
  };
  // The least relation that fits, which none of the library's terms is.
  const auto plain = level(text(""), "L");
  const auto good =
      level("let rec odd : Txn * Txn = so | wr | odd . odd . odd\n" + text("with vis = odd"), "L");
  const auto wrong = level(text("with vis = so \\ so, ar = so"), "L");
  const auto biswas = level(
      "include biswas\nlet rec odd : Txn * Txn = so | wr | odd . odd . odd\n"
      "level M in biswas: unless_overwritten(odd)",
      "M");
  for (const auto& [allow, forbid] :
       {std::pair(plain, biswas), {biswas, plain}, {biswas, good}, {biswas, wrong}})
    EXPECT_EQ(found({{allow}, {forbid}}, {3, 2, 3}).kind, FindResult::Kind::None);
  EXPECT_EQ(found({{biswas}, {good}}, {4, 2, 3}).effort.candidates, 0u);
  EXPECT_GT(found({{biswas}, {plain}}, {4, 2, 3}).effort.candidates, 0u);
  const auto ra = specs("biswas:RA");
  EXPECT_EQ(found({ra, {good}}, {3, 2, 3}).kind, found({ra, {plain}}, {3, 2, 3}).kind);
  EXPECT_EQ(found({ra, {wrong}}, {3, 2, 3}).kind, found({ra, {plain}}, {3, 2, 3}).kind);
}

// The limit that ends one direction leaves the other one at the same size.
TEST(Find, ComparesBothDirectionsSizeBySize) {
  synthesis::FindOptions options;
  options.scope = {4, 2, 3};
  const auto levels = specs("biswas:SI cerone:SI");
  std::size_t asked = 0;
  options.stop = [&] {
    ++asked;
    return std::optional<std::string>();
  };
  ASSERT_EQ(synthesis::compare(levels[0], levels[1], options)->relation, synthesis::Relation::Equivalent);
  const std::size_t enough = asked;
  asked = 0;
  options.stop = [&] {
    return ++asked > enough * 9 / 10 ? std::optional<std::string>("enough") : std::nullopt;
  };
  const auto stopped = synthesis::compare(levels[0], levels[1], options).value();
  EXPECT_EQ(stopped.relation, synthesis::Relation::Undecided);
  EXPECT_EQ(stopped.finished, 3u);
}

TEST(Find, SaysWhyItStopped) {
  synthesis::FindOptions options;
  options.stop = [] { return std::optional<std::string>("enough"); };
  const auto result = found({specs("biswas:SI"), specs("biswas:SER")}, {3, 2, 3}, options);
  EXPECT_EQ(result.kind, FindResult::Kind::Stopped);
  EXPECT_EQ(result.why_stopped, "enough");
}

}  // namespace
}  // namespace assay::test
