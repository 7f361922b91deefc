// The types behind the opaque handles of the C interface.
#pragma once

#include <assay/assay_c.h>

#include <memory>
#include <string>
#include <vector>

#include "history/builder.h"
#include "report/findings.h"
#include "verdict/certificate.h"

struct assay_history {
  std::shared_ptr<const assay::History> history;
  std::string name, format;
};

struct assay_builder {
  assay::HistoryBuilder builder{};
};

// All strings that accessors return are made in the constructor, because several threads may ask for them at
// once.
struct assay_findings {
  struct Names {
    std::string anomaly, reason;
  };
  struct Story {
    std::string levels, title;
  };

  explicit assay_findings(assay::Findings found);

  assay::Findings findings;
  std::vector<Names> names;           // by level
  std::vector<Story> stories;         // by explanation
  std::vector<std::string> refusals;  // why, by refused level
};

struct assay_claims {
  std::vector<assay_claim> claims;
};
