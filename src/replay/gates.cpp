#include "replay/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sql/plpgsql_text.h"
#include "sql/print.h"

namespace assay::replay {
namespace {

constexpr std::string_view kBodyQuote = "$assay_body$";

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

// An expression for `v = '1', w = NULL`. Records that were not assigned yet are NULL as a whole.
std::string text_of(const std::vector<std::string>& variables) {
  if (variables.empty()) return "''";
  std::string form;
  for (const std::string& variable : variables) {
    form += form.empty() ? "" : ", ";
    for (const char c : variable) form += c == '%' ? std::string("%%") : std::string(1, c);
    form += " = %L";
  }
  return fmt::format("pg_catalog.format({}, {})", sql::quoted(form), fmt::join(variables, ", "));
}

bool same_file(const sql::Place& a, const sql::Place& b) { return a.file && b.file && *a.file == *b.file; }

}  // namespace

Gates::Gates(const sql::Written& written, const std::string& schema) : schema_(schema) {
  for (std::size_t f = 0; f < written.functions.size(); ++f) {
    const sql::WrittenFunction& function = written.functions[f];
    calls_.push_back(add(function.place));
    Region region{
        f,
        function.place,
        function.place.line + lines_in(function.before) + lines_in(function.body) + lines_in(function.after),
        {calls_.back()}};
    functions_.push_back(with_gates(function, region));
    regions_.push_back(std::move(region));
  }
  for (const sql::WrittenScript& script : written.scripts) {
    Region region{SIZE_MAX, script.place, script.place.line, {}};
    for (const sql::WrittenStatement& statement : script.statements) {
      region.gates.push_back(add(statement.place));
      region.last_line = statement.place.line + lines_in(statement.text);
    }
    scripts_.push_back(region.gates);
    regions_.push_back(std::move(region));
  }
}

std::size_t Gates::add(const sql::Place& place) {
  gates_.push_back({gates_.size(), place});
  return gates_.size() - 1;
}

std::string Gates::create_gate() const {
  return fmt::format(R"(CREATE FUNCTION {}.gate(number int, seen text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  lane text := coalesce(pg_catalog.current_setting('assay.lane', true), '');
  key bigint;
BEGIN
  IF lane OPERATOR(pg_catalog.=) '' THEN RETURN false; END IF;
  IF lane OPERATOR(pg_catalog.<>) 'trace' THEN
    key := (-64)::bigint OPERATOR(pg_catalog.*) (extract(epoch FROM pg_catalog.clock_timestamp())
           OPERATOR(pg_catalog.*) 1000000)::bigint OPERATOR(pg_catalog.-) lane::bigint;
  END IF;
  RAISE INFO USING ERRCODE = '{}', MESSAGE = pg_catalog.concat(number, ' ', key, ' ', seen);
  WHILE key IS NOT NULL AND pg_catalog.pg_try_advisory_lock(key) LOOP
    PERFORM pg_catalog.pg_advisory_unlock(key);
    PERFORM pg_catalog.pg_sleep(0.0005);
  END LOOP;
  RETURN false;
END $$)",
                     schema_, kGateState);
}

std::string Gates::gate_call(std::size_t number, const std::vector<std::string>& variables) const {
  return fmt::format("{}.gate({}, {})", schema_, number, text_of(variables));
}

std::string Gates::with_gates(const sql::WrittenFunction& function, Region& region) {
  if (function.body.empty()) return function.before + function.after;
  std::string body;
  std::size_t done = 0;
  const auto insert = [&](std::size_t offset, const std::string& form,
                          const std::vector<std::string>& variables) {
    const std::string_view text = function.body;
    body += text.substr(done, offset - done);
    done = offset;
    const std::size_t gate =
        add({function.body_place.file, function.body_place.line + lines_in(text.substr(0, offset))});
    region.gates.push_back(gate);
    body += fmt::format(fmt::runtime(form), gate_call(gate, variables));
  };
  if (function.is_volatile && function.language == "plpgsql") {
    std::vector<std::string> known;
    for (const auto& argument : function.arguments)
      if (!argument.name.empty()) known.push_back(sql::quoted_name(argument.name));
    for (const sql::StatementStart& start : sql::statement_starts(function.body)) {
      std::vector<std::string> variables = known;
      for (const std::string& name : start.variables)
        if (std::ranges::find(variables, name) == variables.end()) variables.push_back(name);
      variables.push_back("FOUND");
      insert(start.offset, "IF {} THEN END IF; ", variables);
    }
  } else if (function.is_volatile && function.language == "sql") {
    for (const std::size_t offset : function.offsets) insert(offset, "SELECT {}; ", {});
  }
  body += function.body.substr(done);
  return fmt::format("{}{}{}{}{}", function.before, kBodyQuote, body, kBodyQuote, function.after);
}

std::optional<sql::Place> Gates::before(const sql::Place& place, std::optional<std::size_t> caller) const {
  for (const Region& region : regions_) {
    if (!same_file(region.first, place) || place.line < region.first.line || place.line > region.last_line)
      continue;
    std::optional<sql::Place> best;
    for (const std::size_t number : region.gates) {
      const bool call = region.function != SIZE_MAX && number == calls_[region.function];
      if (call && caller != region.function) continue;
      const sql::Place& gate = gates_[number].place;
      if (gate.line <= place.line && (!best || gate.line > best->line)) best = gate;
    }
    return best;
  }
  return std::nullopt;
}

std::optional<GateMessage> parse_gate_message(std::string_view text) {
  const auto first = text.find(' ');
  const auto second = first == text.npos ? text.npos : text.find(' ', first + 1);
  if (second == text.npos) return std::nullopt;
  GateMessage message{0, std::string(text.substr(first + 1, second - first - 1)),
                      std::string(text.substr(second + 1))};
  if (std::from_chars(text.data(), text.data() + first, message.number).ec != std::errc())
    return std::nullopt;
  return message;
}

}  // namespace assay::replay
