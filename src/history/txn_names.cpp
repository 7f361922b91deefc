#include "history/txn_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace assay {
namespace {

Error called_the_same(const std::string& name) {
  return error(
      fmt::format("two transactions are called {}", name),
      "name one of them otherwise; 1 and \"1\" look the same, and a transaction without a name is called "
      "SESSION:NUMBER");
}

bool is_named(const History& h, TxnId t) { return h.name(t).has_value(); }

// The position after the session's last transaction without a name; 0 if all have names.
std::size_t last_without_name(const History& h, SessionId s) {
  std::size_t last = 0;
  for (const TxnId t : h.transactions(s))
    if (!is_named(h, t)) last = h.position(t) + 1;
  return last;
}

}  // namespace

Result<void> check_transaction_names(const History& h) {
  const auto has_text = [&](TxnId t) { return h.name(t) && h.name(t)->is_string(); };
  const bool texts = std::ranges::any_of(h.transactions(), has_text);
  const bool text_sessions =
      std::ranges::any_of(h.sessions(), [&](SessionId s) { return h.name(s).is_string(); });
  if (!texts && !text_sessions) return {};

  // By the display of a session: the highest NUMBER of its unnamed transactions, which are displayed as
  // SESSION:NUMBER.
  std::unordered_map<std::string, std::size_t> sessions;
  for (const SessionId s : h.sessions()) {
    const std::size_t unnamed = last_without_name(h, s);
    const auto [found, is_new] = sessions.try_emplace(h.display(s), unnamed);
    if (is_new) continue;
    for (const TxnId t : h.transactions(s))
      if (!is_named(h, t) && h.position(t) < found->second) return called_the_same(h.display(t));
    found->second = std::max(found->second, unnamed);
  }
  if (!texts) return {};
  std::unordered_set<std::string> numbers;
  for (const TxnId t : h.transactions())
    if (is_named(h, t) && !h.name(t)->is_string()) numbers.insert(h.display(t));
  for (const TxnId t : h.transactions()) {
    if (!has_text(t)) continue;
    const std::string name = h.display(t);
    if (!numbers.empty() && numbers.contains(name)) return called_the_same(name);
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos) continue;
    const auto session = sessions.find(name.substr(0, colon));
    if (session == sessions.end()) continue;
    const std::string number = name.substr(colon + 1);
    const bool is_number = !number.empty() && number.size() < 10 && number[0] != '0' &&
                           std::ranges::all_of(number, [](char c) { return '0' <= c && c <= '9'; });
    if (!is_number || std::stoul(number) > session->second) continue;
    for (const TxnId other : h.transactions())
      if (!is_named(h, other) && h.display(other) == name) return called_the_same(name);
  }
  return {};
}

}  // namespace assay
