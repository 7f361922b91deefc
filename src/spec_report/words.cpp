#include "spec_report/words.h"

#include <fmt/format.h>

#include <set>

#include "report/part_text.h"
#include "synthesis/facts.h"

namespace assay::spec_report {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string in_words(const synthesis::Scope& scope) {
  std::string text = fmt::format("{}, {} and {}", counted(scope.transactions, "transaction"),
                                 counted(scope.objects, "object"), counted(scope.values, "value"));
  if (scope.duplicates) text += ", with values written more than once";
  if (!scope.blind_writes) text += ", without blind writes";
  if (!scope.repeatable_reads) text += ", with non-repeatable reads";
  if (!scope.sessions) text += ", each in a session of its own";
  return text;
}

std::string names_of(const std::vector<spec::Specification>& specifications) {
  std::string text;
  for (const spec::Specification& spec : specifications) text += (text.empty() ? "" : " and ") + spec.name;
  return text;
}

std::string as_asked(const synthesis::Problem& problem) {
  std::string text;
  if (!problem.allow.empty()) text = "allowed by " + names_of(problem.allow);
  if (!problem.allow.empty() && !problem.forbid.empty()) text += " and ";
  if (!problem.forbid.empty()) text += "forbidden by " + names_of(problem.forbid);
  return text;
}

std::string why_undecided(const std::string& reason, std::size_t finished) {
  if (finished == 0) return reason + " before all histories of 1 transaction were searched";
  return fmt::format("{} after all histories of up to {}", reason, counted(finished, "transaction"));
}

namespace {

// At most as many witnesses are tried as fit into one comma.
std::string thousands(std::size_t number) {
  return number < 1000 ? fmt::format("{}", number) : fmt::format("{},{:03}", number / 1000, number % 1000);
}

}  // namespace

std::string refuted(const synthesis::Refutation& refutation) {
  if (refutation.witnesses == 0) return "no witness exists (a proof of that was checked)";
  return fmt::format("none of the {} possible witnesses fits", thousands(refutation.witnesses));
}

std::string hist_text(const spec::HistoryFacts& facts) {
  return part_text(synthesis::history_of(facts), "hist");
}

std::size_t operations_in(const spec::HistoryFacts& facts) {
  return facts.reads.size() + facts.writes.size() - facts.objects;  // without the initial writes
}

std::size_t values_in(const spec::HistoryFacts& facts) {
  std::set<std::uint32_t> values;
  for (const auto& read : facts.reads) values.insert(read.value);
  for (const auto& write : facts.writes) values.insert(write[2]);
  return values.size();
}

std::string size_in_words(const spec::HistoryFacts& facts) {
  return fmt::format("{}, {}, {}, {}", counted(facts.transactions - 1, "transaction"),
                     counted(operations_in(facts), "operation"), counted(facts.objects, "object"),
                     counted(values_in(facts), "value"));
}

}  // namespace assay::spec_report
