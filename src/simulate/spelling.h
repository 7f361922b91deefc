// A workload as the options of a command line: what `assay run` and `assay generate` make of them is that
// workload again, but for its seed and its level. So a report can say how to repeat what it shows.
#pragma once

#include <string>

#include "simulate/generator.h"

namespace assay {

// "--workload append --sessions 8 --txns 500 --ops 4 --keys 4"
std::string spelled(const GeneratorOptions& workload);

}  // namespace assay
