// Boolean circuits that are never larger than they must be: equal gates are one gate, constants vanish.
//
// Everything is a conjunction of literals; a disjunction is a negated one. Gates refer to earlier gates only.
// Most of what a specification says about a constant witness is decided while it is being built, and costs no
// clause.
//
// Building can be asked to stop. From then on every gate is false, so that what is left to build costs next
// to nothing; whoever solves the circuit learns no more than that it was stopped.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/flat_index.h"

namespace assay::synthesis {

struct Lit {
  std::uint32_t code = 0;  // twice the gate, plus one when negated; gate 0 is true

  std::uint32_t gate() const { return code >> 1; }
  bool negated() const { return (code & 1) != 0; }
  Lit operator!() const { return {code ^ 1}; }
  friend auto operator<=>(Lit, Lit) = default;
};

inline constexpr Lit kTrue{0}, kFalse{1};
inline constexpr Lit constant(bool value) { return value ? kTrue : kFalse; }

// Why to stop, or nothing; asked now and then while building and solving.
using Stop = std::function<std::optional<std::string>()>;

class Circuit {
 public:
  explicit Circuit(Stop stop = {});

  Lit input();
  Lit all(std::vector<Lit> parts);
  Lit any(std::vector<Lit> parts);
  Lit both(Lit a, Lit b) { return all({a, b}); }
  Lit either(Lit a, Lit b) { return any({a, b}); }
  Lit implies(Lit a, Lit b) { return any({!a, b}); }
  Lit same(Lit a, Lit b) { return both(implies(a, b), implies(b, a)); }

  bool stopped() const { return stopped_; }
  std::size_t size() const { return begin_.size() - 1; }
  bool is_input(std::uint32_t gate) const { return gate != 0 && begin_[gate] == begin_[gate + 1]; }
  // Of a conjunction.
  std::span<const Lit> parts(std::uint32_t gate) const {
    return {parts_.data() + begin_[gate], begin_[gate + 1] - begin_[gate]};
  }

 private:
  bool must_stop();

  const Stop stop_;
  bool stopped_ = false;
  std::uint32_t asked_for_ = 0;  // gates
  std::vector<std::uint32_t> begin_;
  std::vector<Lit> parts_;
  FlatIndex index_;
};

// Values of gates under values of inputs, each computed once.
class Simulation {
 public:
  Simulation(const Circuit& circuit, std::function<bool(std::uint32_t input)> value)
      : circuit_(circuit), value_(std::move(value)) {}
  bool operator()(Lit lit);

 private:
  const Circuit& circuit_;
  std::function<bool(std::uint32_t)> value_;
  std::vector<std::uint8_t> known_;  // 0: not yet, 1: false, 2: true
};

// Inputs that must have a certain value for the literal to be true, as far as its outermost conjunction says.
std::vector<Lit> forced_inputs(const Circuit& circuit, Lit lit);

// Unary counter: the i-th result says that more than i of the literals are true.
std::vector<Lit> counter(Circuit& circuit, std::span<const Lit> literals, std::size_t most);

}  // namespace assay::synthesis
