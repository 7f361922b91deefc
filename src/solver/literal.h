// Propositional variables and their literals.
#pragma once

#include <cstdint>

namespace assay {

using Var = std::uint32_t;

struct Lit {
  std::uint32_t code = UINT32_MAX;

  constexpr Lit() = default;
  constexpr Lit(Var var, bool positive) : code(var * 2 + (positive ? 0 : 1)) {}
  constexpr Var var() const { return code / 2; }
  constexpr bool positive() const { return code % 2 == 0; }
  constexpr Lit operator~() const {
    Lit l;
    l.code = code ^ 1;
    return l;
  }
  friend constexpr bool operator==(Lit, Lit) = default;
};

}  // namespace assay
