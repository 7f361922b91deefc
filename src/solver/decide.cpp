// Decisions. The next variable is the one with the highest activity in recent conflicts, or with a small
// probability a random one; its value is the one that the theory prefers. Variables wait in a binary heap. An
// assigned variable leaves the heap only when it comes to the top, and returns when it is unassigned.
#include "solver/solver.h"

namespace assay {

std::optional<Var> Solver::next_variable() {
  if (const auto any = random_variable()) return any;
  while (!heap_.empty()) {
    const Var top = heap_.front();
    heap_place_[top] = UINT32_MAX;
    const Var last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
      heap_[0] = last;
      heap_place_[last] = 0;
      sift_down(0);
    }
    if (value_[top] != kOpen) continue;
    if (theory_.needs_value(top)) return top;
    passed_over_.push_back(top);
  }
  return std::nullopt;
}

// The variable stays in the heap, as do others that are assigned before they reach the top.
std::optional<Var> Solver::random_variable() {
  if (settings_.random_decisions == 0 || heap_.empty() || !random_.chance(settings_.random_decisions))
    return std::nullopt;
  const Var any = heap_[random_.below(heap_.size())];
  return value_[any] == kOpen ? std::optional(any) : std::nullopt;
}

// With `contrary`, only the first decision on a variable goes against the theory: afterwards the theory's
// order reflects what the search has tried.
Lit Solver::literal_to_try(Var v) {
  const Lit preferred = theory_.preferred(v);
  if (!settings_.contrary) return preferred;
  tried_.resize(value_.size());
  const bool again = tried_[v];
  tried_[v] = true;
  return again ? preferred : ~preferred;
}

void Solver::heap_insert(Var v) {
  if (heap_place_[v] != UINT32_MAX) return;
  heap_place_[v] = static_cast<std::uint32_t>(heap_.size());
  heap_.push_back(v);
  sift_up(heap_.size() - 1);
}

void Solver::sift_up(std::size_t i) {
  const Var v = heap_[i];
  while (i > 0 && activity_[heap_[(i - 1) / 2]] < activity_[v]) {
    heap_[i] = heap_[(i - 1) / 2];
    heap_place_[heap_[i]] = static_cast<std::uint32_t>(i);
    i = (i - 1) / 2;
  }
  heap_[i] = v;
  heap_place_[v] = static_cast<std::uint32_t>(i);
}

void Solver::sift_down(std::size_t i) {
  const Var v = heap_[i];
  for (;;) {
    std::size_t child = 2 * i + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && activity_[heap_[child + 1]] > activity_[heap_[child]]) ++child;
    if (activity_[heap_[child]] <= activity_[v]) break;
    heap_[i] = heap_[child];
    heap_place_[heap_[i]] = static_cast<std::uint32_t>(i);
    i = child;
  }
  heap_[i] = v;
  heap_place_[v] = static_cast<std::uint32_t>(i);
}

}  // namespace assay
