#include "synthesis/circuit.h"

#include <algorithm>

#include "base/hash.h"

namespace assay::synthesis {

Circuit::Circuit(Stop stop) : stop_(std::move(stop)), begin_{0, 0} {}

bool Circuit::must_stop() {
  constexpr std::uint32_t kBetweenLooks = 1024;
  if (!stopped_ && stop_ && ++asked_for_ % kBetweenLooks == 0) stopped_ = stop_().has_value();
  return stopped_;
}

Lit Circuit::input() {
  begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
  return {static_cast<std::uint32_t>(2 * (begin_.size() - 2))};
}

Lit Circuit::all(std::vector<Lit> parts) {
  if (must_stop()) return kFalse;
  std::ranges::sort(parts);
  parts.erase(std::ranges::unique(parts).begin(), parts.end());
  if (!parts.empty() && parts.front() == kTrue) parts.erase(parts.begin());
  if (!parts.empty() && parts.front() == kFalse) return kFalse;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    if (parts[i] == !parts[i + 1]) return kFalse;
  if (parts.empty()) return kTrue;
  if (parts.size() == 1) return parts.front();
  std::uint64_t hash = parts.size();
  for (const Lit lit : parts) hash = mix(hash, lit.code);
  const auto next = static_cast<std::uint32_t>(begin_.size() - 1);
  const auto equal = [&](std::uint32_t gate) { return std::ranges::equal(this->parts(gate), parts); };
  const std::uint32_t gate = index_.find_or_insert(hash, next, equal);
  if (gate == next) {
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    begin_.push_back(static_cast<std::uint32_t>(parts_.size()));
  }
  return {2 * gate};
}

Lit Circuit::any(std::vector<Lit> parts) {
  for (Lit& lit : parts) lit = !lit;
  return !all(std::move(parts));
}

bool Simulation::operator()(Lit lit) {
  if (known_.size() < circuit_.size()) known_.resize(circuit_.size());
  const std::uint32_t gate = lit.gate();
  if (gate == 0) return !lit.negated();
  if (known_[gate] == 0) {
    const auto is_true = [&](Lit part) { return (*this)(part); };
    const bool value =
        circuit_.is_input(gate) ? value_(gate) : std::ranges::all_of(circuit_.parts(gate), is_true);
    known_[gate] = value ? 2 : 1;
  }
  return (known_[gate] == 2) != lit.negated();
}

std::vector<Lit> forced_inputs(const Circuit& circuit, Lit lit) {
  std::vector<Lit> forced, open{lit};
  while (!open.empty()) {
    const Lit next = open.back();
    open.pop_back();
    if (next.gate() == 0) continue;
    if (circuit.is_input(next.gate())) forced.push_back(next);
    else if (!next.negated())
      open.insert(open.end(), circuit.parts(next.gate()).begin(), circuit.parts(next.gate()).end());
  }
  return forced;
}

std::vector<Lit> counter(Circuit& circuit, std::span<const Lit> literals, std::size_t most) {
  std::vector<Lit> more_than(most, kFalse);
  for (const Lit lit : literals)
    for (std::size_t i = most; i-- > 0;)
      more_than[i] = circuit.either(more_than[i], circuit.both(lit, i == 0 ? kTrue : more_than[i - 1]));
  return more_than;
}

}  // namespace assay::synthesis
