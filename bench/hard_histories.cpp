#include "hard_histories.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "history/builder.h"

namespace assay {
namespace {

struct Operation {
  bool writes;
  std::size_t key;
  std::int64_t value;
};
using Transaction = std::vector<Operation>;

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

History build(std::vector<Transaction> transactions, Random& random) {
  shuffle(transactions, random);
  HistoryBuilder builder;
  builder.set_initial(Scalar::integer(0));
  for (const Transaction& transaction : transactions) {
    for (const auto& [writes, name, value] : transaction) {
      const KeyId key = builder.key(Scalar::integer(static_cast<std::int64_t>(name)));
      if (writes) builder.write(key, Scalar::integer(value));
      else builder.read(key, Scalar::integer(value));
    }
    ASSAY_REQUIRE(builder.finish({.session = builder.new_session()}).has_value());
  }
  return std::move(builder).build().value();
}

// A variable is true if its `yes` commits before its `no`; both write its key. So does an occurrence of a
// literal in a clause with a yes, a no and a key of its own: `no` read the variable's key from what falsifies
// the literal, so that it comes before the other one if the literal is false, and `yes` read from that one;
// then no < yes. A third transaction of the occurrence, the link, read the key from `no` and comes before
// `yes` then. The link of the clause's next literal reads from this `yes`, so that false literals in all
// places close a cycle, and a true one, whose no may come after its yes, leaves it open. Occurrences need
// their own writers: if those of the variable were in the cycles, a path could go from clause to clause.
class Reduction {
 public:
  explicit Reduction(const Formula& formula) : variable_(formula.variables) {
    for (Pair& variable : variable_) variable = new_pair();
    for (const std::vector<int>& clause : formula.clauses) add_clause(clause);
  }

  std::vector<Transaction> take() { return std::move(transactions_); }

 private:
  struct Pair {
    std::size_t yes, no, key;
  };
  static constexpr std::int64_t kYes = 1, kNo = 2;

  std::size_t new_transaction() {
    transactions_.emplace_back();
    return transactions_.size() - 1;
  }

  Pair new_pair() {
    const Pair pair{new_transaction(), new_transaction(), keys_++};
    write(pair.yes, pair.key, kYes);
    write(pair.no, pair.key, kNo);
    return pair;
  }

  void write(std::size_t t, std::size_t key, std::int64_t value) {
    transactions_[t].push_back({true, key, value});
  }
  void read(std::size_t t, std::size_t key, std::int64_t value) {
    transactions_[t].push_back({false, key, value});
  }

  // The one reads a key that only the other writes.
  void put_before(std::size_t first, std::size_t second) {
    write(first, keys_, 1);
    read(second, keys_++, 1);
  }

  void add_clause(const std::vector<int>& clause) {
    std::vector<std::size_t> yes, links;
    for (const int literal : clause) {
      const Pair variable = variable_[static_cast<std::size_t>(std::abs(literal)) - 1];
      const Pair occurrence = new_pair();
      read(occurrence.no, variable.key, literal > 0 ? kNo : kYes);
      put_before(literal > 0 ? variable.yes : variable.no, occurrence.yes);
      yes.push_back(occurrence.yes);
      links.push_back(new_transaction());
      read(links.back(), occurrence.key, kNo);
    }
    for (std::size_t i = 0; i < clause.size(); ++i) put_before(yes[i], links[(i + 1) % clause.size()]);
  }

  std::vector<Pair> variable_;
  std::vector<Transaction> transactions_;
  std::size_t keys_ = 0;
};

std::vector<std::size_t> different(Random& random, std::size_t count, std::size_t bound) {
  std::vector<std::size_t> all(bound);
  std::iota(all.begin(), all.end(), std::size_t{0});
  shuffle(all, random);
  all.resize(std::min(count, bound));
  return all;
}

// One after another, and the values that each key had, from the initial one on.
struct SerialExecution {
  std::vector<Transaction> transactions;
  std::vector<std::vector<std::int64_t>> versions;
  struct Read {
    std::size_t transaction, operation, version;
  };
  std::vector<Read> reads;
};

SerialExecution run(const ForgottenExecution& shape, Random& random) {
  SerialExecution run{std::vector<Transaction>(shape.transactions),
                      std::vector(shape.keys, std::vector<std::int64_t>{0}),
                      {}};
  for (std::size_t t = 0; t < shape.transactions; ++t) {
    const auto keys = different(random, shape.writes + shape.reads, shape.keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto& versions = run.versions[keys[i]];
      if (i >= shape.writes) {
        run.reads.push_back({t, run.transactions[t].size(), versions.size() - 1});
        run.transactions[t].push_back({false, keys[i], versions.back()});
      } else {
        versions.push_back(
            static_cast<std::int64_t>(shape.values > 0 ? 1 + random.below(shape.values) : versions.size()));
        run.transactions[t].push_back({true, keys[i], versions.back()});
      }
    }
  }
  return run;
}

void disturb(SerialExecution& run, Random& random) {
  shuffle(run.reads, random);
  for (const auto& [t, op, version] : run.reads) {
    Operation& read = run.transactions[t][op];
    const auto& versions = run.versions[read.key];
    for (const std::size_t other : {version + 1, version - 1})
      if (other < versions.size() && versions[other] != read.value) {
        read.value = versions[other];
        return;
      }
  }
}

}  // namespace

Formula random_formula(Random& random, std::size_t variables, std::size_t clauses, std::size_t width) {
  Formula formula{variables, std::vector<std::vector<int>>(clauses)};
  for (std::vector<int>& clause : formula.clauses)
    for (const std::size_t variable : different(random, width, variables))
      clause.push_back((random.chance(0.5) ? 1 : -1) * static_cast<int>(variable + 1));
  return formula;
}

Formula pigeons(std::size_t holes) {
  Formula formula{holes * (holes + 1), {}};
  const auto sits = [&](std::size_t pigeon, std::size_t hole) {
    return static_cast<int>(pigeon * holes + hole + 1);
  };
  for (std::size_t pigeon = 0; pigeon <= holes; ++pigeon) {
    std::vector<int> somewhere;
    for (std::size_t hole = 0; hole < holes; ++hole) somewhere.push_back(sits(pigeon, hole));
    formula.clauses.push_back(std::move(somewhere));
    for (std::size_t other = 0; other < pigeon; ++other)
      for (std::size_t hole = 0; hole < holes; ++hole)
        formula.clauses.push_back({-sits(other, hole), -sits(pigeon, hole)});
  }
  return formula;
}

History history_of(const Formula& formula, Random& random) {
  return build(Reduction(formula).take(), random);
}

History history_of(const ForgottenExecution& shape, Random& random) {
  SerialExecution execution = run(shape, random);
  if (shape.disturbed) disturb(execution, random);
  return build(std::move(execution.transactions), random);
}

}  // namespace assay
