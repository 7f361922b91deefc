#include "certify/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "certify/items.h"
#include "verdict/rule.h"

namespace assay {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const History& history)
      : rest_(text), whole_(history), h_(&history), has_rows_(has_items(history)) {}

  Result<Certificate> parse() {
    auto parsed = certificate();
    if (!parsed) parsed.error().place = std::to_string(std::max<std::size_t>(line_number_, 1));
    return parsed;
  }

  Result<std::uint64_t> history_digest() {
    std::uint64_t claimed = 0;
    auto read = header(claimed);
    if (read) return claimed;
    read.error().place = std::to_string(std::max<std::size_t>(line_number_, 1));
    return std::move(read).error();
  }

 private:
  Result<void> header(std::uint64_t& claimed) {
    if (!next_line() || words_ != Words{"assay-certificate", "1"})
      return error("a certificate begins with: assay-certificate 1");
    if (!next_line() || words_.size() != 2 || words_[0] != "history" || !digest(words_[1], claimed))
      return error("the second statement is: history, and 16 hexadecimal digits");
    return {};
  }

  Result<Certificate> certificate() {
    Certificate certificate;
    ASSAY_TRY(header(certificate.history));
    while (next_line()) {
      auto parsed = section();
      if (!parsed) return std::move(parsed).error();
      // A second section about one claim would be redundant at best.
      for (const Section& before : certificate.sections)
        if (before.level == parsed->level && before.skew == parsed->skew)
          return error(fmt::format("this is the second section about level {}", id(before.level)));
      certificate.sections.push_back(std::move(parsed).value());
    }
    return certificate;
  }

  // Reads the took, left, row and read lines, up to the first other line.
  Result<void> completion(Completion& completion) {
    h_ = &whole_;
    while (next_line()) {
      if (words_[0] == "took" || words_[0] == "left")
        ASSAY_TRY(truth(completion.truths, words_[0] == "took"));
      else if (words_[0] == "row") ASSAY_TRY(in_order(completion.rows));
      else if (words_[0] == "read") ASSAY_TRY(in_order(completion.reads));
      else break;
    }
    return make_items(completion);
  }

  Result<void> truth(std::vector<Truth>& truths, bool took) const {
    std::vector<Invisible> last;
    if (!truths.empty()) last.push_back(truths.back().row());
    ASSAY_TRY(in_order(last));
    truths.push_back({last.back().op, last.back().key, took});
    return {};
  }

  Result<void> in_order(std::vector<Invisible>& rows) const {
    ProofLine line{.kind = Rule::Reads};
    const auto key = words_.size() == 3 ? number(words_[2], h_->key_count()) : std::nullopt;
    if (!key || !take('o', words_[1], line))
      return error(fmt::format("expected {}, an operation, and the number of a key", words_[0]),
                   fmt::format("{} 12.3 4, say", words_[0]));
    const Invisible row{line.op, KeyId(*key - 1)};
    if (!rows.empty() && !(rows.back() < row))
      return error("took and left lines must be in order, each row once; so must row lines, and read lines");
    rows.push_back(row);
    return {};
  }

  // From here on operations are those of the items.
  Result<void> make_items(const Completion& completion) {
    if (!has_rows_)
      return completion == Completion()
                 ? Result<void>{}
                 : error("took, left, row and read lines are for histories with rows or predicates");
    auto items = items_of(whole_, completion);
    if (!items) return std::move(items).error();
    items_ = std::move(items).value();
    h_ = &items_->history;
    return {};
  }

  Result<Section> section() {
    auto result = heading();
    if (!result) return result;
    ASSAY_TRY(completion(result->completion));
    auto* execution = std::get_if<Execution>(&result->evidence);
    Proof* proof = std::get_if<Proof>(&result->evidence);
    while (!words_.empty()) {
      if (words_ == Words{"end"}) return result;
      if (proof && words_ == Words{"case"}) {
        result->other_cases.push_back({});
        proof = &result->other_cases.back().proof;
        ASSAY_TRY(completion(result->other_cases.back().completion));
        continue;
      }
      if (execution) ASSAY_TRY(explanation(*execution));
      else ASSAY_TRY(proof_line(*proof));
      next_line();
    }
    return error("the section is not closed by: end", "the file may have been cut off");
  }

  Result<Section> heading() const {
    const bool formed =
        (words_.size() == 3 || (words_.size() == 5 && words_[2] == "skew")) && words_[0] == "level";
    const auto level = formed ? find_level(words_[1]) : std::nullopt;
    if (!formed) return error("expected: level ID holds, or: level ID violated");
    if (!level || id(*level) != words_[1])
      return error(fmt::format("there is no level {}", shown(words_[1])));
    Section result{*level, {}};
    const bool has_skew = words_.size() == 5;
    if (has_skew != row(*level).needs_instants())
      return error(fmt::format("{} has {} skew", id(*level), has_skew ? "no" : "a"),
                   "level strict-ser skew 1000000 holds, say");
    if (has_skew && !nanoseconds(words_[3], result.skew))
      return error(fmt::format("{} is no number of nanoseconds", shown(words_[3])));
    if (words_.back() == "violated") result.evidence = Proof{};
    else if (words_.back() != "holds")
      return error(fmt::format("a level holds or is violated, not {}", shown(words_.back())));
    return result;
  }

  Result<void> explanation(Execution& execution) {
    if (words_[0] == "from") return source(execution.from);
    if (words_[0] != "order")
      return error(fmt::format("expected order, from or end, not {}", shown(words_[0])));
    if (!execution.from.empty()) return error("order comes before from");
    for (const std::string_view word : std::span(words_).subspan(1)) {
      const auto p = point(word);
      if (!p) return error(fmt::format("{} is no point of a transaction", shown(word)), "c12 or s12, say");
      execution.order.push_back(*p);
    }
    return {};
  }

  Result<void> source(std::vector<Source>& from) const {
    ProofLine line{.kind = Rule::From};
    if (words_.size() != 3 || !take('o', words_[1], line) || !take('w', words_[2], line))
      return error("expected from, an operation, and a transaction or initial", "from 12.3 4, say");
    from.push_back({line.op, line.a});
    return {};
  }

  Result<void> proof_line(Proof& proof) {
    const auto id = number(words_[0], UINT32_MAX);
    const auto forms = rules();
    const auto form = words_.size() < 2 ? forms.end() : std::ranges::find(forms, words_[1], &RuleRow::word);
    if (!id) return error(fmt::format("expected a line's number or end, not {}", shown(words_[0])));
    if (form == forms.end())
      return error("after a line's number comes what it claims", "session, reads, ...");
    ProofLine line{.kind = form->rule, .id = *id};
    std::size_t next = 2;
    for (const char operand : form->operands) {
      if (operand == '*') {
        for (; next < words_.size(); ++next)
          if (!take('c', words_[next], line)) return misfit(words_[next], *form);
          else line.lines.push_back(line.clause);
        line.clause = 0;
      } else if (next == words_.size() || !take(operand, words_[next], line)) {
        return misfit(next == words_.size() ? "nothing" : words_[next], *form);
      } else {
        ++next;
      }
    }
    if (next < words_.size()) return misfit(words_[next], *form);
    proof.push_back(std::move(line));
    return {};
  }

  Error misfit(std::string_view word, const RuleRow& form) const {
    return error(fmt::format("{} does not fit into a line of the kind {}", shown(word), form.word),
                 "transactions and operations must exist: 12 and 12.3");
  }

  bool take(char operand, std::string_view word, ProofLine& line) const {
    if (operand == 'a' || operand == 'b') {
      const auto t = transaction(word);
      if (t) (operand == 'a' ? line.a : line.b) = *t;
      return t.has_value();
    }
    if (operand == 'p' || operand == 'q') {
      const bool named = word[0] == 'c' || word[0] == 's';
      const auto p = named ? point(word) : point_of(transaction(word), true);
      if (p) (operand == 'p' ? line.a : line.b) = p->txn;
      if (p) (operand == 'p' ? line.a_commits : line.b_commits) = p->commit;
      return p.has_value();
    }
    if (operand == 'w') {
      line.a = TxnId::none();
      return word == "initial" || take('a', word, line);
    }
    if (operand == 'c') {
      const auto n = number(word, UINT32_MAX);
      line.clause = n.value_or(0);
      return n.has_value();
    }
    const std::size_t dot = word.find('.');
    const auto t = dot == word.npos ? std::nullopt : transaction(word.substr(0, dot));
    const auto i = t ? number(word.substr(dot + 1), h_->operations(*t).size()) : std::nullopt;
    if (!i) return false;
    line.op = h_->operations(*t)[*i - 1];
    if (operand == 'e') line.a = *t;
    return true;
  }

  std::optional<TxnId> transaction(std::string_view word) const {
    const auto n = number(word, h_->transaction_count());
    return n ? std::optional(TxnId(*n - 1)) : std::nullopt;
  }

  static std::optional<Point> point_of(std::optional<TxnId> t, bool commit) {
    return t ? std::optional(Point{*t, commit}) : std::nullopt;
  }

  std::optional<Point> point(std::string_view word) const {
    const bool commit = word[0] == 'c';
    return commit || word[0] == 's' ? point_of(transaction(word.substr(1)), commit) : std::nullopt;
  }

  static bool nanoseconds(std::string_view word, std::int64_t& n) {
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), n);
    return failure == std::errc() && end == word.data() + word.size() && n >= 0;
  }

  // A number from 1 to `most`, in plain digits.
  static std::optional<std::uint32_t> number(std::string_view word, std::size_t most) {
    std::uint32_t n = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (failure != std::errc() || end != word.data() + word.size() || n == 0 || n > most) return std::nullopt;
    return n;
  }

  static bool digest(std::string_view word, std::uint64_t& digest) {
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), digest, 16);
    return failure == std::errc() && end == word.data() + word.size() && word.size() == 16;
  }

  // An excerpt of the file that is safe to print.
  static std::string shown(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 40)) text += c > ' ' && c <= '~' ? c : '?';
    return text + (word.size() > 40 ? "...\"" : "\"");
  }

  // Goes to the next line that is not empty or a comment.
  bool next_line() {
    words_.clear();
    while (words_.empty() && !rest_.empty()) {
      ++line_number_;
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      std::string_view line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      line = line.substr(0, line.find('#'));
      constexpr std::string_view blanks = " \t\r";
      while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty()) break;
        words_.push_back(line.substr(0, line.find_first_of(blanks)));
        line.remove_prefix(words_.back().size());
      }
    }
    return !words_.empty();
  }

  using Words = std::vector<std::string_view>;

  std::string_view rest_;
  const History& whole_;
  const History* h_;  // the history whose operations the lines name
  const bool has_rows_;
  std::optional<ItemHistory> items_;
  Words words_;  // the words of the line read last
  std::size_t line_number_ = 0;
};

}  // namespace

Result<Certificate> parse_certificate(std::string_view text, const History& history) {
  return Parser(text, history).parse();
}

Result<std::uint64_t> history_of_certificate(std::string_view text, const History& history) {
  return Parser(text, history).history_digest();
}

}  // namespace assay
