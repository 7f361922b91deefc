#include "corpus_tests/sequences.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

#include "history/builder.h"
#include "support/hist.h"
#include "support/paths.h"

namespace assay::test {
namespace {

constexpr std::int64_t kTick = 10;

// Sequences whose steps are SQL. Their tables: mytab(class, value), empty; account(name, type, balance), with
// two accounts of kevin.
struct ByHand {
  std::string_view history, look;
};
const std::map<std::string_view, ByHand> kByHand{
    {"iat_dda_write_skew_predicate_based-intersecting_data",
     {"@initial null "
      "S1: <1 @10,15..60,65> select(class = 1,[]) insert(1,{class:2,value:30}) "
      "S2: <2 @30,35..50,55> select(class = 2,[1={class:2,value:30}]) insert(2,{class:1,value:300})",
      "S0: <look @70..75> scan(0,9,[1={class:2,value:30} 2={class:1,value:300}])"}},
    {"iat_dda_write_skew_predicate_based-overdraft_protection",
     {"@initial null @initial (1={name:kevin,type:saving,balance:500} "
      "2={name:kevin,type:checking,balance:500}) "
      "S1: <1 @10,15..60,65> "
      "select(name = kevin,[1={name:kevin,type:saving,balance:500} "
      "2={name:kevin,type:checking,balance:500}]) "
      "update(name = kevin and type = checking,[2={name:kevin,type:checking,balance:1400}]) "
      "S2: <2 @20,25..40,45> "
      "select(name = kevin,[1={name:kevin,type:saving,balance:500} "
      "2={name:kevin,type:checking,balance:500}]) "
      "update(name = kevin and type = saving,[1={name:kevin,type:saving,balance:1400}])",
      "S0: <look @70..75> scan(0,9,[1={name:kevin,type:saving,balance:1400} "
      "2={name:kevin,type:checking,balance:1400}])"}},
};

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator) parts.emplace_back();
    else parts.back() += c;
  return parts;
}

std::string trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

// Blanks inside {...} do not separate steps.
std::vector<std::string> steps_of(std::string_view text) {
  std::vector<std::string> steps;
  bool inside = false, apart = true;
  for (const char c : text) {
    inside = c == '{' || (inside && c != '}');
    if (c == ' ' && !inside) {
      apart = true;
      continue;
    }
    if (apart) steps.emplace_back();
    apart = false;
    steps.back() += c;
  }
  return steps;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// The number of a key: x, y, z, k3, k4, ...
std::optional<std::int64_t> key_number(std::string_view name) {
  if (name == "x" || name == "y" || name == "z") return name[0] - 'x';
  return name.starts_with('k') ? number(name.substr(1)) : std::nullopt;
}

// `k>0 and k<2`, `v=0`: comparisons joined by "and".
struct Comparison {
  char column;
  std::string op;
  std::int64_t constant;

  bool holds(std::int64_t key, std::int64_t value) const {
    const std::int64_t left = column == 'k' ? key : value;
    if (op == "=") return left == constant;
    if (op == "<") return left < constant;
    if (op == "<=") return left <= constant;
    return op == ">" ? left > constant : left >= constant;
  }
};

std::optional<std::vector<Comparison>> condition(std::string text) {
  std::erase(text, ' ');
  std::vector<Comparison> all;
  while (!text.empty()) {
    if (!all.empty() && text.starts_with("and")) text.erase(0, 3);
    const std::size_t op_end = text.find_first_not_of("<>=", 1);
    if (op_end == 1 || op_end == text.npos) return std::nullopt;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", op_end), text.size());
    const auto constant = number(std::string_view(text).substr(op_end, end - op_end));
    if (!constant || (text[0] != 'k' && text[0] != 'v')) return std::nullopt;
    all.push_back({text[0], text.substr(1, op_end - 1), *constant});
    text.erase(0, end);
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

// Does the steps, and remembers what each transaction was told.
class Replay {
 public:
  Result<void> start(const std::string& rows) {
    b_.set_initial(Scalar::null());
    if (rows == "-") return {};
    for (const std::string& name : split(rows, ',')) {
      const auto key = key_number(name);
      if (!key) return error("unknown row " + name);
      store_[*key].push_back({"", 0});
      b_.set_initial(key_id(*key), Scalar::integer(0));
    }
    return {};
  }

  // What a transaction sees that begins after all others have ended.
  void look() {
    now_ += kTick;
    std::vector<KeyAndValue> rows;
    for (const auto& [key, versions] : store_)
      if (const auto row = latest(key)) rows.push_back({key_id(key), Scalar::integer(*row)});
    const KeyBounds all{Scalar::integer(0), Scalar::integer(9)};
    clients_["look"] = {.steps = 1,
                        .outcome = Outcome::Committed,
                        .at = {.begin = now_, .end = now_ + kTick / 2},
                        .told = {[=, this] { b_.scan(all, rows); }}};
  }

  Result<void> step(const std::string& text) {
    now_ += kTick;
    const bool by_predicate = text.starts_with("PR");
    const std::string rest = text.substr(by_predicate ? 2 : 1);
    const std::size_t name_end = std::min(rest.find_first_of("[{"), rest.size());
    const std::string txn = rest.substr(0, name_end);
    Client& client = clients_[txn];
    if (client.steps == 0) client.at = {.begin = now_, .began = now_ + kTick / 2};
    ++client.steps;
    if (text[0] == 'C' || text[0] == 'A') {
      end(txn, text[0] == 'A');
      return {};
    }
    if (rest.size() < name_end + 3) return error("a step that is cut off: " + text);
    const std::string argument = rest.substr(name_end + 1, rest.size() - name_end - 2);
    if (by_predicate) return select(client, argument);
    // The key, and one digit: the version.
    const auto key = key_number(argument.substr(0, argument.size() - 1));
    const auto version = number(argument.substr(argument.size() - 1));
    if (!key || !version) return error("a row and its version expected: " + text);
    return item(text[0], txn, *key, *version);
  }

  Result<History> finish() && {
    for (const auto& [name, client] : clients_) {
      for (const auto& say : client.told) say();
      const auto finished = b_.finish({.session = b_.session("S" + name),
                                       .name = b_.pool().string("T" + name),
                                       .outcome = client.outcome,
                                       .instants = client.at});
      if (!finished) return finished.error();
    }
    return std::move(b_).build();
  }

 private:
  struct Version {
    std::string writer;
    std::optional<std::int64_t> value;
  };
  struct Client {
    std::size_t steps = 0;
    Outcome outcome = Outcome::Unknown;
    Instants at{};
    std::vector<std::function<void()>> told{};  // says it to the builder, when it is the transaction's turn
  };

  KeyId key_id(std::int64_t key) { return b_.key(Scalar::integer(key)); }

  std::optional<std::int64_t> latest(std::int64_t key) {
    const auto& versions = store_[key];
    return versions.empty() ? std::nullopt : versions.back().value;
  }

  Result<void> item(char kind, const std::string& txn, std::int64_t key, std::int64_t version) {
    auto& told = clients_[txn].told;
    const auto before = latest(key);
    const KeyId id = key_id(key);
    if (kind == 'I') version = 0;
    const Scalar written = Scalar::integer(version);
    switch (kind) {
      case 'R':
        told.push_back([=, this] { b_.read(id, before ? Scalar::integer(*before) : Scalar::null()); });
        return {};
      case 'W': told.push_back([=, this] { b_.write(id, written); }); break;
      case 'I': told.push_back([=, this] { b_.insert(id, written); }); break;
      case 'D': told.push_back([=, this] { b_.remove(id, before.has_value()); }); break;
      default: return error(fmt::format("unknown step {}", kind));
    }
    if (kind == 'D') store_[key].push_back({txn, std::nullopt});
    else store_[key].push_back({txn, version});
    return {};
  }

  Result<void> select(Client& client, const std::string& argument) {
    const auto all = condition(argument);
    if (!all) return error("unknown predicate " + argument);
    std::vector<PredicateNode> nodes;
    if (all->size() > 1) nodes.push_back({PredicateOp::And, static_cast<std::uint32_t>(all->size()), {}});
    for (const Comparison& c : *all) {
      nodes.push_back({find_predicate(c.op)->op, 1, b_.pool().string(c.column == 'k' ? "key" : "value")});
      nodes.push_back({PredicateOp::Constant, 0, Scalar::integer(c.constant)});
    }
    std::vector<KeyAndValue> rows;
    for (const auto& [key, versions] : store_)
      if (const auto row = latest(key))
        if (std::ranges::all_of(*all, [&](const Comparison& c) { return c.holds(key, *row); }))
          rows.push_back({key_id(key), Scalar::integer(*row)});
    client.told.push_back([=, this] { b_.select(nodes, rows); });
    return {};
  }

  void end(const std::string& txn, bool abort) {
    Client& client = clients_[txn];
    client.outcome = abort ? Outcome::Aborted : Outcome::Committed;
    client.at.committing = now_;
    client.at.end = now_ + kTick / 2;
    if (abort)
      for (auto& [key, versions] : store_)
        std::erase_if(versions, [&](const Version& v) { return v.writer == txn; });
  }

  HistoryBuilder b_;
  std::map<std::string, Client> clients_;
  std::map<std::int64_t, std::vector<Version>> store_;
  std::int64_t now_ = 0;
};

Result<History> history_of(const std::string& start, const std::string& steps, bool look) {
  Replay replay;
  ASSAY_TRY(replay.start(start));
  for (const std::string& step : steps_of(steps)) ASSAY_TRY(replay.step(step));
  if (look) replay.look();
  return std::move(replay).finish();
}

}  // namespace

Result<Sequence> replay(std::string_view line) {
  const auto parts = split(line, '|');
  if (parts.size() != 3 || !trimmed(parts[1]).starts_with("init "))
    return error("not: name | init rows | steps");
  const std::string name = trimmed(parts[0]), start = trimmed(parts[1]).substr(5), steps = trimmed(parts[2]);
  if (const auto known = kByHand.find(name); known != kByHand.end()) {
    const auto& [history, look] = known->second;
    return Sequence{name, start, steps, hist(history), hist(std::string(history) + " " + std::string(look))};
  }
  auto history = history_of(start, steps, false), looked_at = history_of(start, steps, true);
  if (!history) return history.error();
  if (!looked_at) return looked_at.error();
  return Sequence{name, start, steps, *std::move(history), *std::move(looked_at)};
}

Result<std::vector<Sequence>> published_sequences() {
  std::vector<Sequence> sequences;
  std::ifstream file(source_dir() + "/tests/sequences/published.txt");
  for (std::string line; std::getline(file, line);) {
    auto sequence = replay(line);
    if (!sequence) return error(line + ": " + sequence.error().describe());
    sequences.push_back(*std::move(sequence));
  }
  return sequences;
}

}  // namespace assay::test
