#include "solver/acyclicity.h"

#include <algorithm>

#include "base/contract.h"

namespace assay {

std::uint32_t Acyclicity::define(Var var, std::span<const Edge> if_true, std::span<const Edge> if_false,
                                 std::optional<bool> preferred) {
  ASSAY_REQUIRE(!if_true.empty() || preferred.has_value());
  if (of_literal_.size() < 2 * std::size_t{var} + 2) of_literal_.resize(2 * std::size_t{var} + 2);
  preferred_.resize(of_literal_.size() / 2);
  preferred_[var] = preferred;
  const auto first = static_cast<std::uint32_t>(switched_.size());
  for (const bool positive : {true, false}) {
    const Lit literal(var, positive);
    Range& range = of_literal_[literal.code];
    range.begin = static_cast<std::uint32_t>(switched_.size());
    for (const Edge edge : positive ? if_true : if_false) switched_.push_back({edge, literal});
    range.end = static_cast<std::uint32_t>(switched_.size());
  }
  return static_cast<std::uint32_t>(facts_.size()) + first;
}

bool Acyclicity::assign(Lit literal, TheoryConflict& conflict) {
  const Range range = of_literal_[literal.code];
  const auto base = static_cast<std::uint32_t>(facts_.size());
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const Edge edge = switched_[i].edge;
    if (order_.insert(edge, base + i)) continue;

    conflict.reasons.assign(1, base + i);
    if (edge.from != edge.to) {
      const auto back =
          order_.cheapest_path(edge.to, edge.from, [&](std::uint32_t number) { return number >= base; });
      conflict.reasons.insert(conflict.reasons.end(), back.begin(), back.end());
    }
    conflict.literals.clear();
    for (const std::uint32_t number : conflict.reasons) {
      if (number < base) continue;
      const Lit l = switched_[number - base].literal;
      if (std::ranges::find(conflict.literals, l) == conflict.literals.end()) conflict.literals.push_back(l);
    }
    for (; i > range.begin; --i) order_.remove_last();
    return false;
  }
  return true;
}

void Acyclicity::unassign(Lit literal) {
  const Range range = of_literal_[literal.code];
  for (std::uint32_t i = range.begin; i < range.end; ++i) order_.remove_last();
}

Lit Acyclicity::preferred(Var var) const {
  if (preferred_[var]) return Lit(var, *preferred_[var]);
  const Edge first = switched_[of_literal_[Lit(var, true).code].begin].edge;
  return Lit(var, order_.before(first.from, first.to));
}

}  // namespace assay
