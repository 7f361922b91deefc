// Nobody hears a verdict of which the evidence does not convince the certificate checker.
//
// The checker of certificates shares no code with the search (certify/certify.h), so a defect of one is
// rarely a defect of both. It is asked wherever its answer costs less than a tenth of what the verdict did,
// and always on small histories, where defects show as well as anywhere.
#pragma once

#include <filesystem>
#include <optional>

#include "history/history.h"
#include "verdict/certificate.h"
#include "verdict/verdict.h"

namespace assay {

struct Judged {
  const History& history;
  Level level;
  const Verdict& verdict;
  const std::optional<Section>& section;  // what a certificate says, where the verdict alone does not have it
  std::int64_t skew = 0;
  double seconds = 0;  // that judging took
};

// Whether the evidence is checked.
bool is_cheap_to_certify(const Judged& judged);

// Returns an error if the checker rejects the evidence: a bug of Assay, not a fault of the history. The
// history is then saved in `folder`, unless that is empty.
Result<void> check_own_evidence(const Judged& judged, const std::filesystem::path& folder);

}  // namespace assay
