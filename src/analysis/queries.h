// Questions to the solver, asked by several threads.
//
// A question is a few programs and what their transactions do. It is asked twice: first without caring where
// rows come from, and only when that is possible, again with their inserters. Each thread has a context of
// its own; a question that runs into its time limit has the answer Unknown. A model that is looked at does
// not depend on threads: each comes out of a context of its own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "analysis/encoding.h"

namespace assay::analysis {

enum class Answer : std::uint8_t { Impossible, Possible, Unknown };

using Tuple = std::vector<std::size_t>;  // programs, one per transaction

class Queries {
 public:
  Queries(const Facts& facts, std::span<const Footprint> footprints)
      : facts_(facts), footprints_(footprints) {}

  using Ask = std::function<void(Encoding&)>;  // adds what is asked about transactions 0, 1, ... of the tuple
  using Inspect = std::function<void(Encoding&, z3::model)>;

  // Whether an execution exists; `inspect` is called with it.
  Answer ask(z3::context& z, const Tuple& tuple, const Ask& ask, const Inspect& inspect = {});
  // ask() for every tuple, in parallel; answers in their order. Stops early at an answer for which `enough`.
  std::vector<Answer> ask_all(std::string_view what, std::span<const Tuple> tuples, const Ask& ask,
                              const std::function<bool(Answer)>& enough = {},
                              const std::function<void(std::size_t, Encoding&, z3::model)>& inspect = {});

  std::size_t asked() const { return asked_; }
  std::size_t undecided() const { return undecided_; }
  bool stopped() const { return stopped_; }

 private:
  Answer check(Encoding& encoding);

  const Facts& facts_;
  std::span<const Footprint> footprints_;
  std::mutex mutex_;
  std::size_t asked_ = 0, undecided_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace assay::analysis
