#include "sql/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>

#include "sql/ddl.h"
#include "sql/errors.h"
#include "sql/function_text.h"
#include "sql/isolation.h"
#include "sql/lowering.h"
#include "sql/parsed_text.h"
#include "sql/row_keys.h"
#include "sql/script.h"
#include "sql/script_program.h"
#include "sql/settings.h"
#include "sql/skip_locked.h"
#include "sql/tree.h"
#include "sql/type_names.h"
#include "sql/understood.h"
#include "sql/unused.h"
#include "sql/values.h"
#include "sql/words.h"

namespace assay::sql {
namespace {

// SET of something that may change what statements do.
bool changes_meaning(const Json& setting) {
  const std::string kind = text_of(setting, "kind");
  const bool resets = kind.starts_with("VAR_RESET") || kind == "VAR_SET_DEFAULT";
  return !resets && !is_harmless_setting(text_of(setting, "name"));
}

// `SELECT pg_catalog.set_config('search_path', '', false)`, as pg_dump writes it.
bool only_sets(const Json& select) {
  const Json& targets = member(select, "targetList");
  if (targets.size() != 1 || !member(select, "fromClause").is_null()) return false;
  const Json& call = as(member(as(targets[0], "ResTarget"), "val"), "FuncCall");
  const Json& arguments = member(call, "args");
  if (names_of(member(call, "funcname")) != std::vector<std::string>{"pg_catalog", "set_config"} ||
      arguments.size() != 3)
    return false;
  const Json& name = member(as(arguments[0], "A_Const"), "sval");
  return !as(arguments[1], "A_Const").is_null() && is_harmless_setting(text_of(name, "sval"));
}

class Reader {
 public:
  explicit Reader(const std::vector<SourceFile>& files) : files_(files), schema_reader_(application_.notes) {}

  Result<Application> run() {
    for (const SourceFile& file : files_) ASSAY_TRY(read_file(file));
    auto schema = schema_reader_.finish();
    if (!schema) return std::move(schema).error();
    application_.schema = std::move(schema).value();
    if (std::ranges::any_of(files_, [](const SourceFile& file) {
          const std::string text = lowered(file.text);
          return has_word(text, "lock") || has_word(text, "pg_advisory_xact_lock");
        }))
      add_tables_of_locks(application_.schema);
    around_.formulas = schema_reader_.formulas();
    around_.unclear.insert(schema_reader_.unlike_partitions().begin(),
                           schema_reader_.unlike_partitions().end());
    around_.sequences_repeat = schema_reader_.sequences_repeat();
    if (around_.anything.empty()) around_.anything = schema_reader_.anything();
    ASSAY_TRY(surround());
    add_row_keys(application_.schema, schema_reader_.row_keys(), around_);
    for (const Function& function : functions_)
      if (!is_trigger_function(function))
        ASSAY_TRY(add_or_leave_out(function.name, function.place, [&] { return add_function(function); }));
    for (const auto& [script, file] : scripts_)
      ASSAY_TRY(
          add_or_leave_out(script.name, {file, script.first_line}, [&] { return add_script(script, file); }));
    if (default_isolation_)
      for (Program& program : application_.programs)
        program.isolation = weaker(program.isolation, *default_isolation_);
    if (application_.programs.empty() && first_problem_) return *first_problem_;
    // A program that cannot be read may have put rows into any table.
    if (!application_.left_out.empty())
      for (Table& table : application_.schema.tables) table.seeded = true;
    if (application_.programs.empty())
      return Error{
          "no transaction program here",
          "write functions or procedures, or scripts that begin with -- transaction: name(parameters)",
          files_.size() == 1 ? files_[0].name : std::string(), ""};
    add_conflicts_of_skipping(application_);
    return std::move(application_);
  }

  Result<Schema> schema() {
    for (const SourceFile& file : files_) ASSAY_TRY(read_file(file));
    return schema_reader_.finish();
  }

 private:
  // A program that cannot be read costs the others nothing.
  template <class Add>
  Result<void> add_or_leave_out(const std::string& name, const Place& place, Add add) {
    const auto same = [&](const Program& other) { return other.name == name; };
    if (std::ranges::any_of(application_.programs, same))
      return error_at(place, fmt::format("there are two programs called {}", name), "rename one");
    const Result<void> read = add();
    if (read) return {};
    Note why{place, fmt::format("program {} cannot be read, no answer is about it: {}", name,
                                read.error().describe())};
    application_.notes.push_back(why);
    application_.left_out.push_back({name, std::move(why)});
    if (!first_problem_) first_problem_ = read.error();
    return {};
  }

  Result<void> read_file(const SourceFile& file) {
    const auto name = std::make_shared<const std::string>(file.name);
    auto scripts = split_scripts(file.text);
    if (!scripts) {
      Error problem = std::move(scripts).error();
      problem.file = file.name;
      return problem;
    }
    auto schema = parse((*scripts)[0].text, name, 1);
    if (!schema) return std::move(schema).error();
    for (const Json& statement : schema->statements) ASSAY_TRY(read_statement(statement, *schema));
    for (const Script::Command& command : (*scripts)[0].commands) read_command(command, name);
    for (std::size_t i = 1; i < scripts->size(); ++i) scripts_.emplace_back(std::move((*scripts)[i]), name);
    return {};
  }

  // A command of psql outside of transactions: it may bring in statements that nobody reads.
  void read_command(const Script::Command& command, const FileName& file) {
    constexpr std::string_view kIdle[] = {
        "\\a",      "\\c",    "\\cd", "\\connect", "\\conninfo", "\\echo",       "\\encoding", "\\errverbose",
        "\\g",      "\\gset", "\\gx", "\\h",       "\\help",     "\\o",          "\\out",      "\\p",
        "\\prompt", "\\pset", "\\q",  "\\qecho",   "\\quit",     "\\r",          "\\reset",    "\\restrict",
        "\\s",      "\\set",  "\\t",  "\\timing",  "\\unset",    "\\unrestrict", "\\warn",     "\\x"};
    const std::size_t end = std::min(command.text.find_first_of(" \t"), command.text.size());
    const std::string_view word = std::string_view(command.text).substr(0, end);
    const std::string_view argument = trimmed(std::string_view(command.text).substr(end));
    if (std::ranges::find(kIdle, word) != std::end(kIdle) || word.starts_with("\\d")) return;
    const Place place{file, command.line};
    const bool includes = word == "\\i" || word == "\\ir" || word.starts_with("\\include");
    const auto base = [](std::string_view path) { return path.substr(path.find_last_of('/') + 1); };
    if (includes && std::ranges::any_of(
                        files_, [&](const SourceFile& other) { return base(other.name) == base(argument); }))
      return;
    if (word == "\\copy") {
      fills_tables_ = true;
      application_.notes.push_back({place, "a command outside of any program; it is not analysed"});
      return;
    }
    application_.notes.push_back(
        {place,
         fmt::format("{} is not followed: every program may read and write everything", command.text)});
    around_.anything = command.text;
  }

  // A statement outside of transactions.
  Result<void> read_statement(const Json& statement, const Parsed& text) {
    const Json& node = member(statement, "stmt");
    const Place place = text.place_of(statement);
    const std::string kind = kind_of(node);
    const Json& body = member(node, kind.c_str());
    const auto gaps = gaps_in(node);
    if (kind == "CreateFunctionStmt") return keep_function(body, statement, text, gaps);
    if (kind == "ViewStmt") {
      const std::string name = text_of(member(body, "view"), "relname");
      if (!gaps.empty()) unclear_relation(name, place, gaps[0]);
      else if (!member(body, "aliases").is_null())
        unclear_relation(name, place, "a view with names of columns");
      else if (views_.contains(name) && (!flag_of(body, "replace") ||
                                         view_schemas_[name] != text_of(member(body, "view"), "schemaname")))
        unclear_relation(name, place, "another view with this name");
      else views_.insert_or_assign(name, member(body, "query"));
      view_schemas_.try_emplace(name, text_of(member(body, "view"), "schemaname"));
      return {};
    }
    if (kind == "CreateTableAsStmt") {
      unclear_relation(text_of(member(member(body, "into"), "rel"), "relname"), place,
                       "rows that a query has left behind");
      return {};
    }
    if (const auto level = isolation_in(node)) {
      default_isolation_ = weaker(default_isolation_, {level->level, true});
      application_.notes.push_back(
          {place, fmt::format("a default: programs may run at {}", to_text(level->level))});
    }
    if (kind == "VariableSetStmt" || kind == "AlterRoleSetStmt" || kind == "AlterDatabaseSetStmt") {
      const Json& setting = kind == "VariableSetStmt" ? body : member(body, "setstmt");
      const std::string name = lowered(text_of(setting, "name"));
      if (changes_meaning(setting) && !isolation_in(node)) {
        application_.notes.push_back(
            {place,
             fmt::format("setting {} is not understood: every program may read and write everything", name)});
        around_.anything = "SET " + name;
      }
    }
    if (kind == "AlterTableStmt") forget_views_of_all_columns(body, place);
    if (kind == "CreateTrigStmt") return keep_trigger(body, place, gaps), Result<void>();
    if (kind == "RuleStmt") {
      unclear_relation(text_of(member(body, "relation"), "relname"), place, "a rule");
      return {};
    }
    const auto known = schema_reader_.add(node, place, gaps);
    if (!known) return known.error();
    if (!*known) not_in_a_program(kind, body, place);
    return {};
  }

  // `*` in a view stands for the columns that were there when the view was created.
  void forget_views_of_all_columns(const Json& alter, const Place& place) {
    const bool adds = std::ranges::any_of(member(alter, "cmds"), [](const Json& part) {
      return text_of(as(part, "AlterTableCmd"), "subtype") == "AT_AddColumn";
    });
    if (!adds) return;
    for (const auto& [view, query] : views_)
      if (query.dump().find("A_Star") != std::string::npos)
        unclear_relation(view, place, "a view of all columns, made before a column was added,");
  }

  // Whoever names this relation may do anything.
  void unclear_relation(const std::string& name, const Place& place, const std::string& what) {
    application_.notes.push_back(
        {place,
         fmt::format("{} is not understood: whoever uses {} may read and write everything", what, name)});
    around_.unclear.insert_or_assign(name, what);
  }

  // Statements that put rows into tables before any program runs, and all the others.
  void not_in_a_program(const std::string& kind, const Json& body, const Place& place) {
    const auto note = [&](std::string what) { application_.notes.push_back({place, std::move(what)}); };
    if (kind == "InsertStmt" || kind == "UpdateStmt" || kind == "DeleteStmt" || kind == "CopyStmt") {
      schema_reader_.add_rows(text_of(member(body, "relation"), "relname"));
      return note("a statement outside of any program; it is not analysed");
    }
    if (kind == "SelectStmt" && only_sets(body)) return;
    if (kind == "SelectStmt" || kind == "DoStmt" || kind == "CallStmt" || kind == "ExecuteStmt") {
      fills_tables_ = true;
      return note("a statement outside of any program; it is not analysed");
    }
    if (kind == "DropStmt" && drops_nothing(body)) return;
    for (const Json& object : member(body, "objects"))
      schema_reader_.add_gone(last_name(member(as(object, "List"), "items")));
    if (kind == "RenameStmt") schema_reader_.add_gone(text_of(member(body, "relation"), "relname"));
    note(fmt::format("{} is not understood: every program may read and write everything", kind));
    around_.anything = kind;
  }

  // DROP ... IF EXISTS before something is created.
  bool drops_nothing(const Json& drop) const {
    const std::string type = text_of(drop, "removeType");
    const bool empty = functions_.empty() && views_.empty() && triggers_.empty() && schema_reader_.is_empty();
    if (type == "OBJECT_SCHEMA" && !empty) return false;
    if (type == "OBJECT_INDEX" && schema_reader_.has_unnamed_indexes()) return false;
    for (const Json& object : member(drop, "objects")) {
      std::string name = last_name(member(as(object, "List"), "items"));
      if (name.empty()) name = last_name(member(as(object, "TypeName"), "names"));
      if (name.empty()) name = last_name(member(as(object, "ObjectWithArgs"), "objname"));
      if (name.empty()) name = text_of(as(object, "String"), "sval");
      const bool function =
          std::ranges::any_of(functions_, [&](const Function& f) { return f.name == name; });
      const bool trigger =
          std::ranges::any_of(triggers_, [&](const auto& t) { return t.second.name == name; });
      if (name.empty() || function || trigger || views_.contains(name) || schema_reader_.knows(name))
        return false;
    }
    return true;
  }

  void keep_trigger(const Json& body, const Place& place, const std::vector<std::string>& gaps) {
    constexpr std::int64_t kBefore = 2, kInsert = 4, kDelete = 8, kUpdate = 16, kTruncate = 32, kInstead = 64;
    const auto timing = number_of(body, "timing"), events = number_of(body, "events");
    Trigger trigger{.name = text_of(body, "trigname"),
                    .function = last_name(member(body, "funcname")),
                    .row = flag_of(body, "row"),
                    .before = timing == kBefore,
                    .instead = timing == kInstead,
                    .on_insert = (events & kInsert) != 0,
                    .on_update = (events & kUpdate) != 0,
                    .on_delete = (events & kDelete) != 0,
                    .columns = names_of(member(body, "columns")),
                    .when = member(body, "whenClause"),
                    .unclear = gaps.empty() ? "" : gaps[0]};
    const std::string table = text_of(member(body, "relation"), "relname");
    if (trigger.instead) return unclear_relation(table, place, "a trigger INSTEAD OF a change");
    if ((events & kTruncate) != 0) trigger.unclear = "TRUNCATE";
    if (!trigger.unclear.empty())
      application_.notes.push_back(
          {place, fmt::format("trigger {}: {} is not understood: it may read and write everything",
                              trigger.name, trigger.unclear)});
    if (flag_of(body, "replace"))
      std::erase_if(triggers_, [&](const auto& other) {
        return other.first.first == table && other.second.name == trigger.name;
      });
    triggers_.emplace_back(std::pair(table, place), std::move(trigger));
  }

  Result<void> keep_function(const Json& definition, const Json& statement, const Parsed& text,
                             const std::vector<std::string>& gaps) {
    Function function{last_name(member(definition, "funcname")),
                      definition,
                      text.text_of_statement(statement),
                      "",
                      "sql",
                      text.place_of(statement),
                      {},
                      gaps.empty() ? "" : gaps[0]};
    if (const Json& language = option(definition, "language"); !language.is_null())
      function.language = lowered(text_of(as(member(language, "arg"), "String"), "sval"));
    for (const Json& part : member(definition, "options"))
      if (const Json& setting = as(member(as(part, "DefElem"), "arg"), "VariableSetStmt");
          changes_meaning(setting) && !setting.is_null() && function.unclear.empty())
        function.unclear = fmt::format("function {} with SET {}", function.name, text_of(setting, "name"));
    if (const Json& body = option(definition, "as"); !body.is_null()) {
      const auto parts = names_of(member(as(member(body, "arg"), "List"), "items"));
      function.body = parts.empty() ? std::string() : parts[0];
      const auto quote = text.text.find_first_of("$'", static_cast<std::size_t>(number_of(body, "location")));
      function.body_place = text.place_at(quote);
    }
    const auto same = [&](const Function& other) { return other.name == function.name; };
    if (const auto other = std::ranges::find_if(functions_, same); other != functions_.end()) {
      if (signature(other->definition) != signature(definition)) {
        // A file of variants replaces programs of an earlier file, also when their arguments differ.
        const bool variant = flag_of(definition, "replace") && other->place.file != function.place.file &&
                             schema_of(other->definition) == schema_of(definition) && !other->is_overloaded;
        if (!variant) return overloaded(*other, function.place), Result<void>();
        application_.notes.push_back(
            {function.place, fmt::format("{} replaces the function with this name and other arguments in {}",
                                         function.name, *other->place.file)});
      }
      if (!flag_of(definition, "replace"))
        return error_at(function.place, fmt::format("function {} exists already", function.name),
                        "give each program a name of its own");
      // Of several functions with one name none is replaced alone.
      if (other->is_overloaded) return {};
      functions_.erase(other);
    }
    schema_reader_.add_function(function.name);
    functions_.push_back(std::move(function));
    return {};
  }

  // What tells functions of one name apart: the schema and the types of arguments.
  static std::string schema_of(const Json& definition) {
    const auto names = names_of(member(definition, "funcname"));
    return names.size() < 2 || names[names.size() - 2] == "public" ? "" : names[names.size() - 2];
  }
  static std::string signature(const Json& definition) {
    std::string text = schema_of(definition);
    for (const Json& part : member(definition, "parameters")) {
      const Json& parameter = as(part, "FunctionParameter");
      const std::string mode = text_of(parameter, "mode");
      if (mode == "FUNC_PARAM_OUT" || mode == "FUNC_PARAM_TABLE") continue;
      const Json& type = member(parameter, "argType");
      text += fmt::format("({}{})", last_name(member(type, "names")),
                          member(type, "arrayBounds").is_null() ? "" : "[]");
    }
    return text;
  }

  // The types of arguments and the search path decide which is meant; so whoever calls one may do anything.
  void overloaded(Function& function, const Place& place) {
    function.is_overloaded = true;
    function.unclear = fmt::format("{}, one of several functions with this name,", function.name);
    application_.notes.push_back(
        {place, fmt::format("there are several functions called {}: each may read and write everything",
                            function.name)});
  }

  Result<void> surround() {
    around_.views = std::move(views_);
    if (fills_tables_)
      for (Table& table : application_.schema.tables) table.seeded = true;
    for (const Function& function : functions_) {
      const std::string text = lowered(function.text);
      around_.sequences_repeat |= text.find("setval") != text.npos || text.find("restart") != text.npos;
    }
    for (const auto& [script, file] : scripts_) {
      const std::string text = lowered(script.text);
      around_.sequences_repeat |= text.find("setval") != text.npos || text.find("restart") != text.npos;
    }
    if (around_.sequences_repeat)
      for (Table& table : application_.schema.tables)
        for (Column& column : table.columns)
          if (column.fallback && column.fallback->kind == Expression::Kind::Fresh)
            column.fallback = unknown(column.type);
    for (const Function& function : functions_)
      if (!is_trigger_function(function)) {
        around_.functions.insert(function.name);
        around_.results.emplace(function.name, result_of(function, application_.schema, around_));
        if (flag_of(member(function.definition, "returnType"), "setof")) around_.sets.insert(function.name);
      }
    around_.call = [this](Lowering& lower, const std::string& name, const std::vector<Given>& given) {
      return call_of(*std::ranges::find(functions_, name, &Function::name), given, lower);
    };
    around_.call_trigger = [this](Lowering& lower, const Trigger& trigger) {
      lower_body(*std::ranges::find(functions_, trigger.function, &Function::name), lower);
    };
    return keep_triggers();
  }

  // PostgreSQL fires triggers in the order of their names. A function that cannot be read may do anything.
  Result<void> keep_triggers() {
    std::ranges::stable_sort(triggers_, {}, [](const auto& t) { return t.second.name; });
    for (auto& [where, trigger] : triggers_) {
      const auto& [table, place] = where;
      const auto id = application_.schema.find(table);
      if (!id && (around_.unclear.contains(table) || around_.views.contains(table))) continue;
      if (!id) return error_at(place, fmt::format("there is no table {}", table), "add its CREATE TABLE");
      if (trigger.unclear.empty() && application_.schema.partitions.contains(table))
        trigger.unclear = "it fires for the rows of one partition";
      if (trigger.unclear.empty()) trigger.unclear = problem_with(trigger, *id);
      around_.triggers[*id].push_back(trigger);
    }
    return {};
  }

  std::string problem_with(const Trigger& trigger, TableId table) {
    const auto function = std::ranges::find(functions_, trigger.function, &Function::name);
    if (function == functions_.end()) return "its function is not in the files";
    if (!function->unclear.empty()) return function->unclear;
    if (function->language != "plpgsql") return "a function in " + function->language;
    std::vector<Note> nowhere;
    Lowering trial(application_.schema, around_, nowhere, trigger.function, function->place);
    for (const char* row : {"new", "old"}) {
      std::vector<ExpressionPtr> values;
      for (const Column& column : application_.schema[table].columns) values.push_back(unknown(column.type));
      trial.declare_row(row, table, values);
    }
    for (const char* name : {"tg_op", "tg_name", "tg_when", "tg_level", "tg_table_name", "tg_relname",
                             "tg_table_schema", "tg_nargs", "tg_relid", "tg_argv"})
      trial.declare(name, Type::Text, false, unknown(Type::Text));
    trial.declare("#skips", Type::Boolean, false, truth(false));
    lower_body(*function, trial);
    return trial.problem() ? trial.problem()->what : std::string();
  }

  Result<void> finish(Lowering& lower) {
    if (lower.problem()) return *lower.problem();
    lower.drop_idle_notes();
    Program finished = lower.builder().finish();
    drop_unused(finished);
    application_.programs.push_back(std::move(finished));
    return {};
  }

  // --- functions ---

  Result<void> add_function(const Function& function) {
    Lowering lower(application_.schema, around_, application_.notes, function.name, function.place);
    begin(lower);
    declare_parameters(function, around_, lower);
    lower_body(function, lower);
    return finish(lower);
  }

  // Something of the schema may concern every program.
  void begin(Lowering& lower) {
    if (!around_.anything.empty()) lower.opaque(around_.anything);
  }

  // --- scripts ---

  Result<void> add_script(const Script& script, const FileName& file) {
    std::map<std::string, NamedType> types;
    std::vector<Note> nowhere;
    {
      // The types of parameters that were not declared with one follow from their first use.
      Lowering trial(application_.schema, around_, nowhere, script.name, Place{file, script.first_line});
      ASSAY_TRY(lower_script(script, file, types, trial));
      types = types_from_use(trial.builder().program(), application_.schema);
    }
    Lowering lower(application_.schema, around_, application_.notes, script.name,
                   Place{file, script.first_line});
    begin(lower);
    ASSAY_TRY(lower_script(script, file, types, lower));
    return finish(lower);
  }

  const std::vector<SourceFile>& files_;
  Application application_;
  std::optional<Error> first_problem_;
  SchemaReader schema_reader_;
  Surroundings around_;
  std::map<std::string, Json, std::less<>> views_;
  std::map<std::string, std::string, std::less<>> view_schemas_;
  std::vector<std::pair<std::pair<std::string, Place>, Trigger>> triggers_;  // with table and place
  bool fills_tables_ = false;
  std::optional<OwnIsolation> default_isolation_;
  std::vector<Function> functions_;
  std::vector<std::pair<Script, FileName>> scripts_;
};

}  // namespace

Result<Application> read_application(const std::vector<SourceFile>& files) { return Reader(files).run(); }

Result<Schema> read_schema(const std::vector<SourceFile>& files) { return Reader(files).schema(); }

Result<std::vector<SourceFile>> read_source_files(const std::vector<std::string>& paths) {
  std::vector<SourceFile> files;
  for (const std::string& path : paths) {
    std::ifstream input(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(input), {}};
    if (!input) return Error{"cannot be read", "check the name", path, ""};
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    files.push_back({path, std::move(text)});
  }
  return files;
}

Result<Application> read_application_files(const std::vector<std::string>& paths) {
  const auto files = read_source_files(paths);
  if (!files) return files.error();
  return read_application(*files);
}

}  // namespace assay::sql
