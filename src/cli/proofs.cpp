#include "cli/proofs.h"

#include <fmt/format.h>

#include "prove/second_solver.h"

namespace assay::cli {

Result<Confirmation> confirm(const prove::InclusionProof& proof, const std::string& of, unsigned seconds) {
  Confirmation confirmation;
  for (const prove::Obligation& obligation : proof.obligations) {
    const prove::SecondOpinion opinion = prove::ask_cvc5(obligation.smt, seconds);
    confirmation.is_installed &= opinion != prove::SecondOpinion::NotInstalled;
    confirmation.steps += opinion == prove::SecondOpinion::Confirmed ? 1 : 0;
    if (opinion == prove::SecondOpinion::Refuted)
      return error(fmt::format("Z3 and cvc5 disagree about {} of {}", obligation.name, of),
                   "this is a bug; please report it");
  }
  return confirmation;
}

std::string in_words(const Confirmation& confirmation, std::size_t steps) {
  if (!confirmation.is_installed) return "cvc5, which would check them, is not installed";
  return confirmation.steps == steps ? "cvc5 confirms them"
                                     : fmt::format("cvc5 confirms {} of them", confirmation.steps);
}

}  // namespace assay::cli
