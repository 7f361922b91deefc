#include "spec_report/drawings.h"

#include <fmt/format.h>

#include <map>

#include "spec_report/words.h"
#include "synthesis/facts.h"
#include "synthesis/narrate.h"

namespace assay::spec_report {
namespace {

using spec::Row;
using spec::Rows;
using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Without what follows by transitivity.
Rows steps(const Rows& order) {
  Rows result;
  for (const Row& row : order) {
    bool direct = true;
    for (const Row& first : order)
      if (first[0] == row[0] && order.contains({first[1], row[1]})) direct = false;
    if (direct) result.insert(row);
  }
  return result;
}

class HistoryEdges {
 public:
  // Edges between the same transactions are one with several words.
  void add(const Rows& rows, const std::string& kind, const std::string& object = {}) {
    for (const Row& row : rows) {
      if (row[0] == 0 || row[1] == 0) continue;
      const std::string text = kind + (object.empty() ? "" : " " + object);
      auto [place, is_new] = edges_.try_emplace({row[0], row[1]});
      if (is_new) place->second = {.from = row[0], .to = row[1], .kind = kind, .text = object};
      else place->second.text += (place->second.text.empty() ? ", " : "; ") + text;
    }
  }
  std::vector<DrawnEdge> take() {
    std::vector<DrawnEdge> all;
    for (auto& [pair, edge] : edges_) all.push_back(std::move(edge));
    return all;
  }

 private:
  std::map<Pair, DrawnEdge> edges_;
};

Rows member(const Rows& family, std::uint32_t object) {
  Rows result;
  for (const Row& row : family)
    if (row[0] == object) result.insert({row[1], row[2]});
  return result;
}

}  // namespace

std::vector<std::string> operations_of(const spec::HistoryFacts& facts, std::uint32_t transaction) {
  std::vector<std::string> all;
  for (const auto& read : facts.reads)
    if (read.txn == transaction)
      all.push_back(fmt::format("r({},{})", synthesis::object_name(facts, read.object), read.value));
  for (const Row& write : facts.writes)
    if (write[0] == transaction)
      all.push_back(fmt::format("w({},{})", synthesis::object_name(facts, write[1]), write[2]));
  return all;
}

Drawing drawing_of(const spec::HistoryFacts& facts, const spec::Specification& level,
                   const synthesis::Solution::Explanation& explanation) {
  Drawing drawing;
  for (std::uint32_t t = 1; t < facts.transactions; ++t) {
    DrawnNode node{t, synthesis::transaction_name(facts, t)};
    for (std::string& operation : operations_of(facts, t)) node.lines.push_back({std::move(operation)});
    drawing.nodes.push_back(std::move(node));
  }
  HistoryEdges edges;
  const spec::FiniteHistory history = finite_history(facts, explanation.writers);
  for (std::uint32_t x = 0; x < facts.objects; ++x)
    edges.add(member(history[spec::Base::Wr], x), "wr", synthesis::object_name(facts, x));
  edges.add(steps(facts.session_order), "so");
  Rows real_time = steps(facts.real_time);
  std::erase_if(real_time, [&](const Row& row) { return facts.session_order.contains(row); });
  edges.add(real_time, "rt");
  for (std::size_t i = 0; i < level.witnesses.size(); ++i) {
    const spec::WitnessSpec& witness = level.witnesses[i];
    const Rows& rows = explanation.witnesses[i];
    const auto shown = [&](const Rows& relation) {
      return witness.kind == spec::WitnessSpec::Kind::Relation ? relation : steps(relation);
    };
    if (!witness.indexed) edges.add(shown(rows), witness.name);
    for (std::uint32_t x = 0; witness.indexed && x < facts.objects; ++x)
      edges.add(shown(member(rows, x)), witness.name, synthesis::object_name(facts, x));
  }
  drawing.edges = edges.take();
  return drawing;
}

std::string names_of_kind(const synthesis::Lattice& lattice, std::size_t level, std::string_view separator) {
  std::string text = lattice.names[level];
  for (std::size_t j = level + 1; j < lattice.names.size(); ++j)
    if (lattice.equivalent(level, j)) text += std::string(separator) + lattice.names[j];
  return text;
}

std::string anchor_of_level(std::size_t level) { return fmt::format("level{}", level); }

std::string anchor_of_pair(std::size_t stronger, std::size_t weaker) {
  return fmt::format("h{}-{}", stronger, weaker);
}

Drawing drawing_of(const synthesis::Lattice& lattice) {
  Drawing drawing;
  const std::size_t n = lattice.names.size();
  for (std::size_t i = 0; i < n; ++i)
    if (lattice.is_first_of_its_kind(i))
      drawing.nodes.push_back({.number = i,
                               .heading = names_of_kind(lattice, i, "\n"),
                               .tooltip = lattice.names[i],
                               .link = "#" + anchor_of_level(i)});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (lattice.covers(i, j)) {
        const auto separation = lattice.separated_by[j][i];
        drawing.edges.push_back({.from = j,
                                 .to = i,
                                 .tooltip = separation ? hist_text(lattice.separations[*separation].facts)
                                                       : std::string("undecided"),
                                 .link = separation ? "#" + anchor_of_pair(i, j) : std::string()});
      }
  return drawing;
}

}  // namespace assay::spec_report
