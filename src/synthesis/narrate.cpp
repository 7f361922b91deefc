#include "synthesis/narrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/contract.h"
#include "spec/load.h"
#include "synthesis/facts.h"

namespace assay::synthesis {
namespace {

using spec::Base;
using spec::Row;
using spec::Rows;
using spec::Sort;
using spec::WitnessSpec;
using Kind = spec::Node::Kind;

// The evaluator is slow; larger histories are explained by nothing but the verdict.
constexpr std::size_t kMostShown = 3, kMostNarrated = 31, kFewTransactions = 9;
constexpr std::size_t kMostTried = 100, kMostTriedOfMany = 6;  // orders

// Rows about the initial transaction are left out: it precedes everything.
std::string as_pairs(const Rows& rows, const Names& names) {
  std::string text;
  for (const Row& row : rows)
    if (row[row.size() - 2] != 0)
      text += fmt::format("{}{}->{}", text.empty() ? "" : " ", names.transactions[row[row.size() - 2]],
                          names.transactions[row.back()]);
  return text.empty() ? "nothing" : text;
}

std::string as_chain(const Rows& order, const Names& names) {
  std::map<std::uint32_t, std::size_t> before;  // how many precede each
  for (const Row& row : order) {
    before.try_emplace(row[row.size() - 2]);
    ++before[row.back()];
  }
  std::vector<std::uint32_t> members;
  for (const auto& [member, count] : before)
    if (member != 0) members.push_back(member);
  std::ranges::sort(members, {}, [&](std::uint32_t member) { return before[member]; });
  std::string text;
  for (const std::uint32_t member : members)
    text += fmt::format("{}{}", text.empty() ? "" : " < ", names.transactions[member]);
  return text.empty() ? "nothing" : text;
}

class Failures {
 public:
  Failures(const spec::Specification& spec, const spec::FiniteHistory& history, const Names& names)
      : spec_(spec), h_(history), names_(names) {}

  std::string describe(const std::vector<Rows>& witnesses, std::size_t condition) {
    spec::Evaluator evaluator(h_, witnesses);
    const bool is_axiom = condition < spec_.axioms.size();
    const auto failure = evaluator.why_not(is_axiom ? *spec_.axioms[condition].formula : *spec_.formula);
    std::string text;
    if (is_axiom)
      text = spec_.axioms[condition].name.empty() ? "an axiom of the framework fails"
                                                  : fmt::format("{} fails", spec_.axioms[condition].name);
    else text = fmt::format("{} fails", spec_.level);
    if (!failure.part->name.empty()) text = fmt::format("{} fails", failure.part->name);
    std::string where;
    for (const auto& [variable, value] : failure.where)
      where += fmt::format("{}{} = {}", where.empty() ? " for " : ", ", variable.name,
                           element(variable.sort, value));
    return text + where + what(*failure.part, evaluator);
  }

 private:
  std::string element(Sort sort, std::uint32_t value) const {
    switch (sort) {
      case Sort::Txn: return names_.transactions[value];
      case Sort::Obj: return names_.objects[value];
      case Sort::Val: return fmt::format("{}", value);
      case Sort::Op: {
        const auto of = [&](Base base) { return h_[base].lower_bound({value, 0})->at(1); };
        return fmt::format("{}'s read of {}", names_.transactions[of(Base::OpTxn)],
                           names_.objects[of(Base::OpObj)]);
      }
    }
    return {};
  }

  std::string row(const Row& row, const std::vector<Sort>& columns) const {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("{}{}", i == 0 ? "" : ",", element(columns[i], row[i]));
    return text;
  }

  // What the part that fails lacks, or has too much.
  std::string what(const spec::Node& part, spec::Evaluator& evaluator) const {
    const auto lacks = [&](const Rows& needed, const spec::Node& relation) -> std::string {
      const Rows there = evaluator.rows(relation);
      for (const Row& one : needed)
        if (!there.contains(one))
          return fmt::format(": {}({}) is missing", name(relation), row(one, relation.columns));
      return {};
    };
    switch (part.kind) {
      case Kind::In: return lacks(evaluator.rows(*part.kids[0]), *part.kids[1]);
      case Kind::Member: {
        Row needed;
        for (std::size_t i = 1; i < part.kids.size(); ++i) {
          const Rows element = evaluator.rows(*part.kids[i]);
          if (element.size() != 1) return {};
          needed.push_back((*element.begin())[0]);
        }
        return lacks({needed}, *part.kids[0]);
      }
      case Kind::Transitive: {
        const Rows there = evaluator.rows(*part.kids[0]);
        for (const Row& a : there)
          for (const Row& b : there)
            if (a[1] == b[0] && !there.contains({a[0], b[1]}))
              return fmt::format(": {}->{}->{} but not {}->{}", element(Sort::Txn, a[0]),
                                 element(Sort::Txn, a[1]), element(Sort::Txn, b[1]), element(Sort::Txn, a[0]),
                                 element(Sort::Txn, b[1]));
        return {};
      }
      case Kind::Acyclic:
      case Kind::Irreflexive: return cycle(evaluator.rows(*part.kids[0]));
      default: return {};
    }
  }

  std::string name(const spec::Node& relation) const {
    if (relation.kind == Kind::Witness) return spec_.witnesses[relation.number].name;
    return "the relation";
  }

  // The shortest, from the smallest transaction on it.
  std::string cycle(const Rows& rows) const {
    std::vector<std::uint32_t> best;
    for (const Row& first : rows) {
      std::vector<std::vector<std::uint32_t>> paths{{first[0], first[1]}};
      std::set<std::uint32_t> seen{first[1]};
      for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::vector<std::uint32_t> path = paths[i];
        if (path.back() == path.front()) {
          if (best.empty() || path.size() < best.size()) best = path;
          break;
        }
        for (const Row& row : rows)
          if (row[0] == path.back() && seen.insert(row[1]).second) {
            paths.push_back(path);
            paths.back().push_back(row[1]);
          }
      }
    }
    std::string text;
    for (const std::uint32_t t : best)
      text += fmt::format("{}{}", text.empty() ? ": the cycle " : " -> ", names_.transactions[t]);
    return text;
  }

  const spec::Specification& spec_;
  const spec::FiniteHistory& h_;
  const Names& names_;
};

// Witnesses worth showing for an order of the transactions: the order itself, and the terms of the library.
std::vector<std::vector<Rows>> witnesses_at(const spec::Specification& spec,
                                            const spec::FiniteHistory& history, const Rows& order,
                                            const std::vector<spec::Specification>& terms) {
  const bool has_relation = std::ranges::any_of(
      spec.witnesses, [](const WitnessSpec& w) { return w.kind == WitnessSpec::Kind::Relation; });
  std::vector<std::vector<Rows>> result;
  for (std::size_t i = 0; i < (has_relation ? terms.size() : 1); ++i) {
    const std::vector<Rows> at{order};
    const Rows relation = spec::Evaluator(history, at).rows(*terms[i].relation);
    std::vector<Rows>& witnesses = result.emplace_back();
    for (const WitnessSpec& witness : spec.witnesses) {
      const Rows& one = witness.kind == WitnessSpec::Kind::Relation ? relation : order;
      Rows rows;
      for (std::uint32_t x = 0; x < (witness.indexed ? history.count(Sort::Obj) : 1); ++x) {
        spec::Evaluator evaluator(history, {});
        if (witness.indexed) evaluator.bind(witness.index, x);
        const Rows members = evaluator.rows(*witness.domain);
        for (const Row& row : one)
          if (members.contains(Row{row[0]}) && members.contains(Row{row[1]}))
            rows.insert(witness.indexed ? Row{x, row[0], row[1]} : row);
      }
      witnesses.push_back(std::move(rows));
    }
  }
  return result;
}

// Orders of all transactions in which each comes after those that must precede it, until told to stop by
// false.
class OrdersAlong {
 public:
  OrdersAlong(std::size_t transactions, const std::set<std::pair<std::uint32_t, std::uint32_t>>& pairs,
              const std::function<bool(const std::vector<std::uint32_t>&)>& visit)
      : waits_for_(transactions), placed_(transactions), visit_(visit) {
    for (const auto& [before, after] : pairs) waits_for_[after].push_back(before);
  }

  bool run() {
    if (order_.size() == placed_.size()) return visit_(order_);
    for (std::uint32_t next = 0; next < placed_.size(); ++next) {
      const auto is_placed = [&](std::uint32_t t) { return placed_[t]; };
      if (placed_[next] || !std::ranges::all_of(waits_for_[next], is_placed)) continue;
      placed_[next] = true;
      order_.push_back(next);
      const bool go_on = run();
      order_.pop_back();
      placed_[next] = false;
      if (!go_on) return false;
      if (order_.empty()) break;  // the initial transaction is first
    }
    return true;
  }

 private:
  std::vector<std::vector<std::uint32_t>> waits_for_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
  const std::function<bool(const std::vector<std::uint32_t>&)>& visit_;
};

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

bool has_cycle(std::size_t transactions, const Pairs& pairs) {
  std::set<std::uint32_t> left;
  for (std::uint32_t t = 0; t < transactions; ++t) left.insert(t);
  const auto waits = [&](std::uint32_t t) {
    return std::ranges::any_of(
        pairs, [&](const auto& pair) { return pair.second == t && left.contains(pair.first); });
  };
  while (std::erase_if(left, [&](std::uint32_t t) { return !waits(t); }) > 0) {
  }
  return !left.empty();
}

// Sessions and reads; where these have a cycle, reads alone; where these have one, nothing.
Pairs pairs_to_follow(const spec::FiniteHistory& history) {
  for (const bool with_sessions : {true, false}) {
    Pairs pairs;
    for (const Row& row : history[Base::Wr]) pairs.emplace(row[1], row[2]);
    for (const Row& row : history[Base::So])
      if (with_sessions) pairs.emplace(row[0], row[1]);
    if (!has_cycle(history.count(Sort::Txn), pairs)) return pairs;
  }
  return {};
}

}  // namespace

Names names_of_found(const spec::HistoryFacts& facts) {
  Names names;
  for (std::size_t t = 0; t < facts.transactions; ++t)
    names.transactions.push_back(transaction_name(facts, static_cast<std::uint32_t>(t)));
  for (std::size_t x = 0; x < facts.objects; ++x)
    names.objects.push_back(object_name(facts, static_cast<std::uint32_t>(x)));
  return names;
}

std::vector<std::string> describe_witnesses(const spec::Specification& spec,
                                            const Solution::Explanation& explanation, const Names& names) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i) {
    const WitnessSpec& witness = spec.witnesses[i];
    const auto text = [&](const Rows& rows) {
      return witness.kind == WitnessSpec::Kind::TotalOrder ? as_chain(rows, names) : as_pairs(rows, names);
    };
    if (!witness.indexed) {
      lines.push_back(fmt::format("{}: {}", witness.name, text(explanation.witnesses[i])));
      continue;
    }
    for (std::uint32_t x = 0; x < names.objects.size(); ++x) {
      Rows member;
      for (const Row& row : explanation.witnesses[i])
        if (row[0] == x) member.insert(row);
      lines.push_back(fmt::format("{}[{}]: {}", witness.name, names.objects[x], text(member)));
    }
  }
  return lines;
}

std::vector<std::string> why_forbidden(const spec::Specification& spec, const spec::HistoryFacts& facts,
                                       const Names& names) {
  if (facts.transactions > kMostNarrated)
    return {
        fmt::format("no witness exists, as a search found; histories of up to {} transactions are explained",
                    kMostNarrated - 1)};
  std::vector<std::string> lines;
  const auto library = spec::load_library("instances");
  ASSAY_REQUIRE(library.has_value());
  const auto terms = library->relations("instances");
  std::vector<std::uint32_t> writers;
  for (const auto& candidates : possible_writers(facts)) writers.push_back(candidates.at(0));
  const spec::FiniteHistory history = finite_history(facts, writers);
  Failures failures(spec, history, names);
  // Orders along sessions and reads come closest; after a while any others are as good.
  std::size_t tried = 0;
  const std::size_t most = facts.transactions <= kFewTransactions ? kMostTried : kMostTriedOfMany;
  const std::function<bool(const std::vector<std::uint32_t>&)> judge = [&](const auto& order) {
    Rows rows;
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t j = i + 1; j < order.size(); ++j) rows.insert({order[i], order[j]});
    std::optional<std::size_t> furthest;
    std::vector<Rows> best;
    for (const auto& witnesses : witnesses_at(spec, history, rows, terms)) {
      std::optional<std::size_t> failed;
      satisfies(spec, history, witnesses, &failed);
      if (!failed || (furthest && *failed <= *furthest)) continue;
      furthest = failed;
      best = witnesses;
    }
    if (furthest) {
      std::string with;
      for (const std::string& line : describe_witnesses(spec, {writers, best}, names))
        with += (with.empty() ? "" : "; ") + line;
      const std::string line = fmt::format("{}: {}", with, failures.describe(best, *furthest));
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
    }
    return lines.size() < kMostShown && ++tried < most;
  };
  OrdersAlong(facts.transactions, pairs_to_follow(history), judge).run();
  return lines;
}

}  // namespace assay::synthesis
