// Proofs of inclusions with the second opinion, for the commands that show them.
#pragma once

#include "prove/prove.h"

namespace assay::cli {

struct Confirmation {
  std::size_t steps = 0;     // of the proof that cvc5 confirms
  bool is_installed = true;  // cvc5
};

// Asks cvc5 about each step. An error: it refutes one of them.
Result<Confirmation> confirm(const prove::InclusionProof& proof, const std::string& of, unsigned seconds);

// `cvc5 confirms them`
std::string in_words(const Confirmation& confirmation, std::size_t steps);

}  // namespace assay::cli
