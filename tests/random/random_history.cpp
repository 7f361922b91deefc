#include "random/random_history.h"

#include <algorithm>
#include <string>

#include "history/builder.h"
#include "random/random_instants.h"

namespace assay::test {
namespace {

using Content = std::vector<std::int64_t>;  // of a list; of a register, its one value

struct Operation {
  bool write;
  std::size_t key;
  Content content;  // read: what it returned; write: the value or element
};

struct Draft {
  std::size_t session;
  Outcome outcome = Outcome::Committed;
  std::vector<Operation> operations{};
  Instants instants{};
};

constexpr std::int64_t kInitialValue = 0;

class Maker {
 public:
  Maker(Random& random, const RandomHistoryOptions& options) : random_(random), options_(options) {
    const double moods[] = {0, 0.2, 0.5, 0.8, 1};
    stale_ = moods[std::max(random.below(5), random.below(5))];
    free_ = random.chance(0.3) ? moods[1 + random.below(4)] : 0;
    forked_ = random.chance(0.3);
    fractured_ = random.chance(0.5) ? moods[random.below(5)] : 0;
    wild_ = random.chance(0.2) ? moods[random.below(3)] * 0.5 : 0;
    disorder_ = random.chance(0.4) ? moods[random.below(5)] : 0;
    odd_outcomes_ = std::max(options.least_odd_outcomes, random.chance(0.4) ? moods[random.below(3)] : 0);
    unique_ = !options.repeated_values || random.chance(0.4);
    has_initial_ = random.chance(0.85);
    keys_ = 1 + std::max(random.below(options.most_keys), random.below(options.most_keys));
    textbook_ = moods[random.below(5)];
    for (std::size_t key = 0; key < keys_; ++key)
      is_list_.push_back(options.lists && random.chance(options.list_share));
  }

  History make() {
    draft_transactions();
    execute();
    return build();
  }

 private:
  void draft_transactions() {
    const std::size_t sessions =
        1 + std::max(random_.below(options_.most_sessions), random_.below(options_.most_sessions));
    sessions_.resize(sessions, {0, std::vector<std::size_t>(keys_)});
    const std::size_t span = options_.most_transactions - options_.least_transactions + 1;
    const std::size_t count = options_.least_transactions +
                              std::max({random_.below(span), random_.below(span), random_.below(span)});
    for (std::size_t i = 0; i < count; ++i) {
      Draft t{.session = random_.below(sessions)};
      if (options_.aborted && random_.chance(odd_outcomes_ * 0.5)) t.outcome = Outcome::Aborted;
      else if (options_.unknown && random_.chance(odd_outcomes_)) t.outcome = Outcome::Unknown;
      draft_operations(t);
      drafts_.push_back(std::move(t));
    }
  }

  // Half of the transactions are the textbook's: read-only, write-only, or reads before writes, each key
  // once. The others are anything.
  void draft_operations(Draft& t) {
    const bool textbook = random_.chance(textbook_);
    const double writes = textbook ? 0.5 * static_cast<double>(random_.below(3)) : random_.unit();
    const std::size_t most = textbook ? std::min(keys_, options_.most_operations) : options_.most_operations;
    const std::size_t count = 1 + std::max(random_.below(most), random_.below(most));
    const std::size_t first_key = random_.below(keys_);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t key = textbook ? (first_key + i) % keys_ : random_.below(keys_);
      if (!textbook) add_operation(t, random_.chance(writes), key);
      else if (writes != 1) add_operation(t, false, key);
    }
    if (!textbook || writes == 0) return;
    for (std::size_t i = 0; i < count; ++i)
      if (random_.chance(0.5)) add_operation(t, true, (first_key + i) % keys_);
  }

  void add_operation(Draft& t, bool write, std::size_t key) {
    Operation op{.write = write, .key = key, .content = {}};
    if (write) op.content = {fresh_value(key)};
    t.operations.push_back(op);
  }

  std::int64_t fresh_value(std::size_t key) {
    if (unique_ || (is_list_[key] && random_.chance(0.9))) return ++last_unique_;
    return static_cast<std::int64_t>(random_.below(4));
  }

  // Runs the transactions in some order, each at once, on versions that are never forgotten.
  void execute() {
    versions_.resize(keys_);
    for (std::size_t key = 0; key < keys_; ++key)
      versions_[key].push_back({is_list_[key] ? Content{} : Content{kInitialValue}, 0, 0});
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < drafts_.size(); ++i) order.push_back(i);
    for (std::size_t i = 0; i + 1 < order.size(); ++i)
      if (random_.chance(disorder_)) std::swap(order[i], order[i + random_.below(order.size() - i)]);
    std::int64_t now = 0;
    for (const std::size_t i : order) execute(drafts_[i], now += kTick);
  }

  void execute(Draft& t, std::int64_t now) {
    Session& session = sessions_[t.session];
    if (random_.chance(disorder_ * 0.3)) session = {0, std::vector<std::size_t>(keys_)};
    const std::int64_t snapshot = random_.chance(stale_) ? between(session.last_commit, now - 1) : now - 1;
    std::vector<Content> own(keys_), external(keys_);
    std::vector<bool> wrote(keys_), has_read(keys_);
    for (Operation& op : t.operations) {
      const std::size_t key = op.key;
      if (op.write) {
        if (!is_list_[key]) own[key].clear();
        own[key].push_back(op.content[0]);
        wrote[key] = true;
        continue;
      }
      if (!has_read[key] || random_.chance(wild_)) external[key] = read(key, snapshot, t.session);
      has_read[key] = true;
      op.content = wrote[key] && !is_list_[key] ? own[key] : external[key];
      if (wrote[key] && is_list_[key]) op.content.insert(op.content.end(), own[key].begin(), own[key].end());
      if (random_.chance(wild_ * 0.3)) op.content = anything(key);
    }
    if (t.outcome == Outcome::Committed || (t.outcome == Outcome::Unknown && random_.chance(0.6)))
      for (std::size_t key = 0; key < keys_; ++key)
        if (wrote[key]) {
          install(key, own[key], now, t.session % 2);
          session.floor[key] = versions_[key].size() - 1;
        }
    session.last_commit = now;
    if (options_.instants) t.instants = random_instants(random_, snapshot, now, t.outcome, disorder_ * 0.3);
  }

  Content read(std::size_t key, std::int64_t snapshot, std::size_t session) {
    const auto& versions = versions_[key];
    if (random_.chance(wild_)) return anything(key);
    if (random_.chance(free_) && !is_list_[key]) return some_final_value(key);
    std::size_t& floor = sessions_[session].floor[key];
    if (random_.chance(fractured_)) {
      floor += random_.below(versions.size() - floor);
    } else {
      for (std::size_t i = floor; i < versions.size(); ++i)
        if (versions[i].installed <= snapshot || (forked_ && versions[i].site == session % 2)) floor = i;
    }
    return versions[floor].content;
  }

  // Of any transaction, also of one that has not run yet.
  Content some_final_value(std::size_t key) {
    std::vector<Content> candidates;
    if (has_initial_) candidates.push_back(versions_[key].front().content);
    for (const Draft& t : drafts_) {
      const auto last = std::find_if(t.operations.rbegin(), t.operations.rend(),
                                     [&](const Operation& op) { return op.write && op.key == key; });
      if (last != t.operations.rend() && t.outcome != Outcome::Aborted) candidates.push_back(last->content);
    }
    return candidates.empty() ? versions_[key].back().content : candidates[random_.below(candidates.size())];
  }

  // A value that somebody writes at some time, perhaps in vain, or the initial one.
  Content anything(std::size_t key) {
    std::vector<Content> candidates{versions_[key].front().content, versions_[key].back().content};
    for (const Draft& t : drafts_)
      for (const Operation& op : t.operations)
        if (op.write && op.key == key) candidates.push_back(op.content);
    Content content = candidates[random_.below(candidates.size())];
    if (is_list_[key] && content.size() > 1 && random_.chance(0.5))
      std::swap(content[0], content[random_.below(content.size())]);
    return content;
  }

  void install(std::size_t key, const Content& written, std::int64_t now, std::size_t site) {
    Content content = is_list_[key] ? versions_[key].back().content : Content{};
    content.insert(content.end(), written.begin(), written.end());
    versions_[key].push_back({std::move(content), now, site});
  }

  History build() {
    HistoryBuilder b;
    if (has_initial_) b.set_initial(Scalar::integer(kInitialValue));
    else b.set_initial(std::nullopt);
    const std::string names[] = {"x", "y", "z", "u", "v"};
    for (const Draft& t : drafts_) {
      for (const Operation& op : t.operations) {
        const KeyId key = b.key(names[op.key % 5]);
        std::vector<Scalar> content;
        for (const std::int64_t value : op.content) content.push_back(Scalar::integer(value));
        if (!is_list_[op.key]) op.write ? b.write(key, content[0]) : b.read(key, content[0]);
        else op.write ? b.append(key, content[0]) : b.list_read(key, content);
      }
      const auto finished = b.finish({.session = b.session("S" + std::to_string(t.session + 1)),
                                      .outcome = t.outcome,
                                      .instants = t.instants});
      ASSAY_REQUIRE(finished.has_value());
    }
    auto history = std::move(b).build();
    ASSAY_REQUIRE(history.has_value());
    return std::move(history).value();
  }

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(high - low + 1)));
  }

  struct Version {
    Content content;
    std::int64_t installed;
    std::size_t site;
  };
  struct Session {
    std::int64_t last_commit;
    std::vector<std::size_t> floor;  // of each key, the version it has seen
  };

  Random& random_;
  const RandomHistoryOptions& options_;
  // How often a snapshot is old, a read ignores it, a read returns any final value, or just any, the
  // transactions run out of their order, a transaction does not simply commit, or is a textbook one.
  double stale_, fractured_, free_, wild_, disorder_, odd_outcomes_, textbook_;
  bool forked_;  // two sites: what happened at one's own is seen at once
  bool unique_, has_initial_;
  std::size_t keys_;
  std::vector<bool> is_list_;
  std::int64_t last_unique_ = 100;
  std::vector<Draft> drafts_;  // sessions in their order
  std::vector<std::vector<Version>> versions_;
  std::vector<Session> sessions_;
};

}  // namespace

History random_history(Random& random, const RandomHistoryOptions& options) {
  return Maker(random, options).make();
}

}  // namespace assay::test
