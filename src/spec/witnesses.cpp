// Every witness of the declared kinds, and whether one satisfies a specification.
#include <algorithm>

#include "spec/evaluate.h"

namespace assay::spec {
namespace {

using WitnessKind = WitnessSpec::Kind;

Rows domain_of(const WitnessSpec& witness, const FiniteHistory& history, std::uint32_t object) {
  Evaluator evaluator(history, {});
  if (witness.indexed) evaluator.bind(witness.index, object);
  return evaluator.rows(*witness.domain);
}

// A strict order on the members with the initial transaction first.
bool is_order(const Rows& order, const Rows& members, bool total) {
  const auto has = [&](const Row& a, const Row& b) { return order.contains({a[0], b[0]}); };
  for (const Row& row : order)
    if (!members.contains(Row{row[0]}) || !members.contains(Row{row[1]})) return false;
  for (const Row& a : members) {
    if (has(a, a) || (a[0] != 0 && members.contains(Row{0}) && !has(Row{0}, a))) return false;
    for (const Row& b : members) {
      if (a != b && (has(a, b) && has(b, a))) return false;
      if (total && a != b && !has(a, b) && !has(b, a)) return false;
      for (const Row& c : members)
        if (has(a, b) && has(b, c) && !has(a, c)) return false;
    }
  }
  return true;
}

Rows member_of_family(const Rows& family, std::uint32_t object) {
  Rows result;
  for (const Row& row : family)
    if (row[0] == object) result.insert({row[1], row[2]});
  return result;
}

bool is_of_kind(const WitnessSpec& witness, const FiniteHistory& history, const Rows& rows) {
  const auto check = [&](const Rows& relation, std::uint32_t object) {
    const Rows members = domain_of(witness, history, object);
    if (witness.kind != WitnessKind::Relation)
      return is_order(relation, members, witness.kind == WitnessKind::TotalOrder);
    return std::ranges::all_of(
        relation, [&](const Row& r) { return members.contains(Row{r[0]}) && members.contains(Row{r[1]}); });
  };
  if (!witness.indexed) return check(rows, 0);
  return std::ranges::all_of(
      history.universe[static_cast<std::size_t>(Sort::Obj)],
      [&](std::uint32_t object) { return check(member_of_family(rows, object), object); });
}

class Enumeration {
 public:
  Enumeration(const Specification& spec, const FiniteHistory& history, std::size_t most,
              const std::function<bool(const std::vector<Rows>&)>& visit)
      : spec_(spec), h_(history), most_(most), visit_(visit), chosen_(spec.witnesses.size()) {}

  bool run() {
    choose(0);
    return !too_many_;
  }

 private:
  // Each returns whether to go on.
  bool choose(std::size_t number) {
    if (number == spec_.witnesses.size()) {
      if (tried_++ >= most_) too_many_ = true;
      return !too_many_ && visit_(chosen_);
    }
    return choose_member(number, 0);
  }

  bool choose_member(std::size_t number, std::uint32_t object) {
    const WitnessSpec& witness = spec_.witnesses[number];
    if (object == (witness.indexed ? h_.count(Sort::Obj) : 1)) return choose(number + 1);
    const auto add = [&](const Rows& member) {
      const Rows before = chosen_[number];
      for (const Row& row : member)
        chosen_[number].insert(witness.indexed ? Row{object, row[0], row[1]} : row);
      const bool go_on = choose_member(number, object + 1);
      chosen_[number] = before;
      return go_on;
    };
    const Rows members = domain_of(witness, h_, object);
    return witness.kind == WitnessKind::TotalOrder
               ? total_orders(members, add)
               : relations(number, members, witness.kind == WitnessKind::Order, add);
  }

  bool total_orders(const Rows& members, const std::function<bool(const Rows&)>& add) {
    std::vector<std::uint32_t> order;
    for (const Row& member : members) order.push_back(member[0]);
    const auto free =
        order.begin() + (!order.empty() && order[0] == 0 ? 1 : 0);  // the initial one stays first
    do {
      Rows rows;
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t j = i + 1; j < order.size(); ++j) rows.insert({order[i], order[j]});
      if (!add(rows)) return false;
    } while (std::next_permutation(free, order.end()));
    return true;
  }

  bool relations(std::size_t number, const Rows& members, bool order,
                 const std::function<bool(const Rows&)>& add) {
    Rows least, most;
    for (const Row& a : members)
      for (const Row& b : members) most.insert({a[0], b[0]});
    if (!spec_.witnesses[number].indexed) narrow(number, least, most);
    std::vector<Row> open;
    std::ranges::set_difference(most, least, std::back_inserter(open));
    if (!std::ranges::includes(most, least)) return true;
    if (open.size() > 40) return too_many_ = true, false;
    for (std::uint64_t subset = 0; subset < std::uint64_t{1} << open.size(); ++subset) {
      Rows rows = least;
      for (std::size_t i = 0; i < open.size(); ++i)
        if (subset >> i & 1) rows.insert(open[i]);
      if (order && !is_order(rows, members, false)) continue;
      if (!add(rows)) return false;
    }
    return true;
  }

  // Axioms `r in w` and `w in r`, where r depends on earlier witnesses only.
  void narrow(std::size_t number, Rows& least, Rows& most) {
    const auto is_it = [&](const Node& node) {
      return node.kind == Node::Kind::Witness && node.number == number;
    };
    for (const Condition& axiom : spec_.axioms) {
      if (axiom.formula->kind != Node::Kind::In) continue;
      const Node &inner = *axiom.formula->kids[0], &outer = *axiom.formula->kids[1];
      Evaluator evaluator(h_, chosen_);
      if (is_it(outer) && depends_on_less_than(inner, number)) least.merge(evaluator.rows(inner));
      if (!is_it(inner) || !depends_on_less_than(outer, number)) continue;
      const Rows bound = evaluator.rows(outer);
      std::erase_if(most, [&](const Row& row) { return !bound.contains(row); });
    }
  }

  static bool depends_on_less_than(const Node& node, std::size_t number) {
    if (node.kind == Node::Kind::Witness) return node.number < number;
    if (!node.bound.empty()) return !node.uses_witness;
    return std::ranges::all_of(node.kids,
                               [&](const Node* kid) { return depends_on_less_than(*kid, number); });
  }

  const Specification& spec_;
  const FiniteHistory& h_;
  const std::size_t most_;
  const std::function<bool(const std::vector<Rows>&)>& visit_;
  std::vector<Rows> chosen_;
  std::size_t tried_ = 0;
  bool too_many_ = false;
};

}  // namespace

bool satisfies(const Specification& spec, const FiniteHistory& history, std::span<const Rows> witnesses,
               std::optional<std::size_t>* failed) {
  for (std::size_t i = 0; i < spec.witnesses.size(); ++i)
    if (!is_of_kind(spec.witnesses[i], history, witnesses[i])) return false;
  Evaluator evaluator(history, witnesses);
  for (std::size_t i = 0; i <= spec.axioms.size(); ++i) {
    if (evaluator.holds(i < spec.axioms.size() ? *spec.axioms[i].formula : *spec.formula)) continue;
    if (failed != nullptr) *failed = i;
    return false;
  }
  return true;
}

bool for_each_witness(const Specification& spec, const FiniteHistory& history, std::size_t most,
                      const std::function<bool(const std::vector<Rows>&)>& visit) {
  return Enumeration(spec, history, most, visit).run();
}

std::optional<bool> allows_by_enumeration(const Specification& spec, const HistoryFacts& facts,
                                          std::size_t most, std::size_t* tried) {
  const auto candidates = possible_writers(facts);
  if (std::ranges::any_of(candidates, [](const auto& writers) { return writers.empty(); })) return false;
  std::vector<std::size_t> choice(candidates.size());
  std::size_t seen = 0;
  while (true) {
    std::vector<std::uint32_t> writers;
    for (std::size_t i = 0; i < choice.size(); ++i) writers.push_back(candidates[i][choice[i]]);
    const FiniteHistory history = finite_history(facts, writers);
    bool found = false;
    const bool all = for_each_witness(spec, history, most - seen, [&](const std::vector<Rows>& witnesses) {
      ++seen;
      return !(found = satisfies(spec, history, witnesses));
    });
    if (tried != nullptr) *tried = seen;
    if (found) return true;
    if (!all) return std::nullopt;
    std::size_t next = 0;
    while (next < choice.size() && ++choice[next] == candidates[next].size()) choice[next++] = 0;
    if (next == choice.size()) return false;
  }
}

}  // namespace assay::spec
