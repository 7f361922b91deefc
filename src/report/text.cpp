#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "explain/words.h"
#include "history/describe.h"
#include "report/part_text.h"

namespace assay {
namespace {

constexpr std::size_t kManyTransactions = 60;
constexpr std::string_view kBold = kColours[0], kRed = kColours[1], kFaint = kColours[2],
                           kPlain = kColours[3];

class Printer {
 public:
  Printer(const Findings& findings, std::size_t story, TextStyle style)
      : findings_(findings),
        story_(story),
        e_(findings.stories[story]),
        h_(e_.part),
        words_(h_, e_.values),
        style_(style) {}

  std::string print() {
    heading();
    transactions();
    sentences();
    levels();
    if (style_.full) whole_part();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    text_ += fmt::format(form, std::forward<Args>(args)...) + '\n';
  }
  std::string in(std::string_view colour, const std::string& text) const {
    return style_.colours ? fmt::format("{}{}{}", colour, text, kPlain) : text;
  }

  void heading() {
    std::string keys;
    for (const KeyId key : e_.keys) keys += (keys.empty() ? " on " : ", ") + spell(h_.pool(), h_.name(key));
    line("{}: {}{}: {}", in(kBold, levels_of(findings_, story_)),
         in(kRed, e_.anomaly ? name_in(style_.names, *e_.anomaly, e_.name) : e_.name), keys, meaning(e_));
  }

  // If shrinking ran out of time, the part may be the whole history. Then only the transactions of its cycle
  // are shown.
  std::vector<TxnId> shown_transactions() const {
    std::vector<TxnId> shown;
    if (is_too_large() && !e_.edges.empty()) {
      for (const Dependency& edge : e_.edges) shown.insert(shown.end(), {edge.from, edge.to});
      std::ranges::sort(shown, {}, &TxnId::value);
      const auto twice = std::ranges::unique(shown);
      shown.erase(twice.begin(), twice.end());
    } else {
      for (const TxnId t : h_.transactions()) shown.push_back(t);
    }
    if (is_too_large() && shown.size() > kManyTransactions) shown.resize(kManyTransactions);
    return shown;
  }
  bool is_too_large() const { return !e_.minimal && h_.transaction_count() > kManyTransactions; }

  void transactions() {
    const std::vector<TxnId> shown = shown_transactions();
    std::size_t width = 0;
    for (const TxnId t : shown) width = std::max(width, h_.display(t).size());
    for (const TxnId t : shown) {
      std::string operations;
      for (const OpId op : h_.operations(t)) operations += " " + assay::text(e_, op);
      if (h_.outcome(t) != Outcome::Committed)
        operations += h_.outcome(t) == Outcome::Aborted ? " (aborted)" : " (outcome unknown)";
      line("  {:<{}} {}", in(kBold, h_.display(t)),
           width + (style_.colours ? kBold.size() + kPlain.size() : 0), operations);
    }
    if (shown.size() < h_.transaction_count())
      line("  and {} more; shrinking ended too early to tell which of them are needed",
           h_.transaction_count() - shown.size());
  }

  void sentences() {
    for (const std::string& sentence : e_.supposed) line("  {}", sentence);
    if (e_.cases) return cases(*e_.cases, 1);
    if (!e_.has_cycle) {
      for (const std::string& sentence : e_.sentences) line("  {}", sentence);
      return;
    }
    std::vector<std::size_t> all(e_.edges.size());
    std::iota(all.begin(), all.end(), 0);
    cycle(all, 1);
  }

  void cases(const Cases& parted, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    line("{}{}", indent, parted.question);
    for (const Cases::Case& one : parted.cases) {
      line("{}{}:", indent, in(kBold, one.supposed));
      cycle(one.cycle, depth + 1);
      if (one.cases) cases(*one.cases, depth + 1);
    }
  }

  // Prints a cycle. Abbreviates its beginning to one line if the cycle of an earlier case began the same way.
  void cycle(const std::vector<std::size_t>& edges, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    const std::size_t before = told_before(edges);
    std::size_t number = 0;
    if (before > 0)
      line("{}{}. {}", indent, ++number,
           Words::sentence(fmt::format("{} comes before {}, as above.", words_.of(e_.edges[edges[0]].from),
                                       words_.of(e_.edges[edges[before - 1]].to))));
    for (std::size_t i = before; i < edges.size(); ++i) {
      const Dependency& edge = e_.edges[edges[i]];
      line("{}{}. {}  {}", indent, ++number, sentence(edge), in(kFaint, arrow(edge)));
      if (edge.reason) reason(edge, depth + 1, depth + 1);
      told_.emplace(edges.begin(), edges.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
    if (edges.size() > 1) line("{}So {} comes before itself.", indent, words_.of(e_.edges[edges[0]].from));
  }

  // How many edges at the beginning were printed before; 0 for a single one, which needs no abbreviation.
  std::size_t told_before(const std::vector<std::size_t>& edges) const {
    std::size_t before = 0;
    std::vector<std::size_t> path;
    for (const std::size_t edge : edges) {
      path.push_back(edge);
      if (!told_.contains(path)) break;
      before = path.size();
    }
    return before > 1 ? before : 0;
  }

  std::string arrow(const Dependency& edge) const {
    return fmt::format("[{} -{}-> {}]", h_.display(edge.from), name(edge.kind), h_.display(edge.to));
  }

  // For a write order, the sentence of its reason states the order too.
  static const std::string& sentence(const Dependency& edge) {
    return edge.kind == Dependency::Kind::Ww && edge.reason ? edge.reason->sentence : edge.sentence;
  }

  // Without `full`, only the first level of steps is printed.
  void reason(const Dependency& edge, std::size_t depth, std::size_t first) {
    const Reason& why = *edge.reason;
    if (!said_.insert(&why).second) return;
    const std::string indent(2 * depth, ' ');
    const bool is_said = edge.kind == Dependency::Kind::Ww;
    if (!is_said) line("{}{}", indent, in(kFaint, why.sentence));
    if (!style_.full && depth > first) return;
    for (const Dependency& step : why.steps) {
      line("{}{}{}", indent, is_said ? "" : "  ", in(kFaint, sentence(step)));
      if (step.reason) reason(step, depth + (is_said ? 1 : 2), first);
    }
  }

  void levels() {
    const auto list = [](const std::vector<Level>& levels) {
      std::string text;
      for (const Level level : levels) text += (text.empty() ? "" : ", ") + std::string(id(level));
      return text;
    };
    line("  rules out {}{}", list(e_.rules_out),
         !e_.supposed.empty()    ? ""
         : e_.still_hold.empty() ? "; no level is left"
                                 : "; still allowed by " + list(e_.still_hold));
    if (!e_.minimal) line("  (time was up: there may be a smaller part that shows it)");
  }

  void whole_part() {
    if (is_too_large()) return;
    line("  {} as a history of its own{}:", is_exact(e_) ? "the same" : "nearly the same",
         e_.shortened_lists ? ", with what these transactions appended to lists" : "");
    if (!e_.supposed.empty())
      line("  (with what is assumed about the updates, so other levels may be violated)");
    else if (!is_exact(e_))
      line("  (what one statement read is several operations here, so weak levels may be violated)");
    const std::string hist = part_text(h_, "hist");
    for (std::size_t at = 0; at < hist.size();) {
      const std::size_t end = std::min(hist.find('\n', at), hist.size());
      line("    {}", hist.substr(at, end - at));
      at = end + 1;
    }
  }

  const Findings& findings_;
  std::size_t story_;
  const Explanation& e_;
  const History& h_;
  Words words_;
  TextStyle style_;
  std::string text_;
  std::set<const Reason*> said_;
  std::set<std::vector<std::size_t>> told_;  // beginnings of printed cycles, as indices of edges
};

}  // namespace

std::string as_text(const Findings& findings, std::size_t story, TextStyle style) {
  return Printer(findings, story, style).print();
}

std::string as_text(const Findings& findings, TextStyle style) {
  std::string text;
  for (std::size_t story = 0; story < findings.stories.size(); ++story)
    text += as_text(findings, story, style);
  for (const Finding& broken : findings.levels)
    for (const Finding& plain : findings.levels)
      if (plain.level != broken.level && with_session_order(plain.level) == broken.level &&
          std::holds_alternative<Violated>(broken.verdict) && std::holds_alternative<Holds>(plain.verdict))
        text +=
            fmt::format("{}: only session order breaks it: {} holds\n", id(broken.level), id(plain.level));
  return text;
}

std::string name_in(NameStyle style, Anomaly anomaly, std::string_view ours) {
  const AnomalyRow& names = row(anomaly);
  const std::string_view theirs = style == NameStyle::Elle   ? names.elle
                                  : style == NameStyle::Adya ? names.adya
                                                             : "";
  if (theirs.empty()) return std::string(ours);
  const std::string_view ending = ours.substr(names.name.size());
  return std::string(theirs) +
         std::string(style == NameStyle::Elle && ending == "-session" ? "-process" : ending);
}

static std::string name_of(const Violated& violated, NameStyle names) {
  const std::string ours = anomaly_name(violated);
  return violated.anomaly ? name_in(names, *violated.anomaly, ours) : ours;
}

std::string verdict_lines(const Findings& findings, NameStyle names) {
  std::string text;
  for (const Finding& finding : findings.levels) {
    const auto* violated = std::get_if<Violated>(&finding.verdict);
    text += fmt::format("{}\t{}\t{}\t{:.3f}\t{}\n", findings.file, id(finding.level), word(finding.verdict),
                        finding.seconds, violated ? name_of(*violated, names) : "-");
  }
  return text;
}

std::string levels_of(const Findings& findings, std::size_t story) {
  std::string text;
  for (const Finding& finding : findings.levels)
    if (finding.story == story) text += (text.empty() ? "" : ", ") + std::string(id(finding.level));
  return text;
}

}  // namespace assay
