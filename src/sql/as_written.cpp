#include "sql/as_written.h"

#include <algorithm>
#include <iterator>

#include "sql/errors.h"
#include "sql/print.h"
#include "sql/tree.h"
#include "sql/words.h"

namespace assay::sql {
namespace {

// A text of statements, with the place of its first byte.
class WrittenText {
 public:
  WrittenText(std::string text, Place first) : text_(std::move(text)), first_(std::move(first)) {}

  Result<std::vector<WrittenStatement>> statements() {
    auto parsed = parse_sql(text_);
    if (!parsed) return error_at(first_, parsed.error().what, parsed.error().remedy);
    tree_ = std::move(parsed).value();
    std::vector<WrittenStatement> all;
    for (const Json& statement : tree_) {
      const Json& node = member(statement, "stmt");
      WrittenStatement written{.text = text_.substr(start(statement), end(statement) - start(statement)),
                               .kind = kind_of(node),
                               .place = place_at(start(statement))};
      find_parameters(node, written.parameters);
      std::ranges::sort(written.parameters);
      written.parameters.erase(std::ranges::unique(written.parameters).begin(), written.parameters.end());
      if (written.kind == "TransactionStmt")
        written.control = text_of(member(node, "TransactionStmt"), "kind");
      all.push_back(std::move(written));
    }
    return all;
  }

  const Json& tree() const { return tree_; }
  // Its first word: blanks and comments before it are not of it.
  std::size_t start(const Json& statement) const {
    auto at = static_cast<std::size_t>(number_of(statement, "stmt_location"));
    while (at < text_.size()) {
      const std::string_view rest = std::string_view(text_).substr(at);
      if (is_blank(text_[at])) ++at;
      else if (rest.starts_with("--") || rest.starts_with("/*")) at = end_of_quiet(text_, at);
      else break;
    }
    return at;
  }
  std::size_t end(const Json& statement) const {
    const auto from = static_cast<std::size_t>(number_of(statement, "stmt_location"));
    const auto length = static_cast<std::size_t>(number_of(statement, "stmt_len"));
    return length == 0 ? text_.size() : std::min(from + length, text_.size());
  }
  Place place_at(std::size_t offset) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
    return {first_.file, first_.line + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'))};
  }
  const std::string& text() const { return text_; }

 private:
  static void find_parameters(const Json& node, std::vector<std::size_t>& found) {
    if (const Json& parameter = as(node, "ParamRef"); !parameter.is_null())
      found.push_back(static_cast<std::size_t>(number_of(parameter, "number")));
    if (node.is_structured())
      for (const Json& kid : node) find_parameters(kid, found);
  }

  std::string text_;
  Place first_;
  Json tree_;
};

const Json& option_of(const Json& definition, std::string_view name) {
  for (const Json& part : member(definition, "options"))
    if (text_of(as(part, "DefElem"), "defname") == name) return as(part, "DefElem");
  return nothing();
}

WrittenFunction written_function(const Json& definition, const Json& statement, const WrittenText& text) {
  WrittenFunction function;
  const std::size_t start = text.start(statement), end = text.end(statement);
  function.name = last_name(member(definition, "funcname"));
  for (const std::string& part : names_of(member(definition, "funcname")))
    function.qualified += (function.qualified.empty() ? "" : ".") + quoted_name(part);
  for (const Json& part : member(definition, "parameters")) {
    const std::string mode = text_of(as(part, "FunctionParameter"), "mode");
    function.arguments.push_back(
        {.name = text_of(as(part, "FunctionParameter"), "name"),
         .in = mode != "FUNC_PARAM_OUT" && mode != "FUNC_PARAM_TABLE",
         .out = mode == "FUNC_PARAM_OUT" || mode == "FUNC_PARAM_INOUT" || mode == "FUNC_PARAM_TABLE"});
  }
  function.procedure = flag_of(definition, "is_procedure");
  const std::string type = last_name(member(member(definition, "returnType"), "names"));
  function.trigger = type == "trigger" || type == "event_trigger";
  if (const Json& kind = option_of(definition, "volatility"); !kind.is_null())
    function.is_volatile = lowered(text_of(as(member(kind, "arg"), "String"), "sval")) == "volatile";
  function.language = "sql";
  if (const Json& language = option_of(definition, "language"); !language.is_null())
    function.language = lowered(text_of(as(member(language, "arg"), "String"), "sval"));
  function.place = text.place_at(start);
  function.before = text.text().substr(start, end - start);
  const Json& body = option_of(definition, "as");
  const auto parts = names_of(member(as(member(body, "arg"), "List"), "items"));
  if (parts.size() != 1) return function;
  const std::size_t quote =
      text.text().find_first_of("$'", static_cast<std::size_t>(number_of(body, "location")));
  if (quote == std::string::npos || quote >= end) return function;
  function.body = parts[0];
  function.body_place = text.place_at(quote);
  const char before_quote = text.text()[quote - 1];
  const bool escaped = text.text()[quote] == '\'' && (before_quote == 'E' || before_quote == 'e');
  function.before = text.text().substr(start, quote - start - (escaped ? 1 : 0));
  function.after =
      text.text().substr(end_of_quiet(text.text(), quote), end - end_of_quiet(text.text(), quote));
  return function;
}

// Its statements, where the body is a text of them.
Result<void> read_sql_body(WrittenFunction& function) {
  if (function.language != "sql" || function.body.empty()) return {};
  WrittenText body(function.body, function.body_place);
  auto statements = body.statements();
  if (!statements) return std::move(statements).error();
  for (const Json& statement : body.tree()) function.offsets.push_back(body.start(statement));
  function.statements = std::move(*statements);
  return {};
}

}  // namespace

Result<Written> as_written(const std::vector<SourceFile>& files) {
  Written written;
  for (const SourceFile& file : files) {
    const auto name = std::make_shared<const std::string>(file.name);
    auto scripts = split_scripts(file.text);
    if (!scripts) return std::move(scripts).error();
    WrittenText schema((*scripts)[0].text, {name, 1});
    auto setup = schema.statements();
    if (!setup) return std::move(setup).error();
    for (std::size_t i = 0; i < setup->size(); ++i) {
      Written::Step step{std::move((*setup)[i])};
      if (step.statement.kind == "CreateFunctionStmt") {
        const Json& statement = schema.tree()[i];
        written.functions.push_back(
            written_function(as(member(statement, "stmt"), "CreateFunctionStmt"), statement, schema));
        ASSAY_TRY(read_sql_body(written.functions.back()));
        step.function = written.functions.size() - 1;
      }
      written.setup.push_back(std::move(step));
    }
    for (std::size_t i = 1; i < scripts->size(); ++i) {
      const Script& script = (*scripts)[i];
      WrittenText text(script.text, {name, script.first_line});
      auto statements = text.statements();
      if (!statements) return std::move(statements).error();
      for (std::size_t s = 0; s < statements->size(); ++s) {
        const Json& statement = text.tree()[s];
        const auto end = static_cast<std::size_t>(number_of(statement, "stmt_location") +
                                                  number_of(statement, "stmt_len"));
        (*statements)[s].stored = std::ranges::find(script.stored, end) != script.stored.end();
      }
      written.scripts.push_back(
          {script.name, script.parameters, std::move(*statements), {name, script.first_line}});
    }
  }
  return written;
}

}  // namespace assay::sql
