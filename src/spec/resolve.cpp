#include "spec/resolve.h"

#include <algorithm>
#include <cctype>

#include "base/similar.h"
#include "spec/load.h"
#include "spec/resolver.h"

namespace assay::spec {
namespace {

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char c, char d) {
    return std::tolower(static_cast<unsigned char>(c)) == std::tolower(static_cast<unsigned char>(d));
  });
}

const Scope& predefined() {
  static const Scope scope = [] {
    Scope names;
    const auto base = [&](const char* name, Base b) {
      names.names[name] = {.kind = Binding::Kind::Base, .number = static_cast<std::size_t>(b)};
    };
    base("reads", Base::Reads);
    base("writes", Base::Writes);
    base("R", Base::Readers);
    base("W", Base::Writers);
    base("so", Base::So);
    base("wr", Base::Wr);
    base("po", Base::Po);
    base("by", Base::OpTxn);
    base("at", Base::OpObj);
    base("rf", Base::Rf);
    base("rt", Base::Rt);
    base("ended", Base::Ended);
    for (const Sort sort : {Sort::Txn, Sort::Obj, Sort::Val, Sort::Op})
      names.names[std::string(name_of(sort))] = {.kind = Binding::Kind::Sort,
                                                 .number = static_cast<std::size_t>(sort)};
    names.names["T0"] = {.kind = Binding::Kind::Initial};
    names.names["id"] = {.kind = Binding::Kind::Identity};
    return names;
  }();
  return scope;
}

// One that takes parameters is checked where it is used: it may serve several sorts.
Result<void> check_let(const Let& let, const std::vector<Witness>& witnesses, const Scope& scope) {
  if (!let.parameters.empty() || !let.indices.empty()) return {};
  try {
    Resolver resolver;
    resolver.declare(witnesses, scope);
    resolver.check(let, scope);
  } catch (Unresolvable& problem) {
    return std::move(problem.error);
  }
  return {};
}

// What is known once everything has been resolved.
void take(Resolver& resolver, Specification& result) {
  resolver.finish();
  result.witnesses = std::move(resolver.witnesses());
  for (const WitnessSpec& witness : result.witnesses)
    if (witness.domain->uses_witness)
      throw Unresolvable{
          error_at(witness.domain->place, "what a witness ranges over cannot depend on a witness")};
  result.variables = resolver.variables();
  result.uses_operations = resolver.uses(Sort::Op);
  result.uses_values = resolver.uses(Sort::Val);
  result.nodes = resolver.nodes();
  for (const Node& node : *result.nodes) {
    if (const Label label{node.name, node.kind == Node::Kind::Label ? node.columns[0] : Sort::Val};
        node.kind == Node::Kind::Label && std::ranges::find(result.labels, label) == result.labels.end())
      result.labels.push_back(label);
    if (node.kind != Node::Kind::Base) continue;
    result.uses_ends |= node.number == static_cast<std::size_t>(Base::Ended);
    result.uses_clocks |= result.uses_ends || node.number == static_cast<std::size_t>(Base::Rt);
  }
}

}  // namespace

Library::Library() : global_(&predefined()) {}

const Scope* Library::extend(const Scope* parent, const std::string& name, Binding binding) {
  Scope& scope = scopes_.emplace_back();
  scope.parent = parent;
  scope.names.emplace(name, binding);
  return &scope;
}

Result<void> Library::check_name(const Named& name, const Scope* scope) const {
  for (; scope != nullptr; scope = scope->parent)
    if (scope->names.contains(name.text))
      return error_at(name.place, fmt::format("{} is defined already", name.text), "choose another name");
  return {};
}

Result<void> Library::add(File added) {
  const File& file = files_.emplace_back(std::move(added));
  for (const LabelDefinition& label : file.labels) ASSAY_TRY(add_label(label));
  for (const Let& let : file.lets) {
    ASSAY_TRY(check_name(let.name, global_));
    ASSAY_TRY(check_let(let, {}, *global_));
    add_global(let.name, {.kind = Binding::Kind::Let, .let = &let, .scope = global_});
  }
  for (const Framework& framework : file.frameworks) ASSAY_TRY(add_framework(framework));
  for (const Definition& definition : file.definitions) ASSAY_TRY(add_definition(definition));
  return {};
}

void Library::add_global(const Named& name, const Binding& binding) {
  globals_.push_back({&name, binding});
  global_ = extend(global_, name.text, binding);
}

Result<void> Library::add_label(const LabelDefinition& label) {
  ASSAY_TRY(check_name(label.name, global_));
  const bool txn = label.sort.text == name_of(Sort::Txn);
  if (!txn && label.sort.text != name_of(Sort::Obj))
    return error_at(label.sort.place, fmt::format("{} has no labels", label.sort.text), "Txn or Obj");
  if (label.name.text.find('-') != std::string::npos)
    return error_at(label.name.place, "a label is one word, without -");
  labels_.push_back({label.name.text, txn ? Sort::Txn : Sort::Obj});
  add_global(label.name,
             {.kind = Binding::Kind::Label, .number = labels_.size() - 1, .sort = labels_.back().sort});
  return {};
}

Result<void> Library::add_framework(const Framework& framework) {
  for (const FrameworkScope& other : frameworks_)
    if (other.framework->name.text == framework.name.text)
      return error_at(framework.name.place,
                      fmt::format("framework {} is defined already", framework.name.text));
  const Scope* scope = global_;
  for (std::size_t i = 0; i < framework.witnesses.size(); ++i) {
    ASSAY_TRY(check_name(framework.witnesses[i].name, scope));
    scope = extend(scope, framework.witnesses[i].name.text, {.kind = Binding::Kind::Witness, .number = i});
  }
  for (const Let& let : framework.lets) {
    ASSAY_TRY(check_name(let.name, scope));
    ASSAY_TRY(check_let(let, framework.witnesses, *scope));
    scope = extend(scope, let.name.text, {.kind = Binding::Kind::Let, .let = &let, .scope = scope});
  }
  frameworks_.push_back({&framework, scope, globals_.size()});
  // A framework without a level is checked too.
  static const Definition anything{
      {"true", {}},
      {},
      false,
      {},
      std::make_shared<const Syntax>(Syntax{Syntax::Kind::True, {}, {}, {}, {}})};
  const auto resolved = resolve({&anything, &frameworks_.back(), scope});
  return resolved ? Result<void>() : Result<void>(resolved.error());
}

// A file may define relations and labels for levels of a framework that it includes, so what files defined
// after the framework is known to later levels of it.
Result<void> Library::add_later_globals(FrameworkScope& framework) {
  for (; framework.globals < globals_.size(); ++framework.globals) {
    const auto& [name, binding] = globals_[framework.globals];
    if (!check_name(*name, framework.scope))
      return error_at(
          name->place,
          fmt::format("{} is defined already in framework {}", name->text, framework.framework->name.text),
          "choose another name");
    framework.scope = extend(framework.scope, name->text, binding);
  }
  return {};
}

Result<void> Library::add_definition(const Definition& definition) {
  std::vector<std::string> known;
  for (FrameworkScope& framework : frameworks_) {
    known.push_back(framework.framework->name.text);
    if (framework.framework->name.text != definition.framework.text) continue;
    ASSAY_TRY(add_later_globals(framework));
    ASSAY_TRY(check_name(definition.name, framework.scope));
    const Scope* scope = framework.scope;
    levels_.push_back({&definition, &framework, scope});
    const auto resolved = resolve(levels_.back());
    if (!resolved) return resolved.error();
    framework.scope = extend(framework.scope, definition.name.text,
                             {.kind = Binding::Kind::Definition, .definition = &definition, .scope = scope});
    return {};
  }
  const std::string& name = definition.framework.text;
  const bool builtin = std::ranges::find(builtin_files(), name, &BuiltinFile::name) != builtin_files().end();
  return error_at(definition.framework.place, fmt::format("there is no framework {}", name),
                  builtin ? fmt::format("write: include {}", name) : did_you_mean(name, known));
}

Result<Specification> Library::find(std::string_view framework, std::string_view level) const {
  const Level* found = nullptr;
  std::vector<std::string> known;
  for (const Level& candidate : levels_) {
    if (!framework.empty() && !same_word(candidate.framework->framework->name.text, framework)) continue;
    if (!candidate.definition->anomaly) known.push_back(candidate.definition->name.text);
    if (!same_word(candidate.definition->name.text, level)) continue;
    if (candidate.definition->anomaly)
      return error(fmt::format("{} is an anomaly, not a level", level), "define a level that forbids it");
    found = &candidate;  // the last one: a file's own levels hide those it includes
  }
  if (found == nullptr) {
    std::string hint = did_you_mean(level, known);
    if (hint.empty() && !known.empty()) hint = fmt::format("there are {}", fmt::join(known, ", "));
    return error(fmt::format("there is no level {}", level), std::move(hint));
  }
  return resolve(*found);
}

std::vector<Specification> Library::levels() const {
  std::vector<Specification> found;
  for (const Level& level : levels_)
    if (!level.definition->anomaly)
      if (auto resolved = resolve(level)) found.push_back(std::move(resolved).value());
  return found;
}

std::vector<Specification> Library::relations(std::string_view framework) const {
  std::vector<Specification> found;
  for (const FrameworkScope& candidate : frameworks_)
    for (const Let& let : candidate.framework->lets)
      if (same_word(candidate.framework->name.text, framework) && let.parameters.empty())
        if (auto resolved = resolve(candidate, let)) found.push_back(std::move(resolved).value());
  return found;
}

Result<Specification> Library::resolve(const FrameworkScope& framework, const Let& let) const {
  Specification result;
  result.framework = framework.framework->name.text;
  result.level = let.name.text;
  result.name = result.framework + ":" + result.level;
  try {
    Resolver resolver;
    resolver.declare(framework.framework->witnesses, *framework.scope);
    result.relation =
        resolver.relation({Syntax::Kind::Name, let.name.place, let.name.text, {}, {}}, *framework.scope);
    take(resolver, result);
  } catch (Unresolvable& problem) {
    return std::move(problem.error);
  }
  return result;
}

Result<Specification> Library::resolve(const Level& level) const {
  const Framework& framework = *level.framework->framework;
  Specification result;
  result.framework = framework.name.text;
  result.level = level.definition->name.text;
  result.about = level.definition->about;
  result.name = result.framework + ":" + result.level;
  try {
    Resolver resolver;
    resolver.declare(framework.witnesses, *level.scope);
    for (const Axiom& axiom : framework.axioms)
      result.axioms.push_back({axiom.name, resolver.formula(*axiom.formula, *level.scope)});
    result.formula = resolver.definition(*level.definition, *level.scope, level.definition->name.place);
    for (const Guess& guess : level.definition->guesses)
      result.guesses.push_back(resolver.guess(guess, *level.scope));
    take(resolver, result);
  } catch (Unresolvable& problem) {
    return std::move(problem.error);
  }
  return result;
}

}  // namespace assay::spec
