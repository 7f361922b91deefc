#include "simulate/inject.h"

#include <algorithm>
#include <numeric>

#include "base/contract.h"

namespace assay {
namespace {

// A string is a transaction, six characters an operation; a final "!" aborts it. The values of a key number
// its versions; 0 is the initial one. Stale reads return a later version than the initial one where they can,
// because a stale read of the initial version is an anomaly of its own (stale-initial-read).
struct Script {
  Anomaly anomaly;
  std::vector<std::string_view> transactions;
};

const std::vector<Script>& scripts() {
  using enum Anomaly;
  static const std::vector<Script> table{
      {ThinAir, {"r x 7"}},
      {G1a, {"w x 1 !", "r x 1"}},
      {G1b, {"w x 1 w x 2", "r x 1"}},
      {G1c, {"w x 1 r y 1", "w y 1 r x 1"}},
      {NonMonotonicRead, {"w y 1", "r y 1 w x 1 w y 2", "r x 1 r y 1"}},
      {ReadSkew, {"w y 1", "r y 1 w x 1 w y 2", "r y 1 r x 1"}},
      {Causality, {"w x 1", "r x 1 w x 2", "r x 2 w y 1", "r y 1 r x 1"}},
      {StaleInitialRead, {"w x 1", "r x 1 w y 1", "r y 1 r x 0"}},
      {LostUpdate, {"r x 0 w x 1", "r x 0 w x 2"}},
      {LongFork, {"w x 1", "w y 1", "r x 1 r y 0", "r y 1 r x 0"}},
      // The last transaction shows that the second wrote z before the third, which nevertheless missed the
      // second's x. Without this write order there is no violation, so prefix consistency allows it.
      {GSingle, {"w x 1", "r x 1 w x 2 w z 1", "r x 1 w z 2", "r x 2 r z 2"}},
      {WriteSkew, {"r x 0 w y 1", "r y 0 w x 1"}},
  };
  return table;
}

// Only lists show the order of versions.
std::vector<PlantedTransaction> dirty_writes() {
  using enum OpKind;
  return {{.operations = {{Append, 0, {1}}, {Append, 1, {1}}}},
          {.operations = {{Append, 0, {2}}, {Append, 1, {2}}}},
          {.operations = {{ListRead, 0, {1, 2}}, {ListRead, 1, {2, 1}}}}};
}

// Each transaction looks for the row that the other one inserts.
std::vector<PlantedTransaction> missed_rows() {
  using enum OpKind;
  return {{.operations = {{Select, 0, {-1}}, {Write, 0, {-2}}}},
          {.operations = {{Select, 0, {-2}}, {Write, 1, {-1}}}}};
}

PlantedOperation parse_operation(char kind, char key, std::int64_t value, bool thin_air, bool lists) {
  PlantedOperation op{
      kind == 'r' ? OpKind::Read : OpKind::Write, static_cast<std::size_t>(key - 'x'), {value}};
  if (!lists) return op;
  op.kind = kind == 'r' ? OpKind::ListRead : OpKind::Append;
  if (kind == 'r' && !thin_air) {
    op.values.resize(static_cast<std::size_t>(value));
    std::iota(op.values.begin(), op.values.end(), 1);
  }
  return op;
}

PlantedTransaction parse(std::string_view text, Anomaly anomaly, bool lists) {
  PlantedTransaction t;
  if (text.ends_with('!')) t.outcome = Outcome::Aborted;
  for (std::size_t i = 0; i + 5 <= text.size(); i += 6)
    t.operations.push_back(
        parse_operation(text[i], text[i + 2], text[i + 4] - '0', anomaly == Anomaly::ThinAir, lists));
  return t;
}

const Script* find_script(Anomaly anomaly) {
  const auto found = std::ranges::find(scripts(), anomaly, &Script::anomaly);
  return found == scripts().end() ? nullptr : &*found;
}

}  // namespace

std::vector<Anomaly> plantable_anomalies() {
  std::vector<Anomaly> all{Anomaly::G0, Anomaly::Phantom};
  for (const Script& s : scripts()) all.push_back(s.anomaly);
  return all;
}

bool is_plantable(Anomaly anomaly) {
  return anomaly == Anomaly::G0 || anomaly == Anomaly::Phantom || find_script(anomaly) != nullptr;
}

std::vector<PlantedTransaction> planted_transactions(Anomaly anomaly, bool lists) {
  ASSAY_REQUIRE(is_plantable(anomaly));
  if (anomaly == Anomaly::G0) return dirty_writes();
  if (anomaly == Anomaly::Phantom) return missed_rows();
  std::vector<PlantedTransaction> planted;
  for (const std::string_view text : find_script(anomaly)->transactions)
    planted.push_back(parse(text, anomaly, lists));
  return planted;
}

}  // namespace assay
