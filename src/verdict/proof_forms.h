// The words of a proof and what follows each, for the printer and the parser of certificates.
#pragma once

#include <span>
#include <string_view>

#include "verdict/proof.h"

namespace assay {

struct ProofForm {
  ProofLine::Kind kind;
  std::string_view name;
  // a, b: a transaction; p, q: a point of a, of b; w: a, or the initial transaction; o: an operation;
  // e: an operation, whose transaction is also a; c: a clause; *: any number of lines.
  std::string_view operands;
};

std::span<const ProofForm> proof_forms();  // in the order of ProofLine::Kind

}  // namespace assay
