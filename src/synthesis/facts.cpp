#include "synthesis/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "history/builder.h"

namespace assay::synthesis {
namespace {

class Recording {
 public:
  explicit Recording(const History& history) : h_(history) {
    result_.facts.objects = history.key_count();
    values_.resize(history.key_count());
    for (const KeyId key : history.keys()) {
      if (!history.initial_value(key).is_none()) values_[key.index()].numbers[history.initial_value(key)] = 0;
      result_.facts.writes.insert({0, static_cast<std::uint32_t>(key.index()), 0});
    }
  }

  Result<RecordedFacts> run(const std::vector<bool>& unknown_counts) {
    for (const TxnId t : h_.transactions()) {
      if (h_.outcome(t) == Outcome::Aborted ||
          (h_.outcome(t) == Outcome::Unknown && !unknown_counts[t.index()]))
        continue;
      result_.transactions.push_back(t);
    }
    result_.facts.transactions = result_.transactions.size() + 1;
    for (std::size_t i = 0; i < result_.transactions.size(); ++i)
      ASSAY_TRY(add(static_cast<std::uint32_t>(i + 1)));
    for (const auto& values : values_)
      result_.facts.values = std::max<std::size_t>(result_.facts.values, values.next);
    add_clocks();
    add_labels();
    const auto writers = possible_writers(result_.facts);
    for (std::size_t i = 0; i < writers.size() && result_.wrong_read.empty(); ++i)
      if (writers[i].empty()) {
        const auto& read = result_.facts.reads[i];
        result_.wrong_read =
            fmt::format("{} reads a value of {} that no other transaction left there",
                        h_.display(result_.transactions[read.txn - 1]), h_.display(KeyId(read.object)));
      }
    return std::move(result_);
  }

 private:
  Result<void> add(std::uint32_t number) {
    const TxnId t = result_.transactions[number - 1];
    std::map<KeyId, KeyValueId> own;
    for (const OpId op : h_.operations(t)) {
      const KeyId key =
          h_.kind(op) == OpKind::Read || h_.kind(op) == OpKind::Write ? h_.key(op) : KeyId::none();
      if (key.is_none())
        return error(
            fmt::format("{} does something other than reading and writing single values", h_.display(t)),
            "specifications speak of reads and writes only");
      if (h_.kind(op) == OpKind::Write) {
        own[key] = h_.value(op);
      } else if (const auto written = own.find(key); written != own.end()) {
        if (written->second != h_.value(op))
          result_.wrong_read =
              fmt::format("{} does not read its own write of {}", h_.display(t), h_.display(key));
      } else {
        result_.facts.reads.push_back(
            {number, static_cast<std::uint32_t>(key.index()), number_of(key, h_.value(op))});
      }
    }
    for (const auto& [key, value] : own)
      result_.facts.writes.insert({number, static_cast<std::uint32_t>(key.index()), number_of(key, value)});
    for (std::uint32_t other = 1; other <= result_.transactions.size(); ++other) {
      const TxnId before = result_.transactions[other - 1];
      // One of unknown outcome may take effect after its session went on.
      if (h_.session(before) == h_.session(t) && h_.position(before) < h_.position(t) &&
          h_.outcome(before) == Outcome::Committed)
        result_.facts.session_order.insert({other, number});
    }
    return {};
  }

  // Words of names, as they stand between hyphens.
  void add_labels() {
    const auto add_words = [&](const std::string& name, spec::Sort sort, std::size_t element) {
      std::istringstream words(name);
      for (std::string word; std::getline(words, word, '-');)
        result_.facts.labels[{word, sort}].insert({static_cast<std::uint32_t>(element)});
    };
    for (std::size_t i = 0; i < result_.transactions.size(); ++i)
      if (h_.name(result_.transactions[i]))
        add_words(h_.display(result_.transactions[i]), spec::Sort::Txn, i + 1);
    for (const KeyId key : h_.keys()) add_words(h_.display(key), spec::Sort::Obj, key.index());
  }

  // Of one of unknown outcome it is not known when it ended.
  void add_clocks() {
    const auto& all = result_.transactions;
    const auto at = [&](std::size_t i) { return h_.instants(all[i]); };
    const auto end = [&](std::size_t i) {
      return h_.outcome(all[i]) == Outcome::Committed ? at(i).end : std::nullopt;
    };
    result_.facts.clocks = h_.has_instants();
    for (std::uint32_t i = 0; i < all.size(); ++i)
      result_.facts.clocks &= at(i).begin && (end(i) || h_.outcome(all[i]) == Outcome::Unknown);
    for (std::uint32_t i = 0; i < all.size() && result_.facts.clocks; ++i)
      for (std::uint32_t j = 0; j < all.size() && end(i); ++j) {
        if (*end(i) < *at(j).begin) result_.facts.real_time.insert({i + 1, j + 1});
        if (i != j && (!end(j) || *end(i) < *end(j))) result_.facts.ended.insert({i + 1, j + 1});
      }
  }

  std::uint32_t number_of(KeyId key, KeyValueId value) {
    ValuesOfKey& values = values_[key.index()];
    const auto [place, is_new] = values.numbers.try_emplace(value, values.next);
    if (is_new) ++values.next;
    return place->second;
  }

  struct ValuesOfKey {
    std::map<KeyValueId, std::uint32_t> numbers;
    std::uint32_t next = 1;  // 0 is the initial one, whether or not it can be read
  };

  const History& h_;
  RecordedFacts result_;
  std::vector<ValuesOfKey> values_;
};

}  // namespace

Result<RecordedFacts> facts_of(const History& history, const std::vector<bool>& unknown_counts) {
  return Recording(history).run(unknown_counts);
}

std::string object_name(std::size_t object) {
  constexpr std::string_view names = "xyzuvw";
  return object < names.size() ? std::string(1, names[object]) : fmt::format("x{}", object);
}

namespace {

std::string labels_of(const spec::HistoryFacts& facts, spec::Sort sort, std::uint32_t element) {
  std::string text;
  for (const auto& [label, rows] : facts.labels)
    if (label.sort == sort && rows.contains(spec::Row{element})) text += "-" + label.name;
  return text;
}

}  // namespace

std::string transaction_name(const spec::HistoryFacts& facts, std::uint32_t transaction) {
  return fmt::format("T{}{}", transaction, labels_of(facts, spec::Sort::Txn, transaction));
}

std::string object_name(const spec::HistoryFacts& facts, std::uint32_t object) {
  return object_name(object) + labels_of(facts, spec::Sort::Obj, object);
}

namespace {

// Instants at which transactions begin and end as the facts say. Transactions that have the same ones before
// them begin together; each ends just before the next of these instants at which it is over.
std::vector<Instants> instants_of(const spec::HistoryFacts& facts) {
  const auto before = [&](std::uint32_t t) {
    std::size_t count = 0;
    for (const spec::Row& row : facts.real_time) count += row[1] == t ? 1 : 0;
    return count;
  };
  std::set<std::size_t> sizes;
  for (std::uint32_t t = 1; t < facts.transactions; ++t) sizes.insert(before(t));
  const auto slot = [&](std::uint32_t t) {
    return static_cast<std::int64_t>(std::distance(sizes.begin(), sizes.find(before(t))));
  };
  std::vector<Instants> instants(facts.transactions);
  for (std::uint32_t s = 1; s < facts.transactions; ++s) {
    auto first = static_cast<std::int64_t>(sizes.size());
    for (const spec::Row& row : facts.real_time)
      if (row[0] == s) first = std::min(first, slot(row[1]));
    std::int64_t rank = s;
    if (!facts.ended.empty()) {
      rank = 1;
      for (const spec::Row& row : facts.ended) rank += row[1] == s ? 1 : 0;
    }
    instants[s].begin = slot(s) * 100;
    instants[s].end = first * 100 - static_cast<std::int64_t>(facts.transactions) + rank;
  }
  return instants;
}

}  // namespace

History history_of(const spec::HistoryFacts& facts) {
  HistoryBuilder builder;
  builder.set_initial(Scalar::integer(0));
  const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
    return facts.session_order.contains({a, b});
  };
  const std::vector<Instants> instants =
      facts.clocks ? instants_of(facts) : std::vector<Instants>(facts.transactions);
  std::uint32_t sessions = 0;
  for (std::uint32_t first = 1; first < facts.transactions; ++first) {
    bool begins = true;
    for (std::uint32_t t = 1; t < facts.transactions; ++t) begins &= !precedes(t, first);
    if (!begins) continue;
    const SessionId session = builder.session(fmt::format("S{}", ++sessions));
    std::vector<std::uint32_t> members{first};
    for (std::uint32_t t = 1; t < facts.transactions; ++t)
      if (precedes(first, t)) members.push_back(t);
    std::ranges::sort(members, precedes);
    for (const std::uint32_t t : members) {
      for (const auto& read : facts.reads)
        if (read.txn == t)
          builder.read(builder.key(object_name(facts, read.object)), Scalar::integer(read.value));
      for (const spec::Row& write : facts.writes)
        if (write[0] == t)
          builder.write(builder.key(object_name(facts, write[1])), Scalar::integer(write[2]));
      const auto finished = builder.finish({.session = session,
                                            .name = builder.pool().string(transaction_name(facts, t)),
                                            .instants = instants[t]});
      ASSAY_REQUIRE(finished.has_value());
    }
  }
  auto history = std::move(builder).build();
  ASSAY_REQUIRE(history.has_value());
  return std::move(history).value();
}

}  // namespace assay::synthesis
