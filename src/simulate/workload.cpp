#include "simulate/workload.h"

#include "simulate/parametric.h"
#include "simulate/row_workloads.h"
#include "simulate/shaped.h"

namespace assay {

std::unique_ptr<Workload> make_workload(const GeneratorOptions& options, std::uint64_t seed,
                                        WorkloadClient client) {
  switch (options.shape) {
    case Shape::Parametric: return std::make_unique<ParametricWorkload>(options, seed, client);
    case Shape::Twitter: return make_twitter(options, seed, client);
    case Shape::Rubis: return make_rubis(options, seed, client);
    case Shape::Smallbank: return make_smallbank(options, seed, client);
    case Shape::Tpcc: return make_tpcc(options, seed, client);
    case Shape::Predicates: return make_predicates(options, seed, client);
    case Shape::Ranges: return make_ranges(options, seed, client);
  }
  return nullptr;
}

}  // namespace assay
