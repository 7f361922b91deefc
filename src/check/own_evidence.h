// Checks the evidence of a verdict before anybody sees the verdict.
//
// The checker of certificates shares no code with the search (certify/certify.h), so a defect of one is
// rarely a defect of both. It runs whenever it is expected to take less than a tenth of the steps that the
// verdict took, and always on small histories, where most defects show too. Steps are estimated from what was
// counted, and not from the time: so the same history is always treated alike, and takes as many
// instructions.
#pragma once

#include <filesystem>
#include <optional>

#include "check/options.h"
#include "history/history.h"
#include "verdict/certificate.h"
#include "verdict/verdict.h"

namespace assay {

struct Judged {
  const History& history;
  Level level;
  const Verdict& verdict;
  const std::optional<Section>& section;  // for histories with rows: the certificate's section
  std::int64_t skew = 0;
  std::size_t steps = 0;  // that judging took
};

// About how many steps judging took. One takes as long as checking the evidence for one operation.
std::size_t steps_of(const CheckEffort& effort, const History& history, Level level);

// Whether checking the evidence is cheap enough.
bool is_cheap_to_certify(const Judged& judged);

// Returns an error if the checker rejects the evidence: a bug of Assay, not a fault of the history. The
// history is then saved in `folder`, unless that is empty.
Result<void> check_own_evidence(const Judged& judged, const std::filesystem::path& folder);

}  // namespace assay
