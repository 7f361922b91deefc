// A proof's obligations given to cvc5, which shares nothing with Z3.
#pragma once

#include <string>

namespace assay::prove {

enum class SecondOpinion { Confirmed, Unknown, Refuted, NotInstalled };

// Whether cvc5, in so many seconds, finds the SMT-LIB text unsatisfiable too.
SecondOpinion ask_cvc5(const std::string& smt, double seconds);

}  // namespace assay::prove
