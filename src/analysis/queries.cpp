#include "analysis/queries.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <thread>

namespace assay::analysis {
namespace {

// A context keeps what it built for earlier questions: its memory grows, and then it takes long to destroy.
constexpr std::size_t kQuestionsOfAContext = 64;

// Keeps the context of a question that was stopped until the process ends: destroying it can take a second,
// for which the user should not wait.
void abandon(std::unique_ptr<z3::context> context) {
  static std::mutex mutex;
  static auto* const abandoned = new std::vector<std::unique_ptr<z3::context>>;
  const std::lock_guard lock(mutex);
  abandoned->push_back(std::move(context));
}

}  // namespace

Answer Queries::check(Encoding& encoding) {
  encoding.limit_search(facts_.options().seconds_per_query);
  switch (encoding.solver().check()) {
    case z3::unsat: return Answer::Impossible;
    case z3::sat: return Answer::Possible;
    default: return Answer::Unknown;
  }
}

Answer Queries::ask(z3::context& z, const Tuple& tuple, const Ask& ask, const Inspect& inspect) {
  const auto encode = [&](bool inserters) -> std::optional<Answer> {
    Encoding encoding(z, facts_, footprints_);
    for (const std::size_t program : tuple) encoding.add_transaction(program);
    ask(encoding);
    const bool complete = inserters || !encoding.wants_inserters();
    if (inserters) encoding.add_inserters();
    encoding.finish();
    if (stopped()) return Answer::Unknown;
    const Answer answer = check(encoding);
    if (answer == Answer::Possible && !complete) return std::nullopt;
    if (answer == Answer::Possible && inspect) inspect(encoding, encoding.solver().get_model());
    return answer;
  };
  const auto answer = encode(false);
  return answer ? *answer : *encode(true);
}

std::vector<Answer> Queries::ask_all(std::string_view what, std::span<const Tuple> tuples,
                                     const Ask& question, const std::function<bool(Answer)>& enough,
                                     const std::function<void(std::size_t, Encoding&, z3::model)>& inspect) {
  std::vector<Answer> answers(tuples.size(), Answer::Unknown);
  const Options& options = facts_.options();
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::atomic<bool> ended = false;
  std::vector<z3::context*> contexts;
  std::condition_variable changed;
  std::size_t working = 0;
  const auto work = [&] {
    const auto in_context = [&](auto&& use) {
      auto z = std::make_unique<z3::context>();
      {
        const std::lock_guard lock(mutex_);
        contexts.push_back(z.get());
      }
      use(*z);
      const std::lock_guard lock(mutex_);
      std::erase(contexts, z.get());
      if (stopped_) abandon(std::move(z));
    };
    const auto answer_in = [&](z3::context& z, std::size_t i, const Inspect& look) {
      try {
        return ask(z, tuples[i], question, look);
      } catch (const z3::exception&) {  // interrupted, or out of memory
        return Answer::Unknown;
      }
    };
    const auto answer_some = [&](z3::context& z) {
      for (std::size_t n = 0, i; n < kQuestionsOfAContext && !ended && (i = next++) < tuples.size(); ++n) {
        Answer answer = answer_in(z, i, {});
        // A model depends on what its context was asked before, and so on which thread asked what. One that
        // is looked at comes out of a new context.
        if (answer == Answer::Possible && inspect)
          in_context([&](z3::context& own) {
            answer = answer_in(
                own, i, [&](Encoding& encoding, const z3::model& model) { inspect(i, encoding, model); });
            if (answer == Answer::Impossible) answer = Answer::Unknown;
          });
        const std::lock_guard lock(mutex_);
        answers[i] = answer;
        ++asked_;
        undecided_ += answer == Answer::Unknown;
        options.progress({what, ++done, tuples.size()});
        if (enough && enough(answer)) ended = true;
      }
    };
    while (!ended && next < tuples.size()) in_context(answer_some);
    const std::lock_guard lock(mutex_);
    --working;
    changed.notify_all();
  };
  std::vector<std::thread> threads;
  {
    std::unique_lock lock(mutex_);
    working = std::min<std::size_t>(std::max(options.threads, 1u), std::max<std::size_t>(tuples.size(), 1));
    for (std::size_t t = 0, n = working; t < n; ++t) threads.emplace_back(work);
    while (!changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return working == 0; })) {
      if (!stopped_ && !options.stop()) continue;
      stopped_ = ended = true;
      // Again and again: a context that was not searching yet does not remember the interrupt.
      for (z3::context* z : contexts) z->interrupt();
    }
  }
  for (std::thread& thread : threads) thread.join();
  return answers;
}

}  // namespace assay::analysis
