// What a Search keeps for each forbidden level and for each order that explains an allowed one.
#pragma once

#include "synthesis/search.h"

namespace assay::synthesis {

// The verifier has a circuit of its own; its model has the same inputs in the same order.
struct Search::Forbidden {
  Forbidden(Circuit& circuit, HistoryModel& model, const spec::Specification& spec, std::size_t which)
      : number(which), encoding(circuit, model, spec) {}

  std::size_t number;
  LevelEncoding encoding;
  bool exact = false;  // what was required says all there is to say

  struct Verifier {
    Verifier(const HistoryModel& like, const ModelOptions& options, const spec::Specification& spec,
             const Stop& stop)
        : circuit(stop),
          sat(circuit, stop),
          model(circuit, like.scope(), options),
          encoding(circuit, model, spec) {
      witnesses = encoding.fresh();
      const Lit holds = encoding.simplify_and_hold(witnesses);
      sat.require(witnesses.valid);
      sat.require(holds);
      for (const Lit input : model.inputs()) sat.use(input);
      for (const Lit input : witnesses.inputs) sat.prefer(input);
    }
    Circuit circuit;
    Sat sat;
    HistoryModel model;
    LevelEncoding encoding;
    FreshWitnesses witnesses;
  };
  std::unique_ptr<Verifier> verifier;
};

struct Search::Source {
  Table order;
  std::vector<Table> relations;
  Table wr;
  std::string name;
};

}  // namespace assay::synthesis
