#include "random_sql/application_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

namespace assay::test {
namespace {

class Drawing {
 public:
  explicit Drawing(Random& random) : random_(random) {}

  ApplicationText application() {
    schema();
    for (const char* name : {"p0", "p1"}) text_.programs.push_back(program(name));
    return std::move(text_);
  }

 private:
  std::string one_of(std::initializer_list<const char*> list) {
    return *(list.begin() + random_.below(list.size()));
  }
  void maybe(double chance, const std::string& statement) {
    if (random_.chance(chance)) text_.schema += statement + "\n";
  }

  void schema() {
    generated_ = random_.chance(0.15);
    keyed_ = random_.chance(0.35);
    const std::string type = one_of({"int", "int", "int", "smallint", "bigint", "numeric", "numeric(6,0)"});
    const std::string fallback =
        random_.chance(0.25) ? one_of({" DEFAULT 1", " DEFAULT 0", " DEFAULT (1 + 1)"}) : "";
    text_.schema += fmt::format("CREATE TABLE u (k int PRIMARY KEY, a {} NOT NULL, b int{});\n", type,
                                keyed_ ? " UNIQUE" : one_of({"", "", " UNIQUE", " CHECK (b < 4)"}));
    text_.schema += fmt::format("CREATE TABLE t (k int PRIMARY KEY, a {} NOT NULL{}, b int{});\n", type,
                                fallback, generated_ ? ", g int GENERATED ALWAYS AS (a + 1) STORED" : "");
    text_.schema += "CREATE TABLE l (id serial PRIMARY KEY, k int, v int);\n";
    text_.has_parent = random_.chance(0.2);
    if (text_.has_parent)
      text_.schema +=
          fmt::format("ALTER TABLE t ADD FOREIGN KEY (b) REFERENCES u (k) {};\n",
                      one_of({"", "ON DELETE CASCADE", "ON DELETE SET NULL", "ON UPDATE CASCADE",
                              "ON DELETE CASCADE ON UPDATE CASCADE", "DEFERRABLE INITIALLY DEFERRED"}));
    maybe(0.08, "ALTER TABLE t ADD CHECK (a < 3);");
    maybe(keyed_ ? 0.6 : 0.08, "ALTER TABLE t ADD CONSTRAINT t_b UNIQUE (b);");
    if (keyed_) maybe(0.3, "CREATE UNIQUE INDEX ON t (b) WHERE a = 1;");
    maybe(0.05, "CREATE UNIQUE INDEX ON t (a) WHERE b > 0;");
    maybe(0.05, "CREATE UNIQUE INDEX ON t ((a + coalesce(b, 0)));");
    maybe(0.06, "ALTER TABLE t ALTER b SET DEFAULT 2;");
    maybe(0.06,
          "CREATE FUNCTION d() RETURNS int LANGUAGE sql AS $$ SELECT count(*)::int FROM u WHERE a > 0 $$;\n"
          "ALTER TABLE t ALTER a SET DEFAULT d();");
    text_.schema += fmt::format("CREATE VIEW w AS SELECT k, a, b FROM t{};\n",
                                one_of({"", " WHERE a > 0", " WHERE b = 1"}));
    if (random_.chance(0.3)) trigger();
  }

  void trigger() {
    const std::string time = one_of({"BEFORE", "AFTER", "AFTER"});
    const std::string event = one_of({"INSERT", "UPDATE", "UPDATE", "DELETE", "INSERT OR UPDATE"});
    const std::string row = event == "DELETE" ? "OLD" : "NEW";
    std::string body;
    switch (random_.below(6)) {
      case 0: body = fmt::format("UPDATE u SET a = {0}.a WHERE k = {0}.k;", row); break;
      case 1: body = fmt::format("INSERT INTO l (k, v) VALUES ({0}.k, {0}.b);", row); break;
      case 2:
        body = fmt::format(
            "IF (SELECT count(*) FROM u WHERE a = {}.a) > 0 THEN UPDATE u SET b = 1 WHERE k = 1; END IF;",
            row);
        break;
      case 3: body = fmt::format("DELETE FROM u WHERE k = {}.a;", row); break;
      case 4: body = fmt::format("IF {}.a > 1 THEN RAISE EXCEPTION 'no'; END IF;", row); break;
      default:
        if (time == "BEFORE" && row == "NEW")
          body = one_of({"NEW.b := NEW.a;", "NEW.a := 1;", "NEW.b := (SELECT a FROM u WHERE k = NEW.k);"});
        else body = "UPDATE u SET b = coalesce(b, 0) + 1 WHERE k = 2;";
    }
    text_.schema += fmt::format(
        "CREATE FUNCTION tf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} RETURN {}; END $$;\n"
        "CREATE TRIGGER tr {} {} ON t FOR EACH ROW {}EXECUTE FUNCTION tf();\n",
        body, row, time, event, random_.chance(0.2) ? fmt::format("WHEN ({}.a > 0) ", row) : "");
  }

  ProgramScript program(std::string name) {
    ProgramScript script{std::move(name), {"p", "q"}, {}};
    values_ = {":p", ":q", "1", "2"};
    int variables = 0;
    std::vector<ScriptStatement> drawn;
    if (keyed_ && random_.chance(0.7)) drawn = look_and_put();
    for (std::uint64_t n = random_.below(drawn.empty() ? 3 : 2) + drawn.empty(); n > 0; --n)
      drawn.insert(drawn.begin() + static_cast<std::ptrdiff_t>(random_.below(drawn.size() + 1)),
                   ScriptStatement{"", "draw"});
    for (ScriptStatement& planned : drawn) {
      ScriptStatement statement = planned.into == "draw" ? draw_statement() : std::move(planned);
      if (statement.into == "?") {
        statement.into = fmt::format("v{}", variables++);
        statement.text.replace(statement.text.find('@'), 1, statement.into);
        values_.push_back(":" + statement.into);
      }
      for (auto at = statement.text.find('#'); at != std::string::npos; at = statement.text.find('#'))
        statement.text.replace(at, 1, values_.size() > 4 ? values_[4] : ":p");
      script.statements.push_back(std::move(statement));
    }
    return script;
  }

  // Looks for a key and puts it there if it is free, as applications do. `#` is what the query found.
  std::vector<ScriptStatement> look_and_put() {
    const std::string on = one_of({"t", "u", "u"}), column = one_of({"b", "b", "b", "k"}), wanted = key();
    const std::string other = random_.chance(0.8) ? wanted : key();
    const std::string query = one_of({"SELECT count(*) AS @ FROM {} WHERE {} = {}{}",
                                      "SELECT coalesce(max(k), 0) AS @ FROM {} WHERE {} = {}{}"});
    const std::string look =
        fmt::format(fmt::runtime(query), on, column, wanted, random_.chance(0.35) ? " AND a = 1" : "");
    const std::string row = column == "b"
                                ? fmt::format("{}, {}, {}", key(), random_.chance(0.5) ? "1" : pick(), other)
                                : fmt::format("{}, {}, {}", other, pick(), key());
    const std::string guard = random_.chance(0.8) ? "# = 0" : "# < 2";
    const std::string conflict = random_.chance(0.3)
                                     ? one_of({" ON CONFLICT DO NOTHING", " ON CONFLICT (k) DO NOTHING",
                                               " ON CONFLICT (k) DO UPDATE SET a = excluded.a"})
                                     : "";
    const std::string put =
        random_.chance(0.5)
            ? fmt::format("INSERT INTO {} (k, a, b) SELECT {} WHERE {}{}", on, row, guard, conflict)
            : fmt::format("UPDATE {} SET {} = {} WHERE k = {} AND {}", on, column, other, key(), guard);
    return {{look, "?"}, {put, ""}};
  }

  std::string pick() { return values_[random_.below(values_.size())]; }
  std::string key() { return values_[random_.below(4)]; }
  std::string table() { return one_of({"t", "t", "t", "u", "u", "w"}); }
  std::string column() { return one_of({"a", "b"}); }
  std::string value() {
    const std::string a = pick();
    return random_.chance(0.2) ? fmt::format("{} + 1", a) : a;
  }
  std::string condition(const std::string& on) {
    if (random_.chance(0.55)) return "k = " + key();
    switch (random_.below(9)) {
      case 0: return fmt::format("{} = {}", column(), pick());
      case 1: return fmt::format("{} < {}", column(), pick());
      case 2: return fmt::format("NOT ({} = {})", column(), pick());
      case 3: return fmt::format("{}::{} = {}", column(), one_of({"text", "numeric", "bigint"}), cast_of());
      case 4: return fmt::format("k IN ({}, {})", key(), key());
      case 5: return fmt::format("k = {} AND {} > {}", key(), column(), pick());
      case 6: return fmt::format("{} IS NULL", column());
      case 7: return generated_ && on == "t" ? "g = " + pick() : "k BETWEEN 1 AND " + pick();
      default: return fmt::format("{} = (SELECT max(a) FROM u WHERE k <> {})", column(), key());
    }
  }
  // For a comparison with a cast: the last one decides the type, and a constant without one fits all.
  std::string cast_of() { return one_of({"'1'", "'2'"}); }
  // Whether the rest of a statement is to happen at all.
  std::string guarded(const std::string& where) {
    if (values_.size() == 4 || !random_.chance(0.6)) return where;
    return fmt::format("{} AND {} {}", where, values_.back(),
                       one_of({"> 0", "= 1", "< 2", "IS NULL", "IS NOT NULL"}));
  }

  ScriptStatement draw_statement() {
    const std::string on = table();
    switch (random_.below(15)) {
      case 0:
      case 1:
        return {fmt::format("SELECT {} AS @ FROM {} WHERE k = {}{}", column(), on, key(),
                            on != "w" && random_.chance(0.3) ? one_of({" FOR UPDATE", " FOR NO KEY UPDATE",
                                                                       " FOR SHARE", " FOR KEY SHARE"})
                                                             : ""),
                "?"};
      case 2:
        return {fmt::format("SELECT {}({}) AS @ FROM {} WHERE {}", one_of({"max", "min", "sum"}),
                            one_of({"a", "b", "k"}), on, condition(on)),
                "?"};
      case 3: return {fmt::format("SELECT count(*) AS @ FROM {} WHERE {}", on, condition(on)), "?"};
      case 4:
      case 5:
        return {fmt::format("UPDATE {} SET {} = {} WHERE {}", on, column(),
                            random_.chance(0.4) ? "a + 1" : value(), guarded(condition(on)))};
      case 6:
        return {fmt::format("UPDATE t SET {} = {} WHERE {} RETURNING {} AS @", column(), value(),
                            guarded("k = " + key()), column()),
                "?"};
      case 7: return {insert(on == "w" ? "t" : on)};
      case 8:
        return {fmt::format("INSERT INTO l (k, v) SELECT {}, {} WHERE {}", key(), pick(),
                            guarded("NOT EXISTS (SELECT FROM l WHERE v = " + key() + ")"))};
      case 9: return {fmt::format("DELETE FROM {} WHERE {}", on, guarded(condition(on)))};
      case 11: return {fmt::format("UPDATE {} SET k = k + 1 WHERE {}", on, guarded(condition(on)))};
      case 12: return {fmt::format("SELECT pg_advisory_xact_lock({})", random_.chance(0.5) ? "1" : key())};
      case 13:
        return {fmt::format("LOCK TABLE {} IN {} MODE", one_of({"t", "u", "l"}),
                            one_of({"EXCLUSIVE", "SHARE ROW EXCLUSIVE", "SHARE"}))};
      case 10: return {fmt::format("SELECT t.a AS @ FROM t JOIN u ON t.b = u.k WHERE t.k = {}", key()), "?"};
      default: return {fmt::format("SELECT count(*) AS @ FROM l WHERE v = {}", key()), "?"};
    }
  }

  std::string insert(const std::string& on) {
    const bool all = random_.chance(0.7);
    const std::string row = all ? fmt::format("(k, a, b) VALUES ({}, {}, {})", key(), key(), pick())
                                : fmt::format("(k, b) VALUES ({}, {})", key(), pick());
    const std::string target = all ? on : "t";
    switch (random_.below(4)) {
      case 0: return fmt::format("INSERT INTO {} {} ON CONFLICT DO NOTHING", target, row);
      case 1:
        return fmt::format("INSERT INTO {0} {1} ON CONFLICT (k) DO UPDATE SET {2} = {3}", target, row,
                           column(), one_of({"excluded.a", "1", "excluded.k"}));
      case 2:
        return fmt::format("INSERT INTO {} (k, a, b) SELECT {}, {}, {} WHERE {}", on, key(), key(), pick(),
                           guarded("NOT EXISTS (SELECT FROM u WHERE " + condition("u") + ")"));
      default: return fmt::format("INSERT INTO {} {}", target, row);
    }
  }

  Random& random_;
  ApplicationText text_;
  bool generated_ = false;
  bool keyed_ = false;  // about programs that look for unique keys and put them
  std::vector<std::string> values_;
};

}  // namespace

std::string ApplicationText::text() const {
  std::string all = schema;
  for (const ProgramScript& program : programs) {
    all += fmt::format("-- transaction: {}(p int, q int)\n", program.name);
    for (const ScriptStatement& statement : program.statements) {
      all += statement.text + (statement.into.empty() ? ";\n" : "\n\\gset\n");
    }
  }
  return all;
}

std::string ApplicationText::parent(std::string_view table, std::uint64_t key) const {
  return has_parent && table == "t" ? fmt::format("(SELECT k FROM u WHERE k = {})", key)
                                    : std::to_string(key);
}

ApplicationText draw_application(Random& random) { return Drawing(random).application(); }

std::string with_values(const std::string& statement, const std::map<std::string, std::string>& values) {
  std::string text;
  for (std::size_t i = 0; i < statement.size(); ++i) {
    if (statement[i] != ':' || i + 1 == statement.size() || statement[i + 1] == ':' ||
        (i > 0 && statement[i - 1] == ':')) {
      text += statement[i];
      continue;
    }
    std::size_t end = i + 1;
    while (end < statement.size() && std::isalnum(static_cast<unsigned char>(statement[end])) != 0) ++end;
    const auto value = values.find(statement.substr(i + 1, end - i - 1));
    text += value == values.end() ? "?" : value->second;
    i = end - 1;
  }
  return text;
}

bool text_has_opaque(const sql::Application& application) {
  bool any = false;
  for (const sql::Program& program : application.programs)
    sql::walk(program.body, [&](const sql::Statement& statement, std::uint32_t) {
      any |= std::holds_alternative<sql::Opaque>(statement.what);
    });
  return any;
}

}  // namespace assay::test
