#include "sql/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace assay::sql {
namespace {

using Kind = Expression::Kind;

std::string_view symbol(Kind kind) {
  switch (kind) {
    case Kind::Add: return " + ";
    case Kind::Subtract: return " - ";
    case Kind::Multiply: return " * ";
    case Kind::Divide: return " / ";
    case Kind::Modulo: return " % ";
    case Kind::Equal: return " = ";
    case Kind::NotEqual: return " <> ";
    case Kind::Less: return " < ";
    case Kind::LessEqual: return " <= ";
    case Kind::Greater: return " > ";
    case Kind::GreaterEqual: return " >= ";
    case Kind::And: return " AND ";
    case Kind::Or: return " OR ";
    default: return ", ";
  }
}

class Printer {
 public:
  Printer(const Schema* schema, const SpellVariable& spell, std::vector<TableId> sources)
      : schema_(schema), spell_(spell), sources_(std::move(sources)) {}

  bool complete() const { return complete_; }

  // Inner ones in brackets; the outermost without.
  std::string expression(const ExpressionPtr& e, bool inner = false) {
    switch (e->kind) {
      case Kind::Constant: return literal(*e);
      case Kind::Variable: return spell_(e->variable);
      case Kind::Field: return field(*e);
      case Kind::Element: return fmt::format("({})[{}]", expression(e->kids[0]), expression(e->kids[1]));
      case Kind::Fresh: return complete_ = false, "a fresh value";
      case Kind::Negate: return fmt::format("(- {})", expression(e->kids[0], true));
      case Kind::Not: return fmt::format("NOT ({})", expression(e->kids[0]));
      case Kind::IsNull: return fmt::format("({} IS NULL)", expression(e->kids[0], true));
      case Kind::In: return in(*e);
      case Kind::Case: return cases(*e);
      case Kind::Unknown: return unknown(*e);
      default: break;
    }
    std::string text;
    for (const ExpressionPtr& kid : e->kids)
      text += (text.empty() ? "" : std::string(symbol(e->kind))) + expression(kid, true);
    return inner ? "(" + text + ")" : text;
  }

  std::string where(const ExpressionPtr& condition) {
    return condition ? " WHERE " + expression(condition) : std::string();
  }

  // A row that stands for a lock, as the lock is taken; empty for other queries.
  std::string named_lock(const Select& select) {
    if (sources_.size() != 1 || !(*schema_)[sources_[0]].of_locks) return {};
    const std::string name = expression(select.where->kids[1]);
    return (*schema_)[sources_[0]].name == kLocksOfTables
               ? fmt::format("LOCK TABLE {} IN EXCLUSIVE MODE", select.where->kids[1]->text)
               : fmt::format("SELECT pg_advisory_xact_lock({})",
                             (*schema_)[sources_[0]].name == kLocksOfTexts ? "hashtext(" + name + ")" : name);
  }

  std::string select(const Select& select) {
    std::string text;
    if (const std::string lock = named_lock(select); !lock.empty()) return lock;
    for (const Output& output : select.outputs) text += (text.empty() ? "" : ", ") + this->output(output);
    text = "SELECT " + (text.empty() ? "1" : text) + " FROM ";
    for (std::size_t i = 0; i < sources_.size(); ++i)
      text += (i == 0 ? "" : ", ") + table(sources_[i]) +
              (sources_.size() > 1 ? fmt::format(" AS t{}", i + 1) : "");
    text += where(select.where);
    return text + (select.shares_lock ? " FOR SHARE" : select.for_update ? " FOR UPDATE" : "");
  }

  std::string insert(const Insert& insert) {
    std::string values;
    for (const ExpressionPtr& value : insert.values) {
      const bool by_default = value->kind == Kind::Fresh;
      values += (values.empty() ? "" : ", ") + (by_default ? "DEFAULT" : expression(value));
    }
    std::string text = fmt::format("INSERT INTO {} VALUES ({})", table(insert.table), values);
    if (insert.conflict != Insert::Conflict::Abort) {
      text += " ON CONFLICT";
      if (!insert.conflict_columns.empty()) {
        std::string columns;
        for (const ColumnId column : insert.conflict_columns)
          columns += (columns.empty() ? "" : ", ") + quoted_name((*schema_)[insert.table][column].name);
        text += " (" + columns + ")";
      }
      qualify_ = true;  // without it a column could be the one of `excluded`
      text += insert.conflict == Insert::Conflict::Nothing
                  ? " DO NOTHING"
                  : " DO UPDATE SET " + sets(insert.sets, insert.table);
      text += where(insert.conflict_where);
      qualify_ = false;
    }
    return text + returning(insert.returning);
  }

  std::string update(const Update& update) {
    return fmt::format("UPDATE {} SET {}{}{}", table(update.table), sets(update.sets, update.table),
                       where(update.where), returning(update.returning));
  }

  std::string erase(const Delete& erase) {
    return fmt::format("DELETE FROM {}{}{}", table(erase.table), where(erase.where),
                       returning(erase.returning));
  }

 private:
  static std::string literal(const Expression& e) {
    if (e.null) return "NULL";
    const bool plain = e.type == Type::Integer || e.type == Type::Decimal || e.type == Type::Boolean;
    return plain ? e.text : quoted(e.text);
  }

  std::string table(TableId id) const { return quoted_name((*schema_)[id].name); }

  std::string field(const Expression& e) {
    const TableId source = sources_.at(e.source.index());
    const std::string name = quoted_name((*schema_)[source][e.column].name);
    if (qualify_) return table(source) + "." + name;
    return sources_.size() > 1 ? fmt::format("t{}.{}", e.source.index() + 1, name) : name;
  }

  std::string in(const Expression& e) {
    const std::string subject = expression(e.kids[0], true);
    std::string list;
    for (std::size_t i = 1; i < e.kids.size(); ++i) list += (i == 1 ? "" : ", ") + expression(e.kids[i]);
    const bool set = e.kids.size() == 2 && e.kids[1]->kind == Kind::Variable;
    return set ? fmt::format("({} = ANY ({}))", subject, list) : fmt::format("({} IN ({}))", subject, list);
  }

  std::string cases(const Expression& e) {
    std::string text = "CASE";
    for (std::size_t i = 0; i + 1 < e.kids.size(); i += 2)
      text += fmt::format(" WHEN {} THEN {}", expression(e.kids[i]), expression(e.kids[i + 1]));
    return text + fmt::format(" ELSE {} END", expression(e.kids.back()));
  }

  std::string unknown(const Expression& e) {
    std::string text = e.text, result;
    if (text.empty()) {
      complete_ = false;
      for (const ExpressionPtr& kid : e.kids) result += (result.empty() ? "" : ", ") + expression(kid);
      return "any value" + (result.empty() ? "" : "(" + result + ")");
    }
    std::size_t kid = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.compare(i, 2, "{}") == 0 && kid < e.kids.size())
        result += expression(e.kids[kid++], true), ++i;
      else result += text[i];
    }
    return result;
  }

  std::string output(const Output& output) {
    constexpr std::string_view names[] = {"", "count", "sum", "min", "max"};
    const std::string value = output.value ? expression(output.value) : "*";
    if (output.aggregate == Output::Aggregate::None) return value;
    return fmt::format("{}({}{})", names[static_cast<std::size_t>(output.aggregate)],
                       output.distinct ? "DISTINCT " : "", value);
  }

  std::string sets(const std::vector<Insert::Set>& sets, TableId table) {
    std::string text;
    for (const Insert::Set& set : sets)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ",
                          quoted_name((*schema_)[table][set.column].name), expression(set.value));
    return text;
  }

  std::string returning(const std::vector<Output>& outputs) {
    std::string text;
    for (const Output& output : outputs) text += (text.empty() ? " RETURNING " : ", ") + this->output(output);
    return text;
  }

  const Schema* schema_;
  const SpellVariable& spell_;
  std::vector<TableId> sources_;
  bool complete_ = true, qualify_ = false;
};

class ProgramPrinter {
 public:
  ProgramPrinter(const Program& program, const Schema& schema)
      : program_(program), schema_(schema), spell_(names_of(program)) {}

  std::string run() {
    std::string parameters;
    for (const VariableId id : program_.parameters)
      parameters += fmt::format("{}{} {}{}", parameters.empty() ? "" : ", ", program_[id].name,
                                to_text(program_[id].type), program_[id].is_set ? "[]" : "");
    text_ = fmt::format("{}({})\n", program_.name, parameters);
    block(program_.body, 1);
    return std::move(text_);
  }

 private:
  void line(int depth, const std::string& text) { text_ += std::string(2 * depth, ' ') + text + "\n"; }
  std::string value(const ExpressionPtr& e) const { return to_sql(e, spell_).text; }

  std::string targets(const std::vector<Output>& outputs, const Effect& effect) const {
    std::string text;
    for (const Output& output : outputs)
      if (!output.into.is_none()) text += (text.empty() ? " INTO " : ", ") + program_[output.into].name;
    if (!effect.found.is_none()) text += "; found";
    return text;
  }

  void block(const Block& block, int depth) {
    for (const Statement& statement : block)
      std::visit([&](const auto& what) { print(what, statement, depth); }, statement.what);
  }

  void print(const Select& select, const Statement&, int depth) {
    constexpr std::string_view rows[] = {"one", "first", "strict", "all"};
    line(depth, fmt::format("{}{} [{}{}]", to_sql(select, schema_, spell_).text,
                            targets(select.outputs, select.effect),
                            rows[static_cast<std::size_t>(select.rows)], select.partial ? ", partial" : ""));
  }
  template <class Change>
  void print(const Change& change, const Statement& statement, int depth) requires requires {
    change.returning;
  }
  { line(depth, to_sql(statement, schema_, spell_).text + targets(change.returning, change.effect)); }
  void print(const Assign& assign, const Statement&, int depth) {
    line(depth, program_[assign.variable].name + " := " + value(assign.value));
  }
  void print(const If& branch, const Statement&, int depth) {
    line(depth, "IF " + value(branch.condition));
    block(branch.then, depth + 1);
    if (branch.otherwise.empty()) return;
    line(depth, "ELSE");
    block(branch.otherwise, depth + 1);
  }
  void print(const Loop& loop, const Statement&, int depth) {
    std::string over = "WHILE";
    if (loop.over == Loop::Over::Query)
      over = "FOR " + to_sql(loop.query, schema_, spell_).text + targets(loop.query.outputs, {});
    if (loop.over == Loop::Over::Array)
      over = fmt::format("FOR {} IN ARRAY {}", program_[loop.element].name, program_[loop.array].name);
    if (loop.over == Loop::Over::Integers)
      over = fmt::format("FOR {} IN {}..{}", program_[loop.element].name, value(loop.from), value(loop.to));
    std::string handed_on;
    for (const Loop::Carried& carried : loop.carried)
      handed_on += (handed_on.empty() ? " [hands on " : ", ") + program_[carried.after].name;
    if (!handed_on.empty()) handed_on += "]";
    line(depth, over + (loop.may_stop_early ? " [may stop early]" : "") + handed_on);
    block(loop.body, depth + 1);
  }
  void print(const Abort& abort, const Statement&, int depth) { line(depth, "ABORT " + abort.message); }
  void print(const Emit& emit, const Statement&, int depth) {
    std::string values;
    for (const ExpressionPtr& e : emit.values) values += (values.empty() ? "" : ", ") + value(e);
    line(depth, "EMIT " + values);
  }
  void print(const Opaque& opaque, const Statement&, int depth) {
    const auto names = [&](const std::vector<TableId>& tables) {
      std::string text;
      for (const TableId table : tables) text += (text.empty() ? "" : ", ") + schema_[table].name;
      return text;
    };
    line(depth,
         fmt::format("OPAQUE {} reads {} writes {}", opaque.what, names(opaque.reads), names(opaque.writes)));
  }

  const Program& program_;
  const Schema& schema_;
  SpellVariable spell_;
  std::string text_;
};

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::string quoted_name(const std::string& name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
  }) && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  constexpr std::string_view reserved[] = {"user",   "order", "group",   "table", "select", "check", "limit",
                                           "offset", "end",   "default", "desc",  "asc",    "all",   "any",
                                           "to",     "from",  "in",      "and",   "or",     "not"};
  if (plain && std::ranges::find(reserved, name) == std::end(reserved)) return name;
  std::string result = "\"";
  for (const char c : name) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

SpellVariable names_of(const Program& program) {
  return [&program](VariableId id) { return ":" + program[id].name; };
}

Spelling to_sql(const Select& select, const Schema& schema, const SpellVariable& spell) {
  Printer printer(&schema, spell, select.sources);
  std::string text = printer.select(select);
  return {std::move(text), printer.complete()};
}

Spelling to_sql(const Statement& statement, const Schema& schema, const SpellVariable& spell) {
  if (const auto* select = std::get_if<Select>(&statement.what)) return to_sql(*select, schema, spell);
  const auto print = [&](TableId table, auto spell_out) {
    Printer printer(&schema, spell, {table});
    std::string text = spell_out(printer);
    return Spelling{std::move(text), printer.complete()};
  };
  if (const auto* insert = std::get_if<Insert>(&statement.what))
    return print(insert->table, [&](Printer& printer) { return printer.insert(*insert); });
  if (const auto* update = std::get_if<Update>(&statement.what))
    return print(update->table, [&](Printer& printer) { return printer.update(*update); });
  if (const auto* erase = std::get_if<Delete>(&statement.what))
    return print(erase->table, [&](Printer& printer) { return printer.erase(*erase); });
  return {"", false};
}

Spelling to_sql(const ExpressionPtr& expression, const SpellVariable& spell) {
  Printer printer(nullptr, spell, {});
  std::string text = printer.expression(expression);
  return {std::move(text), printer.complete()};
}

Spelling to_sql(const ExpressionPtr& expression, const Schema& schema, TableId table,
                const SpellVariable& spell) {
  Printer printer(&schema, spell, {table});
  std::string text = printer.expression(expression);
  return {std::move(text), printer.complete()};
}

std::string to_text(const Program& program, const Schema& schema) {
  return ProgramPrinter(program, schema).run();
}

}  // namespace assay::sql
