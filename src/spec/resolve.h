// Gives names a meaning: definitions of files to Specifications, with sorts and arities checked.
//
// A definition is put in wherever it is used, with its own scope, so it can serve relations of any sort, and
// can only use what stands before it: nothing but `let rec` is recursive. Sorts of variables are inferred by
// unification. `let rec` is a least fixpoint, so its name may stand only where more of it gives more.
#pragma once

#include <map>

#include "spec/core.h"
#include "spec/syntax.h"

namespace assay::spec {

struct Binding;

// Names and their meaning; a chain, one link per definition, so that a definition sees only earlier ones.
struct Scope {
  const Scope* parent = nullptr;
  std::map<std::string, Binding> names;
};

struct Binding {
  enum class Kind { Node, Let, Witness, Base, Sort, Initial, Identity, Definition, Label };
  Kind kind;
  const Node* node = nullptr;
  const Let* let = nullptr;
  const Definition* definition = nullptr;
  const Scope* scope = nullptr;  // in which a let or a definition is to be understood
  std::size_t number = 0;        // of a witness, base, sort or label
  Sort sort{};                   // of a label
};

// What the files say, in order, each file once and after those that it includes.
class Library {
 public:
  Library();
  Library(Library&&) = default;
  Library& operator=(Library&&) = default;

  // Checks everything that the file defines.
  Result<void> add(File file);

  // Names in any case; an empty framework means whichever has the level.
  Result<Specification> find(std::string_view framework, std::string_view level) const;
  // Every level, in the order of the files.
  std::vector<Specification> levels() const;
  // The relations that a framework defines with `let` and without parameters.
  std::vector<Specification> relations(std::string_view framework) const;

 private:
  struct FrameworkScope {
    const Framework* framework;
    const Scope* scope;
    std::size_t globals = 0;  // how many of globals_ the scope has
  };
  struct Global {  // a let or a label
    const Named* name;
    Binding binding;
  };
  struct Level {
    const Definition* definition;
    const FrameworkScope* framework;
    const Scope* scope;
  };

  const Scope* extend(const Scope* parent, const std::string& name, Binding binding);
  Result<void> check_name(const Named& name, const Scope* scope) const;
  Result<void> add_framework(const Framework& framework);
  Result<void> add_definition(const Definition& definition);
  Result<void> add_later_globals(FrameworkScope& framework);
  Result<Specification> resolve(const Level& level) const;
  Result<Specification> resolve(const FrameworkScope& framework, const Let& let) const;

  Result<void> add_label(const LabelDefinition& label);
  void add_global(const Named& name, const Binding& binding);

  std::vector<Label> labels_;
  std::deque<File> files_;
  std::deque<Scope> scopes_;
  std::deque<FrameworkScope> frameworks_;
  std::vector<Level> levels_;
  std::vector<Global> globals_;
  const Scope* global_;
};

// What to warn of: witnesses for which the empty relation, or the full one, is always best.
std::vector<std::string> idle_witnesses(const Specification& spec);

}  // namespace assay::spec
