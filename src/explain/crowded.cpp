#include "explain/crowded.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

// Whose versions the reads can be from. The proof excludes the others.
struct Writers {
  std::set<TxnId> left;  // none() is the initial transaction
  bool are_all = true;   // the proof did not have to exclude any
};

Writers writers_of(std::span<const OpId> reads, const ProofOutline& outline, const Proof& proof) {
  std::set<Literal> excluded;
  for (const ProofLine& line : proof)
    if (const auto& literal = outline.literal(line.id); literal && literal->kind == Rule::NotFrom)
      excluded.insert(*literal);
  Writers writers;
  for (const OpId read : reads)
    for (const TxnId writer : outline.reads().possible_writers(read)) {
      if (excluded.contains(Literal::not_from(read, writer))) writers.are_all = false;
      else writers.left.insert(writer);
    }
  return writers;
}

}  // namespace

std::vector<std::string> tell_crowded(const History& history, const Words& words, Level level,
                                      const Proof& proof) {
  const ProofOutline outline(history, level, proof);
  std::vector<OpId> reads;
  for (const LineId clause : proof.back().lines) reads.push_back(outline.line(clause).op);
  const Writers writers = writers_of(reads, outline, proof);
  const KeyId key = history.key(reads.front());
  const bool is_one_value = std::ranges::all_of(reads, [&](OpId read) {
    return history.kind(read) == OpKind::Read && words.value(read) == words.value(reads.front());
  });
  std::vector<std::string> readers, names;
  for (const OpId read : reads) readers.push_back(words.of(outline.reads().transaction(read)));
  if (writers.left.contains(TxnId::none())) names.push_back("the initial one");
  for (const TxnId writer : writers.left)
    if (!writer.is_none()) names.push_back("that of " + words.of(writer));
  std::vector<std::string> sentences;
  const auto say = [&](std::string text) { sentences.push_back(Words::sentence(std::move(text))); };
  say(fmt::format("{} transactions read {} and then wrote {}: {}.", reads.size(),
                  is_one_value ? words.of(reads.front()) : words.of(key), words.of(key),
                  Words::list(readers, false)));
  say(fmt::format("{} only {} version{}: {}.",
                  writers.are_all ? "They can have read" : "What else is known of the order leaves them",
                  names.size(), names.size() == 1 ? "" : "s", Words::list(names, false)));
  say("So two of them read the same version, and each overwrote it without having seen the other's write.");
  return sentences;
}

}  // namespace assay
